import type { DefaultBy, Why } from '../../streams/signatures/why.ts'
import type { TextKey, Translate } from './texts.ts'

/** The sentence for each use of a default, by the one who chose it. */
const DEFAULTS = {
  default: {
    person: 'reason.defaultUser',
    organisation: 'reason.defaultOrganisation',
    unknown: 'reason.default',
  },
  noReplyVersion: {
    person: 'reason.noReplyVersion',
    organisation: 'reason.noReplyVersionOrganisation',
    unknown: 'reason.noReplyVersion',
  },
  reply: {
    person: 'reason.inReplyUser',
    organisation: 'reason.inReplyOrganisation',
    unknown: 'reason.inReply',
  },
  forward: {
    person: 'reason.inForwardUser',
    organisation: 'reason.inForwardOrganisation',
    unknown: 'reason.inForward',
  },
} as const satisfies Record<string, Readonly<Record<NonNullable<DefaultBy> | 'unknown', TextKey>>>

const OTHERS = {
  none: 'reason.none',
  chosen: 'reason.chosen',
  forNew: 'reason.forNew',
  forNewAlone: 'reason.forNewAlone',
  forReplies: 'reason.forReplies',
  notHere: 'reason.notHere',
  audience: 'reason.audience',
  own: 'reason.own',
} as const satisfies Record<string, TextKey>

/** One sentence that says why a signature is in the message, or would be inserted. */
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
      return t(DEFAULTS[why.kind][why.by ?? 'unknown'])
    case 'replyDefault':
      return t(DEFAULTS[why.composeType][why.by ?? 'unknown'])
    default:
      return t(OTHERS[why.kind])
  }
}
