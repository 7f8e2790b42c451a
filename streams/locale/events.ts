import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'

export const languages = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt'] as const
export type Language = (typeof languages)[number]

export const Locale = defineEvents('locale', {
  languageRequested: data<{ language: Language }>(),
  /** Its texts are there and in use; later requests carry it as Accept-Language. */
  languageChanged: data<{ language: Language }>(),
  /** Its texts could not be loaded; English is in use. */
  languageFailed: data<{ language: Language; failure: Failure }>(),
})
export type LocaleEvent = EventOf<typeof Locale>
