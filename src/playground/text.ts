import i18next, { type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import english from './text/en.json'

type PlaygroundTexts = typeof english

const OTHER_LANGUAGES: Readonly<Record<string, () => Promise<unknown>>> = {
  de: () => import('./text/de.json'),
  es: () => import('./text/es.json'),
  fr: () => import('./text/fr.json'),
  it: () => import('./text/it.json'),
  nl: () => import('./text/nl.json'),
  pt: () => import('./text/pt.json'),
  'pt-BR': () => import('./text/pt-BR.json'),
}

/** Loads a language's texts, or the English texts if that fails. */
export async function loadTexts(language: string): Promise<i18n> {
  const instance = i18next.createInstance()
  await instance.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: english } },
    // React escapes the rendered texts, so they need no escaping here.
    interpolation: { escapeValue: false },
  })
  await showTexts(instance, language)
  return instance
}

/** Switches to another language. Keeps the current language if the texts cannot be loaded. */
export async function showTexts(texts: i18n, language: string): Promise<void> {
  if (texts.language === language) return
  if (!texts.hasResourceBundle(language, 'translation')) {
    const loaded = await OTHER_LANGUAGES[language]?.().then(textsIn, () => null)
    if (!loaded) return
    texts.addResourceBundle(language, 'translation', loaded)
  }
  await texts.changeLanguage(language)
}

/** A JSON module's texts: Parcel imports the value itself, while the standard puts it in the default export. */
const textsIn = (module: unknown): PlaygroundTexts =>
  typeof module === 'object' && module !== null && 'default' in module
    ? (module.default as PlaygroundTexts)
    : (module as PlaygroundTexts)
