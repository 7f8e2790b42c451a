import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { DisplayContext } from '../parts/shown.ts'
import { SignatureFrame } from '../parts/SignatureFrame.tsx'
import { type Term, Terms } from '../parts/Terms.tsx'
import { useTexts } from '../text/texts.ts'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

/**
 * A signature or block in a list: its picture for a person, its name as a link, and its rules.
 *
 * @param html null if its template is missing
 * @param mark content beside the name
 */
export function Card({
  name,
  path,
  heading: Heading,
  html,
  images,
  mark,
  terms,
}: {
  name: string
  path: string
  heading: 'h2' | 'h4'
  html: string | null
  images: DisplayContext['images']
  mark: ReactNode
  terms: readonly Term[]
}) {
  const t = useTexts()
  return (
    <li className={css['card']}>
      <div className={css['picture']}>
        {html === null ? (
          <p className={textCss['quiet']}>{t('signatures.card.noTemplate')}</p>
        ) : (
          <SignatureFrame html={html} images={images} title={t('signatures.card.frame', { name })} fits />
        )}
      </div>
      <Heading className={css['name']}>
        <Link to={path} className={textCss['link']}>
          {name}
        </Link>{' '}
        {mark}
      </Heading>
      <div className={css['terms']}>
        <Terms look="facts" terms={terms} />
      </div>
    </li>
  )
}
