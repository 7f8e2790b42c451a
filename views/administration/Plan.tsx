import { wouldLoseEdits } from '../../streams/administration/plan/selectors.ts'
import { useAdministrationState } from './hooks/administration.tsx'
import { useAskBeforeLeaving } from './hooks/dom/leaving.ts'
import { AreaPage } from './parts/AreaPage.tsx'
import { Begin } from './plan/Begin.tsx'
import { DraftHead, Export } from './plan/DraftHead.tsx'
import { Findings } from './plan/Findings.tsx'
import { PlanResult } from './plan/PlanResult.tsx'
import { Workbench } from './plan/Workbench.tsx'
import { useTexts } from './text/texts.ts'

/** The area for a draft of the next release: its beginning, its templates, what it would change, and publishing it. */
export function Plan() {
  return (
    <AreaPage area="plan">
      <Content />
    </AreaPage>
  )
}

function Content() {
  const t = useTexts()
  const draft = useAdministrationState(({ plan }) => plan.draft)
  const isRead = useAdministrationState(({ plan }) => plan.wasRestored !== null)
  const findings = useAdministrationState(({ plan }) => plan.findings)
  useAskBeforeLeaving(useAdministrationState(({ plan }) => wouldLoseEdits(plan)))
  if (!isRead) return <p role="status">{t('load.loading')}</p>
  if (!draft)
    return (
      <>
        <Begin />
        <Export source="published" />
      </>
    )
  return (
    <>
      <DraftHead draft={draft} />
      <Findings findings={findings} />
      <Workbench />
      <PlanResult />
    </>
  )
}
