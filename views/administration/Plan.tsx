import { useAdministrationState } from './hooks/administration.tsx'
import { DraftHead } from './plan/DraftHead.tsx'
import { Findings } from './plan/Findings.tsx'
import { PlanResult } from './plan/PlanResult.tsx'
import { DraftPage } from './signatures/DraftPage.tsx'

/** The area for what publishing the draft would change, and for publishing it. */
export function Plan() {
  const findings = useAdministrationState(({ plan }) => plan.findings)
  return (
    <DraftPage area="plan">
      {(draft) => (
        <>
          <DraftHead draft={draft} />
          <Findings findings={findings} />
          <PlanResult />
        </>
      )}
    </DraftPage>
  )
}
