import i18next, { type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import english from './text/en.json'

type Texts = typeof english

const others: Readonly<Record<string, () => Promise<unknown>>> = {
  de: () => import('./text/de.json'),
  es: () => import('./text/es.json'),
  fr: () => import('./text/fr.json'),
  it: () => import('./text/it.json'),
  nl: () => import('./text/nl.json'),
  pt: () => import('./text/pt.json'),
}

/** The first of the wanted languages (BCP 47) that the playground has texts for; English when there is none. */
export function chooseLanguage(wanted: readonly string[]): string {
  const primary = wanted.map((tag) => tag.toLowerCase().split('-', 1)[0] ?? '')
  return primary.find((language) => language === 'en' || Object.hasOwn(others, language)) ?? 'en'
}

/** Makes the texts of one language ready for the views; English ones stand in where the language cannot be loaded. */
export async function loadTexts(language: string): Promise<i18n> {
  const texts = await others[language]?.().then(textsIn, () => null)
  const instance = i18next.createInstance()
  await instance.use(initReactI18next).init({
    lng: texts ? language : 'en',
    fallbackLng: 'en',
    resources: {
      en: { translation: english },
      ...(texts ? { [language]: { translation: texts } } : {}),
    },
    // React escapes what it draws.
    interpolation: { escapeValue: false },
  })
  return instance
}

/** Shows the texts of another language; those that are shown stay where it cannot be loaded. */
export async function showTexts(texts: i18n, language: string): Promise<void> {
  if (!texts.hasResourceBundle(language, 'translation')) {
    const loaded = await others[language]?.().then(textsIn, () => null)
    if (!loaded) return
    texts.addResourceBundle(language, 'translation', loaded)
  }
  await texts.changeLanguage(language)
}

/** A JSON module is its own default export to the standard, and bare to Parcel. */
const textsIn = (module: unknown): Texts =>
  typeof module === 'object' && module !== null && 'default' in module
    ? (module.default as Texts)
    : (module as Texts)
