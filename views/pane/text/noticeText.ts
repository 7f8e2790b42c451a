import type { Notice } from '../../../streams/pane/notifications/events.ts'
import { MASTER_CODE } from '../../../streams/message/signatures/entry.ts'
import { REPLY_VERSION } from '../../../streams/wire/signatures.ts'
import { signatureName } from './signatureName.ts'
import type { Translate } from './texts.ts'

/** The text of a notice that the pane shows in the message. */
export const noticeText = ({ signature: name, reply }: Notice, t: Translate): string =>
  name === ''
    ? t('notice.notInserted')
    : t('notice.notInMessage', {
        name: signatureName({ name, code: reply ? REPLY_VERSION : MASTER_CODE }, t),
      })
