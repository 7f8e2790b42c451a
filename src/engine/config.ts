import { type Language, toLanguage } from '../../streams/wire/languages.ts'
import type { BuildStage } from '../../streams/message/settings/settings.ts'
import { servedSettings, buildVersion } from './served.ts'

/**
 * The settings of the pages. The server writes them into each page that it serves; for pages that are served elsewhere,
 * `npm run build` writes them. Only the version is a constant of the build.
 */
export type Config = Readonly<{
  apiUrl: string
  /** The language until the language of the mail client is known. */
  locale: Language
  /** The language for users whose own language has no texts, and for texts that their language lacks. */
  fallbackLocale: Language
  imageOrigins: readonly string[]
  /** The analytics service's URL and write key; nothing is sent when either is empty. */
  analytics: Readonly<{ url: string; key: string }>
  version: string
  stage: BuildStage
  /** The app registration's id, the organisation's address at the identity provider, and the requested permission. */
  signIn: Readonly<{ clientId: string; authority: string; scope: string }>
}>

const words = (value: string | undefined): readonly string[] => (value ?? '').split(/\s+/).filter(Boolean)

/** The organisation's own help page; null for none. It is not in `config`, because launch events do not need it. */
export const supportUrl: string | null = servedSettings.SIGNET_SUPPORT_URL || null

export const config: Config = {
  apiUrl: servedSettings.SIGNET_API_URL ?? '',
  locale: toLanguage(servedSettings.SIGNET_LOCALE ?? 'en'),
  fallbackLocale: toLanguage(servedSettings.SIGNET_FALLBACK_LOCALE ?? 'en'),
  imageOrigins: words(servedSettings.SIGNET_IMAGE_ORIGINS),
  analytics: {
    url: servedSettings.SIGNET_ANALYTICS_URL ?? '',
    key: servedSettings.SIGNET_ANALYTICS_KEY ?? '',
  },
  version: buildVersion,
  stage: {
    production: servedSettings.SIGNET_PRODUCTION === 'true',
    beta: servedSettings.SIGNET_BETA === 'true',
  },
  signIn: {
    clientId: servedSettings.SIGNET_CLIENT_ID ?? '',
    authority: servedSettings.SIGNET_AUTHORITY ?? '',
    scope: servedSettings.SIGNET_SCOPE ?? '',
  },
}
