import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Item } from '../mailbox/model.ts'
import { useMailbox } from './mailboxState.ts'
import * as css from '../playground.module.css'
import { drawMessagePart, readMessagePart } from './messageHtml.ts'

type Part = 'author' | 'signature' | 'second' | 'quoted'
const PARTS: readonly Part[] = ['author', 'signature', 'second', 'quoted']

// A document of its own: the styles that a signature brings reach nothing else, and nothing in it can cover the page.
// It is paper in every theme, because that is what messages are written for.
const DOCUMENT = `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="script-src 'none'; form-action 'none'; base-uri 'none'">
<style>
  :root { color-scheme: light; background: #fff; color: #000; }
  body { margin: 0; padding: 12px 20px 24px; font: 15px/1.4 Aptos, Calibri, 'Segoe UI', sans-serif; min-height: calc(100vh - 36px); box-sizing: content-box; }
  [data-part] { outline: none; border-radius: 4px; overflow-wrap: break-word; }
  [data-part='author'] { min-height: 5em; }
  [data-part='author']:only-child { min-height: 60vh; }
  /* What is fixed or absolute in a signature stays in it. */
  [data-part='signature'], [data-part='second'] { margin-top: 8px; contain: layout; }
  /* What is quoted begins with a line of its own. */
  [data-part='quoted'] { margin-top: 16px; }
  [data-part='signature']:focus-visible { box-shadow: 0 0 0 2px #fff, 0 0 0 4px #0f6cbd; }
  [data-part]:empty:not([data-part='author']) { display: none; }
  [data-type='text'] [data-part] { white-space: pre-wrap; font-family: Consolas, 'Courier New', monospace; }
  img { max-width: 100%; }
</style><body></body>`

/**
 * The body of a message: what the author writes, the signature, the quoted message. The document is the browser's
 * while the person types; only what another hand changed in the mailbox is drawn again, so the caret stays.
 */
export function MessageBody({ item }: { item: Item }) {
  const { t, i18n } = useTranslation()
  const mailbox = useMailbox()
  const [page, setPage] = useState<Document | null>(null)
  const shown = useRef<{ part: Part; element: HTMLElement; content: string }[]>([])
  const { id, mode, body, attachments } = item
  const { type } = body
  const [authorLabel, signatureLabel, quotedLabel] = [
    t('message.body'),
    t('message.signature'),
    t('message.quoted'),
  ]

  useEffect(() => {
    if (!page) return
    const labels = {
      author: authorLabel,
      signature: signatureLabel,
      second: signatureLabel,
      quoted: quotedLabel,
    }
    page.body.dataset['type'] = type
    shown.current = PARTS.map((part) => {
      const element = page.createElement('div')
      element.dataset['part'] = part
      element.setAttribute('aria-label', labels[part])
      if (mode === 'compose' && (part === 'author' || part === 'signature')) {
        element.setAttribute('role', 'textbox')
        element.setAttribute('aria-multiline', 'true')
        makeEditable(element, type)
      } else element.setAttribute('role', 'group')
      return { part, element, content: '' }
    })
    page.body.replaceChildren(...shown.current.map(({ element }) => element))

    const written = (event: Event) => {
      const target = shown.current.find(({ element }) => element === event.target)
      if (!target) return
      target.content = readMessagePart(target.element, type)
      mailbox.act(
        target.part === 'author'
          ? { type: 'typed', author: target.content }
          : { type: 'signatureEdited', signature: target.content },
      )
    }
    const followed = (event: Event) => event.preventDefault()
    page.addEventListener('input', written)
    page.addEventListener('click', followed)
    return () => {
      page.removeEventListener('input', written)
      page.removeEventListener('click', followed)
    }
  }, [page, id, mode, type, mailbox, authorLabel, signatureLabel, quotedLabel])

  useEffect(() => {
    for (const region of shown.current) {
      const content = body[region.part] ?? ''
      if (region.content === content) continue
      region.content = content
      region.element.replaceChildren(drawMessagePart(content, type, attachments))
    }
  }, [page, id, mode, type, body, attachments])

  return (
    <iframe
      className={css.body}
      title={t('message.body')}
      srcDoc={DOCUMENT}
      onLoad={({ currentTarget }) => {
        const loaded = currentTarget.contentDocument
        loaded?.documentElement.setAttribute('lang', i18n.language)
        setPage(loaded)
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
    // A browser that does not know it keeps what every browser knows.
  }
}
