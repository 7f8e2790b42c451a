import type { MessageState } from '../state.ts'
import { selectDefaultSignature } from '../defaults/selectors.ts'
import { createSelector } from '../../kernel/selector.ts'
import { selectProfile } from '../profile/selectors.ts'
import { toListedSignatures } from '../signatures/entry.ts'
import {
  type AddressedMessage,
  type DueSignature,
  idsOfDefaults,
  type KnownSignatures,
  dueSignatureFor,
  toSenders,
} from './rules.ts'
import type { Senders } from './senders.ts'
import { knownVersions } from './versions.ts'

const NO_CHOICE: Senders['bySender'] = {}
const NO_MESSAGE: AddressedMessage = { composeType: null, from: null, to: [], cc: [] }

const known = ({ senders }: MessageState) => senders.known
const ownEntries = ({ signatures }: MessageState) => signatures.own.entries
const delegatedEntries = ({ signatures }: MessageState) => signatures.delegated.entries
const openMessage = ({ mailbox }: MessageState) => mailbox.message
const mailboxUser = ({ mailbox }: MessageState) => mailbox.user

/** The signatures that the user chose for senders: from storage until the profile is loaded, then from the profile. */
export const selectChoicesBySender = (state: MessageState): Senders['bySender'] => {
  const profile = selectProfile(state)
  return (profile ? profile.metadata.defaultSignature?.bySender : state.senders.known?.bySender) ?? NO_CHOICE
}

/** The signatures for certain senders and recipients, completed from the loaded lists. */
const selectSenders = createSelector(
  [known, ownEntries, delegatedEntries, selectDefaultSignature, selectChoicesBySender],
  (loaded, own, delegated, signature, bySender): Senders => {
    const objects = toListedSignatures([...own, ...delegated])
    const listed = toSenders(objects, { defaults: idsOfDefaults(signature), bySender, at: 0 })
    if (!loaded) return listed
    const audiences = { ...listed.audiences, ...loaded.audiences }
    const limits = { ...listed.limits, ...loaded.limits }
    return { ...loaded, bySender, audiences, limits, others: [...loaded.others, ...listed.others] }
  },
)

export const selectKnownSignatures = createSelector(
  [selectDefaultSignature, selectSenders, mailboxUser],
  (signature, senders, user): KnownSignatures => ({ signature, senders, own: user?.email ?? '' }),
)

/** The address that the open message is sent from; without a message, the user's own. */
export const senderIn = (state: Pick<MessageState, 'mailbox'>): string =>
  state.mailbox.message?.from?.address || (state.mailbox.user?.email ?? '')

/** Whether a known block is shown by only a share of messages. */
const selectSharesMessages = createSelector([selectKnownSignatures], ({ signature, senders }): boolean =>
  knownVersions(signature, senders.others, []).some(({ slots = [] }) =>
    slots.some(({ candidates }) => candidates.some(({ share }) => share !== undefined)),
  ),
)

/** The open item, while its message needs the number by which blocks share messages and lacks it; otherwise null. */
export function itemWithoutTurn(state: MessageState): string | null {
  const { item, message } = state.mailbox
  const lacksTurn = item?.mode === 'compose' && message !== null && message.turn === undefined
  return lacksTurn && selectSharesMessages(state) ? item.key : null
}

/** The due signature of the open message, inserted automatically or not; without a message, the default. */
export const selectDueSignature = createSelector(
  [selectKnownSignatures, openMessage],
  (decides, message): DueSignature | null => dueSignatureFor(decides, message ?? NO_MESSAGE),
)
