import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'

/** What the organisation allows (specification, section 3, add-in settings). */
export type Configuration = Readonly<{ allowDefaultSignature: boolean }>

export const ConfigurationEvents = defineEvents('configuration', {
  loadRequested: data(),
  loaded: data<{ configuration: Configuration }>(),
  /** The defaults are in use. */
  loadFailed: data<{ failure: Failure }>(),
})
export type ConfigurationEvent = EventOf<typeof ConfigurationEvents>
