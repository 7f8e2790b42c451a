import type { ComponentProps } from 'react'
import { Icon } from './Icon.tsx'
import * as css from './design.module.css'

/** A quiet button that shows an icon alone; `label` is its name and its tooltip. */
export function IconButton({
  icon,
  label,
  onPress,
}: {
  icon: ComponentProps<typeof Icon>['name']
  label: string
  onPress: () => void
}) {
  return (
    <button type="button" className={css.quiet} aria-label={label} title={label} onClick={onPress}>
      <Icon name={icon} />
    </button>
  )
}
