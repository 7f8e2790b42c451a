import type { i18n } from 'i18next'
import { useTranslation } from 'react-i18next'
import english from './en.json'
import { createTranslation, type KeyOf, type TextsOptions, type TextValues } from './translation.ts'

export type { TextsOptions, TextValues }

/** The texts of one language. Every language file has these keys, with the plural forms of that language. */
export type Texts = typeof english

/** The key of a text. */
export type TextKey = KeyOf<Texts>

/** The text of a key, in the current language. */
export type Translate = (key: TextKey, values?: TextValues) => string

/** The texts of the current language; the component draws again when it changes. */
export function useTexts(): Translate {
  const { t } = useTranslation()
  return (key, values) => t(key, { ...values })
}

/** The texts of the pane. */
export const createTexts = (options: TextsOptions): i18n => createTranslation(english, options)
