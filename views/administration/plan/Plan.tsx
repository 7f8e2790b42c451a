import { planAt } from '../../../streams/administration/approving/rules.ts'
import { nextStep } from '../../../streams/administration/plan/selectors.ts'
import { loadedValue } from '../../../streams/kernel/load.ts'
import { useAdministrationState } from '../parts/administration.tsx'
import { AskAnswer } from './AskApproval.tsx'
import { DraftHead } from './DraftHead.tsx'
import { Findings } from './Findings.tsx'
import { PlanNotes } from './PlanNotes.tsx'
import { PlanResult } from './PlanResult.tsx'
import { DraftPage } from './DraftPage.tsx'
import { PublishAnswer, PublishBar, useConsent } from './Publish.tsx'
import { StoredPlan } from './StoredPlan.tsx'

/** The area Plan: the plan of the draft, or a stored plan that somebody else may have made. */
export function Plan() {
  const isStored = useAdministrationState(({ place }) => planAt(place.path) !== null)
  return isStored ? <StoredPlan /> : <DraftPlan />
}

/** Shows what publishing the draft would change, asks for the approval that this needs, and publishes it. */
function DraftPlan() {
  const plan = useAdministrationState(({ plan: state }) =>
    nextStep(state) === 'nothing' ? undefined : loadedValue(state.made)?.plan,
  )
  const findings = useAdministrationState(({ plan }) => plan.findings)
  const consent = useConsent()
  return (
    <DraftPage area="plan" act={<PublishBar consent={consent} />}>
      {(draft) => (
        <>
          <PublishAnswer publish={consent.publish} />
          <AskAnswer plan={plan} />
          <PlanResult />
          <Findings findings={findings.filter(({ level }) => level === 'error')} heading="h2" />
          <PlanNotes plan={plan} warnings={findings.filter(({ level }) => level === 'warning')} />
          <DraftHead draft={draft} />
        </>
      )}
    </DraftPage>
  )
}
