import type { ReactNode } from 'react'
import { Mark } from '../../shared/Mark.tsx'
import * as css from './Card.module.css'

/**
 * A card that replaces the page, in the style of the servers' cards (src/server/cardPage.ts). `organisation` is null
 * while unknown.
 */
export const Card = ({
  role,
  organisation,
  heading,
  children,
}: {
  role?: 'alert'
  organisation: string | null
  heading: string
  children: ReactNode
}) => (
  <div className={css['page']}>
    <main className={css['card']} role={role}>
      <Mark />
      {organisation !== null && <p className={css['organisation']}>{organisation}</p>}
      <h1>{heading}</h1>
      {children}
    </main>
  </div>
)
