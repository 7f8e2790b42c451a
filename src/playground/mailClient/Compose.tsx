import { type Ref, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Address, NotificationMessage } from '../../engine/hosts/mailClient.ts'
import type { ComposeItem } from '../mailbox/model.ts'
import type { ClientProfile } from '../mailbox/profiles.ts'
import { AttachmentBar } from './AttachmentBar.tsx'
import { Avatar } from './Avatar.tsx'
import { FormatBar } from './FormatBar.tsx'
import { Icon } from '../design/Icon.tsx'
import { IconButton } from '../design/IconButton.tsx'
import { MessageBody } from './MessageBody.tsx'
import { useControls } from '../scenario/controlsContext.ts'
import { useMailbox, useMailboxState } from './mailboxContext.ts'
import * as design from '../design/design.module.css'
import * as css from './mailClient.module.css'
import { formatRecipients, parseRecipients } from './recipients.ts'
import { fromDateField, toDateField } from './when.ts'

export function Compose(props: {
  item: ComposeItem
  onSend: () => void
  onDiscard: () => void
  onClose: () => void
}) {
  const { item, onSend, onDiscard, onClose } = props
  const { t } = useTranslation()
  const mailbox = useMailbox()
  const ids = { from: useId(), problem: useId() }
  const to = useRef<HTMLInputElement>(null)
  const [page, setPage] = useState<Document | null>(null)
  /** The id of a message without recipients that the user tried to send. */
  const [tried, setTried] = useState<string | null>(null)
  const hasRecipient = item.to.length + item.cc.length > 0
  const lacksRecipient = tried === item.id && !hasRecipient
  const isMeeting = item.kind === 'meeting'
  const leave = t(isMeeting ? 'meeting.close' : 'commands.leave')
  return (
    <section className={css.message} aria-label={t(isMeeting ? 'meeting.label' : 'message.label')}>
      <h2 className={design.unseen}>{item.subject || t('list.noSubject')}</h2>
      <NotificationBar notifications={item.notifications} />
      <div className={css.composeHead}>
        <button
          type="button"
          className={css.primary}
          onClick={() => {
            if (hasRecipient) return onSend()
            setTried(item.id)
            to.current?.focus()
          }}
        >
          <Icon name="send" />
          {t('commands.send')}
        </button>
        <span className={css.from}>
          <label htmlFor={ids.from}>{t(isMeeting ? 'meeting.organizer' : 'message.from')}</label>
          <FromSelect id={ids.from} from={item.from} />
        </span>
        <span className={css.headTools}>
          {isMeeting && (
            <IconButton
              icon="save"
              label={t('commands.save')}
              title={t('commands.save')}
              onClick={() => mailbox.act({ type: 'save' })}
            />
          )}
          <IconButton
            icon="discard"
            label={t('commands.discard')}
            title={t('commands.discard')}
            onClick={onDiscard}
          />
          <IconButton icon="dismiss" label={leave} title={leave} onClick={onClose} />
        </span>
      </div>
      <div className={css.fields}>
        <RecipientsField
          key={`${item.id} to`}
          label={t(isMeeting ? 'meeting.required' : 'message.to')}
          recipients={item.to}
          input={to}
          problemId={lacksRecipient ? ids.problem : null}
          onChange={(recipients) => mailbox.act({ type: 'setRecipients', to: recipients })}
        />
        <p id={ids.problem} role="alert" className={css.problem}>
          {lacksRecipient && t(isMeeting ? 'meeting.noAttendee' : 'message.noRecipient')}
        </p>
        <RecipientsField
          key={`${item.id} cc`}
          label={t(isMeeting ? 'meeting.optional' : 'message.cc')}
          recipients={item.cc}
          problemId={null}
          onChange={(cc) => mailbox.act({ type: 'setRecipients', cc })}
        />
        <div className={css.field}>
          <input
            aria-label={t('message.subject')}
            type="text"
            className={css.subject}
            autoComplete="off"
            placeholder={t('message.addSubject')}
            value={item.subject}
            onChange={({ target }) => mailbox.act({ type: 'setSubject', subject: target.value })}
          />
        </div>
        {isMeeting && <MeetingFields item={item} />}
      </div>
      <FormatBar key={item.id} page={page} type={item.body.type} hasTypes={!isMeeting} />
      <AttachmentBar
        attachments={item.attachments}
        onRemove={(id) => mailbox.act({ type: 'discardAttachment', id })}
      />
      <MessageBody item={item} onPage={setPage} />
    </section>
  )
}

type MeetingHint = 'meeting.hintWeb' | 'meeting.hintMac' | 'meeting.hintPhone'
/** The hints about how an edition treats meetings differently from messages. */
const MEETING_HINTS: Partial<Record<ClientProfile, MeetingHint>> = {
  web: 'meeting.hintWeb',
  mac: 'meeting.hintMac',
  ios: 'meeting.hintPhone',
  android: 'meeting.hintPhone',
}

