import { contentHash } from '../html/hash.ts'
import { type LaunchOutcome, launchOutcomes, type Missing } from './events.ts'

/** The key in the item's session data under which a launch event leaves its record. */
export const LAUNCH_RECORD = 'lsi_launch'

/**
 * The key in the item's session data under which it is recorded what the user was asked about before sending: a list
 * whose first member is the hash of the item's record of insertion at that time.
 */
export const GUARD_RECORD = 'lsi_guard'

/** What a launch event tells the user in the message. A message shows each kind of notice once. */
export type LaunchNotice =
  | Readonly<{ kind: 'signInNeeded' | 'offline' }>
  | Readonly<{ kind: 'notInserted'; signature: string; reply: boolean }>
  | Readonly<{ kind: 'otherSender'; address: string }>

/**
 * What a launch event leaves in the session data of the item, for the self-test and for the next event. `at` is in
 * milliseconds since the epoch, `ms` is how long the event took. `age` is the age of the cached default in
 * milliseconds, null when the service gave a new default. `told` are the kinds of notices that the message showed.
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
export function parseRecord(json: string | null): LaunchRecord | null {
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

/** The start of what is recorded under `GUARD_RECORD`, by the record of insertion. */
const startOf = (inserted: string | undefined): string => `["${contentHash(inserted ?? '')}"`

export const toGuardRecord = (missing: readonly Missing[], inserted: string | undefined): string =>
  `${startOf(inserted)},${JSON.stringify(missing).slice(1)}`

/** Whether the user was asked after the last insertion, whichever runtime made it. */
export const isAskedSince = (asked: string, inserted: string | undefined): boolean =>
  asked.startsWith(startOf(inserted))

/** What the user was asked about, as far as it has a name; nothing for malformed JSON. */
export function readAsked(json: string | null): readonly Pick<Missing, 'name' | 'wordsOnly'>[] {
  try {
    const value: unknown = JSON.parse(json ?? 'null')
    return Array.isArray(value)
      ? value.flatMap((each: Partial<Missing> | null) =>
          typeof each?.name === 'string' && each.name !== ''
            ? [{ name: each.name, ...(each.wordsOnly === true && { wordsOnly: true }) }]
            : [],
        )
      : []
  } catch {
    return []
  }
}
