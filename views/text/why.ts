import type { DefaultBy, Why } from '../../streams/signatures/why.ts'
import type { TextKey, Translate } from './texts.ts'

/** For each use of a default, the sentence by who made it one. */
const defaults = {
  default: {
    person: 'reason.defaultPerson',
    organisation: 'reason.defaultOrganisation',
    unknown: 'reason.default',
  },
  noReplyVersion: {
    person: 'reason.noReplyVersion',
    organisation: 'reason.noReplyVersionOrganisation',
    unknown: 'reason.noReplyVersion',
  },
  reply: {
    person: 'reason.inReplyPerson',
    organisation: 'reason.inReplyOrganisation',
    unknown: 'reason.inReply',
  },
  forward: {
    person: 'reason.inForwardPerson',
    organisation: 'reason.inForwardOrganisation',
    unknown: 'reason.inForward',
  },
} as const satisfies Record<string, Readonly<Record<NonNullable<DefaultBy> | 'unknown', TextKey>>>

const others = {
  none: 'reason.none',
  chosen: 'reason.chosen',
  forNew: 'reason.forNew',
  forReplies: 'reason.forReplies',
  own: 'reason.own',
} as const satisfies Record<string, TextKey>

/** Why a signature stands in the message, or would, in one sentence. */
export function whyText(why: Why, t: Translate): string {
  switch (why.kind) {
    case 'sender':
      return t('reason.sender', { sender: why.sender })
    case 'shared':
      return t('reason.shared', { owner: why.owner })
    case 'default':
    case 'noReplyVersion':
      return t(defaults[why.kind][why.by ?? 'unknown'])
    case 'replyDefault':
      return t(defaults[why.composeType][why.by ?? 'unknown'])
    default:
      return t(others[why.kind])
  }
}
