import { type ReactNode, useId } from 'react'
import * as textCss from './Text.module.css'
import * as css from './Section.module.css'

/** A part of an area, with its heading. */
export function Section({
  title,
  heading: Heading = 'h2',
  isBusy,
  children,
}: {
  title: string
  heading?: 'h2' | 'h3'
  isBusy?: boolean
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className={css['section']} aria-labelledby={id} aria-busy={isBusy}>
      <Heading id={id}>{title}</Heading>
      {children}
    </section>
  )
}

/**
 * A part of an area that is folded until the user opens it, with its heading.
 *
 * @param counts the counts beside the heading, so that the user knows what is inside
 * @param isOpen whether the part is open at first
 */
export function FoldedSection({
  title,
  heading: Heading = 'h3',
  counts,
  isOpen = false,
  onOpen,
  children,
}: {
  title: string
  heading?: 'h2' | 'h3'
  counts?: string
  isOpen?: boolean
  onOpen?: () => void
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <details
        className={css['folded']}
        open={isOpen}
        onToggle={({ currentTarget: { open } }) => {
          if (open) onOpen?.()
        }}
      >
        <summary>
          <Heading id={id}>{title}</Heading>
          {counts !== undefined && <span className={textCss['quiet']}> {counts}</span>}
        </summary>
        <div className={css['section']}>{children}</div>
      </details>
    </section>
  )
}
