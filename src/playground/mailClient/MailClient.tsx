import { useObservableState } from 'observable-hooks'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asyncScheduler, map } from 'rxjs'
import { growingIntervals } from '../../../streams/kernel/time.ts'
import { currentItem, type MailboxItem, isInCalendar, openItem } from '../mailbox/model.ts'
import { Avatar } from './Avatar.tsx'
import { Compose } from './Compose.tsx'
import { folderCount, type MailFolder, MAIL_FOLDERS, itemsIn, itemPreview } from './folders.ts'
import { Icon } from '../design/Icon.tsx'
import { Read } from './Read.tsx'
import { SendQuestion } from './SendQuestion.tsx'
import { useMailbox, useMailboxState } from './mailboxContext.ts'
import * as design from '../design/design.module.css'
import * as css from './mailClient.module.css'
import { meetingDate, nextHalfHour, shortDate } from './when.ts'

const MINUTE_MS = 60_000
const now$ = growingIntervals(MINUTE_MS, 0, { scheduler: asyncScheduler }).pipe(map(() => Date.now()))

/** The media query of the one-column layout, which folds the folders and the list while a message is open. */
const ONE_COLUMN = '(max-width: 800px)'

/** How the user left the last message, and how many messages had been opened by then. */
type Left = Readonly<{ how: 'sent' | 'invited' | 'closed'; openings: number }>

/** The mail client beside the pane: commands, folders, the messages of a folder, and the open message. */
export function MailClient() {
  const { t } = useTranslation()
  const mailbox = useMailbox()
  const state = useMailboxState()
  const open = openItem(state)
  const [folder, setFolder] = useState<MailFolder>('inbox')
  const [left, setLeft] = useState<Left | null>(null)
  /** How many messages had been opened when the user unfolded the list; the next message folds it again. */
  const [unfoldedAt, setUnfoldedAt] = useState<number | null>(null)
  const isUnfolded = open === null || unfoldedAt === state.openings
  const reading = useRef<HTMLElement>(null)
  const leave = (how: Left['how'], act: () => void) => {
    act()
    setLeft({ how, openings: mailbox.state$.value.openings })
  }
  const close = () => leave('closed', () => mailbox.act({ type: 'switchTo', id: null }))
  return (
    <>
      <Commands
        isUnfolded={isUnfolded}
        onFold={open && (() => setUnfoldedAt(isUnfolded ? null : state.openings))}
      />
      <Folders isUnfolded={isUnfolded} folder={folder} onChoose={setFolder} />
      <MessageList
        isUnfolded={isUnfolded}
        folder={folder}
        open={open}
        onChoose={(id) => {
          mailbox.act({ type: 'switchTo', id })
          setUnfoldedAt(null)
          // The focused button is now folded away, so the focus moves to the message.
          if (matchMedia(ONE_COLUMN).matches) reading.current?.focus()
        }}
      />
      <main
        ref={reading}
        tabIndex={-1}
        data-area="reading"
        className={`${css.reading} ${design.card}`}
        aria-label={t(currentItem(state)?.isMeeting ? 'meeting.label' : 'message.label')}
      >
        {open === null ? (
          <Empty left={left?.openings === state.openings ? left.how : null} />
        ) : open.mode === 'compose' ? (
          <Compose
            item={open}
            onSend={() =>
              leave(open.kind === 'meeting' ? 'invited' : 'sent', () =>
                mailbox.act({ type: 'send', date: Date.now() }),
              )
            }
            onDiscard={() => leave('closed', () => mailbox.act({ type: 'close' }))}
            onClose={close}
          />
        ) : (
          <Read item={open} onClose={close} />
        )}
        <SendQuestion leave={(act) => leave('sent', act)} />
      </main>
    </>
  )
}

const EMPTY_TEXTS = {
  closed: ['empty.title', 'empty.hint'],
  sent: ['empty.sent', 'empty.sentHint'],
  invited: ['empty.invited', 'empty.invitedHint'],
} as const

/** Shown while no message is open. Takes the focus after the user closes or sends a message. */
function Empty({ left }: { left: Left['how'] | null }) {
  const { t } = useTranslation()
  const [title, hint] = EMPTY_TEXTS[left ?? 'closed']
  return (
    <div className={css.empty}>
      <Icon name="mail" />
      <h2 ref={(heading) => (left === null ? undefined : heading?.focus())} tabIndex={-1}>
        {t(title)}
      </h2>
      <p>{t(hint)}</p>
    </div>
  )
}

