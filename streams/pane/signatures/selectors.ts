import type { ChoiceState } from '../choiceState.ts'
import type { DefaultIds } from '../../message/defaults/rules.ts'
import {
  defaultChooserOf,
  selectAdminDefinedId,
  selectChosenIds,
  selectDefaultIds,
} from '../defaults/selectors.ts'
import { contentHash } from '../../html/hash.ts'
import { fitsAudience } from '../../html/slots.ts'
import type { LatestInsertion } from '../../message/insertion/automatic.ts'
import type { Failure } from '../../kernel/failure.ts'
import { failureOf } from '../../kernel/load.ts'
import { createSelector } from '../../kernel/selector.ts'
import { recipientAddresses } from '../../message/mailbox/rules.ts'
import { selectOtherSender } from '../mailbox/selectors.ts'
import type { DueSignature } from '../../message/senders/rules.ts'
import { selectDueSignature, senderIn } from '../../message/senders/selectors.ts'
import { versionFrom } from '../../message/signatures/copies.ts'
import type { Path } from '../router/events.ts'
import { routeAt } from '../router/routes.ts'
import {
  DELEGATIONS_FOLDER,
  MASTER_CODE,
  type SignatureEntry,
  type SignatureVersion,
} from '../../message/signatures/entry.ts'
import { groupEntries, type LeadingGroup } from './arrangement.ts'
import { isListArranging } from './arranging.ts'
import type { ListName } from '../../message/signatures/events.ts'
import { MEETING_VERSION, REPLY_VERSION } from '../../wire/signatures.ts'
import type { Message } from '../../message/mailbox/events.ts'
import { fillForMessage } from '../../message/signatures/blocks.ts'
import type { SignatureInMessage } from '../../message/signatures/signature.ts'
import { type DefaultChooser, type DefaultRole, type SignatureReason, whyOffered } from './why.ts'

/**
 * An entry's status (specification, section 3): the status of its insertion; `idle` without one, or once its outcome
 * was shown.
 */
export type EntryStatus = 'idle' | 'pending' | 'success' | 'fail'

/**
 * A list entry with its marks. `inUse`: the message has this signature; `isFavourite`: the user marked its signature;
 * `role`: which default the entry is; `by`: who made the entry the default; `why`: why the entry would be in this
 * message; `fits`: the entry suits these recipients; `insertion`: the latest insertion, if it inserted this entry.
 */
export type ListedEntry = Readonly<{
  entry: SignatureEntry
  inUse: boolean
  isFavourite: boolean
  role: DefaultRole | null
  by: DefaultChooser
  why: SignatureReason
  fits: boolean
  insertion: LatestInsertion | null
  status: EntryStatus
}>

/** A list group, from top to bottom. `default`, `favourites` and `recent` mix both lists; `rest` is the user's own. */
export type ListGroup = Readonly<{ kind: LeadingGroup | 'rest'; entries: readonly ListedEntry[] }>

/** The delegated entries of one owner. */
export type OwnerGroup = Readonly<{ owner: string; entries: readonly ListedEntry[] }>

/** The entries in the folder of a collection. */
export type FolderEntries = Readonly<{ own: readonly ListedEntry[]; shared: readonly OwnerGroup[] }>

const openMessage = ({ mailbox }: ChoiceState) => mailbox.message
const isInMeeting = ({ mailbox }: ChoiceState) => mailbox.item?.isMeeting === true

/**
 * The entries for the open item: with the blocks that fit, in the versions for messages or for meetings, with the html
 * for the sender's address.
 */
const offered = (
  entries: readonly SignatureEntry[],
  message: Message | null,
  inMeeting: boolean,
  sender: string,
): readonly SignatureEntry[] => {
  const all = entries.flatMap((entry) => {
    if (
      inMeeting
        ? entry.code !== MASTER_CODE && entry.code !== MEETING_VERSION
        : entry.code === MEETING_VERSION
    )
      return []
    const sent = versionFrom(entry, entry.code, entry, sender)
    const { slots, ...others } = sent
    return [slots ? { ...others, ...fillForMessage(sent, message) } : sent]
  })
  return all.length === entries.length && all.every((each, index) => each === entries[index]) ? entries : all
}

const ownEntries = createSelector(
  [({ signatures }: ChoiceState) => signatures.own.entries, openMessage, isInMeeting, senderIn],
  offered,
)
const delegatedEntries = createSelector(
  [({ signatures }: ChoiceState) => signatures.delegated.entries, openMessage, isInMeeting, senderIn],
  offered,
)
const inMessage = ({ insertion }: ChoiceState) => insertion.inMessage
const latestInsertion = ({ insertion }: ChoiceState) => insertion.latest
const arrangement = ({ signatures }: ChoiceState) => signatures.arrangement
const favourites = ({ signatures }: ChoiceState) => signatures.favourites

