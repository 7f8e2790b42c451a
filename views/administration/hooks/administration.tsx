import type { AdministrationGesture } from '../../../streams/administration/events.ts'
import type { AdministrationState } from '../../../streams/administration/state.ts'
import { createProgram, type ProgramViews } from '../../hooks/program.tsx'

/** What the views of the administration page get. */
export type AdministrationViews = ProgramViews<AdministrationState, AdministrationGesture>

export const {
  Provider: AdministrationProvider,
  useViews: useAdministration,
  useSelected: useAdministrationState,
  useRecord: useGesture,
  useRecording,
} = createProgram<AdministrationState, AdministrationGesture, AdministrationViews>('AdministrationProvider')
