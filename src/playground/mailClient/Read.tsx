import { useTranslation } from 'react-i18next'
import type { ReadItem } from '../mailbox/model.ts'
import { AttachmentBar } from './AttachmentBar.tsx'
import { MessageBody } from './MessageBody.tsx'
import * as css from './mailClient.module.css'
import { formatRecipients } from './recipients.ts'

/** A received or sent message. */
export function Read({ item }: { item: ReadItem }) {
  const { t } = useTranslation()
  return (
    <section className={css.message} aria-label={t('message.label')}>
      <header className={css.readHead}>
        <h2>{item.subject || t('tabs.noSubject')}</h2>
        <dl>
          <dt>{t('message.from')}</dt>
          <dd>{formatRecipients([item.from])}</dd>
          <dt>{t('message.to')}</dt>
          <dd>{formatRecipients(item.to)}</dd>
          {item.cc.length > 0 && (
            <>
              <dt>{t('message.cc')}</dt>
              <dd>{formatRecipients(item.cc)}</dd>
            </>
          )}
          <dt>{t('message.date')}</dt>
          <dd>{item.date}</dd>
        </dl>
      </header>
      <AttachmentBar attachments={item.attachments} onRemove={null} />
      <MessageBody item={item} />
    </section>
  )
}
