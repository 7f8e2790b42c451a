import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useTexts } from '../text/texts.ts'
import { Icon } from './Icon.tsx'
import * as css from './Dialog.module.css'

/**
 * A dialog over the pane. The browser keeps the focus in it and gives it back afterwards; Escape, the cross and a
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
  // Closed before it leaves the page: else the browser would not give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => {
      element?.close()
    }
  }, [])
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
