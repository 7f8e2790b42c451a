import { defineEvents, fact } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { openField } from '../../kernel/field.ts'
import type { MaintenanceStatus } from '../../wire/user.ts'

export const Maintenance = defineEvents('maintenance', {
  /** The next status request is due; `tick` counts from 0. */
  ticked: fact({ tick: openField<number>() }),
  loaded: fact({ status: openField<MaintenanceStatus>() }),
  loadFailed: fact({ failure: failureField }),
})
