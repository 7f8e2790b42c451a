import type { Language } from '../../streams/locale/events.ts'
import { toLanguage } from '../../streams/locale/rules.ts'
import type { Stage } from '../../streams/settings/settings.ts'

/** The settings of the build, from environment variables. Each name is literal, or the bundler does not replace it. */
export type Config = Readonly<{
  apiUrl: string
  /** The language until the mail client's is known. */
  locale: Language
  /** The language for users whose own is none of the seven, and for a text that their language lacks. */
  fallbackLocale: Language
  imageOrigins: readonly string[]
  /** The receiver of analytics and its write key; nothing is sent when either is empty. */
  analytics: Readonly<{ url: string; key: string }>
  version: string
  stage: Stage
  /** The add-in's id at the identity provider, the organisation's address there, and the requested permission. */
  signIn: Readonly<{ clientId: string; authority: string; scope: string }>
}>

const words = (value: string | undefined): readonly string[] => (value ?? '').split(/\s+/).filter(Boolean)

export const config: Config = {
  apiUrl: process.env.SIGNET_API_URL ?? '',
  locale: toLanguage(process.env.SIGNET_LOCALE ?? 'en'),
  fallbackLocale: toLanguage(process.env.SIGNET_FALLBACK_LOCALE ?? 'en'),
  imageOrigins: words(process.env.SIGNET_IMAGE_ORIGINS),
  analytics: {
    url: process.env.SIGNET_ANALYTICS_URL ?? '',
    key: process.env.SIGNET_ANALYTICS_KEY ?? '',
  },
  version: process.env.SIGNET_VERSION ?? '0.0.0',
  stage: {
    production: process.env.SIGNET_PRODUCTION === 'true',
    beta: process.env.SIGNET_BETA === 'true',
  },
  signIn: {
    clientId: process.env.SIGNET_CLIENT_ID ?? '',
    authority: process.env.SIGNET_AUTHORITY ?? '',
    scope: process.env.SIGNET_SCOPE ?? '',
  },
}
