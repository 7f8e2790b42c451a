import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { type Draft, isDraftChanged } from '../../../streams/administration/plan/draft.ts'
import { wouldLoseEdits } from '../../../streams/administration/plan/selectors.ts'
import { useAdministrationState } from '../parts/administration.tsx'
import { useAskBeforeLeaving } from '../dom/leaving.ts'
import { AreaPage } from '../parts/AreaPage.tsx'
import { BeginDraft } from './Begin.tsx'
import { useTexts } from '../text/texts.ts'
import * as textCss from '../parts/Text.module.css'

/** A page of the draft. Without a draft, explains why there is none and how to begin one. */
export function DraftPage({
  area,
  title,
  act,
  children,
}: {
  area: 'signatures' | 'plan'
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
export function BackToSignatures() {
  const t = useTexts()
  return (
    <Link to="/signatures" className={textCss['link']}>
      {t('signatures.back')}
    </Link>
  )
}

/** A notice on the signature pages that the draft differs from the published release. */
export function UnpublishedNotice({ draft }: { draft: Draft }) {
  const t = useTexts()
  if (!isDraftChanged(draft)) return null
  return (
    <p data-goes-on>
      {t('signatures.unpublished')}{' '}
      <Link to="/plan" className={textCss['link']}>
        {t('plan.result.make')}
      </Link>
    </p>
  )
}
