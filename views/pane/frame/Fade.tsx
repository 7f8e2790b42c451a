import { type ReactNode, useState } from 'react'
import * as css from './Fade.module.css'

/**
 * Mounts its children again when `of` changes, with a short fade. The first children appear without a fade. With
 * reduced motion no children fade (specification, section 2).
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
  const [shown, setShown] = useState({ of, isFirst: true })
  if (shown.of !== of) setShown({ of, isFirst: false })
  return (
    <div key={of} className={[className, shown.isFirst ? null : css['faded']].filter(Boolean).join(' ')}>
      {children}
    </div>
  )
}
