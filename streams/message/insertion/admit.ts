import { type FoundSignature, hasSignatureWords, type ReadBody } from '../../html/message.ts'
import type { ReadyPlan } from '../../html/plan.ts'
import type { InsertedSignature } from '../mailbox/events.ts'
import { isSignatureRecognisable } from '../mailbox/rules.ts'
import type { SignatureInMessage } from '../signatures/signature.ts'
import type { ChosenContent } from './rules.ts'

/** The decision whether to write a due signature into the message, and if not, why. */
export type Admission =
  | Readonly<{ kind: 'write' }>
  /** Written only if an interrupted replacement removed the signature. Otherwise the user removed it. */
  | Readonly<{ kind: 'writeIfInterrupted' }>
  /** The user decided about this message. `combinedIds` is the signature in it; empty for none. */
  | Readonly<{ kind: 'leaveToUser'; combinedIds: string }>
  /** The message has the words of the signature, but the client removed its mark. */
  | Readonly<{ kind: 'wordsPresent' }>
  /** Nothing in the body that the client returns identifies this signature, but it may still be there. */
  | Readonly<{ kind: 'unrecognised' }>

const WRITE: Admission = { kind: 'write' }

/** Whether the user chose the signature that was inserted last. */
const isChosen = ({ origin }: InsertedSignature): boolean => origin !== 'default'

/**
 * Decides whether to write a due signature into the message. `inserted` is the signature in the message's record;
 * `inMessage` is the signature that this runtime inserted last.
 */
export function admit(
  { html, combinedIds, reason }: ChosenContent,
  plan: Pick<ReadyPlan, 'content' | 'type' | 'hash'>,
  { body, type, known, found }: ReadBody & Readonly<{ found: readonly FoundSignature[] }>,
  inserted: InsertedSignature | null,
  inMessage: Pick<SignatureInMessage, 'hash'> | null,
): Admission {
  // If the user chose the signature in another runtime, only its blocks may change.
  const isOwnChoice = reason.origin !== 'default' && inserted?.combinedIds === combinedIds
  if (inserted && isChosen(inserted) && !isOwnChoice)
    return { kind: 'leaveToUser', combinedIds: inserted.combinedIds }
  const present = found.at(-1)
  if (present) {
    // An unknown signature counts as the user's choice, because its record may have been unreadable.
    const isKnown = [plan.hash, inMessage?.hash, inserted?.hash].includes(present.hash)
    return isKnown ? WRITE : { kind: 'leaveToUser', combinedIds: present.combinedIds }
  }
  if (inMessage === null && inserted === null) {
    // Replies are not checked, because their thread may have the same words, and some clients do not mark its
    // beginning.
    const isThere = !known.isAnswer && hasSignatureWords({ body, type }, html, plan)
    return isThere ? { kind: 'wordsPresent' } : WRITE
  }
  if (inserted && !isSignatureRecognisable(inserted))
    return inserted.combinedIds === combinedIds ? { kind: 'unrecognised' } : WRITE
  return { kind: 'writeIfInterrupted' }
}

/**
 * The user's choice in another runtime, if it was inserted after this insertion was requested (`at`); otherwise null.
 * `recordedAt` is the time of the recorded choice. Times are in milliseconds since the epoch.
 */
export const laterChoice = (
  inserted: InsertedSignature | null,
  { recordedAt, at }: Readonly<{ recordedAt: number; at: number }>,
): InsertedSignature | null => (inserted && isChosen(inserted) && recordedAt > at ? inserted : null)
