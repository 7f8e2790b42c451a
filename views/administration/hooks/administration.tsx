import { createContext, type ReactNode, useContext } from 'react'
import type { AdministrationGesture } from '../../../streams/administration/events.ts'
import type { AdministrationState } from '../../../streams/administration/state.ts'
import type { StateStream } from '../../../streams/kernel/effect.ts'
import { useStateOf } from '../../hooks/state.ts'
import { ToolsProvider, type ViewTools } from '../../hooks/tools.tsx'

/** What the views of the administration page get: the state to draw, and the way to record gestures. */
export type AdministrationViews = ViewTools &
  Readonly<{
    state$: StateStream<AdministrationState>
    record(event: AdministrationGesture): void
    /** The page's own version. */
    version: string
  }>

const AdministrationContext = createContext<AdministrationViews | null>(null)

export const AdministrationProvider = ({
  administration,
  children,
}: {
  administration: AdministrationViews
  children: ReactNode
}) => (
  <AdministrationContext value={administration}>
    <ToolsProvider value={administration}>{children}</ToolsProvider>
  </AdministrationContext>
)

export function useAdministration(): AdministrationViews {
  const administration = useContext(AdministrationContext)
  if (!administration) throw new Error('a view was drawn outside AdministrationProvider')
  return administration
}

/** Draws again only when the selected part changes; `select` must return the same object for the same state. */
export function useAdministrationState<Part>(select: (state: AdministrationState) => Part): Part {
  return useStateOf(useAdministration().state$, select)
}

/** Records gestures of the administrator. */
export const useGesture = (): AdministrationViews['record'] => useAdministration().record
