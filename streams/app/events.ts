import type { AuthEvent } from '../auth/events.ts'
import type { KernelEvent } from '../kernel/effect.ts'
import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { LocaleEvent } from '../locale/events.ts'
import type { MailboxEvent } from '../mailbox/events.ts'
import type { MaintenanceEvent } from '../maintenance/events.ts'
import type { NotificationsEvent } from '../notifications/events.ts'
import type { ProfileEvent } from '../profile/events.ts'
import type { RouterEvent } from '../router/events.ts'
import type { SignaturesEvent } from '../signatures/events.ts'
import type { TelemetryEvent } from '../telemetry/events.ts'

export const App = defineEvents('app', {
  /** The first event of every log. */
  started: data(),
})

/** Everything that can happen. */
export type AppEvent =
  | EventOf<typeof App>
  | AuthEvent
  | LocaleEvent
  | MailboxEvent
  | MaintenanceEvent
  | NotificationsEvent
  | ProfileEvent
  | RouterEvent
  | SignaturesEvent
  | TelemetryEvent

/** What the log holds: also what the kernel itself has to tell. */
export type LoggedEvent = AppEvent | KernelEvent

/** What a view may record: only what the person did. */
export type UserEvent = Extract<
  AppEvent,
  {
    type:
      | 'auth/signInRequested'
      | 'auth/signOutRequested'
      | 'locale/languageRequested'
      | 'profile/loadRequested'
      | 'router/navigationRequested'
      | 'signatures/cacheRequested'
      | 'signatures/chosen'
      | 'signatures/pageRequested'
  }
>
