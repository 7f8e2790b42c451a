import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import type { UserEvent } from '../../streams/pane/events.ts'
import type { AppState } from '../../streams/pane/state.ts'
import type { StateStream } from '../../streams/kernel/effect.ts'
import type { PageName } from '../../streams/pane/router/routes.ts'
import { useStateOf } from './state.ts'
import { ToolsProvider, type ViewTools } from './tools.tsx'

/** What the views get: the state to draw, and the way to record the user's gestures. */
export type PaneApp = ViewTools &
  Readonly<{
    state$: StateStream<AppState>
    record(event: UserEvent): void
    /** The component of a view; null until it is loaded. */
    viewOf(view: PageName): ComponentType | null
    version: string
    /** The organisation's own help page; null where it named none. */
    supportUrl: string | null
  }>

const AppContext = createContext<PaneApp | null>(null)

export const AppProvider = ({ app, children }: { app: PaneApp; children: ReactNode }) => (
  <AppContext value={app}>
    <ToolsProvider value={app}>{children}</ToolsProvider>
  </AppContext>
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
  return useStateOf(useApp().state$, select)
}

/** Records gestures of the user. */
export const useRecord = (): PaneApp['record'] => useApp().record
