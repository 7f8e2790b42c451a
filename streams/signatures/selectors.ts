import type { AppState } from '../app/state.ts'
import type { Failure } from '../kernel/failure.ts'
import { createSelector } from '../kernel/selector.ts'
import { isReplyOrForward, recipientDomains } from '../mailbox/rules.ts'
import type { SignatureEntry } from './entry.ts'
import type { Content, InMessage, ListName } from './events.ts'
import type { Insertion } from './reducer.ts'
import { contentHash } from '../html/hash.ts'
import { findEntry, fitsAudience, recentFirst, REPLY } from './rules.ts'
import { type DefaultBy, type Sender, type Standing, type Why, whyInMessage, whyOffered } from './why.ts'

export type { Content } from './events.ts'

/** The ids of what goes in by itself: into new messages, and into replies and forwards. */
export type DefaultIds = Readonly<{ master: string | null; reply: string | null }>

/**
 * An entry with its place in the person's work: `inUse` when it is what stands in the message; `standing` when it
 * goes in by itself, as somebody decided (`by`); `why` it would stand in this message; `fits` unless it is not meant
 * for these recipients; `insertion` while the latest one is about this entry.
 */
export type ListedEntry = Readonly<{
  entry: SignatureEntry
  inUse: boolean
  standing: Standing | null
  by: DefaultBy
  why: Why
  fits: boolean
  insertion: Insertion | null
}>

/** The delegated entries of one owner. */
export type OwnerGroup = Readonly<{ owner: string; entries: readonly ListedEntry[] }>

/** What stands in the message; `content` is null when it is none of the signatures that are loaded. */
export type ShownInMessage = Readonly<{ inMessage: InMessage; content: Content | null }>

const ownEntries = ({ signatures }: AppState) => signatures.own.entries
const delegatedEntries = ({ signatures }: AppState) => signatures.delegated.entries
const defaultSignature = ({ signatures }: AppState) => signatures.default.signature
const inMessage = ({ signatures }: AppState) => signatures.inMessage
const knownContent = ({ signatures }: AppState) => signatures.content
const latestInsertion = ({ signatures }: AppState) => signatures.insertion
const recentAtStart = ({ signatures }: AppState) => signatures.recentAtStart
const openMessage = ({ mailbox }: AppState) => mailbox.message

const allEntries = createSelector([ownEntries, delegatedEntries], (own, delegated) => [...own, ...delegated])

const domains = createSelector([openMessage], (message) => (message ? recipientDomains(message) : []))

/** The entry whose content it is; when the content was changed since, the master that it came from. */
const entryOf = (
  all: readonly SignatureEntry[],
  { combinedIds, hash }: Pick<InMessage, 'combinedIds' | 'hash'>,
): SignatureEntry | null => {
  const related = all.filter((entry) => entry.combinedIds === combinedIds)
  return related.find(({ html }) => contentHash(html) === hash) ?? related[0] ?? null
}

const selectEntryInUse = createSelector([allEntries, inMessage], (all, present) =>
  present ? entryOf(all, present) : null,
)

/** The address that the message is from when it is not the person's own; null otherwise. */
export const selectSender = createSelector(
  [openMessage, ({ mailbox }: AppState) => mailbox.user],
  (message, user): Sender | null => {
    const from = message?.from
    return from && user && from.address.toLowerCase() !== user.email.toLowerCase() ? from : null
  },
)

const personsProfile = ({ profile }: AppState) => profile.profile

/** The ids of the defaults: what the service says goes in, and until it has said so, what the person chose. */
export const selectDefaultIds = createSelector(
  [personsProfile, defaultSignature],
  (profile, signature): DefaultIds => {
    const chosen = profile?.metadata.defaultSignature
    const master = signature?.combinedIds || chosen?.master || null
    return { master, reply: chosen?.reply ?? (signature?.reply === null ? null : master) }
  },
)

/** The default that the organisation chose: what the service gives while the person has chosen none; null otherwise. */
export const selectAdminDefinedId = createSelector(
  [selectDefaultIds, personsProfile],
  ({ master }, profile): string | null => (profile?.metadata.defaultSignature === null ? master : null),
)

/** The signatures that the person made their defaults; null while that is not known. */
const personsChoice = createSelector(
  [personsProfile],
  (profile): readonly (string | null)[] | null =>
    profile && [
      profile.metadata.defaultSignature?.master ?? null,
      profile.metadata.defaultSignature?.reply ?? null,
    ],
)

const decidedBy = (
  combinedIds: string,
  adminDefinedId: string | null,
  chosen: readonly (string | null)[] | null,
): DefaultBy => {
  if (combinedIds === adminDefinedId) return 'organisation'
  return chosen?.includes(combinedIds) ? 'person' : null
}

const hasReplyVariant = (all: readonly SignatureEntry[], uuid: string): boolean =>
  all.some(({ variantOf, code }) => variantOf === uuid && code === REPLY)

/** What goes into replies is a reply version; of a signature that has none, and was chosen for replies, the master. */
function standingOf(
  { uuid, combinedIds, type, code }: SignatureEntry,
  { master, reply }: DefaultIds,
  all: readonly SignatureEntry[],
): Standing | null {
  if (type === 'master' && combinedIds === master) return 'default'
  if (combinedIds !== reply) return null
  const goesIntoReplies = type === 'master' ? !hasReplyVariant(all, uuid) : code === REPLY
  return goesIntoReplies ? 'defaultReply' : null
}

