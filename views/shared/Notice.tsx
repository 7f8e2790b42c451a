import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import * as css from './Notice.module.css'

type Tone = 'info' | 'warning' | 'danger'

const ICONS = { info: 'info', warning: 'warning', danger: 'failed' } as const

const colourOf = (tone: Tone) => (tone === 'warning' || tone === 'danger' ? [css[tone]] : [])

/** A notice. Screen readers read an `urgent` notice at once. */
export function Notice({
  tone,
  title,
  urgent = false,
  children,
  act,
  more,
}: {
  tone: Tone
  title?: string
  urgent?: boolean
  children?: ReactNode
  act?: ReactNode
  more?: ReactNode
}) {
  return (
    <div className={[css['notice'], ...colourOf(tone)].join(' ')} role={urgent ? 'alert' : 'note'}>
      <Icon name={ICONS[tone]} />
      <div className={css['words']}>
        {title && <p className={css['title']}>{title}</p>}
        {children}
      </div>
      {act && <div className={css['act']}>{act}</div>}
      {more && <div className={css['more']}>{more}</div>}
    </div>
  )
}
