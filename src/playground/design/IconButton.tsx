import type { ComponentProps } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import * as css from './design.module.css'

/** A quiet button that shows only an icon; `label` is its accessible name. */
export function IconButton({
  icon,
  label,
  ...rest
}: { icon: IconName; label: string } & ComponentProps<'button'>) {
  return (
    <button type="button" className={css.quiet} aria-label={label} {...rest}>
      <Icon name={icon} />
    </button>
  )
}
