import { type FoundSignature, hasWords, type ReadBody } from '../../html/message.ts'
import type { ReadyPlan } from '../../html/plan.ts'
import type { Inserted } from '../mailbox/events.ts'
import { isExpected } from '../mailbox/rules.ts'
import type { InMessage } from '../signatures/signature.ts'
import type { Chosen } from './rules.ts'

/** Whether a due signature is written into the message that was read, and if not, why. */
export type Admission =
  | Readonly<{ kind: 'write' }>
  /** An interrupted replacement may have removed the signature. If none did, the user removed it, and nothing is written. */
  | Readonly<{ kind: 'writeIfInterrupted' }>
  /** The user decided about this message. `combinedIds` is the signature that it has, empty for none. */
  | Readonly<{ kind: 'leaveToUser'; combinedIds: string }>
  /** The message has the words of the signature, but the client removed its mark. */
  | Readonly<{ kind: 'wordsPresent' }>
  /** The client returns nothing by which Signet knows this signature, so it may still be there. */
  | Readonly<{ kind: 'unrecognised' }>

const WRITE: Admission = { kind: 'write' }

/** Whether the user chose the signature that was inserted last. */
const isChosen = ({ origin }: Inserted): boolean => origin !== 'default'

/**
 * Decides whether a due signature is written into the message that was read. `inserted` is the signature in the
 * message's record, and `inMessage` the one that this runtime inserted last.
 */
export function admit(
  { html, combinedIds, reason }: Chosen,
  plan: Pick<ReadyPlan, 'content' | 'type' | 'hash'>,
  { body, type, known, found }: ReadBody & Readonly<{ found: readonly FoundSignature[] }>,
  inserted: Inserted | null,
  inMessage: Pick<InMessage, 'hash'> | null,
): Admission {
  // Of a signature that the user chose in another runtime, only the blocks may change.
  const isOwnChoice = reason.origin !== 'default' && inserted?.combinedIds === combinedIds
  if (inserted && isChosen(inserted) && !isOwnChoice)
    return { kind: 'leaveToUser', combinedIds: inserted.combinedIds }
  const present = found.at(-1)
  if (present) {
    // An unknown signature counts as the user's choice: its record may have been unreadable.
    const isKnown = [plan.hash, inMessage?.hash, inserted?.hash].includes(present.hash)
    return isKnown ? WRITE : { kind: 'leaveToUser', combinedIds: present.combinedIds }
  }
  if (inMessage === null && inserted === null) {
    // Replies are not checked: their thread may have the same words, and some clients do not mark its beginning.
    const isThere = !known.isAnswer && hasWords({ body, type }, html, plan)
    return isThere ? { kind: 'wordsPresent' } : WRITE
  }
  if (inserted && !isExpected(inserted))
    return inserted.combinedIds === combinedIds ? { kind: 'unrecognised' } : WRITE
  return { kind: 'writeIfInterrupted' }
}

/**
 * The choice that the user made in another runtime after an insertion was requested (`at`), and that was carried out
 * already; null without one. `recordedAt` is the time of the recorded choice. Times are in milliseconds since the epoch.
 */
export const laterChoice = (
  inserted: Inserted | null,
  { recordedAt, at }: Readonly<{ recordedAt: number; at: number }>,
): Inserted | null => (inserted && isChosen(inserted) && recordedAt > at ? inserted : null)
