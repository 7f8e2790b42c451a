import type { Session } from '../message/auth/events.ts'
import { defineEvents, fact } from '../kernel/event.ts'
import { failureField } from '../kernel/failure.ts'
import { listOf, open, orNull, shape } from '../kernel/field.ts'
import type { CachedDefault } from './cachedDefault.ts'

/** The kinds of events for which Outlook starts the add-in. */
export type LaunchKind = 'newMessage' | 'fromChanged' | 'recipientsChanged' | 'send'

/** The number of a launch event in its runtime. */
export type LaunchId = number

/** How a launch event ended. */
export const launchOutcomes = [
  /** Signet inserted the signature. */
  'inserted',
  /** The message already had the signature. */
  'already',
  /** The user chose a signature for this message, or removed the signature. */
  'leftToPerson',
  /** There is no default for this message, or the user switched automatic insertion off. */
  'none',
  'signInNeeded',
  'offline',
  'failed',
  /** A later event of the same kind replaced this event. */
  'superseded',
  'itemGone',
  'late',
] as const
export type LaunchOutcome = (typeof launchOutcomes)[number]
/** `asked`: before the message left, the user was asked about what is missing in it. */
export type LaunchEnd = LaunchOutcome | 'asked'

/**
 * A signature or a block that is due in a message, and is not in it. `name` is for the user. `wordsOnly`: the message
 * has the signature by its words alone, so an insertion would write a second one.
 */
export type Missing = Readonly<{ kind: 'signature' | 'block'; name: string; wordsOnly?: boolean }>

const id = open<LaunchId>()

export const Launch = defineEvents('launch', {
  /** Outlook raised a launch event, and started a runtime for it if no runtime ran. */
  raised: fact({ id, kind: open<LaunchKind>() }),
  /** The cached default was read: `at` is when the service gave it; null without a usable copy. */
  keptRead: fact({ at: orNull(open<number>()) }),
  /** Whether the user switched automatic insertion off in the pane, or signed out. */
  factsRead: fact({ off: open<boolean>() }),
  /** The runtime asks the service for the default, because the copy is missing, incomplete or old. */
  refreshBegan: fact({}),
  signedIn: fact({ session: shape<Session>()('session') }),
  refreshed: fact({ kept: shape<CachedDefault>()('kept') }),
  /** The new copy was stored, or could not be stored. */
  stored: fact({}),
  refreshFailed: fact({ failure: failureField }),
  /** What is missing in the message that is about to leave, and was not asked about before. */
  looked: fact({ missing: listOf(shape<Missing>()('missing')) }),
  /** The time for this event is over. */
  timeUp: fact({ id }),
  /** The event was completed: nothing is done for it afterwards. */
  completed: fact({ id, outcome: open<LaunchEnd>() }),
})
