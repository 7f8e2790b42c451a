import { type ReactNode, useId } from 'react'
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
