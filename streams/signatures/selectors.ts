import type { AppState } from '../app/state.ts'
import { createSelector } from '../kernel/selector.ts'
import { isReplyOrForward, recipientDomains } from '../mailbox/rules.ts'
import type { SignatureEntry } from './entry.ts'
import type { CachedSignature, Content, InMessage, ListName } from './events.ts'
import type { Insertion } from './reducer.ts'
import { contentHash, findEntry, fitsAudience, recentFirst, REPLY } from './rules.ts'

export type { Content } from './events.ts'

/**
 * An entry with its place in the person's work: `inUse` when it is what stands in the message; `standing` when it
 * goes in by itself, into every message or into replies; `fits` unless it is not meant for these recipients;
 * `insertion` while the latest one is about this entry.
 */
export type ListedEntry = Readonly<{
  entry: SignatureEntry
  inUse: boolean
  standing: 'default' | 'defaultReply' | null
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

const standingOf = (
  { combinedIds, type, html }: SignatureEntry,
  signature: CachedSignature | null,
): ListedEntry['standing'] => {
  if (combinedIds !== signature?.combinedIds) return null
  if (type === 'master') return 'default'
  return signature.reply !== null && html === signature.reply ? 'defaultReply' : null
}

const listed = (
  entries: readonly SignatureEntry[],
  inUse: SignatureEntry | null,
  signature: CachedSignature | null,
  insertion: Insertion | null,
  recipients: readonly string[],
): readonly ListedEntry[] =>
  entries.map((entry) => ({
    entry,
    inUse: entry.uuid === inUse?.uuid,
    standing: standingOf(entry, signature),
    fits: fitsAudience(entry, recipients),
    insertion: insertion?.target.kind === 'entry' && insertion.target.uuid === entry.uuid ? insertion : null,
  }))

/** The person's own list as it is drawn: what was used recently first. */
export const selectListedEntries = createSelector(
  [ownEntries, selectEntryInUse, defaultSignature, latestInsertion, domains, recentAtStart],
  (own, inUse, signature, insertion, recipients, recent): readonly ListedEntry[] =>
    listed(recentFirst(own, recent), inUse, signature, insertion, recipients),
)

/** The delegated list as it is drawn: by owner, in the order in which the owners first come. */
export const selectOwnerGroups = createSelector(
  [delegatedEntries, selectEntryInUse, defaultSignature, latestInsertion, domains],
  (delegated, inUse, signature, insertion, recipients): readonly OwnerGroup[] => {
    const entries = listed(delegated, inUse, signature, insertion, recipients)
    const owners = [...new Set(entries.map(({ entry }) => entry.owner))]
    return owners.map((owner) => ({ owner, entries: entries.filter(({ entry }) => entry.owner === owner) }))
  },
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
  [openMessage, ({ mailbox }: AppState) => mailbox.user, delegatedEntries, selectEntryInUse],
  (message, user, delegated, inUse): SignatureEntry | null => {
    const sender = message?.from?.address.toLowerCase()
    if (!message || !sender || sender === user?.email.toLowerCase()) return null
    const theirs = delegated.filter(({ owner }) => owner.toLowerCase() === sender)
    if (theirs.some(({ uuid }) => uuid === inUse?.uuid)) return null
    const master = theirs.find(({ type }) => type === 'master') ?? null
    if (!master || !isReplyOrForward(message.composeType)) return master
    return theirs.find(({ variantOf, code }) => variantOf === master.uuid && code === REPLY) ?? master
  },
)

/** The default that the organisation chose: what the service gives while the person has chosen none; null otherwise. */
export const selectAdminDefinedId = createSelector(
  [defaultSignature, ({ profile }: AppState) => profile.profile],
  (signature, profile): string | null =>
    signature && profile?.metadata.defaultSignature === null ? signature.combinedIds : null,
)

/** The ids of the person's defaults. */
export const selectDefaultIds = createSelector(
  [({ profile }: AppState) => profile.profile, defaultSignature],
  (profile, signature): Readonly<{ master: string | null; reply: string | null }> => {
    const chosen = profile?.metadata.defaultSignature
    return {
      master: chosen?.master ?? signature?.combinedIds ?? null,
      reply: chosen?.reply ?? (typeof signature?.reply === 'string' ? signature.combinedIds : null),
    }
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
