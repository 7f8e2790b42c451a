import { animationFrames, audit, map, type Observable, startWith } from 'rxjs'
import type { LoggedEvent } from '../../../streams/pane/events.ts'
import type { AppState } from '../../../streams/pane/state.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import type { Language } from '../../../streams/wire/languages.ts'

// The pages of the playground have the same origin. Their windows have these properties, which the other pages use.

/** A running pane, as the page around it observes it. */
export type PaneSession = Readonly<{
  /** Each session of a page has another id. */
  id: number
  /** The events that are kept. The array grows; its oldest events leave it when they are folded into `base()`. */
  log: readonly Recorded<LoggedEvent>[]
  /** The state before the first event of `log`. */
  base(): AppState
  /** Emits every further event. Completes when the pane is unloaded. */
  event$: Observable<unknown>
  /** The language of the pane's texts, now and after each change; null until the pane has chosen a language. */
  language$: Observable<Language | null>
  /** Moves the pane's clock ahead by `ms` milliseconds. */
  jump(ms: number): void
  /** Tells the pane, as the browser does, that the network is lost or back. */
  changeNetwork(isOffline: boolean): void
}>

/** What a pane uses of the page around it: the pane reports its session there, and reads how it has to start. */
export type PaneWatch = Readonly<{
  opened(session: PaneSession): void
  /** How far ahead the pane's clock starts, in milliseconds. */
  ahead(): number
  /** Whether the requests of the pane have to fail now. */
  isOffline(): boolean
}>

declare global {
  interface Window {
    /** The page around the pane sets this before the pane starts. */
    paneWatch?: PaneWatch
    /** The page that renders a replayed pane sets this. */
    replay?: Replay
  }
}

/** A moment of a session: the state, and the time in milliseconds since the epoch. */
export type Moment = Readonly<{
  state: AppState
  at: number
}>

/** Renders the pane at a moment. The user's actions in that pane have no effect. */
export type Replay = Readonly<{ show(moment: Moment): void }>

/** One more than the number of the last event. Emits now, and at most once a frame while the log grows. */
export const logEnd = ({ log, event$ }: PaneSession): Observable<number> =>
  event$.pipe(
    audit(() => animationFrames()),
    startWith(null),
    map(() => (log.at(-1)?.meta.seq ?? -1) + 1),
  )
