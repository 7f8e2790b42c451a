import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'

export type MaintenanceStatus = 'planned' | 'active' | null

export const Maintenance = defineEvents('maintenance', {
  pollingStarted: data(),
  pollingStopped: data(),
  /** It is time to look again; `tick` counts from 0. */
  ticked: data<{ tick: number }>(),
  loaded: data<{ status: MaintenanceStatus }>(),
  loadFailed: data<{ failure: Failure }>(),
})
export type MaintenanceEvent = EventOf<typeof Maintenance>
