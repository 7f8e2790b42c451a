import { languageOf } from '../../streams/wire/languages.ts'

/** Whether the browser can write dates for this tag. A system can report a tag that is none of BCP 47. */
const isKnown = (tag: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

const browserLanguages = (): readonly string[] =>
  typeof navigator === 'undefined' ? [] : navigator.languages

/**
 * The locale of dates in a text of this language: the first language of the browser of which `language` is the language
 * without region, else `language`. So English texts have British dates in a British browser.
 */
export const localeOfDates = (language: string, browser = browserLanguages()): string =>
  browser.find((tag) => languageOf(tag) === language && isKnown(tag)) ??
  // Alone, `pt` has the dates of Brazil.
  (language === 'pt' ? 'pt-PT' : language)
