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
import { defaultFor } from './rules.ts'
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
export const selectWhy = /* @__PURE__ */ createSelector(
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
export const selectShownInMessage = /* @__PURE__ */ createSelector(
  [inMessage, knownContent, selectDefaultSignature, selectAllEntries],
  (present, known, signature, all): ShownInMessage | null => {
    if (!present) return null
    const shown = present.name === '' ? { ...present, name: entryOf(all, present)?.name ?? '' } : present
    if (known) return { inMessage: shown, content: known }
    const { images = [] } = signature ?? {}
    const html = [signature?.html, signature?.reply?.html].find(
      (each) => typeof each === 'string' && contentHash(each) === present.hash,
    )
    if (typeof html === 'string') return { inMessage: shown, content: { html, images } }
    const entry = all.find(
      (each) => each.combinedIds === present.combinedIds && contentHash(each.html) === present.hash,
    )
    return { inMessage: shown, content: entry ? { html: entry.html, images: entry.images } : null }
  },
)

const openMessage = ({ mailbox }: AppState) => mailbox.message

/** The default for the open message; null while it is unknown. */
const selectDefaultHere = createSelector(
  [selectDefaultSignature, openMessage],
  (signature, message) => signature && defaultFor(signature, message ?? { composeType: null }),
)

/** The name of the signature of the latest insertion; null when it is in no list. */
export const selectInsertionName = /* @__PURE__ */ createSelector(
  [latestInsertion, selectAllEntries, selectDefaultHere],
  (insertion, all, standard): string | null => {
    if (!insertion) return null
    const { target } = insertion
    if (target.kind === 'default') return standard?.name || null
    return target.kind === 'entry' ? (all.find(({ uuid }) => uuid === target.uuid)?.name ?? null) : null
  },
)

/** The entry with which a failed insertion can be retried; null when it is in no list. */
export const selectEntryToRetry = /* @__PURE__ */ createSelector(
  [latestInsertion, selectAllEntries, selectDefaultHere],
  (insertion, all, standard): SignatureEntry | null => {
    if (insertion?.attempt.status !== 'fail') return null
    const { target, hash } = insertion
    if (target.kind === 'entry') return all.find(({ uuid }) => uuid === target.uuid) ?? null
    return standard && hash !== null ? entryOf(all, { combinedIds: standard.combinedIds, hash }) : null
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
export const selectSendersSignature = /* @__PURE__ */ createSelector(
  [openMessage, selectSender, delegatedEntries, selectEntryInUse],
  (message, sender, delegated, inUse): SignatureEntry | null => {
    if (!message || !sender) return null
    const theirs = delegated.filter(({ owner }) => owner.toLowerCase() === sender.address.toLowerCase())
    if (theirs.some(({ uuid }) => uuid === inUse?.uuid)) return null
    const master = theirs.find(({ type }) => type === 'master') ?? null
    if (!master || !isReplyOrForward(message.composeType)) return master
    return theirs.find(({ variantOf, code }) => variantOf === master.uuid && code === REPLY) ?? master
  },
)
