import type { ReactNode } from 'react'
import * as css from './Button.module.css'

/**
 * A button as Fluent 2 draws it, with an icon in front of its words or without. `goesOn`: from here goes on whoever
 * had the focus in what was here before.
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
