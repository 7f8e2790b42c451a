import i18next, { type i18n } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import type { Language } from '../../streams/locale/events.ts'
import english from './en.json'

/** The texts of one language; every language file has exactly these keys, and the plural forms of its own. */
export type Texts = typeof english

/** A key without the suffix of its plural form. */
type Stem<Key extends string> = Key extends `${infer Name}_${'one' | 'other'}` ? Name : Key
type Keys<Group, Path extends string = ''> = {
  [Key in keyof Group & string]: Group[Key] extends string
    ? `${Path}${Stem<Key>}`
    : Keys<Group[Key], `${Path}${Key}.`>
}[keyof Group & string]

/** The name of one text. */
export type TextKey = Keys<Texts>

/** What stands in the places of a text; `count` chooses the plural form, and several words become a list. */
export type TextValues = Readonly<Record<string, string | number | readonly string[]>>

/** Gives a text in the language that is shown. */
export type Translate = (key: TextKey, values?: TextValues) => string

/** The texts for a view, which is drawn again when the language changes. */
export function useTexts(): Translate {
  const { t } = useTranslation()
  return (key, values) => t(key, { ...values })
}

/**
 * How the texts begin: `locale` until another language is chosen, `fallback` for a text that the language in use does
 * not have, and after it English. `warn` hears of each text that none of them has, but in production nobody does.
 */
export type TextsOptions = Readonly<{
  locale: Language
  fallback: Language
  production: boolean
  warn: (missing: Readonly<{ key: string; language: string }>) => void
}>

/**
 * The texts, with English there from the start, and in use as long as others are not there. Another language is added
 * by `addResourceBundle(language, 'translation', texts)` and shown by `changeLanguage(language)`.
 */
export function createTexts({ locale, fallback, production, warn }: TextsOptions): i18n {
  const texts = i18next.createInstance()
  void texts.use(initReactI18next).init({
    lng: locale,
    fallbackLng: [...new Set([fallback, 'en'])],
    resources: { en: { translation: english } },
    // So that the first drawing has its words already.
    initAsync: false,
    // React escapes what it draws.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
    saveMissing: !production,
    saveMissingTo: 'current',
    missingKeyHandler: ([language = '']: readonly string[], _namespace, key) => {
      warn({ key, language })
    },
  })
  return texts
}
