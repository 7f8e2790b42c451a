import { MASTER_CODE, type SignatureVersion } from '../../../streams/message/signatures/entry.ts'
import type { SignatureInMessage } from '../../../streams/message/signatures/signature.ts'
import { MEETING_VERSION, REPLY_VERSION } from '../../../streams/wire/signatures.ts'
import type { Translate } from './texts.ts'

/** The name of a signature wherever it is shown or announced: the version follows the name, unless it is the master. */
export function signatureName({ name, code }: SignatureVersion, t: Translate): string {
  switch (code) {
    case MASTER_CODE:
      return name
    case REPLY_VERSION:
      return t('entry.replyVersion', { name })
    case MEETING_VERSION:
      return t('entry.meetingVersion', { name })
    case 'mobile':
      return t('entry.mobileVersion', { name })
    default:
      return t('entry.otherVersion', { name, code })
  }
}

/** The name of the signature in the message; empty while unknown. */
export function presentSignatureName(
  present: SignatureVersion & Pick<SignatureInMessage, 'combinedIds'>,
  t: Translate,
): string {
  if (present.combinedIds === '') return t('list.none')
  return present.name === '' ? '' : signatureName(present, t)
}
