import { defineEvents, fact } from '../kernel/event.ts'
import { failureField } from '../kernel/failure.ts'
import { open } from '../kernel/field.ts'

export type MaintenanceStatus = 'planned' | 'active' | null

export const Maintenance = defineEvents('maintenance', {
  /** It is time to ask the service for its status; `tick` counts from 0. */
  ticked: fact({ tick: open<number>() }),
  loaded: fact({ status: open<MaintenanceStatus>() }),
  loadFailed: fact({ failure: failureField }),
})
