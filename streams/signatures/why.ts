import type { ComposeType, Message } from '../mailbox/events.ts'
import { isReplyOrForward } from '../mailbox/rules.ts'
import { OWN, type SignatureEntry } from './entry.ts'
import type { InMessage } from './signature.ts'

/** Who made a signature the default; null while unknown. */
export type DefaultBy = 'person' | 'organisation' | null

/** For which messages a signature is the default: all, or replies and forwards. */
export type DefaultRole = 'default' | 'defaultReply'

/**
 * Why a signature is in a message, or would be; the views show it as a sentence. Signet does not insert `forNew`,
 * `forNewAlone`, `forReplies`, `own` and `shared` into this message automatically.
 */
export type Why =
  | Readonly<{ kind: 'none' | 'chosen' | 'forNew' | 'forNewAlone' | 'forReplies' | 'own' }>
  | Readonly<{ kind: 'sender'; sender: string }>
  | Readonly<{ kind: 'shared'; owner: string }>
  | Readonly<{ kind: 'default' | 'noReplyVersion'; by: DefaultBy }>
  | Readonly<{ kind: 'replyDefault'; by: DefaultBy; composeType: Exclude<ComposeType, 'newMail'> }>

/** The mailbox that the user writes from when it is not their own. */
export type Sender = Readonly<{ address: string; name: string }>

const isOf = (owner: string | null, sender: Sender | null): sender is Sender =>
  sender !== null && owner?.toLowerCase() === sender.address.toLowerCase()

const bySender = ({ address, name }: Sender): Why => ({ kind: 'sender', sender: name || address })

const asDefault = (composeType: ComposeType | null, isReplyVersion: boolean, by: DefaultBy): Why => {
  if (composeType === 'newMail' || composeType === null) return { kind: 'default', by }
  return isReplyVersion ? { kind: 'replyDefault', by, composeType } : { kind: 'noReplyVersion', by }
}

/** Why the inserted signature is in the message; `owner` is its owner's address, null when no list has it. */
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

/** What goes into replies and forwards: the default itself, its own reply version, or another signature. */
export type InReplies = 'itself' | 'version' | 'other'

/** Why an entry of a list would be in this message, before the user chooses it. */
export function whyOffered(
  { owner }: Pick<SignatureEntry, 'owner'>,
  role: DefaultRole | null,
  inReplies: InReplies,
  message: Pick<Message, 'composeType'> | null,
  sender: Sender | null,
  by: DefaultBy,
): Why {
  const composeType = message?.composeType ?? null
  const isReply = isReplyOrForward(composeType)
  if (isOf(owner, sender)) return bySender(sender)
  if (role === 'default') {
    if (!isReply || inReplies === 'itself') return asDefault(composeType, false, by)
    return { kind: inReplies === 'version' ? 'forNew' : 'forNewAlone' }
  }
  if (role === 'defaultReply') return isReply ? asDefault(composeType, true, by) : { kind: 'forReplies' }
  return owner === OWN ? { kind: 'own' } : { kind: 'shared', owner }
}
