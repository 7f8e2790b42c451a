import type { Auth } from '../../message/auth/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { Maintenance } from './events.ts'
import type { MaintenanceStatus } from '../../wire/user.ts'

/** `known` is false until the service has sent its first status. A failed request changes nothing. */
export type MaintenanceState = Readonly<{ known: boolean; status: MaintenanceStatus }>

const initial: MaintenanceState = { known: false, status: null }

export const maintenance = defineSlice<MaintenanceState, typeof Auth | typeof Maintenance>()(initial, {
  'maintenance/loaded': (state, { data: { status } }) => withChanges(state, { known: true, status }),
  'auth/signedOut': () => initial,
})
