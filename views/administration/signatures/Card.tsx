import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Button } from '../../shared/Button.tsx'
import type { DropEdge } from '../dom/listDrag.ts'
import type { DisplayContext } from '../parts/shown.ts'
import { SignatureFrame } from '../parts/SignatureFrame.tsx'
import { type Term, Terms } from '../parts/Terms.tsx'
import { useTexts } from '../text/texts.ts'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

/** An item of a list that the user may be dragging. `edge`: where a drop would put the dragged item beside this one. */
export type CardDrag = Readonly<{ isDragged: boolean; edge: DropEdge | null }>

/**
 * A signature or block in a list: its picture for a person, its name as a link, its rules, and buttons. All cards of a
 * list have the same size.
 *
 * @param html null if its template is missing
 * @param isChanged whether the draft changes it
 * @param mark content beside the name
 * @param whom who gets it
 * @param terms its other rules, in one line
 * @param people how many people have it as their default
 * @param acts the buttons
 */
export function Card({
  name,
  path,
  heading: Heading,
  html,
  images,
  isChanged,
  mark,
  whom,
  terms,
  people = null,
  acts,
  drag,
}: {
  name: string
  path: string
  heading: 'h2' | 'h3'
  html: string | null
  images: DisplayContext['images']
  isChanged: boolean
  mark: ReactNode
  whom: string
  terms: readonly Term[]
  people?: ReactNode
  acts: ReactNode
  drag: CardDrag
}) {
  const t = useTexts()
  return (
    <li className={css['card']} data-dragged={drag.isDragged} data-drop={drag.edge}>
      <div className={css['picture']}>
        {html === null ? (
          <p className={textCss['quiet']}>{t('signatures.card.noTemplate')}</p>
        ) : (
          <SignatureFrame html={html} images={images} title={t('signatures.card.frame', { name })} fits />
        )}
      </div>
      <Heading className={css['title']}>
        <Link to={path} title={name} className={`${textCss['link']} ${css['name']}`}>
          {name}
        </Link>{' '}
        {mark} {isChanged && <span className={textCss['mark']}>{t('plan.templates.edited')}</span>}
      </Heading>
      <div className={css['terms']}>
        <Terms look="facts" terms={[[t('signatures.rules.for'), whom], ...terms]} />
      </div>
      <div className={css['acts']}>
        {acts}
        {people}
      </div>
    </li>
  )
}

/** The button that makes a copy of a signature or block. */
export function DuplicateButton({ name, onPress }: { name: string; onPress: () => void }) {
  const t = useTexts()
  return (
    <Button look="subtle" label={t('signatures.card.duplicateOf', { name })} onPress={onPress}>
      {t('signatures.card.duplicate')}
    </Button>
  )
}
