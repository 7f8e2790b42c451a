import { type RefObject, useEffect } from 'react'

/** Focuses a form's first invalid field after each try. `tries` is the number of tries so far. */
export function useFirstInvalidFocus(form: RefObject<HTMLElement | null>, tries: number): void {
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [form, tries])
}
