import { useState } from 'react'
import { Link } from 'react-router-dom'
import {
  ApprovalAnswering,
  type ApprovalAnswer,
  type PlanWithDocument,
} from '../../../streams/administration/approving/events.ts'
import { planApproval, possibleAnswers } from '../../../streams/administration/approving/rules.ts'
import { planHeadline } from '../../../streams/administration/plan/selectors.ts'
import { callerName } from '../../../streams/administration/session/rules.ts'
import { failureOf, loadedValue } from '../../../streams/kernel/load.ts'
import { MAX_NOTE_CHARACTERS, type Plan } from '../../../streams/wire/administration/publishing.ts'
import { Button } from '../../shared/Button.tsx'
import { Confirm } from '../../shared/Confirm.tsx'
import { useStickyEdge } from '../../shared/dom/edges.ts'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import { Answer } from '../parts/Answer.tsx'
import { AreaPage } from '../parts/AreaPage.tsx'
import { Failure } from '../parts/Failure.tsx'
import { Field } from '../parts/Field.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { Section } from '../parts/Section.tsx'
import { headlineText } from '../text/plan.ts'
import { useTexts } from '../text/texts.ts'
import { PlanNotes } from './PlanNotes.tsx'
import { AsOf, PlanRows } from './PlanResult.tsx'
import { PublishNeeds } from './PublishNeeds.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Plan.module.css'

/** The page of a plan that the service stores: its changes, and the approval or refusal by a second person. */
export function StoredPlan() {
  const t = useTexts()
  const load = useAdministrationState(({ storedPlan }) => storedPlan.load)
  const plan = loadedValue(load)?.plan
  return (
    <AreaPage area="plan" title={t('plan.approving.title')} act={plan && <AnswerBar plan={plan} />}>
      <Loaded load={load} role="Signet.Read">
        {(planned) => <Changes planned={planned} />}
      </Loaded>
    </AreaPage>
  )
}

/** Whether a plan can still be published: `published` or `over` if its base is no longer the published release. */
function useFate({ base, release }: Plan): 'open' | 'published' | 'over' {
  const releases = useAdministrationState((state) => loadedValue(state.releases))
  if (!releases || releases.current === base) return 'open'
  return releases.current === release ? 'published' : 'over'
}

function Changes({ planned: { plan, document } }: { planned: PlanWithDocument }) {
  const t = useTexts()
  const answering = useAdministrationState((state) => state.approvalAnswering)
  const fate = useFate(plan)
  const isRefused = useAdministrationState(
    ({ approvals }) => planApproval(plan, approvals, null).status === 'refused',
  )
  return (
    <>
      <Answer
        status={answering.status}
        pending={t('plan.approving.sending')}
        success={t(isRefused ? 'plan.approving.refused' : 'plan.approving.approved')}
        failure={<Failure title="plan.approving.failed" failure={failureOf(answering)} onRetry={null} />}
      />
      <AsOf plan={plan} />
      {fate === 'published' && <Notice tone="info" title={t('plan.approving.published')} />}
      {fate === 'over' && (
        <Notice tone="warning" title={t('plan.approving.over')}>
          <p>{t('plan.approving.overMeaning')}</p>
        </Notice>
      )}
      {fate === 'open' && <PublishNeeds plan={plan} publisher={null} />}
      <OwnPlan plan={plan} />
      <Section key={`${plan.id} ${String(plan.at)}`} title={t('plan.result.title')}>
        <PlanRows plan={plan} document={document} />
      </Section>
      <PlanNotes plan={plan} warnings={[]} />
    </>
  )
}

/** Tells the author of an approved plan where to publish it. */
function OwnPlan({ plan }: { plan: Plan }) {
  const t = useTexts()
  const fate = useFate(plan)
  const isOwn = useAdministrationState(
    ({ approvals, session }) =>
      (loadedValue(approvals) ?? []).some(
        ({ hash, author }) => hash === plan.approval?.hash && author === callerName(session),
      ) && planApproval(plan, approvals, null).status === 'given',
  )
  if (!isOwn || fate !== 'open') return null
  return (
    <p>
      {t('plan.approving.own')}{' '}
      <Link to="/plan" className={textCss['link']}>
        {t('frame.plan')}
      </Link>
    </p>
  )
}

/** The plan in one sentence, with the answers that the administrator can give. They stay in sight. */
function AnswerBar({ plan }: { plan: Plan }) {
  const t = useTexts()
  const bar = useStickyEdge<HTMLDivElement>('--foot-height')
  const fate = useFate(plan)
  const known = useAdministrationState(({ approvals }) => loadedValue(approvals))
  const caller = useAdministrationState(({ session }) => callerName(session))
  const isSending = useAdministrationState(({ approvalAnswering }) => approvalAnswering.status === 'pending')
  const [asked, setAsked] = useState<ApprovalAnswer | null>(null)
  const answers = fate === 'open' ? possibleAnswers(plan, known ?? [], caller) : []
  return (
    <section aria-label={t('plan.approving.title')} className={css['publish']}>
      <p className={css['headline']}>{headlineText(planHeadline(plan), t)}</p>
      <div ref={bar} className={css['bar']} data-sticky>
        {answers.length > 0 && (
          <div className={stack['buttons']}>
            {answers.includes('refuse') && (
              <Button look="secondary" isOff={isSending} onPress={() => setAsked('refuse')}>
                {t('plan.needs.refuse')}
              </Button>
            )}
            {answers.includes('approve') && (
              <Button look="primary" isOff={isSending} onPress={() => setAsked('approve')}>
                {t('plan.needs.approve')}
              </Button>
            )}
          </div>
        )}
      </div>
      {asked && answers.includes(asked) && (
        <Question plan={plan} answer={asked} onClose={() => setAsked(null)} />
      )}
    </section>
  )
}

/** Asks once more before the answer is sent, with a note. */
function Question({ plan, answer, onClose }: { plan: Plan; answer: ApprovalAnswer; onClose: () => void }) {
  const t = useTexts()
  const record = useGesture()
  const [note, setNote] = useState('')
  const { id, approval } = plan
  return (
    <Confirm
      title={t(`plan.approving.ask.${answer}`)}
      confirm={t(`plan.needs.${answer}`)}
      cancel={t('overview.history.cancel')}
      isForm
      onClose={onClose}
      onConfirm={() => {
        const hash = approval?.hash ?? ''
        record(ApprovalAnswering.requested({ plan: id, answer, hash, note: note.trim() }))
        onClose()
      }}
    >
      <p>{headlineText(planHeadline(plan), t)}</p>
      <p>{t(`plan.approving.means.${answer}`)}</p>
      <Field
        label={t('overview.history.note')}
        type="text"
        maxLength={MAX_NOTE_CHARACTERS}
        value={note}
        onChange={({ currentTarget: { value } }) => setNote(value)}
      />
    </Confirm>
  )
}
