import { type LogFile, type LogFileProblem, readLogFile } from '../../../streams/pane/logFile.ts'
import { type AppState, evolveApp, initialState } from '../../../streams/pane/state.ts'
import { createHistory, type History } from './history.ts'

/** A log from a file, with the states before and after each event. */
export type OpenedLog = Readonly<{ file: LogFile; history: History<AppState> }>

/**
 * Reads a log file. Folds every event once, so bad data are reported now rather than when the user selects the event.
 */
export function openLog(text: string): OpenedLog | LogFileProblem {
  const file = readLogFile(text)
  if ('problem' in file) return file
  const base = file.base ?? initialState(file.stage)
  const history = createHistory(() => base, evolveApp, file.events)
  for (const { meta } of file.events) {
    try {
      history.transitionAt(meta.seq)
    } catch {
      return { problem: 'brokenEvent', at: meta.seq }
    }
  }
  return { file, history }
}
