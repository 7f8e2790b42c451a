import type { AppState } from '../app/state.ts'
import {
  decidedBy,
  type DefaultIds,
  selectAdminDefinedId,
  selectChosenIds,
  selectDefaultIds,
} from '../defaults/selectors.ts'
import { contentHash } from '../html/hash.ts'
import type { LatestInsertion } from '../insertion/reducer.ts'
import type { Failure } from '../kernel/failure.ts'
import { failureOf } from '../kernel/load.ts'
import { createSelector } from '../kernel/selector.ts'
import { recipientDomains } from '../mailbox/rules.ts'
import { selectSender } from '../mailbox/selectors.ts'
import type { Due } from '../senders/rules.ts'
import { selectDue } from '../senders/selectors.ts'
import type { SignatureEntry } from './entry.ts'
import type { ListName } from './events.ts'
import { findEntry, fitsAudience, recentFirst, REPLY } from './rules.ts'
import type { InMessage } from './signature.ts'
import { type DefaultBy, type DefaultRole, type InReplies, type Why, whyOffered } from './why.ts'

/** The status of an entry (specification, section 3): that of its insertion until the outcome was shown. */
export type EntryStatus = 'idle' | 'pending' | 'success' | 'fail'

/**
 * An entry as it is drawn: `inUse`: it is the signature in the message; `role`: it is a default, `by` whom; `why` it
 * would be in this message; `fits`: it suits these recipients; `insertion`: the latest one, if it is of this entry.
 */
export type ListedEntry = Readonly<{
  entry: SignatureEntry
  inUse: boolean
  role: DefaultRole | null
  by: DefaultBy
  why: Why
  fits: boolean
  insertion: LatestInsertion | null
  status: EntryStatus
}>

/** The delegated entries of one owner. */
export type OwnerGroup = Readonly<{ owner: string; entries: readonly ListedEntry[] }>

const ownEntries = ({ signatures }: AppState) => signatures.own.entries
const delegatedEntries = ({ signatures }: AppState) => signatures.delegated.entries
const inMessage = ({ insertion }: AppState) => insertion.inMessage
const latestInsertion = ({ insertion }: AppState) => insertion.latest
const recentAtStart = ({ signatures }: AppState) => signatures.recentAtStart
const openMessage = ({ mailbox }: AppState) => mailbox.message

/** The query of the search; empty without a search. */
export const selectQuery = ({ signatures }: AppState): string => signatures.search.query

export const selectAllEntries = /* @__PURE__ */ createSelector(
  [ownEntries, delegatedEntries],
  (own, delegated) => [...own, ...delegated],
)

const domains = createSelector([openMessage], (message) => (message ? recipientDomains(message) : []))

/** The entry with this content; when the content changed since, its master. */
export const entryOf = (
  all: readonly SignatureEntry[],
  { combinedIds, hash }: Pick<InMessage, 'combinedIds' | 'hash'>,
): SignatureEntry | null => {
  const related = all.filter((entry) => entry.combinedIds === combinedIds)
  return related.find(({ html }) => contentHash(html) === hash) ?? related[0] ?? null
}

export const selectEntryInUse = /* @__PURE__ */ createSelector(
  [selectAllEntries, inMessage],
  (all, present) => (present ? entryOf(all, present) : null),
)

/** Whether the entry is this signature, in the same version. */
export const isVersion = (
  { combinedIds, type, code }: SignatureEntry,
  due: Pick<Due, 'combinedIds' | 'reply'> | null,
): boolean => combinedIds === due?.combinedIds && (due.reply ? code === REPLY : type === 'master')

const hasReplyVariant = (all: readonly SignatureEntry[], uuid: string): boolean =>
  all.some(({ variantOf, code }) => variantOf === uuid && code === REPLY)

/** The default role of an entry; null for none. For replies that is a reply version, or a master without one. */
function defaultRoleOf(
  { uuid, combinedIds, type, code }: SignatureEntry,
  { master, reply }: DefaultIds,
  all: readonly SignatureEntry[],
): DefaultRole | null {
  if (type === 'master' && combinedIds === master) return 'default'
  if (combinedIds !== reply) return null
  const goesIntoReplies = type === 'master' ? !hasReplyVariant(all, uuid) : code === REPLY
  return goesIntoReplies ? 'defaultReply' : null
}

const inReplies = ({ master, reply }: DefaultIds): InReplies => {
  if (reply === null) return 'itself'
  return reply === master ? 'version' : 'other'
}

/** Everything that a list is drawn from, except its entries. */
const circumstances = createSelector(
  [
    selectEntryInUse,
    selectDefaultIds,
    selectAdminDefinedId,
    selectChosenIds,
    latestInsertion,
    domains,
    openMessage,
    selectSender,
    selectDue,
  ],
  (inUse, ids, adminDefinedId, chosen, insertion, recipients, message, sender, due) => ({
    inUse,
    ids,
    adminDefinedId,
    chosen,
    insertion,
    recipients,
    message,
    sender,
    due,
  }),
)

const listed = (
  entries: readonly SignatureEntry[],
  given: ReturnType<typeof circumstances>,
): readonly ListedEntry[] => {
  const { inUse, ids, adminDefinedId, chosen, insertion, recipients, message, sender, due } = given
  return entries.map((entry) => {
    const role = defaultRoleOf(entry, ids, entries)
    const by = role && decidedBy(entry.combinedIds, adminDefinedId, chosen)
    const ofEntry =
      insertion?.target.kind === 'entry' && insertion.target.uuid === entry.uuid ? insertion : null
    return {
      entry,
      inUse: entry.uuid === inUse?.uuid,
      role,
      by,
      why: whyOffered(entry, role, inReplies(ids), message, sender, by, due, isVersion(entry, due)),
      fits: fitsAudience(entry, recipients),
      insertion: ofEntry,
      status: ofEntry && !ofEntry.settled ? ofEntry.attempt.status : 'idle',
    }
  })
}

/** The user's own list as it is drawn: recently used signatures first on their page. */
export const selectListedEntries = /* @__PURE__ */ createSelector(
  [ownEntries, recentAtStart, circumstances],
  (own, recent, given): readonly ListedEntry[] => listed(recentFirst(own, recent), given),
)

/** The delegated list as it is drawn: by owner, in the order of each owner's first entry. */
export const selectOwnerGroups = /* @__PURE__ */ createSelector(
  [delegatedEntries, circumstances],
  (delegated, given): readonly OwnerGroup[] => {
    const entries = listed(delegated, given)
    const owners = [...new Set(entries.map(({ entry }) => entry.owner))]
    return owners.map((owner) => ({ owner, entries: entries.filter(({ entry }) => entry.owner === owner) }))
  },
)

/** The state of one list. */
export const selectList =
  (list: ListName) =>
  ({ signatures }: AppState) =>
    signatures[list]

/** The entry with this uuid; null when it is in no list. */
export const selectEntry =
  (uuid: string) =>
  ({ signatures }: AppState): SignatureEntry | null =>
    findEntry(signatures, uuid) ?? null

/** Whether the user's own list is being loaded. */
export const selectIsChecking = ({ signatures: { own, refresh, reloading } }: AppState): boolean =>
  own.load.status === 'pending' || refresh.status === 'pending' || reloading

/** Why the last reload of the list failed; null when it did not. */
export const selectRefreshFailure = ({ signatures: { refresh } }: AppState): Failure | null =>
  failureOf(refresh)

/** Why the own list is missing or old; null when it is neither. */
export const selectListFailure = ({ signatures: { own, refresh } }: AppState): Failure | null =>
  failureOf(own.load) ?? failureOf(refresh)
