import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { openField } from '../../kernel/field.ts'
import type { Language } from '../../wire/languages.ts'

const language = openField<Language>()

export const Locale = defineEvents('locale', {
  /** The mail client's display language, or the fallback language if Signet lacks texts for it. */
  displayLanguageRead: fact({ language }),
  languageRequested: gesture({ language }),
  /** The texts of this language are loaded and in use. Later requests send the language as Accept-Language. */
  languageChanged: fact({ language }),
  /** The texts of this language could not be loaded; English is in use. */
  languageFailed: fact({ language, failure: failureField }),
})
