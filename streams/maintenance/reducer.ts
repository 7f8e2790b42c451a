import type { AuthEvent } from '../auth/events.ts'
import { withChanges } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { MaintenanceEvent, MaintenanceStatus } from './events.ts'

/** `known` is false until the service has told its status once. */
export type MaintenanceState = Readonly<{ polling: boolean; known: boolean; status: MaintenanceStatus }>

export const initialMaintenance: MaintenanceState = { polling: false, known: false, status: null }

export function evolveMaintenance(
  state: MaintenanceState,
  event: Recorded<MaintenanceEvent | Extract<AuthEvent, { type: 'auth/signedOut' }>>,
): MaintenanceState {
  switch (event.type) {
    case 'maintenance/pollingStarted':
      return withChanges(state, { polling: true })
    case 'maintenance/pollingStopped':
      return withChanges(state, { polling: false })
    case 'maintenance/loaded':
      return withChanges(state, { known: true, status: event.data.status })
    case 'maintenance/ticked':
    case 'maintenance/loadFailed':
      return state
    case 'auth/signedOut':
      return withChanges(state, initialMaintenance)
    default:
      return assertNever(event)
  }
}
