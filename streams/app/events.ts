import type { AuthEvent } from '../auth/events.ts'
import type { ConfigurationEvent } from '../configuration/events.ts'
import type { KernelEvent } from '../kernel/effect.ts'
import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import type { LocaleEvent } from '../locale/events.ts'
import type { MailboxEvent } from '../mailbox/events.ts'
import type { MaintenanceEvent } from '../maintenance/events.ts'
import type { NotificationsEvent } from '../notifications/events.ts'
import type { PictureEvent } from '../picture/events.ts'
import type { ProfileEvent } from '../profile/events.ts'
import type { RouterEvent } from '../router/events.ts'
import type { SelfTestEvent } from '../selfTest/events.ts'
import type { SettingsEvent } from '../settings/events.ts'
import type { SignaturesEvent } from '../signatures/events.ts'
import type { SubscriptionEvent } from '../subscription/events.ts'
import type { TelemetryEvent } from '../telemetry/events.ts'
import type { ViewsEvent } from '../views/events.ts'
import type { VariablesEvent } from '../variables/events.ts'

export const App = defineEvents('app', {
  /** The first event of every log. */
  started: data(),
})

/** Everything that can happen. */
export type AppEvent =
  | EventOf<typeof App>
  | AuthEvent
  | ConfigurationEvent
  | LocaleEvent
  | MailboxEvent
  | MaintenanceEvent
  | NotificationsEvent
  | PictureEvent
  | ProfileEvent
  | RouterEvent
  | SelfTestEvent
  | SettingsEvent
  | SignaturesEvent
  | SubscriptionEvent
  | TelemetryEvent
  | ViewsEvent
  | VariablesEvent

/** What an event tells went wrong; null when it tells of no failure. */
export const failureIn = ({ data: told }: AppEvent): Failure | null =>
  'failure' in told ? told.failure : null

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
      | 'picture/loadRequested'
      | 'picture/reloadRequested'
      | 'picture/offered'
      | 'picture/dropped'
      | 'picture/saveRequested'
      | 'picture/deleteRequested'
      | 'profile/loadRequested'
      | 'profile/reloadRequested'
      | 'router/navigationRequested'
      | 'signatures/cacheRequested'
      | 'signatures/chosen'
      | 'signatures/nextPageWanted'
      | 'signatures/noneChosen'
      | 'signatures/undoRequested'
      | 'signatures/wordsRestoreRequested'
      | 'signatures/defaultChangeRequested'
      | 'signatures/copyRequested'
      | 'signatures/refreshRequested'
      | 'signatures/reloadRequested'
      | 'selfTest/requested'
      | 'settings/updateRequested'
      | 'settings/resetRequested'
      | 'settings/errorsCleared'
      | 'variables/loadRequested'
      | 'variables/reloadRequested'
      | 'variables/edited'
      | 'variables/marked'
      | 'variables/unmarked'
      | 'variables/discarded'
      | 'variables/allDiscarded'
      | 'variables/saveRequested'
      | 'variables/errorsCleared'
  }
>
