import type { Observable } from 'rxjs'
import type { LoggedEvent } from '../../../streams/app/events.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import type { AppState } from '../../../streams/app/state.ts'
import type { Stage } from '../../../streams/settings/settings.ts'

// What the playground's pages, all of one origin, let each other see: as properties of their windows.

/** A pane at work, as the page around it watches it. Nothing here changes it. */
export type PaneSession = Readonly<{
  stage: Stage
  /** Every event so far; grows. */
  log: readonly Recorded<LoggedEvent>[]
  /** Every further one. Completes when the pane is unloaded. */
  event$: Observable<unknown>
  /** Moves the pane's clock ahead, in milliseconds. */
  jump(ms: number): void
  /** Tells the pane, as the browser does, that the network is there again. */
  backOnline(): void
}>

/** The page around a pane hears of it here, and says what its surroundings are like. */
export type PaneWatch = Readonly<{
  opened(session: PaneSession): void
  /** How far the pane's clock is ahead from the start, in milliseconds. */
  ahead(): number
  /** Nothing that the pane sends now gets anywhere. */
  isOffline(): boolean
}>

declare global {
  interface Window {
    /** In the page around the pane; the pane finds it when it starts. */
    paneWatch?: PaneWatch
    /** In the page that draws a replayed pane. */
    replay?: Replay
  }
}

/** A moment of a session. `at` is the clock then, in milliseconds since the epoch. */
export type Moment = Readonly<{
  state: AppState
  at: number
  /** What happened until then, as the text of a file. */
  exportLog(): string
}>

/** Draws the pane as it was. Nothing that is done in it is recorded anywhere. */
export type Replay = Readonly<{ show(moment: Moment): void }>
