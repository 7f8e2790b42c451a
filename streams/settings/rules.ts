import type { SettingsState } from './reducer.ts'
import { defaultSettings, type UserSettings, type Stage } from './settings.ts'

/** Where private roaming storage keeps the switches (specification, section 3). */
export const SETTINGS_KEY = 'lsi_addin_settings'

/** The names of the switches. */
export const switches = Object.keys(
  defaultSettings({ production: true, beta: false }),
) as (keyof UserSettings)[]

/** The eight switches alone, without the rest of the slice. */
export const toSettings = (state: SettingsState | UserSettings): UserSettings =>
  Object.fromEntries(switches.map((name) => [name, state[name]])) as UserSettings

/**
 * The switches that private storage kept, over the defaults. A value that is no record, an unknown name and a field of
 * another type are left out, and named in `ignored`.
 */
export function mergeStored(
  stored: unknown,
  stage: Stage,
): Readonly<{ settings: UserSettings; ignored: readonly string[] }> {
  const defaults = defaultSettings(stage)
  if (stored === null || stored === undefined) return { settings: defaults, ignored: [] }
  const record = readRecord(stored)
  if (record === null) return { settings: defaults, ignored: ['record'] }
  const entries = Object.entries(record)
  const isGood = ([name, value]: [string, unknown]) =>
    switches.some((known) => known === name) && typeof value === 'boolean'
  return {
    settings: { ...defaults, ...(Object.fromEntries(entries.filter(isGood)) as Partial<UserSettings>) },
    ignored: entries
      .filter((entry) => !isGood(entry))
      // An unknown name may be of any length and say anything: only known ones are logged.
      .map(([name]) => (switches.some((known) => known === name) ? name : 'unknown')),
  }
}

/** An older version kept JSON in a string. */
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

/** The changes that may be applied: only switches, only booleans. */
export const onlySwitches = (changes: Partial<UserSettings>): Partial<UserSettings> =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([name, value]) => switches.some((known) => known === name) && typeof value === 'boolean',
    ),
  )
