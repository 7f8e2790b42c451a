import type { ReactNode } from 'react'
import * as css from './Button.module.css'

/**
 * A button of Fluent 2. `goesOn`: it continues the task of an element that was removed here, and takes over its focus.
 */
export function Button({
  look,
  small = false,
  icon,
  goesOn = false,
  onPress,
  children,
}: {
  look: 'primary' | 'secondary' | 'subtle'
  small?: boolean
  icon?: ReactNode
  goesOn?: boolean
  onPress: () => void
  children: string
}) {
  return (
    <button
      type="button"
      className={`${css[look]}${small ? ` ${css['small']}` : ''}`}
      data-goes-on={goesOn || undefined}
      onClick={onPress}
    >
      {icon}
      {children}
    </button>
  )
}
