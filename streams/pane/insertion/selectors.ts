import type { ChoiceState } from '../choiceState.ts'
import { defaultChooserOf, selectAdminDefinedId, selectChosenIds } from '../defaults/selectors.ts'
import { contentHash } from '../../html/hash.ts'
import { createSelector } from '../../kernel/selector.ts'
import { selectOtherSender } from '../mailbox/selectors.ts'
import type { Candidate } from '../../html/slots.ts'
import { selectDueSignature, selectKnownSignatures } from '../../message/senders/selectors.ts'
import { knownVersions } from '../../message/senders/versions.ts'
import {
  MASTER_CODE,
  OWN_OWNER,
  type SignatureEntry,
  type SignatureVersion,
} from '../../message/signatures/entry.ts'
import {
  entryOf,
  isDueVersion,
  selectAllEntries,
  selectEntryInUse,
  selectSignatureInMessage,
} from '../signatures/selectors.ts'
import type { SignatureInMessage } from '../../message/signatures/signature.ts'
import { REPLY_VERSION } from '../../wire/signatures.ts'
import type { SignatureContent } from '../../html/content.ts'
import { htmlWithBlocks } from '../../message/signatures/blocks.ts'
import { type SignatureReason, whyInMessage } from '../signatures/why.ts'
import type { PreviousSignature } from '../../message/insertion/automatic.ts'

/** The signature in the message; `content` is null when no loaded signature has this content. */
export type ShownInMessage = Readonly<{
  inMessage: SignatureInMessage & SignatureVersion
  content: SignatureContent | null
}>

const knownContent = ({ insertion }: ChoiceState) => insertion.content
const latestInsertion = ({ insertion }: ChoiceState) => insertion.latest
const enablesPush = ({ settings }: ChoiceState) => settings.enableSignaturePush

/**
 * Why this signature is in the message. Null if Signet has inserted no signature, or inserted it automatically for
 * another sender.
 */
export const selectSignatureReason = createSelector(
  [
    selectSignatureInMessage,
    selectEntryInUse,
    selectOtherSender,
    selectAdminDefinedId,
    selectChosenIds,
    selectDueSignature,
  ],
  (present, inUse, sender, adminDefinedId, chosen, due): SignatureReason | null => {
    if (!present) return null
    const isDue = due?.combinedIds === present.combinedIds
    const owner = inUse?.owner ?? null
    if (!isDue && present.reason.origin === 'default' && owner !== null && owner !== OWN_OWNER) return null
    const by = defaultChooserOf(present.combinedIds, adminDefinedId, chosen)
    return whyInMessage(present, owner, sender, by, isDue ? due : null)
  },
)

/** The signature in the message, with its content if known; null when Signet has inserted no signature. */
export const selectShownInMessage = createSelector(
  [selectSignatureInMessage, knownContent],
  (inMessage, content): ShownInMessage | null => inMessage && { inMessage, content },
)

/** Every block that is known from the service, by its id. */
export const selectKnownBlocks = createSelector(
  [
    selectKnownSignatures,
    ({ signatures }: ChoiceState) => signatures.own.entries,
    ({ signatures }: ChoiceState) => signatures.delegated.entries,
  ],
  ({ signature, senders }, own, delegated): ReadonlyMap<string, Candidate> =>
    new Map(
      knownVersions(signature, senders.others, [...own, ...delegated])
        .flatMap(({ slots = [] }) => slots)
        .flatMap(({ candidates }) => candidates.map((each) => [each.id, each] as const)),
    ),
)

const openMessage = ({ mailbox }: ChoiceState) => mailbox.message

/** The version of the signature that was inserted last; null when its name is not known. */
export const selectInsertedVersion = createSelector(
  [latestInsertion, selectAllEntries, selectDueSignature],
  (insertion, all, standard): SignatureVersion | null => {
    if (!insertion) return null
    const { target, hash } = insertion
    if (target.kind === 'default')
      // Another signature may be due by now, so the contents are compared.
      return standard && standard.name !== '' && contentHash(standard.html) === hash
        ? { name: standard.name, code: standard.reply ? REPLY_VERSION : MASTER_CODE }
        : null
    return target.kind === 'entry' ? (all.find(({ entryId }) => entryId === target.entryId) ?? null) : null
  },
)

