import { useTranslation } from 'react-i18next'
import type { ComposeItem, Item, ReadItem } from '../mailbox/model.ts'
import { openItem, ownItems } from '../mailbox/model.ts'
import { Compose } from './Compose.tsx'
import { Icon } from '../design/Icon.tsx'
import { Read } from './Read.tsx'
import { useMailbox, useMailboxState } from './mailboxContext.ts'
import * as design from '../design/design.module.css'
import * as css from './mailClient.module.css'

/** The mail client beside the pane: commands, mailbox, tabs of drafts, and the open message. */
export function MailClient() {
  const { t } = useTranslation()
  const state = useMailboxState()
  const items = ownItems(state)
  const open = openItem(state)
  const isRead = (item: Item): item is ReadItem => item.mode === 'read'
  const isCompose = (item: Item): item is ComposeItem => item.mode === 'compose'
  return (
    <>
      <Commands open={open} />
      <MessageList messages={items.filter(isRead)} open={open} />
      <main data-area="reading" className={`${css.reading} ${design.card}`} aria-label={t('message.label')}>
        <Tabs items={items.filter(isCompose)} open={open} />
        {open === null ? (
          <div className={css.empty}>
            <Icon name="mail" />
            <h2>{t('empty.title')}</h2>
            <p>{t('empty.hint')}</p>
          </div>
        ) : open.mode === 'compose' ? (
          <Compose item={open} />
        ) : (
          <Read item={open} />
        )}
      </main>
    </>
  )
}

function Commands({ open }: { open: Item | null }) {
  const { t, i18n } = useTranslation()
  const mailbox = useMailbox()
  const isComposing = open?.mode === 'compose'
  const now = () =>
    new Intl.DateTimeFormat(i18n.language, { dateStyle: 'full', timeStyle: 'short' }).format(new Date())
  return (
    <section
      data-area="commands"
      className={`${css.commands} ${design.card}`}
      aria-label={t('commands.label')}
    >
      <button type="button" className={css.primary} onClick={() => mailbox.act({ type: 'newMessage' })}>
        <Icon name="newMessage" />
        {t('commands.newMessage')}
      </button>
      <button type="button" className={css.command} onClick={() => mailbox.act({ type: 'reply' })}>
        <Icon name="reply" />
        {t('commands.reply')}
      </button>
      <button type="button" className={css.command} onClick={() => mailbox.act({ type: 'forward' })}>
        <Icon name="forward" />
        {t('commands.forward')}
      </button>
      <span className={css.divider} aria-hidden="true" />
      <button
        type="button"
        className={css.command}
        disabled={!isComposing}
        onClick={() => mailbox.act({ type: 'send', date: now() })}
      >
        <Icon name="send" />
        {t('commands.send')}
      </button>
      <button
        type="button"
        className={css.command}
        disabled={!isComposing}
        onClick={() => mailbox.act({ type: 'close' })}
      >
        <Icon name="discard" />
        {t('commands.discard')}
      </button>
      <button
        type="button"
        className={css.command}
        disabled={open === null}
        onClick={() => mailbox.act({ type: 'switchTo', id: null })}
      >
        <Icon name="dismiss" />
        {t('commands.leave')}
      </button>
    </section>
  )
}

function MessageList({ messages, open }: { messages: readonly ReadItem[]; open: Item | null }) {
  const { t } = useTranslation()
  const mailbox = useMailbox()
  return (
    <nav data-area="list" className={`${css.list} ${design.card}`} aria-label={t('list.label')}>
      <h2>{t('list.label')}</h2>
      {messages.length === 0 && <p className={css.hint}>{t('list.empty')}</p>}
      <ul>
        {messages.map(({ id, from, subject, date }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === open?.id}
              onClick={() => mailbox.act({ type: 'switchTo', id })}
            >
              <span className={css.listFrom}>{from.name || from.address}</span>
              <span>{subject || t('tabs.noSubject')}</span>
              <span className={css.listDate}>{date}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Tabs({ items, open }: { items: readonly ComposeItem[]; open: Item | null }) {
  const { t } = useTranslation()
  const mailbox = useMailbox()
  if (items.length === 0) return null
  return (
    <nav aria-label={t('tabs.label')}>
      <ul className={css.tabs}>
        {items.map((item) => {
          const subject = item.subject || t('tabs.noSubject')
          return (
            <li key={item.id} className={item.id === open?.id ? `${css.tab} ${css.tabOpen}` : css.tab}>
              <button
                type="button"
                className={css.tabName}
                aria-current={item.id === open?.id}
                onClick={() => mailbox.act({ type: 'switchTo', id: item.id })}
              >
                <Icon name={ICONS[item.kind]} />
                <span>{subject}</span>
              </button>
              <button
                type="button"
                className={design.quiet}
                aria-label={item.subject ? t('tabs.discard', { subject }) : t('tabs.discardUntitled')}
                onClick={() => mailbox.act({ type: 'close', id: item.id })}
              >
                <Icon name="dismiss" />
              </button>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

const ICONS = { newMail: 'newMessage', reply: 'reply', forward: 'forward' } as const
