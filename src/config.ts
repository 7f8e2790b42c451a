import type { Stage } from '../streams/settings/reducer.ts'

/** What the environment says at build time. Every name is read literally, or the bundler does not see it. */
export type Config = Readonly<{
  apiUrl: string
  /** The language to begin with, before the mail client's is known. */
  locale: string
  fallbackLocale: string
  imageOrigins: readonly string[]
  version: string
  stage: Stage
}>

const words = (value: string | undefined): readonly string[] => (value ?? '').split(/\s+/).filter(Boolean)

export const config: Config = {
  apiUrl: process.env.SIGNET_API_URL ?? '',
  locale: process.env.SIGNET_LOCALE ?? 'en',
  fallbackLocale: process.env.SIGNET_FALLBACK_LOCALE ?? 'en',
  imageOrigins: words(process.env.SIGNET_IMAGE_ORIGINS),
  version: process.env.SIGNET_VERSION ?? '0.0.0',
  stage: {
    production: process.env.SIGNET_PRODUCTION === 'true',
    beta: process.env.SIGNET_BETA === 'true',
  },
}
