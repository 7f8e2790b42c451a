import type { SettingsState } from './reducer.ts'
import { defaultSettings, type Settings, type Stage } from './settings.ts'

/** Where private roaming storage keeps the switches (specification, section 3). */
export const SETTINGS_KEY = 'lsi_addin_settings'

/** The names of the switches. */
export const switches = Object.keys(defaultSettings({ production: true, beta: false })) as (keyof Settings)[]

/** The eight switches alone, without what else the store holds. */
export const toSettings = (state: SettingsState | Settings): Settings =>
  Object.fromEntries(switches.map((name) => [name, state[name]])) as Settings

/**
 * What private storage kept, over the defaults. A field of another type, one that nobody knows and a record that is
 * none are left out, and named in `ignored`.
 */
export function mergeStored(
  stored: unknown,
  stage: Stage,
): Readonly<{ settings: Settings; ignored: readonly string[] }> {
  const defaults = defaultSettings(stage)
  if (stored === null || stored === undefined) return { settings: defaults, ignored: [] }
  const record = readRecord(stored)
  if (record === null) return { settings: defaults, ignored: ['record'] }
  const entries = Object.entries(record)
  const isGood = ([name, value]: [string, unknown]) =>
    switches.some((known) => known === name) && typeof value === 'boolean'
  return {
    settings: { ...defaults, ...(Object.fromEntries(entries.filter(isGood)) as Partial<Settings>) },
    ignored: entries
      .filter((entry) => !isGood(entry))
      // A name that is junk may be as long as it likes, and may be anything: only those known are told.
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

/** What came of a change: only switches, only booleans. */
export const onlySwitches = (changes: Partial<Settings>): Partial<Settings> =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([name, value]) => switches.some((known) => known === name) && typeof value === 'boolean',
    ),
  )
