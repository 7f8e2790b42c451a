import { type RefObject, useEffect } from 'react'

/** Focuses a form's first invalid field whenever `tries` grows. It is 0 before the first try. */
export function useFirstWrong(form: RefObject<HTMLElement | null>, tries: number): void {
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [form, tries])
}
