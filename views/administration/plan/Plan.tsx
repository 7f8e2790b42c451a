import { useAdministrationState } from '../parts/administration.tsx'
import { DraftHead } from './DraftHead.tsx'
import { Findings } from './Findings.tsx'
import { PlanResult } from './PlanResult.tsx'
import { DraftPage } from './DraftPage.tsx'

/** The area Plan: shows what publishing the draft would change, and publishes it. */
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
