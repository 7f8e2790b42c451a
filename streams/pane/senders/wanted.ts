import type { ChoiceState } from '../choiceState.ts'
import { dueInsertionIn } from '../../message/insertion/rules.ts'
import { DAY_MS, type SendersQuery } from '../../message/senders/reading.ts'
import { idsOfDefaults, areAudiencesKnown, toSenders } from '../../message/senders/rules.ts'
import { selectChoicesBySender } from '../../message/senders/selectors.ts'
import type { Senders } from '../../message/senders/senders.ts'
import { toListedSignatures } from '../../message/signatures/entry.ts'
import { pageAfter } from '../../message/signatures/list.ts'
import { showsImages } from '../../html/content.ts'

/** Whether the known data is less than a day old, and was read for these defaults and choices. */
const isFresh = (known: Senders, { defaults, bySender }: SendersQuery, now: number): boolean =>
  now - known.at < DAY_MS &&
  areAudiencesKnown(known, defaults) &&
  Object.keys({ ...bySender, ...known.bySender }).every(
    (address) => bySender[address] === known.bySender[address],
  )

/** Whether a request would delay no other work: the first signature is in the open message, or no signature is due. */
const isQuiet = (state: ChoiceState): boolean => {
  const { settings, mailbox, insertion, signatures } = state
  const { own, delegated, delegations, refresh } = signatures
  if (settings.status === 'pending' || insertion.latest?.attempt.status === 'pending') return false
  if (mailbox.item === undefined || (mailbox.item?.mode === 'compose' && mailbox.message === null))
    return false
  if (refresh.status === 'pending' || own.load.status !== 'success') return false
  if (delegations.length > 0 && delegated.load.status !== 'success') return false
  return insertion.inMessage !== null || dueInsertionIn(state) === null
}

/** The query for signatures by sender and recipients; null when it was answered, has failed, or cannot be sent yet. */
export function neededSendersQuery(state: ChoiceState, now: number): SendersQuery | null {
  const { defaults, profile, senders } = state
  if (senders.load.status === 'fail') return null
  if (defaults.load.status !== 'success' || profile.status !== 'success' || !isQuiet(state)) return null
  const query = {
    delegations: profile.value.delegations,
    defaults: idsOfDefaults(defaults.load.value),
    bySender: selectChoicesBySender(state),
  }
  const { known, isStale } = senders
  return !isStale && known && isFresh(known, query, now) ? null : query
}

/** The answer to the query from the loaded lists; null unless the lists are complete and have every image. */
export function sendersFromLists(
  { signatures: { own, delegated } }: ChoiceState,
  { delegations, defaults, bySender, at }: SendersQuery & Readonly<{ at: number }>,
): Senders | null {
  const objects = toListedSignatures([...own.entries, ...delegated.entries])
  const senders = toSenders(objects, { defaults, bySender, at })
  // A signature on a later page may be for one of the user's addresses.
  const hasAll = pageAfter(own) === null && (delegations.length === 0 || pageAfter(delegated) === null)
  const hasImages = senders.others.every(
    ({ html, slots, reply, replySlots, images }) =>
      images.length > 0 || !showsImages(html + (reply ?? '') + JSON.stringify([slots, replySlots])),
  )
  return hasAll && hasImages ? senders : null
}
