import { defineEvents, fact } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { open } from '../../kernel/field.ts'
import type { MaintenanceStatus } from '../../wire/user.ts'

export const Maintenance = defineEvents('maintenance', {
  /** The next status request is due; `tick` counts from 0. */
  ticked: fact({ tick: open<number>() }),
  loaded: fact({ status: open<MaintenanceStatus>() }),
  loadFailed: fact({ failure: failureField }),
})