/** `onFold` toggles the list; null while no message is open, because the list is then always unfolded. */
function Commands({ isUnfolded, onFold }: { isUnfolded: boolean; onFold: (() => void) | null }) {
  const { t } = useTranslation()
  const mailbox = useMailbox()
  return (
    <section data-area="commands" className={css.commands} aria-label={t('commands.label')}>
      <button type="button" className={css.primary} onClick={() => mailbox.act({ type: 'newMessage' })}>
        <Icon name="newMessage" />
        {t('commands.newMessage')}
      </button>
      <button
        type="button"
        className={css.command}
        onClick={() => mailbox.act({ type: 'newMeeting', when: nextHalfHour(Date.now()) })}
      >
        <Icon name="newMeeting" />
        {t('commands.newMeeting')}
      </button>
      <span className={css.divider} aria-hidden="true" />
      <button type="button" className={css.command} onClick={() => mailbox.act({ type: 'reply' })}>
        <Icon name="reply" />
        {t('commands.reply')}
      </button>
      <button type="button" className={css.command} onClick={() => mailbox.act({ type: 'forward' })}>
        <Icon name="forward" />
        {t('commands.forward')}
      </button>
      {onFold && (
        <button
          type="button"
          className={`${css.command} ${css.fold}`}
          aria-label={t('list.label')}
          aria-expanded={isUnfolded}
          onClick={onFold}
        >
          <Icon name="inbox" />
        </button>
      )}
    </section>
  )
}

const FOLDER_ICONS = { inbox: 'inbox', drafts: 'draft', sent: 'send', calendar: 'calendar' } as const
const EMPTY_FOLDERS = {
  inbox: 'list.emptyDrafts',
  drafts: 'list.emptyDrafts',
  sent: 'list.emptySent',
  calendar: 'list.emptyCalendar',
} as const

const folding = (isUnfolded: boolean) => (isUnfolded ? '' : css.folded)

function Folders({
  isUnfolded,
  folder,
  onChoose,
}: {
  isUnfolded: boolean
  folder: MailFolder
  onChoose: (folder: MailFolder) => void
}) {
  const { t } = useTranslation()
  const state = useMailboxState()
  return (
    <nav
      data-area="folders"
      className={`${css.folders} ${folding(isUnfolded)}`}
      aria-label={t('folders.label')}
    >
      <ul>
        {MAIL_FOLDERS.map((each) => {
          const count = folderCount(state, each)
          return (
            <li key={each}>
              <button type="button" aria-current={each === folder} onClick={() => onChoose(each)}>
                <Icon name={FOLDER_ICONS[each]} />
                <span className={css.folderName}>{t(`folders.${each}`)}</span>
                {count > 0 && (
                  <span className={css.count}>
                    <span aria-hidden="true">{count}</span>
                    <span className={design.unseen}>
                      {t(each === 'inbox' ? 'folders.unread' : 'folders.all', { count })}
                    </span>
                  </span>
                )}
              </button>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function MessageList({
  isUnfolded,
  folder,
  open,
  onChoose,
}: {
  isUnfolded: boolean
  folder: MailFolder
  open: MailboxItem | null
  onChoose: (id: string) => void
}) {
  const { t } = useTranslation()
  const items = itemsIn(useMailboxState(), folder)
  const now = useObservableState(now$, () => Date.now())
  return (
    <nav
      data-area="list"
      className={`${css.list} ${design.card} ${folding(isUnfolded)}`}
      aria-label={t('list.label')}
    >
      <h2>{t(`folders.${folder}`)}</h2>
      {items.length === 0 && <p className={css.hint}>{t(EMPTY_FOLDERS[folder])}</p>}
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              aria-current={item.id === open?.id}
              className={item.mode === 'read' && !item.isRead ? css.unread : undefined}
              onClick={() => onChoose(item.id)}
            >
              <Row item={item} now={now} />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Row({ item, now }: { item: MailboxItem; now: number }) {
  const { t, i18n } = useTranslation()
  const isReceived = item.mode === 'read' && item.folder !== 'sent'
  const { when } = item
  const isMeeting = isInCalendar(item)
  const people = isReceived ? [item.from] : [...item.to, ...item.cc]
  const names = people.map(({ name, address }) => name || address).join(', ')
  return (
    <>
      <Avatar of={people[0] ?? item.from} />
      <span className={css.listFrom}>
        {item.mode === 'read' && !item.isRead && <span className={design.unseen}>{t('list.unread')} </span>}
        {item.mode === 'compose' && !isMeeting && <span className={css.draftMark}>{t('list.draft')} </span>}
        {names || t('list.noRecipient')}
      </span>
      {isMeeting && when && (
        <time className={css.listDate} dateTime={new Date(when.start).toISOString()}>
          {meetingDate(when, i18n.language)}
        </time>
      )}
      {item.mode === 'read' && !isMeeting && (
        <time className={css.listDate} dateTime={new Date(item.date).toISOString()}>
          {shortDate(item.date, now, i18n.language)}
        </time>
      )}
      <span className={css.listSubject}>
        {item.subject || t('list.noSubject')}
        {when?.isWeekly && ` · ${t('meeting.weekly')}`}
      </span>
      <span className={css.listPreview}>{itemPreview(item)}</span>
    </>
  )
}
