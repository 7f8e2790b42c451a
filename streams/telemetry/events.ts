import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import type { Settings } from '../settings/settings.ts'

/** Where this person used Signet: one entry per platform. */
export type TelemetryContext = Readonly<{ platform: string; language: string }>

/** What Signet tells the service about itself; nothing of a person (specification, section 3). */
export type TelemetryPayload = Readonly<{
  package: Readonly<{ name: string; version: string }>
  /** At most one entry per platform. */
  context: readonly TelemetryContext[]
  settings: Settings
  beta: boolean
  navigator: Readonly<{ userAgent: string; language: string }>
}>

/** What is told of this pane, whoever uses it; it runs in one place. */
export type Platform = Omit<TelemetryPayload, 'settings' | 'context'> &
  Readonly<{ context: TelemetryContext }>

export const Telemetry = defineEvents('telemetry', {
  /** What this pane is and runs in. */
  platformRead: data<{ platform: Platform }>(),
  /** Where the person used Signet before, from private storage. */
  contextRestored: data<{ context: readonly TelemetryContext[] }>(),
  sent: data(),
  sendFailed: data<{ failure: Failure }>(),
})
export type TelemetryEvent = EventOf<typeof Telemetry>
