import { useCallback } from 'react'
import i18next, { type i18n } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import type { Language } from '../../streams/wire/languages.ts'
import { localeOfDates } from './dates.ts'

/** A text's key without the suffix for its plural form or for its version for meetings. */
type Stem<Key extends string> = Key extends `${infer Name}_${'one' | 'other' | 'meeting'}` ? Name : Key

/** The keys of a group of texts. */
export type TextKeyOf<Group, Path extends string = ''> = {
  [Key in keyof Group & string]: Group[Key] extends string
    ? `${Path}${Stem<Key>}`
    : TextKeyOf<Group[Key], `${Path}${Key}.`>
}[keyof Group & string]

/**
 * The values of a text's placeholders. `count` selects the plural form; `context` selects the version with that name;
 * an array becomes a list.
 */
export type TextValues = Readonly<Record<string, string | number | readonly string[]>>

/** The text of a key, in the current language. */
export type Translate<Key extends string> = (key: Key, values?: TextValues) => string

/** Returns the texts of the current language, and draws the component again when the language changes. */
export function useTextsOf<Key extends string>(): Translate<Key> {
  const { t } = useTranslation()
  return useCallback((key, values) => t(key, { ...values }), [t])
}

/** The texts of the shared views. Every program has them. */
type SharedTexts = Readonly<{ dialog: { close: string }; notice: { helpdesk: string } }>

export const useSharedTexts = useTextsOf<TextKeyOf<SharedTexts>>

/**
 * `locale` is the first language. Texts that the current language lacks come from `fallback`, then from English. `warn`
 * is called for each text that all of these lack, except in production.
 */
export type TextsOptions = Readonly<{
  locale: Language
  fallback: Language
  production: boolean
  warn: (missing: Readonly<{ key: string; language: string }>) => void
}>

/**
 * The texts of a program. English is built in, and is shown until another language is loaded. Add a language with
 * `addResourceBundle(language, 'translation', texts)` and show it with `changeLanguage(language)`.
 */
export function createTranslation(
  english: SharedTexts,
  { locale, fallback, production, warn }: TextsOptions,
): i18n {
  const texts = i18next.createInstance()
  void texts.use(initReactI18next).init({
    lng: locale,
    fallbackLng: [...new Set([fallback, 'en'])],
    resources: { en: { translation: english } },
    // The texts are loaded at once, because the first drawing needs them.
    initAsync: false,
    // React escapes the values already.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
    saveMissing: !production,
    saveMissingTo: 'current',
    missingKeyHandler: ([language = '']: readonly string[], _namespace, key) => {
      warn({ key, language })
    },
  })
  texts.services.formatter?.addCached('datetime', (language, options: Intl.DateTimeFormatOptions) => {
    const dates = new Intl.DateTimeFormat(localeOfDates(language ?? locale), options)
    return (at: number) => dates.format(at)
  })
  return texts
}