/** The query of the search; empty without a search. */
export const selectSearchQuery = ({ signatures }: ChoiceState): string => signatures.search.query

export const selectAllEntries = createSelector([ownEntries, delegatedEntries], (own, delegated) => [
  ...own,
  ...delegated,
])

const recipientsOfMessage = createSelector([openMessage], (message) =>
  message ? recipientAddresses(message) : [],
)

/**
 * The list entry of a signature: the entry with this content, or else of the same version, or else the signature's
 * first entry.
 */
export const entryOf = (
  all: readonly SignatureEntry[],
  { combinedIds, hash, code }: Pick<SignatureInMessage, 'combinedIds' | 'hash' | 'code'>,
): SignatureEntry | null => {
  const related = all.filter((entry) => entry.combinedIds === combinedIds)
  return (
    related.find(({ html }) => contentHash(html) === hash) ??
    related.find((entry) => entry.code === code) ??
    related[0] ??
    null
  )
}

const presentWithName = createSelector(
  [inMessage, selectAllEntries, selectDueSignature],
  (present, all, due): SignatureInMessage | null => {
    if (present?.name !== '' || present.combinedIds === '') return present
    const isIt = ({ html }: Readonly<{ html: string }>) => contentHash(html) === present.hash
    const own = all.filter((entry) => entry.combinedIds === present.combinedIds)
    const known = due && due.name !== '' && isIt(due) ? due : (own.find(isIt) ?? onlyOne(all.filter(isIt)))
    const named = known ?? (present.reason.reply ? null : own[0])
    return named ? { ...present, name: named.name, combinedIds: named.combinedIds } : present
  },
)

/**
 * The signature in the message, with its name if known, and its version. An unnamed reply version is recognised by its
 * content.
 */
export const selectSignatureInMessage = createSelector(
  [presentWithName, selectAllEntries],
  (present, all): (SignatureInMessage & SignatureVersion) | null =>
    present && {
      ...present,
      code: present.reason.reply
        ? REPLY_VERSION
        : (present.code ?? entryOf(all, present)?.code ?? MASTER_CODE),
    },
)

/** The first entry if all entries belong to one signature; null otherwise. */
const onlyOne = (entries: readonly SignatureEntry[]): SignatureEntry | null =>
  entries.every(({ combinedIds }) => combinedIds === entries[0]?.combinedIds) ? (entries[0] ?? null) : null

export const selectEntryInUse = createSelector(
  [selectAllEntries, selectSignatureInMessage],
  (all, present) => (present && present.name !== '' ? entryOf(all, present) : null),
)

/** Whether the entry is the due signature in the due version. */
export const isDueVersion = (
  { combinedIds, code }: SignatureEntry,
  due: Pick<DueSignature, 'combinedIds' | 'reply' | 'code'> | null,
): boolean =>
  combinedIds === due?.combinedIds && code === (due.code ?? (due.reply ? REPLY_VERSION : MASTER_CODE))

const hasReplyVariant = (all: readonly SignatureEntry[], entryId: string): boolean =>
  all.some(({ variantOf, code }) => variantOf === entryId && code === REPLY_VERSION)

/** The default that an entry is; null if none. The default for replies is a reply version, or a master without one. */
function defaultRoleOf(
  { entryId, combinedIds, type, code }: SignatureEntry,
  { master, reply }: DefaultIds,
  all: readonly SignatureEntry[],
): DefaultRole | null {
  if (type === 'master' && combinedIds === master) return 'default'
  if (combinedIds !== reply) return null
  const goesIntoReplies = type === 'master' ? !hasReplyVariant(all, entryId) : code === REPLY_VERSION
  return goesIntoReplies ? 'defaultReply' : null
}

