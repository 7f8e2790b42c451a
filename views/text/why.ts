import type { DefaultBy, Why } from '../../streams/message/signatures/why.ts'
import type { TextKey, Translate } from './texts.ts'

/** The reason for each use of a default: the user's own or an unknown one's, and the organisation's. */
const DEFAULTS = {
  default: ['reason.default', 'reason.defaultOrganisation'],
  noReplyVersion: ['reason.noReplyVersion', 'reason.noReplyVersionOrganisation'],
  reply: ['reason.inReply', 'reason.inReplyOrganisation'],
  forward: ['reason.inForward', 'reason.inForwardOrganisation'],
} as const satisfies Record<string, readonly [TextKey, TextKey]>

const ofDefault = (use: keyof typeof DEFAULTS, by: DefaultBy): TextKey =>
  DEFAULTS[use][by === 'organisation' ? 1 : 0]

const OTHERS = {
  none: 'reason.none',
  chosen: 'reason.chosen',
  putBack: 'reason.putBack',
  takenOut: 'reason.takenOut',
  forNew: 'reason.forNew',
  forReplies: 'reason.forReplies',
  notHere: 'reason.notHere',
  audience: 'reason.audience',
  own: 'reason.own',
} as const satisfies Record<string, TextKey>

/** A few words that say why a signature is in the message, or would be inserted. */
export function whyText(why: Why, t: Translate): string {
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
      return t(ofDefault(why.composeType, why.by))
    default:
      return t(OTHERS[why.kind])
  }
}
