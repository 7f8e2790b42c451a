/** Tags of BCP 47. Portuguese is that of Portugal, beside that of Brazil. */
export const languages = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt', 'pt-BR'] as const
export type Language = (typeof languages)[number]
