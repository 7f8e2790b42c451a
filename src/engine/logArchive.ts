import type { LogWriter } from '../../streams/pane/logFile.ts'
import type { BuildStage } from '../../streams/message/settings/settings.ts'
import { config } from './config.ts'
import type { SignetApp } from './createApp.ts'

/** How many of the newest events the log keeps (about 100 messages). Older events are folded into its base. */
export const MAX_LOGGED_EVENTS = 1_000
/** How many events beyond `MAX_LOGGED_EVENTS` accumulate before they are folded together. */
export const EVENTS_FOLDED_AT_ONCE = 500

/** Exports the log of a running application as a file without personal data. */
export type LogArchive = Readonly<{
  /**
   * The text of the file in parts, up to the event with the number `last`. Read the parts at once, and only once.
   * Rejects when the export's code cannot be loaded.
   */
  exportLog(last?: number): Promise<Iterable<string>>
}>

type CreateLogWriter = (about: Readonly<{ software: string; stage: BuildStage }>) => LogWriter

const importLogWriter = (): Promise<CreateLogWriter> =>
  import('../../streams/pane/logFile.ts').then(({ createLogWriter }) => createLogWriter)

/**
 * Limits the length of an application's log, however long the application runs, and exports the log. The redaction code
 * is loaded at the first export, or when events must be folded for the first time. While that code cannot be loaded,
 * the log keeps all events.
 */
export function createLogArchive(
  app: Pick<SignetApp, 'event$' | 'log' | 'foldOldest'>,
  load = importLogWriter,
): LogArchive {
  let writer: Promise<LogWriter> | null = null
  const loadWriter = () =>
    (writer ??= load().then(
      (create) => create({ software: config.version, stage: config.stage }),
      (error: unknown) => {
        writer = null
        throw error
      },
    ))
  let isFolding = false
  let due = MAX_LOGGED_EVENTS + EVENTS_FOLDED_AT_ONCE
  app.event$.subscribe(() => {
    if (isFolding || app.log.length < due) return
    isFolding = true
    loadWriter()
      .then(
        ({ fold }) => {
          fold(app.foldOldest(app.log.length - MAX_LOGGED_EVENTS))
          due = MAX_LOGGED_EVENTS + EVENTS_FOLDED_AT_ONCE
        },
        () => {
          due = app.log.length + EVENTS_FOLDED_AT_ONCE
        },
      )
      .finally(() => {
        isFolding = false
      })
  })
  return {
    exportLog: (last = Infinity) =>
      loadWriter().then(({ write }) => write(app.log.filter(({ meta }) => meta.seq <= last))),
  }
}
