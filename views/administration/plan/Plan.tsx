import { useAdministrationState } from '../parts/administration.tsx'
import { DraftHead } from './DraftHead.tsx'
import { Findings } from './Findings.tsx'
import { PlanNotes } from './PlanNotes.tsx'
import { PlanResult } from './PlanResult.tsx'
import { DraftPage } from './DraftPage.tsx'
import { PublishAnswer, PublishBar, useConsent } from './Publish.tsx'

/** The area Plan: shows what publishing the draft would change, and publishes it. */
export function Plan() {
  const findings = useAdministrationState(({ plan }) => plan.findings)
  const consent = useConsent()
  return (
    <DraftPage area="plan" act={<PublishBar consent={consent} />}>
      {(draft) => (
        <>
          <PublishAnswer publish={consent.publish} />
          <PlanResult />
          <Findings findings={findings.filter(({ level }) => level === 'error')} heading="h2" />
          <PlanNotes warnings={findings.filter(({ level }) => level === 'warning')} />
          <DraftHead draft={draft} />
        </>
      )}
    </DraftPage>
  )
}
