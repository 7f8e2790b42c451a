import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { useModal } from './dom/modal.ts'
import { useSharedTexts } from './translation.ts'
import { Icon } from './Icon.tsx'
import * as css from './Dialog.module.css'

/** The elements that the Tab key reaches. Among radio buttons, it reaches only the checked one. */
const TAB_STOPS = 'a[href], button, input:not([type=radio]), input:checked, [tabindex="0"]'

/** Tab wraps from the last stop to the first. From a frame at the end, the browser would move the focus to Outlook. */
function wrapTab(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== 'Tab') return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(TAB_STOPS)]
  const [from, to] = event.shiftKey ? [stops.at(0), stops.at(-1)] : [stops.at(-1), stops.at(0)]
  if (event.target !== from) return
  event.preventDefault()
  to?.focus()
}

/**
 * A modal dialog. It traps the focus, and the browser restores the focus afterwards. Escape, the close button and a
 * click beside the dialog close it. `controls` are above the content, `act` is below. With `fills` it is as large as
 * the pane. With `onSubmit` it is a form: its first field has the focus, and Enter in a field submits it.
 */
export function Dialog({
  title,
  fills = false,
  controls,
  act,
  onSubmit,
  onClose,
  children,
}: {
  title: string
  fills?: boolean
  controls?: ReactNode
  act?: ReactNode
  onSubmit?: () => void
  onClose: () => void
  children: ReactNode
}) {
  const t = useSharedTexts()
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useModal(dialog, onSubmit !== undefined)
  const content = (
    <>
      <div className={css['head']} data-sticky={fills}>
        <h2 id={titleId} className={css['title']}>
          {title}
        </h2>
        <button type="button" aria-label={t('dialog.close')} className={css['close']} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {controls}
      <div className={css['content']}>{children}</div>
      {act && (
        <div className={css['act']} data-sticky={fills}>
          {act}
        </div>
      )}
    </>
  )
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={fills ? css['whole'] : css['dialog']}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onKeyDown={(event) => {
        // The page behind the dialog must ignore this key.
        event.stopPropagation()
        wrapTab(event)
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose()
      }}
    >
      {onSubmit ? (
        <form
          noValidate
          className={css['sheet']}
          onSubmit={(event) => {
            event.preventDefault()
            onSubmit()
          }}
        >
          {content}
        </form>
      ) : (
        <div className={css['sheet']}>{content}</div>
      )}
    </dialog>
  )
}
