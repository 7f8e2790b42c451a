import type { AdministrationGesture } from '../../../streams/administration/events.ts'
import type { ValueTools } from '../../../streams/administration/plan/preview.ts'
import { hasRole } from '../../../streams/administration/session/rules.ts'
import type { AdministrationState } from '../../../streams/administration/state.ts'
import type { Role } from '../../../streams/wire/administration/insight.ts'
import { createProgram, type ProgramForViews } from '../../shared/program.tsx'

export type AdministrationViews = ProgramForViews<AdministrationState, AdministrationGesture> &
  Readonly<{
    /** The base address of the documentation, without a slash at the end. */
    documentation: string
    /** Loads the chunk that formats values. */
    loadValues: () => Promise<ValueTools>
  }>

export const {
  Provider: AdministrationProvider,
  useViews: useAdministration,
  useSelected: useAdministrationState,
  useRecord: useGesture,
  useRecording,
} = createProgram<AdministrationState, AdministrationGesture, AdministrationViews>('AdministrationProvider')

export const useHasRole = (role: Role): boolean =>
  useAdministrationState(({ session }) => hasRole(session, role))
