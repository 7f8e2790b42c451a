import type { DefaultChooser, SignatureReason } from '../../../streams/pane/signatures/why.ts'
import type { TextKey, Translate } from './texts.ts'

/** A short reason why a signature is in the message, or would be inserted. */
export function whyText(why: SignatureReason, t: Translate): string {
  switch (why.kind) {
    case 'sender':
      return t('reason.sender', { sender: why.sender })
    case 'senderChoice':
      return t('reason.senderChoice', { sender: why.sender })
    case 'shared':
      return t('reason.shared', { owner: why.owner })
    case 'default':
    case 'noReplyVersion':
      return t(ofDefault(why.kind, why.by))
    case 'replyDefault':
      return t(ofDefault(why.composeType === 'reply' ? 'inReply' : 'inForward', why.by))
    default:
      return t(`reason.${why.kind}`)
  }
}

/** The organisation's default has its own texts. A default of unknown origin has the texts of the user's default. */
const ofDefault = (
  use: 'default' | 'noReplyVersion' | 'inReply' | 'inForward',
  by: DefaultChooser,
): TextKey => (by === 'organisation' ? `reason.${use}Organisation` : `reason.${use}`)
