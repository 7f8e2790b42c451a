import { animationFrames, audit, map, type Observable, startWith } from 'rxjs'
import type { LoggedEvent } from '../../../streams/pane/events.ts'
import type { AppState } from '../../../streams/pane/state.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import type { Language } from '../../../streams/wire/languages.ts'

// The playground's pages share one origin. Each adds these properties to its window for the other pages.

/** A running pane, as its parent page observes it. */
export type PaneSession = Readonly<{
  /** Unique among a page's sessions. */
  id: number
  /** The kept events. New events are appended; the oldest are removed when they are folded into `base()`. */
  log: readonly Recorded<LoggedEvent>[]
  /** The state before the first event of `log`. */
  base(): AppState
  /** Emits each new event. Completes when the pane is unloaded. */
  event$: Observable<unknown>
  /** The language of the pane's texts, now and after each change; null until the pane chooses a language. */
  language$: Observable<Language | null>
  /** Moves the pane's clock ahead by `ms` milliseconds. */
  jump(ms: number): void
  /** Simulates the browser's event when the network is lost or returns. */
  changeNetwork(isOffline: boolean): void
}>

/** The parent page's interface for a pane: the pane reports its session, and reads its start settings. */
export type PaneWatch = Readonly<{
  opened(session: PaneSession): void
  /** How far ahead the pane's clock starts, in milliseconds. */
  ahead(): number
  /** Whether the pane's requests must fail now. */
  isOffline(): boolean
}>

declare global {
  interface Window {
    /** Set by the parent page before the pane starts. */
    paneWatch?: PaneWatch
    /** Set by the page that renders a replayed pane. */
    replay?: PaneReplay
  }
}

/** A moment in a session: the state, and the time in milliseconds since the epoch. */
export type SessionMoment = Readonly<{
  state: AppState
  at: number
}>

/** Renders the pane at a moment. User actions have no effect in that pane. */
export type PaneReplay = Readonly<{ show(moment: SessionMoment): void }>

/** The last event's number plus one. Emits now, and once per frame or less often while the log grows. */
export const nextEventNumber = ({ log, event$ }: PaneSession): Observable<number> =>
  event$.pipe(
    audit(() => animationFrames()),
    startWith(null),
    map(() => (log.at(-1)?.meta.seq ?? -1) + 1),
  )
