import type { Recorded } from '../kernel/event.ts'
import type { BuildStage } from '../message/settings/settings.ts'
import type { SignatureContent } from '../html/content.ts'
import type { LoggedEvent } from './events.ts'
import { createRedactor, isKnownEventType } from './redact.ts'
import { type AppState, evolveApp, initialState } from './state.ts'

const FORMAT = 'signet-log'
/** The version of the format. Increase it when older logs can no longer be replayed. */
const VERSION = 6

/** A log as a file: the software that ran, the state before the first event, and the events. */
export type LogFile = Readonly<{
  format: typeof FORMAT
  version: typeof VERSION
  software: string
  stage: BuildStage
  /** The state before the first event; null when that event is the first of the session. */
  base: AppState | null
  events: readonly Recorded<LoggedEvent>[]
}>

/** Writes the redacted log of one session as files. A private value gets the same placeholder in every file. */
export type LogWriter = Readonly<{
  /**
   * Folds events that were removed from the start of the log. Every later file starts with the state after these
   * events.
   */
  fold(oldest: Iterable<Recorded<LoggedEvent>>): void
  /** Returns the text of a file in pieces, one for each event. The events must follow the folded events. */
  write(log: Iterable<Recorded<LoggedEvent>>): Iterable<string>
}>

/** `software` is Signet's version. */
export function createLogWriter(about: Readonly<{ software: string; stage: BuildStage }>): LogWriter {
  const redact = createRedactor()
  let base: AppState | null = null
  return {
    fold(oldest) {
      let state = base ?? initialState(about.stage)
      for (const event of oldest) state = evolveApp(state, redact(event))
      base = state
    },
    *write(log) {
      const head = JSON.stringify({ format: FORMAT, version: VERSION, ...about, base })
      yield `${head.slice(0, -1)},"events":[`
      const nameContent = createContentNames()
      let separator = '\n'
      for (const event of log) {
        yield separator + JSON.stringify(nameContent(redact(event)))
        separator = ',\n'
      }
      yield '\n]}\n'
    },
  }
}

/** Writes only the hash of content that the file already has, because most insertions repeat the same signature. */
function createContentNames() {
  const written = new Map<string, string>()
  return (event: Recorded<LoggedEvent>): unknown => {
    if (event.type !== 'insertion/succeeded') return event
    const { content, inMessage } = event.data
    const text = JSON.stringify(content)
    if (written.get(inMessage.hash) === text)
      return { ...event, data: { ...event.data, content: inMessage.hash } }
    written.set(inMessage.hash, text)
    return event
  }
}

/** Replaces the hash in a repeated insertion with the content; null for an unknown hash. */
function createContents() {
  const known = new Map<unknown, SignatureContent>()
  return (event: Recorded<LoggedEvent>): Recorded<LoggedEvent> | null => {
    if (event.type !== 'insertion/succeeded') return event
    const { inMessage, content: written } = event.data as Readonly<Record<string, unknown>>
    const content = isRecord(written) ? (written as SignatureContent) : known.get(written)
    if (!content || !isRecord(inMessage)) return null
    known.set(inMessage['hash'], content)
    return { ...event, data: { ...event.data, content } }
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The largest distance from 1970 that a JavaScript date can represent, in milliseconds. */
const LAST_TIME_MS = 8.64e15

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= LAST_TIME_MS

const isEvent = (value: unknown, seq: number): value is Recorded<LoggedEvent> =>
  isRecord(value) &&
  typeof value['type'] === 'string' &&
  isKnownEventType(value['type']) &&
  isRecord(value['data']) &&
  isRecord(value['meta']) &&
  value['meta']['seq'] === seq &&
  isTime(value['meta']['at']) &&
  typeof value['meta']['source'] === 'string'

/** Whether a value has every slice with all its fields. Undefined fields do not count, because JSON drops them. */
const isState = (value: unknown, stage: BuildStage): value is AppState =>
  isRecord(value) &&
  Object.entries(initialState(stage)).every(([name, slice]) => {
    const known = value[name]
    return (
      isRecord(known) &&
      Object.entries(slice).every(([field, first]) => first === undefined || Object.hasOwn(known, field))
    )
  })

/** Why a text is not a log: invalid JSON, another kind of file, an unknown version, or a broken event (number `at`). */
export type LogFileProblem =
  | Readonly<{ problem: 'notJson' | 'otherFile' | 'otherVersion' }>
  | Readonly<{ problem: 'brokenEvent'; at: number }>

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
  if (base !== null && !isState(base, stage as BuildStage)) return { problem: 'otherVersion' }
  const from = base === null ? 0 : firstSeqOf(events)
  const restore = createContents()
  const restored: Recorded<LoggedEvent>[] = []
  for (const [index, each] of (events as readonly unknown[]).entries()) {
    const event = isEvent(each, from + index) ? restore(each) : null
    if (!event) return { problem: 'brokenEvent', at: from + index }
    restored.push(event)
  }
  return { ...(value as LogFile), events: restored }
}

const firstSeqOf = ([first]: readonly unknown[]): number => {
  const seq = isRecord(first) && isRecord(first['meta']) ? first['meta']['seq'] : 0
  return Number.isSafeInteger(seq) ? (seq as number) : 0
}
