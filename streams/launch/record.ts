import { contentHash } from '../html/hash.ts'
import { type LaunchOutcome, launchOutcomes, type MissingContent } from './events.ts'

/** The key in the item's session data for the record that a launch event stores. */
export const LAUNCH_RECORD_KEY = 'lsi_launch'

/**
 * The key in the item's session data for the missing content that the user was asked about before sending. The value is
 * a list; its first member is the hash of the item's insertion record at that time.
 */
export const GUARD_RECORD_KEY = 'lsi_guard'

/** The notices that a launch event shows in the message. A message shows each kind once. */
export type LaunchNotice =
  | Readonly<{ kind: 'signInNeeded' | 'offline' }>
  | Readonly<{ kind: 'notInserted'; signature: string; reply: boolean }>
  | Readonly<{ kind: 'otherSender'; address: string }>

/**
 * The record that a launch event stores in the item's session data, for the self-test and the next event. `at` is in
 * milliseconds since the epoch; `ms` is how long the event took. `age` is the age of the cached default in
 * milliseconds, null if the service sent a new default. `told` lists the kinds of notices that the message showed.
 */
export type LaunchRecord = Readonly<{
  outcome: LaunchOutcome
  at: number
  ms: number
  age: number | null
  runtime: LaunchRuntime
  told: readonly LaunchNotice['kind'][]
}>

/** Where launch events run: in a page, or in the JavaScript runtime of classic Outlook. */
export type LaunchRuntime = 'page' | 'classic'

/** Reads a stored record; null for malformed JSON. */
export function parseLaunchRecord(json: string | null): LaunchRecord | null {
  try {
    const value = JSON.parse(json ?? 'null') as Partial<LaunchRecord> | null
    const { outcome, at, ms, age = null, runtime, told } = value ?? {}
    const known = launchOutcomes.find((each) => each === outcome)
    return known !== undefined &&
      typeof at === 'number' &&
      typeof ms === 'number' &&
      (age === null || typeof age === 'number') &&
      (runtime === 'page' || runtime === 'classic')
      ? { outcome: known, at, ms, age, runtime, told: Array.isArray(told) ? told : [] }
      : null
  } catch {
    return null
  }
}

/** The first member of the list under `GUARD_RECORD_KEY`, made from the insertion record. */
const startOf = (inserted: string | undefined): string => `["${contentHash(inserted ?? '')}"`

export const toGuardRecord = (missing: readonly MissingContent[], inserted: string | undefined): string =>
  `${startOf(inserted)},${JSON.stringify(missing).slice(1)}`

/** Whether any runtime has asked the user since the last insertion. */
export const isGuardRecordCurrent = (asked: string, inserted: string | undefined): boolean =>
  asked.startsWith(startOf(inserted))

/** The missing signature and blocks that the user was asked about, by name; empty for malformed JSON. */
export function parseGuardRecord(json: string | null): readonly Pick<MissingContent, 'name' | 'wordsOnly'>[] {
  try {
    const value: unknown = JSON.parse(json ?? 'null')
    return Array.isArray(value)
      ? value.flatMap((each: Partial<MissingContent> | null) =>
          typeof each?.name === 'string' && each.name !== ''
            ? [{ name: each.name, ...(each.wordsOnly === true && { wordsOnly: true }) }]
            : [],
        )
      : []
  } catch {
    return []
  }
}
