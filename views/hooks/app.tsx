import {
  type ComponentType,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useRef,
  useSyncExternalStore,
} from 'react'
import type { UserEvent } from '../../streams/app/events.ts'
import type { AppState } from '../../streams/app/state.ts'
import type { StateStream } from '../../streams/kernel/effect.ts'
import type { Time } from '../../streams/kernel/time.ts'
import type { PageName } from '../../streams/router/routes.ts'
import type { Sanitize } from '../../streams/html/plan.ts'

/** What the views get: the state to draw, and the way to record the user's gestures. */
export type PaneApp = Readonly<{
  state$: StateStream<AppState>
  record(event: UserEvent): void
  /** Loads the sanitiser's chunk once. */
  loadSanitizer: () => Promise<Sanitize>
  /** The origins that a preview may load images from. */
  imageOrigins: readonly string[]
  time: Time
  /** The component of a view; null until it is loaded. */
  viewOf(view: PageName): ComponentType | null
  version: string
  /** The organisation's own help page; null where it named none. */
  supportUrl: string | null
}>

const AppContext = createContext<PaneApp | null>(null)

export const AppProvider = ({ app, children }: { app: PaneApp; children: ReactNode }) => (
  <AppContext value={app}>{children}</AppContext>
)

export function useApp(): PaneApp {
  const app = useContext(AppContext)
  if (!app) throw new Error('a view was drawn outside AppProvider')
  return app
}

/**
 * Draws again only when the selected part changes; `select` must return the same object for the same state. Throws the
 * error that ends the state, for the boundary around the pane.
 */
export function useAppState<Part>(select: (state: AppState) => Part): Part {
  const { state$ } = useApp()
  const failure = useRef<Readonly<{ error: unknown }> | null>(null)
  const subscribe = useCallback(
    (changed: () => void) => {
      const subscription = state$.subscribe({
        next: changed,
        error: (error: unknown) => {
          failure.current = { error }
          changed()
        },
      })
      return () => {
        subscription.unsubscribe()
      }
    },
    [state$],
  )
  return useSyncExternalStore(subscribe, () => {
    if (failure.current) throw failure.current.error
    return select(state$.value)
  })
}

/** Records gestures of the user. */
export const useRecord = (): PaneApp['record'] => useApp().record
