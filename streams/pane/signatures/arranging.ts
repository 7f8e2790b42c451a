import type { DefaultsState } from '../../message/defaults/state.ts'
import { defaultIdsOf, defaultSignatureOf } from '../../message/defaults/rules.ts'
import { withChanges } from '../../kernel/changes.ts'
import { type Load, loadedValue } from '../../kernel/load.ts'
import type { MailboxState } from '../../message/mailbox/reducer.ts'
import { isReplyOrForward } from '../../message/mailbox/rules.ts'
import type { UserProfile } from '../../wire/user.ts'
import {
  type Arrangement,
  MAX_ARRANGED_PAGES,
  arrangementOf,
  isArrangementLoaded,
  withoutUnloadedSignatures,
} from './arrangement.ts'
import type { SignatureEntry } from '../../message/signatures/entry.ts'
import type { ListName } from '../../message/signatures/events.ts'
import { nextPage, type SignatureList } from '../../message/signatures/list.ts'
import { loadNextPage, type SignaturesState } from './reducer.ts'

// Decides, from several slices, which signatures are at the top of the list.

/** The parts of the state that decide about the arrangement. */
type Deciding = Readonly<{
  defaults: DefaultsState
  mailbox: MailboxState
  profile: Load<UserProfile>
  signatures: SignaturesState
}>

type Asking = Parameters<typeof loadNextPage>[2]

const isAwaited = (load: Load<unknown>): boolean => load.status === 'pending' && !('value' in load)

/** Whether the list can be drawn and the data for its first groups is known. */
function isKnown({ defaults, mailbox, profile, signatures }: Deciding): boolean {
  const { own, delegated, restoring } = signatures
  const { item, message } = mailbox
  return (
    !restoring.recent &&
    !restoring.favourites &&
    !isAwaited(defaults.load) &&
    !isAwaited(profile) &&
    !(item?.mode === 'compose' && message === null) &&
    (own.pages.length > 0 || (delegated.pages.length > 0 && own.load.status !== 'pending'))
  )
}

/**
 * The arrangement for the open item. A reply shows the default for replies first; a meeting shows the default for
 * meetings first.
 */
function takenNow({ defaults, mailbox, profile, signatures }: Deciding): Arrangement {
  const { favourites, recent } = signatures
  const { item, message } = mailbox
  const { master, reply } = defaultIdsOf(
    loadedValue(profile)?.metadata.defaultSignature,
    defaultSignatureOf(defaults),
    defaults.load.status,
  )
  const { composeType = null } = message ?? {}
  const meeting = defaultSignatureOf(defaults)?.meeting?.combinedIds ?? null
  const first = isReplyOrForward(composeType) ? [reply] : composeType === 'meeting' ? [meeting] : []
  return arrangementOf({
    defaults: [...first, master],
    favourites,
    recent,
    itemKey: message === null ? null : (item?.key ?? null),
  })
}

/** Whether another page of the list, which may have a missing signature, is loading or can be loaded. */
const looksOn = (list: SignatureList): boolean =>
  list.pages.length < MAX_ARRANGED_PAGES &&
  (list.load.status === 'pending' || (list.load.status === 'success' && nextPage(list) !== null))

const idsOf = (entries: readonly SignatureEntry[]) => entries.map(({ combinedIds }) => combinedIds)

/** The arrangement after more pages were loaded. */
function settledBy(arrangement: Arrangement, { own, delegated, reloading }: SignaturesState): Arrangement {
  // The list is reloaded from its first page, and keeps its order.
  if (reloading || own.pages.length === 0) return withChanges(arrangement, { settled: false })
  const loaded = new Set([...idsOf(own.entries), ...idsOf(delegated.entries)])
  const isLooking = !arrangement.settled && !isArrangementLoaded(arrangement, loaded)
  return isLooking && [own, delegated].some(looksOn)
    ? arrangement
    : withoutUnloadedSignatures(arrangement, loaded)
}

/** Whether the list waits for its arrangement: for the data behind it, or for the pages of its first groups. */
export function isListArranging({ arrangement, own, delegated, reloading }: SignaturesState): boolean {
  const lists = [own, delegated]
  if (arrangement === null)
    return lists.some(({ load, pages }) => load.status === 'pending' || pages.length > 0)
  return !arrangement.settled && (reloading || lists.some(looksOn))
}

/** The number of the last page with a signature of the arrangement; 1 when no page has one. */
export function lastArrangedPage({ arrangement, ...lists }: SignaturesState, list: ListName): number {
  const leading = arrangement
    ? new Set([...arrangement.default, ...arrangement.favourites, ...arrangement.recent])
    : new Set<string>()
  return Math.max(
    1,
    ...lists[list].entries.flatMap(({ combinedIds, page }) => (leading.has(combinedIds) ? [page] : [])),
  )
}

/** Loads the next page of each list until the signatures of the arrangement are found. */
const lookOn = (signatures: SignaturesState, event: Asking): SignaturesState =>
  signatures.arrangement === null || signatures.arrangement.settled || signatures.own.pages.length === 0
    ? signatures
    : (['own', 'delegated'] as const)
        .filter((list) => signatures[list].load.status === 'success' && looksOn(signatures[list]))
        .reduce((result, list) => loadNextPage(result, list, event), signatures)

const isComplete = (list: SignatureList): boolean =>
  list.load.status === 'success' && list.pages.length > 0 && nextPage(list) === null

const only = <T>(all: readonly T[], is: (each: T) => boolean): readonly T[] =>
  all.every((each) => is(each)) ? all : all.filter((each) => is(each))

/** Forgets recent signatures, favourites and collections that are missing from complete lists. */
function withoutGone(signatures: SignaturesState, profile: Load<UserProfile>): SignaturesState {
  const { own, delegated, delegations, restoring, reloading } = signatures
  const isKnownWhole =
    isComplete(own) &&
    loadedValue(profile) !== undefined &&
    (delegations.length === 0 || isComplete(delegated))
  const entries = [...own.entries, ...delegated.entries]
  // If the lists are complete but empty, nothing is forgotten, because the service probably failed.
  if (!isKnownWhole || entries.length === 0 || reloading || restoring.recent || restoring.favourites)
    return signatures
  const loaded = new Set(idsOf(entries))
  const collections = new Set(entries.map(({ collection }) => collection))
  return withChanges(signatures, {
    recent: only(signatures.recent, (ids) => loaded.has(ids)),
    favourites: only(signatures.favourites, (ids) => loaded.has(ids)),
    collections: only(signatures.collections, (collection) => collections.has(collection)),
  })
}

/**
 * Arranges the lists in the state when the list is first drawn, and when another message is read. In between, no
 * signature moves.
 */
export function arrangeLists<State extends Deciding>(before: State, state: State, event: Asking): State {
  const { defaults, mailbox, profile, signatures } = state
  if (
    before.signatures === signatures &&
    before.defaults === defaults &&
    before.mailbox === mailbox &&
    before.profile === profile
  )
    return state
  const { arrangement } = signatures
  const isDue =
    arrangement === null
      ? isKnown(state)
      : mailbox.message !== null && mailbox.item?.key !== arrangement.itemKey
  const taken = isDue ? takenNow(state) : arrangement
  const arranged = withoutGone(
    withChanges(signatures, { arrangement: taken && settledBy(taken, signatures) }),
    profile,
  )
  const looking = lookOn(arranged, event)
  return looking === signatures ? state : { ...state, signatures: looking }
}
