import type { Address } from '../../engine/hosts/mailClient.ts'
import { avatarColour, initialsOf } from './avatar.ts'
import * as css from './mailClient.module.css'

/** A person's initials on that person's colour. Decorative, because the name is beside it. */
export function Avatar({ of, isSmall = false }: { of: Address; isSmall?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={isSmall ? `${css.avatar} ${css.avatarSmall}` : css.avatar}
      style={{ background: avatarColour(of) }}
    >
      {initialsOf(of)}
    </span>
  )
}
