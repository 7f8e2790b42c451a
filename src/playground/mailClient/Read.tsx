import { useTranslation } from 'react-i18next'
import type { ReadItem } from '../mailbox/model.ts'
import { AttachmentBar } from './AttachmentBar.tsx'
import { Avatar } from './Avatar.tsx'
import { IconButton } from '../design/IconButton.tsx'
import { MessageBody } from './MessageBody.tsx'
import * as design from '../design/design.module.css'
import * as css from './mailClient.module.css'
import { formatRecipients } from './recipients.ts'
import { fullDate, meetingTime } from './when.ts'

export function Read({ item, onClose }: { item: ReadItem; onClose: () => void }) {
  const { t, i18n } = useTranslation()
  const { isMeeting = false, when } = item
  return (
    <section className={css.message} aria-label={t(isMeeting ? 'meeting.label' : 'message.label')}>
      <header className={css.readHead}>
        <div className={css.subjectLine}>
          <h2>{item.subject || t('list.noSubject')}</h2>
          <IconButton
            icon="dismiss"
            label={t(isMeeting ? 'meeting.close' : 'commands.leave')}
            onClick={onClose}
          />
        </div>
        <div className={css.sender}>
          <Avatar of={item.from} />
          <dl>
            <dt className={design.unseen}>{t(isMeeting ? 'meeting.organizer' : 'message.from')}</dt>
            <dd className={css.senderName}>{formatRecipients([item.from])}</dd>
            <div>
              <dt>{t(isMeeting ? 'meeting.required' : 'message.to')}</dt>
              <dd>{formatRecipients(item.to)}</dd>
            </div>
            {item.cc.length > 0 && (
              <div>
                <dt>{t(isMeeting ? 'meeting.optional' : 'message.cc')}</dt>
                <dd>{formatRecipients(item.cc)}</dd>
              </div>
            )}
            {when && (
              <div>
                <dt>{t('meeting.when')}</dt>
                <dd>{meetingTime(when, i18n.language)}</dd>
              </div>
            )}
          </dl>
          {!isMeeting && (
            <time className={css.readDate} dateTime={new Date(item.date).toISOString()}>
              {fullDate(item.date, i18n.language)}
            </time>
          )}
        </div>
      </header>
      <AttachmentBar attachments={item.attachments} onRemove={null} />
      <MessageBody item={item} />
    </section>
  )
}
