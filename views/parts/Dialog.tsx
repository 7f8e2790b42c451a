import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { useModal } from '../hooks/dom/modal.ts'
import { useTexts } from '../text/texts.ts'
import { Icon } from './Icon.tsx'
import * as css from './Dialog.module.css'

/** Where the Tab key leads in a dialog; of radio buttons, to the chosen one. */
const STOPS = 'a[href], button, input:not([type=radio]), input:checked, [tabindex="0"]'

/** From the last place to the first and back: in a frame the browser would go on behind it, in Outlook. */
function tabRound(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== 'Tab') return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(STOPS)]
  const [from, to] = event.shiftKey ? [stops.at(0), stops.at(-1)] : [stops.at(-1), stops.at(0)]
  if (event.target !== from) return
  event.preventDefault()
  to?.focus()
}

/**
 * A dialog over the pane. It keeps the focus, and the browser gives it back afterwards; Escape, the cross and a
 * click beside it close it. `controls` stand between the title and the content, `act` below it.
 */
export function Dialog({
  title,
  controls,
  act,
  onClose,
  children,
}: {
  title: string
  controls?: ReactNode
  act?: ReactNode
  onClose: () => void
  children: ReactNode
}) {
  const t = useTexts()
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useModal(dialog)
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={css['dialog']}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onKeyDown={(event) => {
        // What is behind the dialog has keys of its own.
        event.stopPropagation()
        tabRound(event)
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose()
      }}
    >
      <div className={css['sheet']}>
        <div className={css['head']}>
          <h2 id={titleId} className={css['title']}>
            {title}
          </h2>
          <button type="button" aria-label={t('dialog.close')} className={css['close']} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {controls}
        <div className={css['content']}>{children}</div>
        {act && <div className={css['act']}>{act}</div>}
      </div>
    </dialog>
  )
}
