import type { Recorded } from '../kernel/event.ts'
import type { Stage } from '../settings/settings.ts'
import type { LoggedEvent } from './events.ts'
import { isKnownType, redactLog } from './redact.ts'

const FORMAT = 'signet-log'
/** Increased when an older log can no longer be replayed. */
const VERSION = 2

/** A log as a file: the software that ran, and the events. */
export type LogFile = Readonly<{
  format: typeof FORMAT
  version: typeof VERSION
  software: string
  stage: Stage
  events: readonly Recorded<LoggedEvent>[]
}>

/** A log as the text of a file, redacted. `software` is Signet's version. */
export const writeLogFile = (
  log: Iterable<Recorded<LoggedEvent>>,
  about: Readonly<{ software: string; stage: Stage }>,
): string => {
  const file: LogFile = { format: FORMAT, version: VERSION, ...about, events: redactLog(log) }
  return JSON.stringify(file, null, 1)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEvent = (value: unknown, seq: number): value is Recorded<LoggedEvent> =>
  isRecord(value) &&
  typeof value['type'] === 'string' &&
  isKnownType(value['type']) &&
  isRecord(value['data']) &&
  isRecord(value['meta']) &&
  value['meta']['seq'] === seq &&
  typeof value['meta']['at'] === 'number' &&
  typeof value['meta']['source'] === 'string'

/** Why a text is not a log: no JSON, another kind of file, an unknown version, or a broken event (its index). */
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
  if (value['version'] !== VERSION || !isRecord(value['stage'])) return { problem: 'otherVersion' }
  const broken = value['events'].findIndex((event, seq) => !isEvent(event, seq))
  return broken < 0 ? (value as LogFile) : { problem: 'brokenEvent', at: broken }
}
