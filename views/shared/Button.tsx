import type { ReactNode } from 'react'
import * as css from './Button.module.css'

/**
 * A button of Fluent 2. `danger` is for acts that remove something, and `dangerFilled` confirms such an act. With `goesOn` it takes over the focus of a removed element whose task it continues. With
 * `isOff` it keeps its place and the focus, but does nothing. With `submits` it submits the form around it, as Enter in a
 * field does.
 */
export function Button({
  look,
  small = false,
  icon,
  goesOn = false,
  isOff = false,
  isFirst = false,
  label,
  submits = false,
  onPress,
  children,
}: {
  look: 'primary' | 'secondary' | 'subtle' | 'danger' | 'dangerFilled'
  small?: boolean
  icon?: ReactNode
  goesOn?: boolean
  isOff?: boolean
  /** Whether it has the focus when the dialog around it opens. */
  isFirst?: boolean
  /** What screen readers read in place of the children. */
  label?: string
  children: string
} & (Readonly<{ submits?: false; onPress: () => void }> | Readonly<{ submits: true; onPress?: never }>)) {
  return (
    <button
      type={submits && !isOff ? 'submit' : 'button'}
      className={`${css[look]}${small ? ` ${css['small']}` : ''}`}
      data-goes-on={goesOn || undefined}
      data-first={isFirst || undefined}
      aria-disabled={isOff || undefined}
      aria-label={label}
      onClick={isOff ? undefined : onPress}
    >
      {icon}
      {children}
    </button>
  )
}
