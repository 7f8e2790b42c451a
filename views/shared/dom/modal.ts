import { type RefObject, useLayoutEffect } from 'react'

/** Shows the dialog over the page while its component is drawn. */
export function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => {
      // The browser gives the focus back only if the dialog is closed before it is removed from the page.
      element?.close()
    }
  }, [dialog])
}
