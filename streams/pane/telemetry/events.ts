import { defineEvents, fact } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { openField } from '../../kernel/field.ts'
import type { LaunchOutcome } from '../../launch/events.ts'
import type { UserSettings } from '../../message/settings/settings.ts'

/** Whether the automatic insertion succeeded. */
export type LaunchResult = 'went' | 'failed'

/**
 * A platform on which this user used Signet. `launch`: whether automatic insertion succeeded in the latest message
 * there. A message counts only if a launch event ran for it and the user opened the pane. `launch` is absent when no
 * signature was due in the message.
 */
export type TelemetryContext = Readonly<{ platform: string; language: string; launch?: LaunchResult }>

/** Signet's report to the service about itself, without personal data (specification, section 3). */
export type TelemetryPayload = Readonly<{
  package: Readonly<{ name: string; version: string }>
  /** One entry per platform. */
  context: readonly TelemetryContext[]
  settings: UserSettings
  beta: boolean
  navigator: Readonly<{ userAgent: string; language: string }>
}>

/** The part of the report that is the same for every user of this pane. */
export type TelemetryPlatform = Omit<TelemetryPayload, 'settings' | 'context'> &
  Readonly<{ context: TelemetryContext }>

export const Telemetry = defineEvents('telemetry', {
  /** The version and the platform of this pane. */
  platformRead: fact({ platform: openField<TelemetryPlatform>() }),
  /** The platforms on which the user used Signet before, from private storage. */
  contextRestored: fact({ context: openField<readonly TelemetryContext[]>() }),
  /** The result of the last launch event in the open message. */
  launchRead: fact({ outcome: openField<LaunchOutcome>() }),
  sent: fact({}),
  sendFailed: fact({ failure: failureField }),
})
