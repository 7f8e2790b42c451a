import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import type { Settings } from './settings.ts'

export const SettingsEvents = defineEvents('settings', {
  /** What is there is not read again. */
  loadRequested: data(),
  reloadRequested: data(),
  /** What private storage kept, over the defaults; the defaults alone in production. */
  loaded: data<{ settings: Settings }>(),
  loadFailed: data<{ failure: Failure }>(),
  /** The person changed a switch, or several. */
  updateRequested: data<{ changes: Partial<Settings> }>(),
  updated: data<{ changes: Partial<Settings> }>(),
  updateFailed: data<{ failure: Failure }>(),
  /** Back to the defaults. */
  resetRequested: data(),
  errorsCleared: data(),
})
export type SettingsEvent = EventOf<typeof SettingsEvents>
