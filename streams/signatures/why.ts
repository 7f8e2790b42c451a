import type { ComposeType, Message } from '../mailbox/events.ts'
import { isReplyOrForward } from '../mailbox/rules.ts'
import { OWN, type SignatureEntry } from './entry.ts'
import type { InMessage } from './events.ts'

/** Who made a signature the default; null while that is not known. */
export type DefaultBy = 'person' | 'organisation' | null

/** How a signature goes in by itself: as the default, or as the one for replies and forwards. */
export type Standing = 'default' | 'defaultReply'

/**
 * Why a signature stands in a message, or would stand there: the views make one sentence of it. `forNew`, `forReplies`,
 * `own` and `shared` do not go into this message by themselves.
 */
export type Why =
  | Readonly<{ kind: 'none' | 'chosen' | 'forNew' | 'forReplies' | 'own' }>
  | Readonly<{ kind: 'sender'; sender: string }>
  | Readonly<{ kind: 'shared'; owner: string }>
  | Readonly<{ kind: 'default' | 'noReplyVersion'; by: DefaultBy }>
  | Readonly<{ kind: 'replyDefault'; by: DefaultBy; composeType: Exclude<ComposeType, 'newMail'> }>

/** As whom the person writes when it is not themselves. */
export type Sender = Readonly<{ address: string; name: string }>

const isOf = (owner: string | null, sender: Sender | null): sender is Sender =>
  sender !== null && owner?.toLowerCase() === sender.address.toLowerCase()

const bySender = ({ address, name }: Sender): Why => ({ kind: 'sender', sender: name || address })

const asDefault = (composeType: ComposeType | null, isReplyVersion: boolean, by: DefaultBy): Why => {
  if (composeType === 'newMail' || composeType === null) return { kind: 'default', by }
  return isReplyVersion ? { kind: 'replyDefault', by, composeType } : { kind: 'noReplyVersion', by }
}

/** Why the signature that was inserted stands in the message; `owner` is whose it is, null where no list tells. */
export function whyInMessage(
  { combinedIds, reason }: Pick<InMessage, 'combinedIds' | 'reason'>,
  owner: string | null,
  sender: Sender | null,
  by: DefaultBy,
): Why {
  if (reason.origin === 'default') return asDefault(reason.composeType, reason.reply, by)
  if (combinedIds === '') return { kind: 'none' }
  if (isOf(owner, sender)) return bySender(sender)
  return { kind: 'chosen' }
}

/**
 * Why an entry of a list would stand in this message, before it is chosen; `standing` is how it goes in by itself,
 * and `hasReplyVersion` whether another version of it goes into replies.
 */
export function whyOffered(
  { owner }: Pick<SignatureEntry, 'owner'>,
  standing: Standing | null,
  hasReplyVersion: boolean,
  message: Pick<Message, 'composeType'> | null,
  sender: Sender | null,
  by: DefaultBy,
): Why {
  const composeType = message?.composeType ?? null
  const isReply = isReplyOrForward(composeType)
  if (isOf(owner, sender)) return bySender(sender)
  if (standing === 'default')
    return isReply && hasReplyVersion ? { kind: 'forNew' } : asDefault(composeType, false, by)
  if (standing === 'defaultReply') return isReply ? asDefault(composeType, true, by) : { kind: 'forReplies' }
  return owner === OWN ? { kind: 'own' } : { kind: 'shared', owner }
}
