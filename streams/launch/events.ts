import type { Session } from '../message/auth/events.ts'
import { defineEvents, fact } from '../kernel/event.ts'
import { failureField } from '../kernel/failure.ts'
import { listField, openField, nullableField, redactedField } from '../kernel/field.ts'
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
  /** The user chose a signature for this message, or removed its signature. */
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
/** `asked`: before the message was sent, Outlook asked the user about missing signatures or blocks. */
export type LaunchEnd = LaunchOutcome | 'asked'

/**
 * A signature or block that is due in a message but missing. `name` is shown to the user. `wordsOnly`: the message has
 * the signature's words without its mark, so an insertion would add a second signature.
 */
export type MissingContent = Readonly<{ kind: 'signature' | 'block'; name: string; wordsOnly?: boolean }>

const id = openField<LaunchId>()

export const Launch = defineEvents('launch', {
  /** Outlook raised a launch event. It starts a runtime first if none is running. */
  raised: fact({ id, kind: openField<LaunchKind>() }),
  /** The cached default was read. `at` is when the service sent it; null without a usable copy. */
  keptRead: fact({ at: nullableField(openField<number>()) }),
  /** Whether the user switched automatic insertion off in the pane, or signed out. */
  factsRead: fact({ off: openField<boolean>() }),
  /** The runtime asks the service for the default, because the copy is missing, incomplete or old. */
  refreshBegan: fact({}),
  signedIn: fact({ session: redactedField<Session>()('session') }),
  refreshed: fact({ kept: redactedField<CachedDefault>()('kept') }),
  /** The new copy was stored, or could not be stored. */
  stored: fact({}),
  refreshFailed: fact({ failure: failureField }),
  /** The signatures and blocks that are missing before sending, except those that the user was already asked about. */
  looked: fact({ missing: listField(redactedField<MissingContent>()('missing')) }),
  /** The time limit of this event has passed. */
  timeUp: fact({ id }),
  /** The event was completed, so nothing more is done for it. */
  completed: fact({ id, outcome: openField<LaunchEnd>() }),
})
