import { MASTER, type Version } from '../../../streams/message/signatures/entry.ts'
import type { InMessage } from '../../../streams/message/signatures/signature.ts'
import { MEETING, REPLY } from '../../../streams/wire/signatures.ts'
import type { Translate } from './texts.ts'

/** The name of a signature wherever it is shown or announced: the version follows the name, unless it is the master. */
export function signatureName({ name, code }: Version, t: Translate): string {
  switch (code) {
    case MASTER:
      return name
    case REPLY:
      return t('entry.replyVersion', { name })
    case MEETING:
      return t('entry.meetingVersion', { name })
    case 'mobile':
      return t('entry.mobileVersion', { name })
    default:
      return t('entry.otherVersion', { name, code })
  }
}

/** The name of the signature in the message; empty while unknown. */
export function presentName(present: Version & Pick<InMessage, 'combinedIds'>, t: Translate): string {
  if (present.combinedIds === '') return t('list.none')
  return present.name === '' ? '' : signatureName(present, t)
}
