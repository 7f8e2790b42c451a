import { type ReactNode, useState } from 'react'
import * as css from './Fade.module.css'

/**
 * Draws a place anew whenever `of` names another one, and lets it appear in a short fade: not the first, which nobody
 * should wait for, and not for who asked their system for less motion (specification, section 2).
 */
export function Fade({
  of,
  className,
  children,
}: {
  of: string
  className?: string | undefined
  children: ReactNode
}) {
  const [place, setPlace] = useState({ of, isFirst: true })
  if (place.of !== of) setPlace({ of, isFirst: false })
  return (
    <div key={of} className={[className, place.isFirst ? null : css['faded']].filter(Boolean).join(' ')}>
      {children}
    </div>
  )
}
