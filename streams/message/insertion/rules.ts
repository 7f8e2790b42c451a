import type { MessageState } from '../state.ts'
import { selectIsReplyUnnamed } from '../defaults/selectors.ts'
import { contentHash } from '../../html/hash.ts'
import type { Message } from '../mailbox/events.ts'
import { isReplyOrForward } from '../mailbox/rules.ts'
import { type AddressedMessage, type DueSignature, dueSignatureFor } from '../senders/rules.ts'
import { itemWithoutTurn, selectDueSignature, selectKnownSignatures, senderIn } from '../senders/selectors.ts'
import { unreadThreadIn } from '../senders/thread.ts'
import { senderVersions, knownVersions, type KnownVersion } from '../senders/versions.ts'
import { REPLY_VERSION } from '../../wire/signatures.ts'
import { fillForMessage, htmlWithBlocks, hasSameBlocks } from '../signatures/blocks.ts'
import { versionFrom } from '../signatures/copies.ts'
import { MASTER_CODE } from '../signatures/entry.ts'
import type { SignatureInMessage } from '../signatures/signature.ts'
import type { SignatureContent } from '../../html/content.ts'
import type { InsertionState } from './automatic.ts'

/** The content to insert, before it is planned. For no signature, `html` is empty. */
export type ChosenContent = SignatureContent & Omit<SignatureInMessage, 'hash'>

/** The facts about the message that an insertion needs. */
export type InsertionContext = Pick<Message, 'composeType'>

/**
 * The content that is due: the default, or the user's choice with other blocks, and the reason. Null when nothing is
 * due.
 */
export function chooseDefault(state: MessageState, { composeType }: InsertionContext): ChosenContent | null {
  const own = ofUser(state)
  if (own) return ownChoice(state, own)
  const message: AddressedMessage = { from: null, to: [], cc: [], ...state.mailbox.message, composeType }
  const due = dueSignatureFor(selectKnownSignatures(state), message)
  if (!due) return null
  const { reply, by: _, sender: __, ...others } = due
  return { ...others, reason: { origin: 'default', composeType, reply } }
}

/** The message's signature, if the user chose or restored it. */
const ofUser = ({ insertion: { inMessage } }: MessageState): SignatureInMessage | null =>
  inMessage && inMessage.combinedIds !== '' && inMessage.reason.origin !== 'default' ? inMessage : null

/**
 * The signature that the user chose, with the blocks that fit the message now; null when its version is unknown or has
 * no slots. A version from the cached copy counts only if the message has the same version, because the service may
 * have rendered the signature again since.
 */
function ownChoice(state: MessageState, inMessage: SignatureInMessage): ChosenContent | null {
  const { hash, blocks: _, undone: __, ...signature } = inMessage
  const { signatures } = state
  const code = signature.code ?? (signature.reason.reply ? REPLY_VERSION : MASTER_CODE)
  const { signature: standard, senders } = selectKnownSignatures(state)
  const entries = [...signatures.own.entries, ...signatures.delegated.entries]
  const isIt = (each: KnownVersion) =>
    each.combinedIds === signature.combinedIds && each.code === code && each.slots
  const version =
    entries.find(isIt) ??
    knownVersions(standard, senders.others, []).find(
      (each) =>
        isIt(each) &&
        senderVersions(each).some((html) => contentHash(htmlWithBlocks(html, inMessage)) === hash),
    )
  if (!version) return null
  const sent = versionFrom(version, code, version, senderIn(state))
  return { ...signature, images: version.images, ...fillForMessage(sent, state.mailbox.message) }
}

/**
 * The content hash of the user's chosen signature with the blocks that fit the recipients. Null when the message has
 * these blocks, when the user has just undone them, and when they were already tried.
 */
function dueBlocks(state: MessageState, itemKey: string): string | null {
  const { latest } = state.insertion
  const inMessage = ofUser(state)
  const chosen = inMessage && ownChoice(state, inMessage)
  if (!chosen || hasSameBlocks(chosen, inMessage)) return null
  const { undone } = inMessage
  if (undone && hasSameBlocks(chosen, { blocks: undone })) return null
  const hash = contentHash(chosen.html)
  return wasTried({ inMessage, latest }, itemKey, hash) ? null : hash
}

/**
 * The content hash of the signature to insert automatically. Null when the user chose for this message or removed its
 * signature, when no signature is due, or when the due signature was already inserted or tried.
 */
export function dueContentHash(
  { inMessage, latest }: InsertionState,
  due: Pick<DueSignature, 'html'> | null,
  itemKey: string,
  { stopPush, isExisting }: Pick<Message, 'stopPush' | 'isExisting'>,
): string | null {
  if (stopPush || isExisting || due === null || due.html === '') return null
  if (inMessage && inMessage.reason.origin !== 'default') return null
  const hash = contentHash(due.html)
  return inMessage?.hash === hash || wasTried({ inMessage, latest }, itemKey, hash) ? null : hash
}

/** Whether an automatic insertion of this content is under way, or would only repeat an earlier one in this item. */
function wasTried(
  { inMessage, latest }: Pick<InsertionState, 'inMessage' | 'latest'>,
  itemKey: string,
  hash: string,
): boolean {
  if (latest?.itemKey !== itemKey) return false
  const { attempt, target } = latest
  if (attempt.status === 'pending') return true
  // The insertion succeeded, but then the user restored the earlier body.
  if (attempt.status === 'success' && inMessage === null) return true
  if (latest.hash === hash && (latest.isLeftAsIs === true || attempt.status === 'fail')) return true
  // The failure of the user's choice stays visible, so nothing automatic replaces it.
  return attempt.status === 'fail' && target.kind !== 'default'
}

/**
 * The default or the blocks to insert into the open message now; null when nothing is due, and in an existing meeting.
 */
export function dueInsertionIn(state: MessageState): Readonly<{ itemKey: string; hash: string }> | null {
  const { settings, mailbox, insertion } = state
  const { item, message } = mailbox
  if (item?.mode !== 'compose' || !message || message.isExisting) return null
  // Waits for the message's number, by which its blocks may change.
  if (itemWithoutTurn(state) !== null) return null
  // Waits for the settings, because the user may have switched automatic insertion off.
  if (settings.status === 'pending') return null
  if (unreadThreadIn(state) !== null) return null
  const blocks = dueBlocks(state, item.key)
  if (blocks !== null) return { itemKey: item.key, hash: blocks }
  if (!settings.enableSignaturePush) return null
  // A reply waits for the name of the reply version's signature, because the insertion records the name.
  if (isReplyOrForward(message.composeType) && selectIsReplyUnnamed(state)) return null
  const hash = dueContentHash(insertion, selectDueSignature(state), item.key, message)
  return hash === null ? null : { itemKey: item.key, hash }
}
