import type { TextKey, Translate } from './texts.ts'

/** The texts of the platforms that Outlook names in its reports (Office's `PlatformType`). */
const EDITIONS = new Map<string, TextKey>(
  (['PC', 'OfficeOnline', 'Mac', 'iOS', 'Android'] as const).map((platform) => [
    platform,
    `overview.now.editions.${platform}`,
  ]),
)

/** The name of a mail app as people know it; reports from other hosts keep the host's own name. */
export function mailAppName(client: string, t: Translate): string {
  const key = EDITIONS.get(client)
  return key === undefined ? client : t(key)
}
