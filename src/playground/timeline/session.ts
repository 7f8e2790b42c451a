import { animationFrames, audit, map, type Observable, startWith } from 'rxjs'
import type { LoggedEvent } from '../../../streams/pane/events.ts'
import type { AppState } from '../../../streams/pane/state.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import type { Language } from '../../../streams/wire/languages.ts'

// The pages of the playground share an origin. These are the properties of their windows that the others use.

/** A running pane, as the page around it observes it. */
export type PaneSession = Readonly<{
  /** Unique among the sessions of a page. */
  id: number
  /** The kept events. The array grows, and loses its oldest events when they are folded into `base()`. */
  log: readonly Recorded<LoggedEvent>[]
  /** The state before the first event of `log`. */
  base(): AppState
  /** Every further event. Completes when the pane is unloaded. */
  event$: Observable<unknown>
  /** The language of the pane's texts, now and at each change; null until it has chosen one. */
  language$: Observable<Language | null>
  /** Moves the pane's clock ahead, in milliseconds. */
  jump(ms: number): void
  /** Tells the pane, as the browser does, that the network is back. */
  backOnline(): void
}>

/** The page around a pane: the pane reports its session, and reads how it has to start. */
export type PaneWatch = Readonly<{
  opened(session: PaneSession): void
  /** How far the pane's clock is ahead from the start, in milliseconds. */
  ahead(): number
  /** Whether the requests of the pane have to fail now. */
  isOffline(): boolean
}>

declare global {
  interface Window {
    /** Set by the page around the pane before the pane starts. */
    paneWatch?: PaneWatch
    /** Set by the page that renders a replayed pane. */
    replay?: Replay
  }
}

/** A moment of a session. `at` is the time then, in milliseconds since the epoch. */
export type Moment = Readonly<{
  state: AppState
  at: number
}>

/** Renders the pane at a moment. User actions in it have no effect. */
export type Replay = Readonly<{ show(moment: Moment): void }>

/** The number after that of the last event: now, and at most once a frame while the log grows. */
export const logEnd = ({ log, event$ }: PaneSession): Observable<number> =>
  event$.pipe(
    audit(() => animationFrames()),
    startWith(null),
    map(() => (log.at(-1)?.meta.seq ?? -1) + 1),
  )
