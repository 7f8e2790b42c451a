import type { TextImports } from '../engine/adapters/texts.ts'

/** Imports the texts of the administration page. Each language is a chunk of its own; English comes with the views. */
export const TEXTS: TextImports = {
  de: () => import('../../views/administration/text/de.json'),
  es: () => import('../../views/administration/text/es.json'),
  fr: () => import('../../views/administration/text/fr.json'),
  it: () => import('../../views/administration/text/it.json'),
  nl: () => import('../../views/administration/text/nl.json'),
  pt: () => import('../../views/administration/text/pt.json'),
  'pt-BR': () => import('../../views/administration/text/pt-BR.json'),
}
