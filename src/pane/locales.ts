import type { i18n } from 'i18next'
import { defer, from, map, of } from 'rxjs'
import type { Locales } from '../../effects/ports.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import type { Language } from '../../streams/locale/events.ts'
import type { Texts } from '../../views/text/texts.ts'
import type { LoadChunk } from '../engine/adapters/chunks.ts'

/** Each language is a chunk of its own; English is in the entry. The paths are literal, so that the bundler finds them. */
const IMPORTS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<unknown>>> = {
  de: () => import('../../views/text/de.json'),
  es: () => import('../../views/text/es.json'),
  fr: () => import('../../views/text/fr.json'),
  it: () => import('../../views/text/it.json'),
  nl: () => import('../../views/text/nl.json'),
  pt: () => import('../../views/text/pt.json'),
}

/** Bundlers give a JSON file as a module with a default export, or as the value itself. */
const textsOf = (module: unknown): Texts =>
  typeof module === 'object' && module !== null && 'default' in module
    ? (module.default as Texts)
    : (module as Texts)

/** Loads languages into `texts`. `fallback` is for users whose own language is none of the seven. */
export function createLocales(
  texts: i18n,
  fallback: Language,
  loadChunk: LoadChunk,
  importing: Readonly<Record<Exclude<Language, 'en'>, () => Promise<unknown>>> = IMPORTS,
): Locales {
  const load = {
    de: loadChunk(importing.de),
    es: loadChunk(importing.es),
    fr: loadChunk(importing.fr),
    it: loadChunk(importing.it),
    nl: loadChunk(importing.nl),
    pt: loadChunk(importing.pt),
  }
  return {
    fallback,
    load: (language) =>
      language === 'en'
        ? of(undefined)
        : defer(() =>
            from(
              load[language]().catch(() => {
                throw new Failed({ kind: 'network' })
              }),
            ),
          ).pipe(
            map((module) => {
              texts.addResourceBundle(language, 'translation', textsOf(module))
            }),
          ),
  }
}
