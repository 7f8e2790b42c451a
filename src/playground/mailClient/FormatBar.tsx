import { useObservable, useSubscription } from 'observable-hooks'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EMPTY, fromEvent, merge, switchMap } from 'rxjs'
import { IconButton } from '../design/IconButton.tsx'
import * as design from '../design/design.module.css'
import {
  type TextFormat,
  TEXT_FORMATS,
  formatsAt,
  insertLink,
  linkAddressOf,
  toggleFormat,
} from './formatting.ts'
import * as css from './mailClient.module.css'
import { useMailbox } from './mailboxContext.ts'

const NAMES = Object.keys(TEXT_FORMATS) as TextFormat[]

/**
 * The formatting row of a message. Acts on `page`, the message's document, which is null until it is loaded. Without
 * `hasTypes`, as in a meeting, the user cannot switch between HTML and text.
 */
export function FormatBar(props: { page: Document | null; type: 'html' | 'text'; hasTypes: boolean }) {
  const { page, type, hasTypes } = props
  const { t } = useTranslation()
  const mailbox = useMailbox()
  const [on, setOn] = useState<readonly TextFormat[]>([])
  const [isLinking, setLinking] = useState(false)
  const isText = type === 'text'

  const change$ = useObservable(
    (input$) =>
      input$.pipe(
        switchMap(([target]) =>
          target ? merge(fromEvent(target, 'selectionchange'), fromEvent(target, 'input')) : EMPTY,
        ),
      ),
    [page],
  )
  useSubscription(change$, () => {
    if (page) setOn(formatsAt(page))
  })

  return (
    <div className={css.formats}>
      <div role="toolbar" aria-label={t('formats.label')} className={css.formatButtons} onKeyDown={moveFocus}>
        {NAMES.map((format, place) => (
          <IconButton
            key={format}
            icon={format}
            label={t(`formats.${format}`)}
            title={t(`formats.${format}`)}
            tabIndex={place === 0 ? 0 : -1}
            disabled={isText}
            aria-pressed={!isText && on.includes(format)}
            // A press on the button must not move the selection or the focus out of the message.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              if (!page) return
              toggleFormat(page, format)
              setOn(formatsAt(page))
            }}
          />
        ))}
        <IconButton
          icon="link"
          tabIndex={-1}
          disabled={isText}
          aria-expanded={isLinking}
          label={t('formats.link')}
          title={t('formats.link')}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setLinking(!isLinking)}
        />
      </div>
      {hasTypes && (
        <select
          aria-label={t('message.format')}
          className={css.formatType}
          value={type}
          onChange={({ target }) =>
            mailbox.act({ type: 'setBodyType', bodyType: target.value === 'text' ? 'text' : 'html' })
          }
        >
          <option value="html">{t('message.html')}</option>
          <option value="text">{t('message.text')}</option>
        </select>
      )}
      {isLinking && !isText && <LinkForm page={page} onDone={() => setLinking(false)} />}
    </div>
  )
}

/** Arrow keys move the focus between the toolbar's buttons. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (step === undefined) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const place = buttons.findIndex((button) => button === document.activeElement)
  buttons.at((place + step) % buttons.length)?.focus()
  event.preventDefault()
}

/** Asks for a link's address. The field is in the formatting row, not in a popup. */
function LinkForm({ page, onDone }: { page: Document | null; onDone: () => void }) {
  const { t } = useTranslation()
  const id = useId()
  const [typed, setTyped] = useState('')
  const address = linkAddressOf(typed)
  return (
    <form
      className={css.linkForm}
      onSubmit={(event) => {
        event.preventDefault()
        if (!page || address === null) return
        onDone()
        insertLink(page, address)
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onDone()
      }}
    >
      <label htmlFor={id}>{t('formats.address')}</label>
      <input
        id={id}
        className={design.box}
        type="text"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        ref={(input) => input?.focus()}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <button type="submit" className={design.button} disabled={address === null}>
        {t('formats.insert')}
      </button>
      <IconButton icon="dismiss" label={t('formats.cancel')} onClick={onDone} />
    </form>
  )
}
