import * as css from './Button.module.css'

/** A button as Fluent 2 draws it. */
export function Button({
  look,
  small = false,
  onPress,
  children,
}: {
  look: 'primary' | 'secondary' | 'subtle'
  small?: boolean
  onPress: () => void
  children: string
}) {
  return (
    <button type="button" className={`${css[look]}${small ? ` ${css['small']}` : ''}`} onClick={onPress}>
      {children}
    </button>
  )
}
