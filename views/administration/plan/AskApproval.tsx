import { useState } from 'react'
import { ApprovalAsking } from '../../../streams/administration/approving/events.ts'
import { type PlanApproval, planApproval } from '../../../streams/administration/approving/rules.ts'
import { callerName } from '../../../streams/administration/session/rules.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import { MAX_NOTE_CHARACTERS } from '../../../streams/wire/administration/publishing.ts'
import { Button } from '../../shared/Button.tsx'
import { Confirm } from '../../shared/Confirm.tsx'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import { Answer } from '../parts/Answer.tsx'
import { Failure } from '../parts/Failure.tsx'
import { Field } from '../parts/Field.tsx'
import { useTexts } from '../text/texts.ts'

/** The button that asks for the approval of a plan, after a question with a note. */
export function AskApproval({ plan: { id, approval } }: { plan: Plan }) {
  const t = useTexts()
  const record = useGesture()
  const isAsking = useAdministrationState(({ approvalAsking }) => approvalAsking.status === 'pending')
  const [note, setNote] = useState<string | null>(null)
  return (
    <>
      <Button look="primary" isOff={isAsking} onPress={() => setNote('')}>
        {t('plan.needs.ask')}
      </Button>
      {note !== null && (
        <Confirm
          title={t('plan.needs.askTitle')}
          confirm={t('plan.needs.ask')}
          cancel={t('overview.history.cancel')}
          isForm
          onClose={() => setNote(null)}
          onConfirm={() => {
            record(ApprovalAsking.requested({ plan: id, note: note.trim() }))
            setNote(null)
          }}
        >
          <p>{t('plan.needs.askMeaning', { names: approval?.by.join(', ') ?? '' })}</p>
          <Field
            label={t('overview.history.note')}
            type="text"
            maxLength={MAX_NOTE_CHARACTERS}
            value={note}
            onChange={({ currentTarget: { value } }) => setNote(value)}
          />
        </Confirm>
      )}
    </>
  )
}

/** How far the approval of a plan is, if the signed-in administrator publishes it. */
export function useApproval(plan: Plan | undefined): PlanApproval | undefined {
  const approvals = useAdministrationState((state) => state.approvals)
  const me = useAdministrationState(({ session }) => callerName(session))
  return plan && planApproval(plan, approvals, me)
}

/** The outcome of asking for the approval of a plan. Success is shown until somebody answers. */
export function AskAnswer({ plan }: { plan: Plan | undefined }) {
  const t = useTexts()
  const asking = useAdministrationState((state) => state.approvalAsking)
  const isWaiting = useApproval(plan)?.status === 'asked'
  return (
    <Answer
      status={asking.status}
      pending={t('plan.needs.asking')}
      success={isWaiting && t('plan.needs.askDone')}
      failure={<Failure title="plan.needs.askFailed" failure={failureOf(asking)} onRetry={null} />}
    />
  )
}
