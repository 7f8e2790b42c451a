import type { i18n } from 'i18next'
import { createContext, useContext } from 'react'
import english from './en.json'
import {
  createTranslation,
  type TextKeyOf,
  type TextsOptions,
  type Translate as TranslateOf,
  useTextsOf,
} from '../../shared/translation.ts'

/** The texts of one language. Every language file has these keys, with the plural forms of that language. */
export type Texts = typeof english

export type TextKey = TextKeyOf<Texts>

export type Translate = TranslateOf<TextKey>

/** Whether the open item is a meeting. */
export const InMeetingContext = createContext(false)

/**
 * Returns the texts of the current language, and draws the component again when the language changes. In a meeting,
 * uses a text's version for meetings (its key with `_meeting`) if there is one.
 */
export function useTexts(): Translate {
  const t = useTextsOf<TextKey>()
  return useContext(InMeetingContext) ? (key, values) => t(key, { ...values, context: 'meeting' }) : t
}

export const createTexts = (options: TextsOptions): i18n => createTranslation(english, options)
