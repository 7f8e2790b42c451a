import type { ComponentType } from 'react'
import type { PaneGesture } from '../../streams/pane/events.ts'
import type { AppState } from '../../streams/pane/state.ts'
import type { PageName } from '../../streams/pane/router/routes.ts'
import { createProgram, type ProgramForViews } from '../shared/program.tsx'

/** The parts of the program that the pane's views use. */
export type PaneApp = ProgramForViews<AppState, PaneGesture> &
  Readonly<{
    /** The component of a view; null until it is loaded. */
    viewOf(view: PageName): ComponentType | null
    /** The organisation's own help page; null if the organisation named none. */
    supportUrl: string | null
  }>

export const {
  Provider: AppProvider,
  useViews: useApp,
  useSelected: useAppState,
  useRecord,
  useRecording,
} = createProgram<AppState, PaneGesture, PaneApp>('AppProvider')
