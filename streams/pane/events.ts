import { Auth } from '../message/auth/events.ts'
import { Chunks } from './chunks/events.ts'
import { Configuration } from './configuration/events.ts'
import { Connection } from './connection/events.ts'
import { Defaults } from '../message/defaults/events.ts'
import { Insertion } from '../message/insertion/events.ts'
import { Kernel } from '../kernel/effect.ts'
import type { EventOf, GestureOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import { Launch } from '../launch/events.ts'
import { Locale } from './locale/events.ts'
import { LogExport } from './logExport/events.ts'
import { Mailbox } from '../message/mailbox/events.ts'
import { Maintenance } from './maintenance/events.ts'
import { Notifications } from './notifications/events.ts'
import { Picture } from './picture/events.ts'
import { Preview } from './preview/events.ts'
import { Profile } from '../message/profile/events.ts'
import { Router } from './router/events.ts'
import { Screen } from './screen/events.ts'
import { SelfTest } from './selfTest/events.ts'
import { SendersRead } from '../message/senders/events.ts'
import { Settings } from '../message/settings/events.ts'
import { Signatures } from '../message/signatures/events.ts'
import { Subscription } from './subscription/events.ts'
import { Telemetry } from './telemetry/events.ts'
import { Variables } from './variables/events.ts'
import { App } from '../message/lifecycle.ts'

export { App }

/** The events of every domain, and the kernel's. */
export const domains = [
  App,
  Auth,
  Chunks,
  Configuration,
  Connection,
  Defaults,
  Insertion,
  Kernel,
  Launch,
  Locale,
  LogExport,
  Mailbox,
  Maintenance,
  Notifications,
  Picture,
  Preview,
  Profile,
  Router,
  Screen,
  SelfTest,
  SendersRead,
  Settings,
  Signatures,
  Subscription,
  Telemetry,
  Variables,
] as const

/** The events in the log. */
export type LoggedEvent = EventOf<typeof App> | EventOf<(typeof domains)[number]>

/** Every event except the kernel's. */
export type AppEvent = Exclude<LoggedEvent, EventOf<typeof Kernel>>

/** The events that a view may record: gestures of the user. */
export type PaneGesture = GestureOf<(typeof domains)[number]>

/** The failure in an event; null when it has none. */
export const failureIn = ({ data }: AppEvent): Failure | null => ('failure' in data ? data.failure : null)
