import type { TextImports } from '../engine/adapters/texts.ts'

/** Imports the administration page's texts. Each language is a separate chunk; English is bundled with the views. */
export const TEXT_IMPORTS: TextImports = {
  de: () => import('../../views/administration/text/de.json'),
  es: () => import('../../views/administration/text/es.json'),
  fr: () => import('../../views/administration/text/fr.json'),
  it: () => import('../../views/administration/text/it.json'),
  nl: () => import('../../views/administration/text/nl.json'),
  pt: () => import('../../views/administration/text/pt.json'),
  'pt-BR': () => import('../../views/administration/text/pt-BR.json'),
}
