import type { ReactNode } from 'react'
import { AREAS, type Area } from '../../../streams/administration/place/areas.ts'
import { useHasRole } from './administration.tsx'
import { useStickyEdge } from '../../shared/dom/edges.ts'
import { useTitle } from '../dom/arrival.ts'
import { useTexts } from '../text/texts.ts'
import { NotAllowed } from './NotAllowed.tsx'
import * as css from './AreaPage.module.css'

/**
 * An area's page: its heading, and its content if the administrator's roles allow it.
 *
 * @param title the heading of a page inside the area; defaults to the area's name
 */
export function AreaPage({
  area,
  title,
  act,
  children,
}: {
  area: Area
  title?: string
  act?: ReactNode
  children: ReactNode
}) {
  const t = useTexts()
  const heading = title ?? t(`frame.${area}`)
  const isAllowed = useHasRole(AREAS[area])
  const head = useStickyEdge<HTMLDivElement>('--bar-height')
  useTitle(heading)
  return (
    <div className={css['page']} data-area={area}>
      <div ref={head} className={css['head']} data-sticky={area === 'plan' || undefined}>
        <h1>{heading}</h1>
        {isAllowed && act}
      </div>
      {isAllowed ? children : <NotAllowed role={AREAS[area]} />}
    </div>
  )
}

/** The page of an address that belongs to no area. */
export function NoSuchPage() {
  const t = useTexts()
  useTitle(t('frame.notFound'))
  return (
    <div className={css['page']}>
      <div className={css['head']}>
        <h1>{t('frame.notFound')}</h1>
      </div>
      <p>{t('frame.notFoundAction')}</p>
    </div>
  )
}
