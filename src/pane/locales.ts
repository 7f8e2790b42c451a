import type { Observable } from 'rxjs'
import type { Texts } from '../../views/pane/text/texts.ts'
import type { LoadChunk } from '../engine/adapters/chunks.ts'
import {
  createTextsLoader as createLoader,
  type LoadedLanguage,
  type TextImports,
} from '../engine/adapters/texts.ts'

export type { LoadedLanguage }

const IMPORTS: TextImports = {
  de: () => import('../../views/pane/text/de.json'),
  es: () => import('../../views/pane/text/es.json'),
  fr: () => import('../../views/pane/text/fr.json'),
  it: () => import('../../views/pane/text/it.json'),
  nl: () => import('../../views/pane/text/nl.json'),
  pt: () => import('../../views/pane/text/pt.json'),
  'pt-BR': () => import('../../views/pane/text/pt-BR.json'),
}

/** Loads the pane's texts of a language, as `createTextsLoader` of the engine does. */
export const createTextsLoader = (
  loadChunk: LoadChunk,
  importing = IMPORTS,
): ((language: LoadedLanguage) => Observable<Texts>) => createLoader<Texts>(loadChunk, importing)