/** The data for drawing a list, except its entries. */
const circumstances = createSelector(
  [
    selectEntryInUse,
    selectDefaultIds,
    selectAdminDefinedId,
    selectChosenIds,
    latestInsertion,
    recipientsOfMessage,
    openMessage,
    selectOtherSender,
    selectDueSignature,
    favourites,
  ],
  (inUse, ids, adminDefinedId, chosen, insertion, recipients, message, sender, due, marked) => ({
    inUse,
    marked,
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
  const { inUse, marked, ids, adminDefinedId, chosen, insertion, recipients, message, sender, due } = given
  const inMeeting = message?.composeType === 'meeting'
  return entries.map((entry) => {
    const role = defaultRoleOf(entry, inMeeting ? { ...ids, reply: null } : ids, entries)
    const by = role && defaultChooserOf(entry.combinedIds, adminDefinedId, chosen)
    const ofEntry =
      insertion?.target.kind === 'entry' && insertion.target.entryId === entry.entryId ? insertion : null
    return {
      entry,
      inUse: entry.entryId === inUse?.entryId,
      isFavourite: marked.includes(entry.combinedIds),
      role,
      by,
      why: whyOffered(entry, role, ids.reply !== null, message, sender, by, due, isDueVersion(entry, due)),
      fits: fitsAudience(entry, recipients),
      insertion: ofEntry,
      status: ofEntry && !ofEntry.settled ? ofEntry.attempt.status : 'idle',
    }
  })
}

const listedOwn = createSelector([ownEntries, circumstances], listed)
const listedDelegated = createSelector([delegatedEntries, circumstances], listed)

/** All loaded entries: the user's own entries first, then the entries of other users. */
export const selectListedEntries = createSelector(
  [listedOwn, listedDelegated],
  (own, delegated): readonly ListedEntry[] => [...own, ...delegated],
)

const grouped = createSelector([listedOwn, listedDelegated, arrangement], groupEntries<ListedEntry>)

/**
 * The groups of the list as it is drawn. Other users' entries are only in the first groups. The groups stay while the
 * user looks at them: a new favourite or default only changes its row, and a later page is added to the rest. No group
 * is empty.
 */
export const selectListGroups = createSelector([grouped], ({ leading, own }): readonly ListGroup[] =>
  [...leading, { kind: 'rest' as const, entries: own }].filter(({ entries }) => entries.length > 0),
)

const byOwner = (delegated: readonly ListedEntry[]): readonly OwnerGroup[] => {
  const groups = new Map<string, ListedEntry[]>()
  for (const each of delegated) {
    const { owner } = each.entry
    const group = groups.get(owner)
    if (group) group.push(each)
    else groups.set(owner, [each])
  }
  return [...groups].map(([owner, entries]) => ({ owner, entries }))
}

/** The delegated entries that are in no group, grouped by owner. Owners are in the order of their first entries. */
export const selectOwnerGroups = createSelector([grouped], ({ delegated }): readonly OwnerGroup[] =>
  byOwner(delegated),
)

/** Whether the list waits for the data behind its first groups, or for the pages with their signatures. */
export const selectIsArranging = ({ signatures }: ChoiceState): boolean => isListArranging(signatures)

/**
 * The collections of the loaded entries except the main one, in the order in which they were first loaded. New
 * collections are added at the end.
 */
export const selectCollections = ({ signatures }: ChoiceState): readonly string[] => signatures.collections

const selectFolders = createSelector(
  [listedOwn, listedDelegated],
  (own, delegated): ReadonlyMap<string, FolderEntries> =>
    new Map(
      [...new Set([...own, ...delegated].map(({ entry }) => entry.collection))].map((collection) => {
        const isInside = ({ entry }: ListedEntry) => entry.collection === collection
        return [collection, { own: own.filter(isInside), shared: byOwner(delegated.filter(isInside)) }]
      }),
    ),
)

const NO_ENTRIES: FolderEntries = { own: [], shared: [] }

/** The loaded entries of a collection, in the service's order. */
export const selectFolderEntries =
  (collection: string) =>
  (state: ChoiceState): FolderEntries =>
    selectFolders(state).get(collection) ?? NO_ENTRIES

/**
 * The number of signatures in the open folder. In the folder of a collection, only loaded signatures are counted. A
 * signature counts once, with all its versions.
 */
export const selectSignatureCount = ({
  signatures: { own, delegated, folder, collections },
  router,
}: Pick<ChoiceState, 'signatures'> & Readonly<{ router: Readonly<{ path: Path }> }>): number => {
  const route = routeAt(router.path)
  if (route?.name === 'SignaturesListRoute' && route.type === DELEGATIONS_FOLDER) return delegated.total
  if (folder === null || !collections.includes(folder)) return own.total + delegated.total
  return [...own.entries, ...delegated.entries].filter(
    ({ type, collection }) => type === 'master' && collection === folder,
  ).length
}

export const selectList =
  (list: ListName) =>
  ({ signatures }: ChoiceState) =>
    signatures[list]

/** The entry with this entryId, adapted to the open message; null when no list has it. */
export const selectEntry =
  (entryId: string) =>
  (state: ChoiceState): SignatureEntry | null =>
    selectAllEntries(state).find((entry) => entry.entryId === entryId) ?? null

/** Whether the user's own list is being loaded. */
export const selectIsListLoading = ({ signatures: { own, refresh, reloading } }: ChoiceState): boolean =>
  own.load.status === 'pending' || refresh.status === 'pending' || reloading

/** The failure of the last reload of the lists; null when it did not fail. */
export const selectRefreshFailure = ({ signatures: { refresh } }: ChoiceState): Failure | null =>
  failureOf(refresh)

/** The failure of the load or the last reload of the own list; null when neither failed. */
export const selectListFailure = ({ signatures: { own, refresh } }: ChoiceState): Failure | null =>
  failureOf(own.load) ?? failureOf(refresh)