/** Everything but the entries that decides how a list is drawn. */
const circumstances = createSelector(
  [
    selectEntryInUse,
    selectDefaultIds,
    selectAdminDefinedId,
    personsChoice,
    latestInsertion,
    domains,
    openMessage,
    selectSender,
  ],
  (inUse, ids, adminDefinedId, chosen, insertion, recipients, message, sender) => ({
    inUse,
    ids,
    adminDefinedId,
    chosen,
    insertion,
    recipients,
    message,
    sender,
  }),
)

const listed = (
  entries: readonly SignatureEntry[],
  given: ReturnType<typeof circumstances>,
): readonly ListedEntry[] => {
  const { inUse, ids, adminDefinedId, chosen, insertion, recipients, message, sender } = given
  return entries.map((entry) => {
    const standing = standingOf(entry, ids, entries)
    const by = standing && decidedBy(entry.combinedIds, adminDefinedId, chosen)
    return {
      entry,
      inUse: entry.uuid === inUse?.uuid,
      standing,
      by,
      why: whyOffered(entry, standing, ids.reply !== null, message, sender, by),
      fits: fitsAudience(entry, recipients),
      insertion:
        insertion?.target.kind === 'entry' && insertion.target.uuid === entry.uuid ? insertion : null,
    }
  })
}

/** The person's own list as it is drawn: what was used recently first. */
export const selectListedEntries = createSelector(
  [ownEntries, recentAtStart, circumstances],
  (own, recent, given): readonly ListedEntry[] => listed(recentFirst(own, recent), given),
)

/** The delegated list as it is drawn: by owner, in the order in which the owners first come. */
export const selectOwnerGroups = createSelector(
  [delegatedEntries, circumstances],
  (delegated, given): readonly OwnerGroup[] => {
    const entries = listed(delegated, given)
    const owners = [...new Set(entries.map(({ entry }) => entry.owner))]
    return owners.map((owner) => ({ owner, entries: entries.filter(({ entry }) => entry.owner === owner) }))
  },
)

/** Why the signature in the message stands there; null when there is none of Signet's. */
export const selectWhy = createSelector(
  [inMessage, selectEntryInUse, selectSender, selectAdminDefinedId, personsChoice],
  (present, inUse, sender, adminDefinedId, chosen): Why | null =>
    present &&
    whyInMessage(
      present,
      inUse?.owner ?? null,
      sender,
      decidedBy(present.combinedIds, adminDefinedId, chosen),
    ),
)

/** The signature in the message with what is known of its content; null when there is none of Signet's. */
export const selectShownInMessage = createSelector(
  [inMessage, knownContent, defaultSignature, allEntries],
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

/** The name of what the latest insertion is about; null when it is no signature of a list. */
export const selectInsertionName = createSelector(
  [latestInsertion, allEntries, defaultSignature],
  (insertion, all, signature): string | null => {
    if (!insertion) return null
    const { target } = insertion
    if (target.kind === 'default') return signature?.name ?? null
    return target.kind === 'entry' ? (all.find(({ uuid }) => uuid === target.uuid)?.name ?? null) : null
  },
)

/** The entry by which a failed insertion can be tried again; null when no list has it. */
export const selectEntryToRetry = createSelector(
  [latestInsertion, allEntries, defaultSignature],
  (insertion, all, signature): SignatureEntry | null => {
    if (insertion?.status !== 'fail') return null
    const { target, hash } = insertion
    if (target.kind === 'entry') return all.find(({ uuid }) => uuid === target.uuid) ?? null
    return signature && hash !== null ? entryOf(all, { combinedIds: signature.combinedIds, hash }) : null
  },
)

/** Whether what the message had before the last insertion can be put back. */
export const selectMayUndo = ({ signatures: { former, insertion } }: AppState): boolean =>
  former !== null && insertion?.status !== 'pending' && (former.inMessage === null || former.content !== null)

/**
 * The signature of somebody else as whom the person writes: the one for replies in a reply. Null when they write as
 * themselves, when that sender's signature is in already, or when none of theirs is known.
 */
export const selectSendersSignature = createSelector(
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

/** The state of one list. */
export const selectCollection =
  (list: ListName) =>
  ({ signatures }: AppState) =>
    signatures[list]

/** An entry's content; null when it is in no list. */
export const selectContentOf =
  (uuid: string) =>
  ({ signatures }: AppState): SignatureEntry | null =>
    findEntry(signatures, uuid) ?? null

/** Whether the service is being asked for the person's list. */
export const selectIsChecking = ({ signatures: { own, refresh, reloading } }: AppState): boolean =>
  own.status === 'pending' || refresh.status === 'pending' || reloading

/** Why what is shown is older than the person wished; null while it is not. */
export const selectRefreshFailure = ({ signatures: { refresh } }: AppState): Failure | null => refresh.failure

/** Whether a failure keeps what is shown, or what is missing, from being newer. */
export const selectIsOld = ({ signatures: { own, refresh } }: AppState): boolean =>
  own.failure !== null || refresh.failure !== null
