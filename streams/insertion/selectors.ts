import type { AppState } from '../app/state.ts'
import {
  decidedBy,
  selectAdminDefinedId,
  selectChosenIds,
  selectDefaultSignature,
} from '../defaults/selectors.ts'
import { contentHash } from '../html/hash.ts'
import { createSelector } from '../kernel/selector.ts'
import { isReplyOrForward } from '../mailbox/rules.ts'
import { selectSender } from '../mailbox/selectors.ts'
import type { SignatureEntry } from '../signatures/entry.ts'
import { REPLY } from '../signatures/rules.ts'
import { entryOf, selectAllEntries, selectEntryInUse } from '../signatures/selectors.ts'
import type { Content, InMessage } from '../signatures/signature.ts'
import { type Why, whyInMessage } from '../signatures/why.ts'

/** The signature in the message; `content` is null when no loaded signature has it. */
export type ShownInMessage = Readonly<{ inMessage: InMessage; content: Content | null }>

const inMessage = ({ insertion }: AppState) => insertion.inMessage
const knownContent = ({ insertion }: AppState) => insertion.content
const latestInsertion = ({ insertion }: AppState) => insertion.latest
const delegatedEntries = ({ signatures }: AppState) => signatures.delegated.entries

/** Why this signature is in the message; null when Signet has inserted none. */
export const selectWhy = createSelector(
  [inMessage, selectEntryInUse, selectSender, selectAdminDefinedId, selectChosenIds],
  (present, inUse, sender, adminDefinedId, chosen): Why | null =>
    present &&
    whyInMessage(
      present,
      inUse?.owner ?? null,
      sender,
      decidedBy(present.combinedIds, adminDefinedId, chosen),
    ),
)

/** The signature in the message with its content, if known; null when Signet has inserted none. */
export const selectShownInMessage = createSelector(
  [inMessage, knownContent, selectDefaultSignature, selectAllEntries],
  (present, known, signature, all): ShownInMessage | null => {
    if (!present) return null
    if (known) return { inMessage: present, content: known }
    const { images = [] } = signature ?? {}
    const html = [signature?.html, signature?.reply].find(
      (each) => typeof each === 'string' && contentHash(each) === present.hash,
    )
    if (typeof html === 'string') return { inMessage: present, content: { html, images } }
    const entry = all.find(
      (each) => each.combinedIds === present.combinedIds && contentHash(each.html) === present.hash,
    )
    return { inMessage: present, content: entry ? { html: entry.html, images: entry.images } : null }
  },
)

/** The name of the signature of the latest insertion; null when it is in no list. */
export const selectInsertionName = createSelector(
  [latestInsertion, selectAllEntries, selectDefaultSignature],
  (insertion, all, signature): string | null => {
    if (!insertion) return null
    const { target } = insertion
    if (target.kind === 'default') return signature?.name ?? null
    return target.kind === 'entry' ? (all.find(({ uuid }) => uuid === target.uuid)?.name ?? null) : null
  },
)

/** The entry with which a failed insertion can be retried; null when it is in no list. */
export const selectEntryToRetry = createSelector(
  [latestInsertion, selectAllEntries, selectDefaultSignature],
  (insertion, all, signature): SignatureEntry | null => {
    if (insertion?.attempt.status !== 'fail') return null
    const { target, hash } = insertion
    if (target.kind === 'entry') return all.find(({ uuid }) => uuid === target.uuid) ?? null
    return signature && hash !== null ? entryOf(all, { combinedIds: signature.combinedIds, hash }) : null
  },
)

/** Whether the last insertion can be undone. */
export const selectMayUndo = ({ insertion: { previous, latest } }: AppState): boolean =>
  previous !== null &&
  latest?.attempt.status !== 'pending' &&
  (previous.inMessage === null || previous.content !== null)

/**
 * The signature of the sender, when that is another mailbox than the user's: in a reply the one for replies. Null when
 * the user writes from their own address, when the sender's signature is in already, or when none is known.
 */
export const selectSendersSignature = createSelector(
  [({ mailbox }: AppState) => mailbox.message, selectSender, delegatedEntries, selectEntryInUse],
  (message, sender, delegated, inUse): SignatureEntry | null => {
    if (!message || !sender) return null
    const theirs = delegated.filter(({ owner }) => owner.toLowerCase() === sender.address.toLowerCase())
    if (theirs.some(({ uuid }) => uuid === inUse?.uuid)) return null
    const master = theirs.find(({ type }) => type === 'master') ?? null
    if (!master || !isReplyOrForward(message.composeType)) return master
    return theirs.find(({ variantOf, code }) => variantOf === master.uuid && code === REPLY) ?? master
  },
)
