import type { Observable } from 'rxjs'
import type { Texts } from '../../views/text/texts.ts'
import type { LoadChunk } from '../engine/adapters/chunks.ts'
import {
  createTextsLoader as createLoader,
  type LoadedLanguage,
  type TextImports,
} from '../engine/adapters/texts.ts'

export type { LoadedLanguage }

const IMPORTS: TextImports = {
  de: () => import('../../views/text/de.json'),
  es: () => import('../../views/text/es.json'),
  fr: () => import('../../views/text/fr.json'),
  it: () => import('../../views/text/it.json'),
  nl: () => import('../../views/text/nl.json'),
  pt: () => import('../../views/text/pt.json'),
  'pt-BR': () => import('../../views/text/pt-BR.json'),
}

/** Loads the pane's texts of a language, as `createTextsLoader` of the engine does. */
export const createTextsLoader = (
  loadChunk: LoadChunk,
  importing = IMPORTS,
): ((language: LoadedLanguage) => Observable<Texts>) => createLoader<Texts>(loadChunk, importing)
