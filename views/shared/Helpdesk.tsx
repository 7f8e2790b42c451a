import type { ReactNode } from 'react'
import { useSharedTexts } from './translation.ts'
import * as css from './Helpdesk.module.css'

/** The name of a technical value in the user's language, and the value. */
export type TechnicalLine = readonly [name: string, value: string]

/** The details that only the helpdesk needs, folded. */
export function Helpdesk({ children }: { children: ReactNode }) {
  const t = useSharedTexts()
  return (
    <details className={css['helpdesk']}>
      {/* Microsoft's library handles the Tab key, and goes only to elements with a `tabindex`. */}
      <summary tabIndex={0}>{t('notice.helpdesk')}</summary>
      <div className={css['content']}>{children}</div>
    </details>
  )
}

export function TechnicalLines({ lines }: { lines: readonly TechnicalLine[] }) {
  return (
    <dl className={css['lines']}>
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
