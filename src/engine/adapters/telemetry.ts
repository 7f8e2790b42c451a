import type { TelemetryPlatform } from '../../../streams/pane/telemetry/events.ts'

/**
 * Creates the platform data of telemetry: versions and languages, but no personal data. The platform is the mail
 * client's own name (`PC`, `Mac`, `OfficeOnline`), or else the name of the host.
 */
export const createPlatform = (
  pane: Readonly<{ version: string; beta: boolean }>,
  host: Readonly<{ name: string; displayLanguage: string; about: Readonly<{ platform: string | null }> }>,
  navigator: Pick<Navigator, 'userAgent' | 'language'>,
): TelemetryPlatform => ({
  package: { name: 'signet', version: pane.version },
  context: { platform: host.about.platform ?? host.name, language: host.displayLanguage },
  beta: pane.beta,
  navigator: { userAgent: navigator.userAgent, language: navigator.language },
})
