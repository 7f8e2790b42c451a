import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Place } from '../../../streams/administration/place/events.ts'
import { type Draft, isDraftChanged } from '../../../streams/administration/plan/draft.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { isPlanCurrent } from '../../../streams/administration/plan/reducer.ts'
import { wouldLoseEdits } from '../../../streams/administration/plan/selectors.ts'
import { Button } from '../../shared/Button.tsx'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import { useAskBeforeLeaving } from '../dom/leaving.ts'
import { AreaPage } from '../parts/AreaPage.tsx'
import { BeginDraft } from './Begin.tsx'
import { useTexts } from '../text/texts.ts'
import * as textCss from '../parts/Text.module.css'
import * as css from './Plan.module.css'

/** A page of the draft. Without a draft, explains why there is none and how to begin one. */
export function DraftPage({
  area,
  title,
  act,
  children,
}: {
  area: 'signatures' | 'blocks' | 'plan'
  title?: string
  act?: ReactNode
  children: (draft: Draft) => ReactNode
}) {
  const t = useTexts()
  const draft = useAdministrationState(({ plan }) => plan.draft)
  const isWaiting = useAdministrationState(
    ({ plan }) =>
      plan.wasRestored === null || (plan.beginning.status === 'pending' && plan.beginning.from === 'itself'),
  )
  useAskBeforeLeaving(useAdministrationState(({ plan }) => wouldLoseEdits(plan)))
  return (
    <AreaPage area={area} {...(title === undefined ? {} : { title })} act={draft && act}>
      {draft ? (
        children(draft)
      ) : isWaiting ? (
        <p role="status" data-goes-on>
          {t('load.loading')}
        </p>
      ) : (
        <BeginDraft />
      )}
    </AreaPage>
  )
}

/** A link from a page of the area back to the cards. */
export function BackToCards({ area = 'signatures' }: { area?: 'signatures' | 'blocks' }) {
  const t = useTexts()
  return (
    <Link to={`/${area}`} className={textCss['link']}>
      {t(area === 'blocks' ? 'signatures.blocks.back' : 'signatures.back')}
    </Link>
  )
}

/**
 * Says whether the draft differs from the published release. Then its button leads to the plan of the draft, and makes the
 * plan unless there is a current one. It has the room of the button from the beginning, so that the first change moves
 * nothing.
 */
export function DraftStatus({ draft }: { draft: Draft }) {
  const t = useTexts()
  const record = useGesture()
  const isCurrent = useAdministrationState(({ plan }) => isPlanCurrent(plan))
  const isChanged = isDraftChanged(draft)
  return (
    <div className={css['status']} data-changed={isChanged || undefined}>
      <p role="status" data-goes-on>
        {t(isChanged ? 'signatures.unpublished' : 'signatures.published')}
      </p>
      {isChanged && (
        <Button
          look="secondary"
          small
          onPress={() => {
            if (!isCurrent) record(Planning.planRequested())
            record(Place.linkFollowed({ to: '/plan' }))
          }}
        >
          {t('plan.result.make')}
        </Button>
      )}
    </div>
  )
}
