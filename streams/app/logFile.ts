import type { Recorded } from '../kernel/event.ts'
import { replay } from '../kernel/store.ts'
import type { Stage } from '../settings/settings.ts'
import type { LoggedEvent } from './events.ts'
import { createRedactor, isKnownType } from './redact.ts'
import { type AppState, evolveApp, initialState } from './state.ts'

const FORMAT = 'signet-log'
/** Increased when an older log can no longer be replayed. */
const VERSION = 3

/** A log as a file: the software that ran, the state before the first event, and the events. */
export type LogFile = Readonly<{
  format: typeof FORMAT
  version: typeof VERSION
  software: string
  stage: Stage
  /** Null when the first event is the first of the session. */
  base: AppState | null
  events: readonly Recorded<LoggedEvent>[]
}>

/** Writes the log of one session as files, redacted. A value has the same placeholder in all of them. */
export type LogWriter = Readonly<{
  /** The oldest events, which are no longer in the log: every later file has the state after them instead. */
  fold(oldest: Iterable<Recorded<LoggedEvent>>): void
  /** The text of a file with these events, which follow the folded ones. */
  write(log: Iterable<Recorded<LoggedEvent>>): string
}>

/** `software` is Signet's version. */
export function createLogWriter(about: Readonly<{ software: string; stage: Stage }>): LogWriter {
  const redact = createRedactor()
  let base: AppState | null = null
  return {
    fold(oldest) {
      base = replay(base ?? initialState(about.stage), evolveApp, redact(oldest))
    },
    write: (log) => writeLogFile({ format: FORMAT, version: VERSION, ...about, base, events: redact(log) }),
  }
}

/** The text of a file. */
export const writeLogFile = (file: LogFile): string => JSON.stringify(file, null, 1)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The farthest time from 1970 that is a date, in milliseconds. */
const LAST_TIME_MS = 8.64e15

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= LAST_TIME_MS

const isEvent = (value: unknown, seq: number): value is Recorded<LoggedEvent> =>
  isRecord(value) &&
  typeof value['type'] === 'string' &&
  isKnownType(value['type']) &&
  isRecord(value['data']) &&
  isRecord(value['meta']) &&
  value['meta']['seq'] === seq &&
  isTime(value['meta']['at']) &&
  typeof value['meta']['source'] === 'string'

/** Whether a value has every slice of the state, with every field that JSON keeps. */
const isState = (value: unknown, stage: Stage): value is AppState =>
  isRecord(value) &&
  Object.entries(initialState(stage)).every(([name, slice]) => {
    const known = value[name]
    return (
      isRecord(known) &&
      Object.entries(slice).every(([field, first]) => first === undefined || Object.hasOwn(known, field))
    )
  })

/** Why a text is not a log: no JSON, another kind of file, an unknown version, or a broken event (its number). */
export type LogFileProblem =
  | Readonly<{ problem: 'notJson' | 'otherFile' | 'otherVersion' }>
  | Readonly<{ problem: 'brokenEvent'; at: number }>

/** Parses the text of a log file. */
export function readLogFile(text: string): LogFile | LogFileProblem {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'notJson' }
  }
  if (!isRecord(value) || value['format'] !== FORMAT || !Array.isArray(value['events']))
    return { problem: 'otherFile' }
  const { version, stage, base, events } = value
  if (version !== VERSION || !isRecord(stage)) return { problem: 'otherVersion' }
  if (base !== null && !isState(base, stage as Stage)) return { problem: 'otherVersion' }
  const from = base === null ? 0 : firstSeqOf(events)
  const broken = events.findIndex((event, index) => !isEvent(event, from + index))
  return broken < 0 ? (value as LogFile) : { problem: 'brokenEvent', at: from + broken }
}

const firstSeqOf = ([first]: readonly unknown[]): number => {
  const seq = isRecord(first) && isRecord(first['meta']) ? first['meta']['seq'] : 0
  return Number.isSafeInteger(seq) ? (seq as number) : 0
}
