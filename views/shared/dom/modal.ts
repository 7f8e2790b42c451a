import { type RefObject, useLayoutEffect } from 'react'

/** Shows the dialog over the page while its component is drawn. In a form, the first field gets the focus. */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, isForm: boolean): void {
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    if (isForm) element?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    return () => {
      // The browser gives the focus back only if the dialog is closed before it is removed from the page.
      element?.close()
    }
  }, [dialog, isForm])
}
