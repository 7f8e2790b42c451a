import { type ComponentProps, useId } from 'react'
import * as css from './Field.module.css'
import * as textCss from './Text.module.css'

type Input = Omit<ComponentProps<'input'>, 'id' | 'aria-describedby'>

/** An input with its label above, and a hint below. */
export function Field({ label, hint, ...input }: Input & { label: string; hint?: string }) {
  const id = useId()
  const hintId = hint === undefined ? undefined : `${id}-hint`
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      <input id={id} aria-describedby={hintId} {...input} />
      {hint !== undefined && (
        <p id={hintId} className={textCss['quiet']}>
          {hint}
        </p>
      )}
    </div>
  )
}
