import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import type { Settings } from '../settings/reducer.ts'

/** What Signet tells the service about itself; nothing of a person (specification, section 3). */
export type TelemetryPayload = Readonly<{
  package: Readonly<{ name: string; version: string }>
  /** At most one entry per platform. */
  context: readonly Readonly<{ platform: string; language: string }>[]
  settings: Settings
  beta: boolean
  navigator: Readonly<{ userAgent: string; language: string }>
}>

export const Telemetry = defineEvents('telemetry', {
  sent: data(),
  sendFailed: data<{ failure: Failure }>(),
})
export type TelemetryEvent = EventOf<typeof Telemetry>
