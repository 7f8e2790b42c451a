import { useObservable, useSubscription } from 'observable-hooks'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EMPTY, fromEvent, merge, switchMap } from 'rxjs'
import type { MailboxItem } from '../mailbox/model.ts'
import { useMailbox } from './mailboxContext.ts'
import * as css from './mailClient.module.css'
import { MESSAGE_DOCUMENT } from './messageDocument.ts'
import { readMessagePart, renderMessagePart } from './messageHtml.ts'

const PARTS = ['author', 'signature', 'second', 'online', 'quoted'] as const
type MessagePart = (typeof PARTS)[number]
/** A part of the body in the document; `content` is the content last rendered into it or read from it. */
type Region = { part: MessagePart; element: HTMLElement; content: string }

/**
 * The body of a message, editable in compose mode. While the user types, the browser owns the document. Only parts that
 * changed in the mailbox are rendered again, so the caret keeps its place. Layout effects render them, because an
 * ordinary effect runs later and could overwrite a key typed meanwhile.
 */
export function MessageBody(props: { item: MailboxItem; onPage?: (page: Document | null) => void }) {
  const { item, onPage } = props
  const { t, i18n } = useTranslation()
  const mailbox = useMailbox()
  const [page, setPage] = useState<Document | null>(null)
  const regions = useRef<Region[]>([])
  const { id, mode, body, attachments } = item
  const isMeeting = mode === 'read' ? item.isMeeting === true : item.kind === 'meeting'
  const { type } = body

  useLayoutEffect(() => {
    if (!page) return
    page.body.dataset['type'] = type
    regions.current = PARTS.map((part) => {
      const element = page.createElement('div')
      element.dataset['part'] = part
      if (mode === 'compose' && (part === 'author' || part === 'signature')) {
        element.setAttribute('role', 'textbox')
        element.setAttribute('aria-multiline', 'true')
        makeEditable(element, type)
      } else element.setAttribute('role', 'group')
      return { part, element, content: '' }
    })
    page.body.replaceChildren(...regions.current.map(({ element }) => element))
  }, [page, id, mode, type])

  useLayoutEffect(() => {
    if (!page) return
    page.documentElement.lang = i18n.language
    const signature = t(isMeeting ? 'meeting.signature' : 'message.signature')
    const labels = {
      author: t(isMeeting ? 'meeting.body' : 'message.body'),
      signature,
      second: signature,
      online: t('meeting.block'),
      quoted: t('message.quoted'),
    }
    for (const { part, element } of regions.current) element.setAttribute('aria-label', labels[part])
  }, [page, id, mode, type, isMeeting, i18n.language, t])

  useLayoutEffect(() => {
    for (const region of regions.current) {
      const content = body[region.part] ?? ''
      if (region.content === content) continue
      region.content = content
      region.element.replaceChildren(renderMessagePart(content, type, attachments))
    }
  }, [page, id, mode, type, body, attachments])

  const pageEvent$ = useObservable(
    (input$) =>
      input$.pipe(
        switchMap(([target]) =>
          target ? merge(fromEvent(target, 'input'), fromEvent(target, 'click')) : EMPTY,
        ),
      ),
    [page],
  )
  useSubscription(pageEvent$, (event) => {
    // A click on a link must not open the link.
    if (event.type === 'click') return event.preventDefault()
    const region = regions.current.find(({ element }) => element === event.target)
    if (!region) return
    region.content = readMessagePart(region.element, type)
    mailbox.act(
      region.part === 'author'
        ? { type: 'typed', author: region.content }
        : { type: 'signatureEdited', signature: region.content },
    )
  })

  return (
    <iframe
      className={css.body}
      title={t(isMeeting ? 'meeting.body' : 'message.body')}
      srcDoc={MESSAGE_DOCUMENT}
      onLoad={({ currentTarget }) => {
        setPage(currentTarget.contentDocument)
        onPage?.(currentTarget.contentDocument)
      }}
    />
  )
}

function makeEditable(element: HTMLElement, type: 'html' | 'text'): void {
  element.contentEditable = 'true'
  if (type === 'html') return
  try {
    element.contentEditable = 'plaintext-only'
  } catch {
    // A browser without `plaintext-only` support keeps the value `true`.
  }
}
