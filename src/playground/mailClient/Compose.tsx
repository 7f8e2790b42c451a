import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Address, NotificationMessage } from '../../engine/hosts/mailClient.ts'
import type { ComposeItem } from '../mailbox/model.ts'
import { AttachmentBar } from './AttachmentBar.tsx'
import { Icon } from '../design/Icon.tsx'
import { MessageBody } from './MessageBody.tsx'
import { useControls } from '../scenario/controlsContext.ts'
import { useMailbox, useMailboxState } from './mailboxContext.ts'
import * as design from '../design/design.module.css'
import * as css from './mailClient.module.css'
import { formatRecipients, parseRecipients } from './recipients.ts'

/** The form of a message in compose mode. */
export function Compose({ item }: { item: ComposeItem }) {
  const { t } = useTranslation()
  const mailbox = useMailbox()
  const ids = { from: useId(), subject: useId(), format: useId() }
  return (
    <section className={css.message} aria-label={t('message.label')}>
      <NotificationBar notifications={item.notifications} />
      <div className={css.fields}>
        <div className={css.field}>
          <label htmlFor={ids.from}>{t('message.from')}</label>
          <FromSelect id={ids.from} from={item.from} />
          <span className={css.formatGroup}>
            <label htmlFor={ids.format}>{t('message.format')}</label>
            <select
              id={ids.format}
              className={design.box}
              value={item.body.type}
              onChange={({ target }) =>
                mailbox.act({ type: 'setBodyType', bodyType: target.value === 'text' ? 'text' : 'html' })
              }
            >
              <option value="html">{t('message.html')}</option>
              <option value="text">{t('message.text')}</option>
            </select>
          </span>
        </div>
        <RecipientsField
          key={`${item.id} to`}
          label={t('message.to')}
          recipients={item.to}
          onChange={(to) => mailbox.act({ type: 'setRecipients', to })}
        />
        <RecipientsField
          key={`${item.id} cc`}
          label={t('message.cc')}
          recipients={item.cc}
          onChange={(cc) => mailbox.act({ type: 'setRecipients', cc })}
        />
        <div className={css.field}>
          <label htmlFor={ids.subject}>{t('message.subject')}</label>
          <input
            id={ids.subject}
            type="text"
            autoComplete="off"
            value={item.subject}
            onChange={({ target }) => mailbox.act({ type: 'setSubject', subject: target.value })}
          />
        </div>
      </div>
      <AttachmentBar
        attachments={item.attachments}
        onRemove={(id) => mailbox.act({ type: 'discardAttachment', id })}
      />
      <MessageBody item={item} />
    </section>
  )
}

/** Offers every mailbox of the organisation, as to a delegate. Keeps an address that is none of them. */
function FromSelect({ id, from }: { id: string; from: Address }) {
  const mailbox = useMailbox()
  const { accounts } = useMailboxState()
  const known = accounts.some(({ address }) => address === from.address)
  const choices: readonly Address[] = known ? accounts : [from, ...accounts]
  return (
    <select
      id={id}
      value={from.address}
      onChange={({ target }) => {
        const chosen = choices.find(({ address }) => address === target.value)
        if (chosen) mailbox.act({ type: 'setFrom', from: { address: chosen.address, name: chosen.name } })
      }}
    >
      {choices.map(({ address, name }) => (
        <option key={address} value={address}>
          {name ? `${name} <${address}>` : address}
        </option>
      ))}
    </select>
  )
}

/** Parses the typed text on blur and on Enter. */
function RecipientsField(props: {
  label: string
  recipients: readonly Address[]
  onChange: (recipients: readonly Address[]) => void
}) {
  const { label, recipients, onChange } = props
  const { t } = useTranslation()
  const id = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const commit = () => {
    if (draft === null) return
    setDraft(null)
    onChange(parseRecipients(draft))
  }
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode="email"
        autoComplete="off"
        spellCheck={false}
        title={t('message.recipientsHint')}
        value={draft ?? formatRecipients(recipients)}
        onChange={({ target }) => setDraft(target.value)}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit()
        }}
      />
    </div>
  )
}

const NOTICE_ICONS = {
  informationalMessage: 'info',
  insightMessage: 'info',
  progressIndicator: 'progress',
  errorMessage: 'error',
} as const satisfies Record<NotificationMessage['type'], string>

function NotificationBar({ notifications }: { notifications: ComposeItem['notifications'] }) {
  const { t } = useTranslation()
  const mailbox = useMailbox()
  const { showPane } = useControls()
  return (
    <div role="status" aria-label={t('notifications.label')}>
      {notifications.map(({ key, type, message, actions }) => {
        const icon = NOTICE_ICONS[type]
        return (
          <p
            key={key}
            className={icon === 'error' ? `${design.notice} ${design.noticeError}` : design.notice}
          >
            <Icon name={icon} />
            <span className={design.noticeText}>{message}</span>
            {actions?.map(({ actionText }) => (
              <button key={actionText} type="button" className={design.button} onClick={() => showPane(true)}>
                {actionText}
              </button>
            ))}
            <button
              type="button"
              className={design.quiet}
              aria-label={`${t('notifications.dismiss')}: ${message}`}
              onClick={() => mailbox.act({ type: 'dismissNotice', key })}
            >
              <Icon name="dismiss" />
            </button>
          </p>
        )
      })}
    </div>
  )
}