/** The meeting's time, its online meeting, and a button for the next occurrence of a series. */
function MeetingFields({ item }: { item: ComposeItem }) {
  const { t } = useTranslation()
  const mailbox = useMailbox()
  const { profile } = useMailboxState()
  const { when, online } = item
  const hint = profile && MEETING_HINTS[profile]
  return (
    <>
      {when && (
        <div className={`${css.field} ${css.when}`}>
          <TimeField
            label={t('meeting.start')}
            time={when.start}
            onChange={(start) =>
              mailbox.act({ type: 'setWhen', when: { ...when, start, end: start + when.end - when.start } })
            }
          />
          <TimeField
            label={t('meeting.end')}
            time={when.end}
            onChange={(end) =>
              mailbox.act({ type: 'setWhen', when: { ...when, end: Math.max(end, when.start) } })
            }
          />
          {item.exceptionOf === undefined && (
            <label>
              <input
                type="checkbox"
                checked={when.isWeekly === true}
                onChange={({ target }) => {
                  const { isWeekly: _, ...once } = when
                  mailbox.act({ type: 'setWhen', when: target.checked ? { ...once, isWeekly: true } : once })
                }}
              />
              {t('meeting.weekly')}
            </label>
          )}
        </div>
      )}
      <div className={css.meetingTools}>
        {!online && (
          <button
            type="button"
            className={css.command}
            onClick={() => mailbox.act({ type: 'addOnlineMeeting' })}
          >
            <Icon name="online" />
            {t('meeting.addOnline')}
          </button>
        )}
        <span role="status">
          {online && t(online === 'asked' ? 'meeting.addingOnline' : 'meeting.online')}
        </span>
        {when?.isWeekly && item.isSaved && (
          <button
            type="button"
            className={css.command}
            onClick={() => mailbox.act({ type: 'openOccurrence', date: Date.now() })}
          >
            <Icon name="calendar" />
            {t('meeting.next')}
          </button>
        )}
      </div>
      {hint && <p className={css.meetingHint}>{t(hint)}</p>}
    </>
  )
}

/** A date and time field. An incomplete time changes nothing. */
function TimeField(props: { label: string; time: number; onChange: (time: number) => void }) {
  const { label, time, onChange } = props
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        required
        value={toDateField(time)}
        onChange={({ target }) => {
          const chosen = fromDateField(target.value)
          if (chosen !== null) onChange(chosen)
        }}
      />
    </label>
  )
}

/** Offers every mailbox in the organisation, as if the user were a delegate, and the current sender. */
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

/** The recipients, and a field to add more. The text is parsed on Enter, on `;` and on blur. */
function RecipientsField(props: {
  label: string
  recipients: readonly Address[]
  input?: Ref<HTMLInputElement>
  /** The id of the element that describes the problem; null if there is no problem. */
  problemId: string | null
  onChange: (recipients: readonly Address[]) => void
}) {
  const { label, recipients, input, problemId, onChange } = props
  const { t } = useTranslation()
  const id = useId()
  const [typed, setTyped] = useState('')
  const commit = (text: string) => {
    setTyped('')
    const added = parseRecipients(text).filter(
      ({ address }) => !recipients.some((known) => known.address === address),
    )
    if (added.length > 0) onChange([...recipients, ...added])
  }
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      <div className={css.people}>
        {recipients.length > 0 && (
          <ul className={css.pills} aria-label={label}>
            {recipients.map((each) => (
              <li key={each.address} className={css.pill} title={formatRecipients([each])}>
                <Avatar of={each} isSmall />
                <span className={design.oneLine}>{each.name || each.address}</span>
                <IconButton
                  icon="dismiss"
                  label={t('message.removeRecipient', { name: each.name || each.address })}
                  onClick={() => onChange(recipients.filter((other) => other !== each))}
                />
              </li>
            ))}
          </ul>
        )}
        <input
          id={id}
          ref={input}
          type="text"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          title={t('message.recipientsHint')}
          aria-invalid={problemId !== null}
          aria-describedby={problemId ?? undefined}
          value={typed}
          onChange={({ target }) => {
            if (/;\s*$/.test(target.value)) commit(target.value)
            else setTyped(target.value)
          }}
          onBlur={() => commit(typed)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit(typed)
            else if (event.key === 'Backspace' && typed === '' && recipients.length > 0)
              onChange(recipients.slice(0, -1))
          }}
        />
      </div>
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
            <IconButton
              icon="dismiss"
              label={`${t('notifications.dismiss')}: ${message}`}
              onClick={() => mailbox.act({ type: 'dismissNotice', key })}
            />
          </p>
        )
      })}
    </div>
  )
}
