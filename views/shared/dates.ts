import { languageOf } from '../../streams/wire/languages.ts'

/** Whether the browser can format dates for this tag. A system may report an invalid BCP 47 tag. */
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
 * The locale for dates in a text of this language: the browser's first language with this base language, or else
 * `language`. For example, English texts have British dates in a British browser.
 */
export const localeOfDates = (language: string, browser = browserLanguages()): string =>
  browser.find((tag) => languageOf(tag) === language && isKnown(tag)) ??
  // Without a region, `pt` formats dates as in Brazil.
  (language === 'pt' ? 'pt-PT' : language)
