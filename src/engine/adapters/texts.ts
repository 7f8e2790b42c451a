import { defer, from, map, type Observable } from 'rxjs'
import { Failed } from '../../../streams/kernel/failure.ts'
import type { Language } from '../../../streams/wire/languages.ts'
import type { LoadChunk } from './chunks.ts'

/** The languages whose texts load on demand. English comes with the views. */
export type LoadedLanguage = Exclude<Language, 'en'>

/** Each language has its own chunk. The paths are literal, so that the bundler finds them. */
export type TextImports = Readonly<Record<LoadedLanguage, () => Promise<unknown>>>

/** A bundler returns a JSON file either as a module with a default export, or as the plain value. */
const textsOf = <Texts>(module: unknown): Texts =>
  typeof module === 'object' && module !== null && 'default' in module
    ? (module.default as Texts)
    : (module as Texts)

/** Loads the texts of a language. Fails with `notLoaded` when they cannot be loaded; a later call tries again. */
export function createTextsLoader<Texts>(
  loadChunk: LoadChunk,
  importing: TextImports,
): (language: LoadedLanguage) => Observable<Texts> {
  const load = {
    de: loadChunk(importing.de),
    es: loadChunk(importing.es),
    fr: loadChunk(importing.fr),
    it: loadChunk(importing.it),
    nl: loadChunk(importing.nl),
    pt: loadChunk(importing.pt),
    'pt-BR': loadChunk(importing['pt-BR']),
  }
  return (language) =>
    defer(() =>
      from(
        load[language]().catch(() => {
          throw new Failed({ kind: 'notLoaded' })
        }),
      ),
    ).pipe(map((module) => textsOf<Texts>(module)))
}
