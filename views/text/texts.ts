import type { i18n } from 'i18next'
import english from './en.json'
import {
  createTranslation,
  type KeyOf,
  type TextsOptions,
  type Translate as TranslateOf,
  useTextsOf,
} from './translation.ts'

/** The texts of one language. Every language file has these keys, with the plural forms of that language. */
export type Texts = typeof english

export type TextKey = KeyOf<Texts>

export type Translate = TranslateOf<TextKey>

export const useTexts = useTextsOf<TextKey>

export const createTexts = (options: TextsOptions): i18n => createTranslation(english, options)
