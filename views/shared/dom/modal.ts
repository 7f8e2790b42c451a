import { type RefObject, useLayoutEffect } from 'react'

/**
 * Shows the dialog over the page while its component is drawn. The element with `data-first` gets the focus; without it,
 * the first field of a form, or else the first control.
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, isForm: boolean): void {
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    const first = element?.querySelector<HTMLElement>('[data-first]')
    const field = isForm ? element?.querySelector<HTMLElement>('input, select, textarea') : null
    ;(first ?? field)?.focus()
    return () => {
      // The browser gives the focus back only if the dialog is closed before it is removed from the page.
      element?.close()
    }
  }, [dialog, isForm])
}
