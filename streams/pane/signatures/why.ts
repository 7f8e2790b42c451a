import type { ComposeType, Message } from '../../message/mailbox/events.ts'
import { isReplyOrForward } from '../../message/mailbox/rules.ts'
import type { DueSignature } from '../../message/senders/rules.ts'
import { OWN_OWNER, type SignatureEntry } from '../../message/signatures/entry.ts'
import type { SignatureInMessage } from '../../message/signatures/signature.ts'

/** Who made a signature the default; null while unknown. */
export type DefaultChooser = 'person' | 'organisation' | null

/** The messages for which a signature is the default: all, or replies and forwards. */
export type DefaultRole = 'default' | 'defaultReply'

/**
 * The reason why a signature is in a message, or would be; the views show it as a sentence. `forNew`, `forReplies`,
 * `notHere`, `own` and `shared` are for signatures that Signet does not insert into this message automatically.
 * `putBack`: Undo or Redo restored the signature; `takenOut`: Undo left the message without a signature.
 */
export type SignatureReason =
  | Readonly<{
      kind:
        | 'none'
        | 'chosen'
        | 'putBack'
        | 'takenOut'
        | 'forNew'
        | 'forReplies'
        | 'forMeetings'
        | 'notHere'
        | 'own'
    }>
  | Readonly<{ kind: 'audience' | 'thread' }>
  | Readonly<{ kind: 'sender' | 'senderChoice'; sender: string }>
  | Readonly<{ kind: 'shared'; owner: string }>
  | Readonly<{ kind: 'default' | 'noReplyVersion'; by: DefaultChooser }>
  | Readonly<{ kind: 'replyDefault'; by: DefaultChooser; composeType: 'reply' | 'forward' }>

/** The sender's mailbox, if it is not the user's own. */
export type OtherSender = Readonly<{ address: string; name: string }>

const isOf = (owner: string | null, sender: OtherSender | null): sender is OtherSender =>
  sender !== null && owner?.toLowerCase() === sender.address.toLowerCase()

const bySender = ({ address, name }: OtherSender): SignatureReason => ({
  kind: 'sender',
  sender: name || address,
})

const asDefault = (
  composeType: ComposeType | null,
  isReplyVersion: boolean,
  by: DefaultChooser,
): SignatureReason => {
  if (composeType === 'meeting') return { kind: 'forMeetings' }
  if (composeType === 'newMail' || composeType === null) return { kind: 'default', by }
  return isReplyVersion ? { kind: 'replyDefault', by, composeType } : { kind: 'noReplyVersion', by }
}

/** The reason why a signature other than the default is due; null when the default is due. */
const instead = (
  { by, sender }: Pick<DueSignature, 'by' | 'sender'>,
  from: OtherSender | null,
): SignatureReason | null => {
  if (by === 'default') return null
  if (by === 'audience' || by === 'thread') return { kind: by }
  return { kind: by === 'choice' ? 'senderChoice' : 'sender', sender: from?.name || sender }
}

/**
 * The reason why the inserted signature is in the message. `owner` is the address of the signature's owner, null when
 * no list has the signature. `due` is the inserted signature if it is due in the message, null if another signature is
 * due.
 */
export function whyInMessage(
  { combinedIds, reason }: Pick<SignatureInMessage, 'combinedIds' | 'reason'>,
  owner: string | null,
  sender: OtherSender | null,
  by: DefaultChooser,
  due: Pick<DueSignature, 'by' | 'sender'> | null,
): SignatureReason {
  if (reason.origin === 'default') {
    return (due && instead(due, sender)) ?? asDefault(reason.composeType, reason.reply, by)
  }
  if (reason.origin === 'putBack') return { kind: combinedIds === '' ? 'takenOut' : 'putBack' }
  if (combinedIds === '') return { kind: 'none' }
  if (isOf(owner, sender)) return bySender(sender)
  return { kind: 'chosen' }
}

/**
 * The reason why a list entry would be in this message, before the user chooses it. `due` is the signature that is due
 * in the message; `isDue` is true if the entry is that signature. `isForNewOnly`: replies and forwards get a different
 * version.
 */
export function whyOffered(
  { owner }: Pick<SignatureEntry, 'owner'>,
  role: DefaultRole | null,
  isForNewOnly: boolean,
  message: Pick<Message, 'composeType'> | null,
  sender: OtherSender | null,
  by: DefaultChooser,
  due: Pick<DueSignature, 'by' | 'sender'> | null,
  isDue: boolean,
): SignatureReason {
  const composeType = message?.composeType ?? null
  const isReply = isReplyOrForward(composeType)
  const other = due && instead(due, sender)
  if (other && isDue) return other
  if (isOf(owner, sender)) return bySender(sender)
  if (composeType === 'meeting') {
    if (isDue) return { kind: 'forMeetings' }
    if (role) return { kind: 'notHere' }
  }
  if (role === 'default') {
    if (isReply && isForNewOnly) return { kind: 'forNew' }
    return other ? { kind: 'notHere' } : asDefault(composeType, false, by)
  }
  if (role === 'defaultReply') {
    if (!isReply) return { kind: 'forReplies' }
    return other ? { kind: 'notHere' } : asDefault(composeType, true, by)
  }
  return owner === OWN_OWNER ? { kind: 'own' } : { kind: 'shared', owner }
}
