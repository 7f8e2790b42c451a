import type { ReactNode } from 'react'
import * as css from './Button.module.css'

/**
 * A button of Fluent 2. With `goesOn` it takes over the focus of a removed element whose task it continues. With
 * `isOff` it keeps its place and the focus, but does nothing.
 */
export function Button({
  look,
  small = false,
  icon,
  goesOn = false,
  isOff = false,
  label,
  onPress,
  children,
}: {
  look: 'primary' | 'secondary' | 'subtle'
  small?: boolean
  icon?: ReactNode
  goesOn?: boolean
  isOff?: boolean
  /** What screen readers read in place of the children. */
  label?: string
  onPress: () => void
  children: string
}) {
  return (
    <button
      type="button"
      className={`${css[look]}${small ? ` ${css['small']}` : ''}`}
      data-goes-on={goesOn || undefined}
      aria-disabled={isOff || undefined}
      aria-label={label}
      onClick={isOff ? undefined : onPress}
    >
      {icon}
      {children}
    </button>
  )
}
