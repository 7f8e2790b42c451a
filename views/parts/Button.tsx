import type { ReactNode } from 'react'
import * as css from './Button.module.css'

/** A button as Fluent 2 draws it, with an icon in front of its words or without. */
export function Button({
  look,
  small = false,
  icon,
  onPress,
  children,
}: {
  look: 'primary' | 'secondary' | 'subtle'
  small?: boolean
  icon?: ReactNode
  onPress: () => void
  children: string
}) {
  return (
    <button type="button" className={`${css[look]}${small ? ` ${css['small']}` : ''}`} onClick={onPress}>
      {icon}
      {children}
    </button>
  )
}
