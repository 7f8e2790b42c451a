import type { i18n } from 'i18next'
import { useTranslation } from 'react-i18next'
import { createTranslation, type KeyOf, type TextsOptions, type TextValues } from '../../text/translation.ts'
import english from './en.json'

/** The texts of the administration page in one language. Every language file has these keys. */
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

/** The texts of the administration page. */
export const createAdministrationTexts = (options: TextsOptions): i18n => createTranslation(english, options)
