import type { Address } from '../../engine/hosts/mailClient.ts'
import { avatarColour, initialsOf } from './avatar.ts'
import * as css from './mailClient.module.css'

/** The initials of a person on the person's colour. It is only decoration beside the name. */
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