/** The list entry for retrying a failed insertion; null when no list has the entry. */
export const selectEntryToRetry = createSelector(
  [latestInsertion, selectAllEntries, selectDueSignature],
  (insertion, all, standard): SignatureEntry | null => {
    if (insertion?.attempt.status !== 'fail') return null
    const { target, hash } = insertion
    if (target.kind === 'entry') return all.find(({ entryId }) => entryId === target.entryId) ?? null
    if (!standard || hash === null) return null
    const entry = entryOf(all, { combinedIds: standard.combinedIds, hash })
    // Another signature may be due by now, so the contents are compared.
    return [entry?.html, standard.html].some((html) => html !== undefined && contentHash(html) === hash)
      ? entry
      : null
  },
)

/** Whether the previous signature of the message is known and can be restored. */
const isKnown = ({ inMessage, content }: PreviousSignature): boolean =>
  inMessage === null || inMessage.combinedIds === '' || content !== null

/**
 * The direction of the button, Undo or Redo; null during an insertion, after a failed one, and with nothing to undo.
 */
export const selectUndoDirection = ({
  insertion: { previous, latest },
}: ChoiceState): 'undo' | 'redo' | null =>
  previous && (latest === null || latest.attempt.status === 'success') && isKnown(previous)
    ? previous.by
    : null

const previousOne = ({ insertion }: ChoiceState) => insertion.previous
const isWriting = ({ insertion: { latest } }: ChoiceState) => latest?.attempt.status === 'pending'

/**
 * The newest rendering of the message's signature, if Signet does not replace the older version by itself: the user
 * chose the signature, or automatic insertion is off for this message. Null otherwise, when no list has the signature,
 * and when the user has just undone the newer version.
 */
export const selectNewerVersion = createSelector(
  [
    ...([openMessage, selectSignatureInMessage, previousOne, isWriting] as const),
    ({ signatures }: ChoiceState) => signatures.own.entries,
    ({ signatures }: ChoiceState) => signatures.delegated.entries,
    ...([selectAllEntries, enablesPush] as const),
  ],
  (message, present, previous, writing, own, delegated, all, enabled): SignatureEntry | null => {
    if (!message || !present || present.combinedIds === '' || writing) return null
    const follows = present.reason.origin === 'default' && enabled && !message.stopPush && !message.isExisting
    if (follows) return null
    const versions = [...own, ...delegated].filter(({ combinedIds }) => combinedIds === present.combinedIds)
    const hashes = versions.map((each) => contentHash(htmlWithBlocks(each, present)))
    if (hashes.includes(present.hash)) return null
    const newer = versions.find(({ code }) => code === present.code)
    const isUndone =
      previous?.by === 'redo' &&
      previous.inMessage?.combinedIds === present.combinedIds &&
      previous.inMessage.hash !== present.hash
    if (!newer || isUndone) return null
    return all.find(({ entryId }) => entryId === newer.entryId) ?? null
  },
)

/**
 * The signature that is due because the user sends from another mailbox, if Signet does not insert it automatically:
 * the user chose another signature for this message, or switched automatic insertion off. Null otherwise, when the
 * message already has a signature of the sender, and when no list has the due signature.
 */
export const selectSendersSignature = createSelector(
  [
    openMessage,
    selectOtherSender,
    selectDueSignature,
    selectEntryInUse,
    selectAllEntries,
    selectSignatureInMessage,
    enablesPush,
  ],
  (message, sender, due, inUse, all, present, enabled): SignatureEntry | null => {
    if (!message || !sender || !due || (due.by !== 'sender' && due.by !== 'choice')) return null
    if (enabled && !message.stopPush && (present?.reason.origin ?? 'default') === 'default') return null
    if (inUse?.combinedIds === due.combinedIds) return null
    if (due.by === 'sender' && inUse?.owner.toLowerCase() === sender.address.toLowerCase()) return null
    return all.find((entry) => isDueVersion(entry, due)) ?? null
  },
)
