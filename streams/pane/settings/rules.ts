import type { SettingsState } from './reducer.ts'
import { defaultSettings, type UserSettings, type BuildStage } from '../../message/settings/settings.ts'

/** The key of the switches in private roaming storage (specification, section 3). */
export const SETTINGS_KEY = 'lsi_addin_settings'

/** The names of the switches. */
export const switchNames = Object.keys(
  defaultSettings({ production: true, beta: false }),
) as (keyof UserSettings)[]

/** Only the eight switches, without the rest of the slice. */
export const toUserSettings = (state: SettingsState | UserSettings): UserSettings =>
  Object.fromEntries(switchNames.map((name) => [name, state[name]])) as UserSettings

/**
 * The defaults, overridden by the switches from private storage. Ignores values that are not records, unknown names and
 * wrong types, and lists them in `ignored`.
 */
export function mergeStoredSettings(
  stored: unknown,
  stage: BuildStage,
): Readonly<{ settings: UserSettings; ignored: readonly string[] }> {
  const defaults = defaultSettings(stage)
  if (stored === null) return { settings: defaults, ignored: [] }
  const record = readRecord(stored)
  if (record === null) return { settings: defaults, ignored: ['record'] }
  const entries = Object.entries(record)
  const isGood = ([name, value]: [string, unknown]) =>
    switchNames.some((known) => known === name) && typeof value === 'boolean'
  return {
    settings: { ...defaults, ...(Object.fromEntries(entries.filter(isGood)) as Partial<UserSettings>) },
    ignored: entries
      .filter((entry) => !isGood(entry))
      // An unknown name can be any text, so only known names are logged.
      .map(([name]) => (switchNames.some((known) => known === name) ? name : 'unknown')),
  }
}

/** The stored record. An older version of Signet stored it as JSON in a string. */
function readRecord(stored: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof stored === 'string') {
    try {
      return readRecord(JSON.parse(stored))
    } catch {
      return null
    }
  }
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored)
    ? (stored as Readonly<Record<string, unknown>>)
    : null
}

/** Keeps only the changes that set a known switch to a boolean. */
export const onlySwitches = (changes: Partial<UserSettings>): Partial<UserSettings> =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([name, value]) => switchNames.some((known) => known === name) && typeof value === 'boolean',
    ),
  )
