import type { i18n } from 'i18next'
import {
  createTranslation,
  type TextKeyOf,
  type TextsOptions,
  type Translate as TranslateOf,
  useTextsOf,
} from '../../shared/translation.ts'
import english from './en.json'

/** The administration page's texts in one language. Every language file has these keys. */
export type Texts = typeof english

export type TextKey = TextKeyOf<Texts>

export type Translate = TranslateOf<TextKey>

export const useTexts = useTextsOf<TextKey>

export const createAdministrationTexts = (options: TextsOptions): i18n => createTranslation(english, options)
