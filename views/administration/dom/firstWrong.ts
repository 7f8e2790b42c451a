import { type RefObject, useEffect } from 'react'

/** Focuses the first field of a form that has a problem, each time that `tries` grows. 0: nothing was tried yet. */
export function useFirstWrong(form: RefObject<HTMLElement | null>, tries: number): void {
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [form, tries])
}
