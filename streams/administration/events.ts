import type { Kernel } from '../kernel/effect.ts'
import type { EventOf, GestureOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import { approvingDomains } from './approving/events.ts'
import { directoryDomains } from './directory/events.ts'
import { organisationsDomains } from './organisations/events.ts'
import { overviewDomains } from './overview/events.ts'
import { peopleDomains } from './people/events.ts'
import { Place } from './place/events.ts'
import { Designing } from './design/events.ts'
import { planDomains } from './plan/events.ts'
import { Session } from './session/events.ts'
import { Work } from './work/events.ts'

/** The events of every domain of the administration page. */
export const domains = [
  Place,
  Session,
  ...overviewDomains,
  ...planDomains,
  Designing,
  ...peopleDomains,
  ...directoryDomains,
  ...organisationsDomains,
  ...approvingDomains,
  Work,
] as const

/** All events except the kernel's. */
export type AdministrationEvent = EventOf<(typeof domains)[number]>

/** All events in the log: the page's and the kernel's. */
export type LoggedEvent = AdministrationEvent | EventOf<typeof Kernel>

/** The events that a view may record: gestures of the administrator. */
export type AdministrationGesture = GestureOf<(typeof domains)[number]>

/** The failure that an event carries; null when it has none. */
export const failureIn = ({ data }: AdministrationEvent): Failure | null =>
  'failure' in data ? data.failure : null
