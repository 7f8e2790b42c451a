import { useState } from 'react'
import { Link } from 'react-router-dom'
import { Planning, Publishing } from '../../../streams/administration/plan/events.ts'
import { canAskForApproval, isApproved } from '../../../streams/administration/approving/rules.ts'
import {
  isApprovalLapsed,
  isPlanOutdated,
  mustPlanAgain,
  nextStep,
  peopleWithout,
  planHeadline,
} from '../../../streams/administration/plan/selectors.ts'
import { failureOf, loadedValue } from '../../../streams/kernel/load.ts'
import { changedPeopleCount, isBeyondLimit } from '../../../streams/organisation/plan/peopleLimit.ts'
import { MAX_NOTE_CHARACTERS, type Plan } from '../../../streams/wire/administration/publishing.ts'
import { Button } from '../../shared/Button.tsx'
import { Dialog } from '../../shared/Dialog.tsx'
import { useStickyEdge } from '../../shared/dom/edges.ts'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState, useHasRole, useRecording } from '../parts/administration.tsx'
import { useFormats } from '../parts/formats.ts'
import { Answer } from '../parts/Answer.tsx'
import { Failure } from '../parts/Failure.tsx'
import { CheckField, Field } from '../parts/Field.tsx'
import { Progress } from '../parts/Progress.tsx'
import { useReleaseNumber } from '../parts/ReleaseId.tsx'
import { headlineText } from '../text/plan.ts'
import { reachText } from '../text/release.ts'
import { useTexts } from '../text/texts.ts'
import { AskApproval, useApproval } from './AskApproval.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Plan.module.css'

const NOTHING_SAID = { note: '', all: false }

/** What the administrator says about the current plan before publishing it, and the gesture that publishes it. */
type Consent = Readonly<{
  note: string
  /** The plan may change more people than its limit. */
  all: boolean
  onSaid: (said: Readonly<{ note: string; all: boolean }>) => void
  publish: () => void
}>

/** Each new plan starts with an empty note, and without permission to change more people than its limit. */
export function useConsent(): Consent {
  const recording = useRecording()
  const plan = useAdministrationState(({ plan: { made } }) => loadedValue(made)?.plan)
  const [typed, setTyped] = useState({ about: '', ...NOTHING_SAID })
  const about = plan ? `${plan.id} ${String(plan.at)}` : ''
  const { note, all } = typed.about === about ? typed : NOTHING_SAID
  return {
    note,
    all,
    onSaid: (said) => setTyped({ about, ...said }),
    publish: recording(Publishing.requested({ note, all })),
  }
}

/**
 * The plan in one sentence, or what keeps the draft from being published, with the next step: to see what would change,
 * or to publish the plan. The next step stays in sight.
 */
export function PublishBar({ consent }: { consent: Consent }) {
  const t = useTexts()
  const bar = useStickyEdge<HTMLDivElement>('--foot-height')
  const makePlan = useRecording()(Planning.planRequested())
  const mayPublish = useHasRole('Signet.Publish')
  const step = useAdministrationState(({ plan }) => nextStep(plan))
  const plan = useAdministrationState(({ plan: { made } }) => loadedValue(made)?.plan)
  const isMaking = useAdministrationState((state) => state.plan.made.status === 'pending')
  const isPublishing = useAdministrationState((state) => state.plan.publishing.status === 'pending')
  const isAgain = useAdministrationState(({ plan: state }) => isPlanOutdated(state) || mustPlanAgain(state))
  const [isAsking, setAsking] = useState(false)
  const approval = useApproval(plan)
  const isReady = step === 'publish'
  return (
    <section aria-label={t('plan.publish.title')} className={css['publish']}>
      <p role="status" className={css['headline']}>
        <Sentence />
      </p>
      <div ref={bar} className={css['bar']} data-sticky>
        {step !== 'nothing' && (
          <div className={stack['buttons']}>
            <Button
              look={isReady ? 'secondary' : 'primary'}
              isOff={isPublishing || isMaking}
              onPress={makePlan}
            >
              {t(isReady || isAgain ? 'plan.result.again' : 'plan.result.make')}
            </Button>
            {isReady && mayPublish && plan && approval && canAskForApproval(approval) && (
              <AskApproval plan={plan} />
            )}
            {isReady && mayPublish && approval && isApproved(approval) && (
              <Button look="primary" isOff={isPublishing} onPress={() => setAsking(true)}>
                {t('plan.publish.button')}
              </Button>
            )}
          </div>
        )}
      </div>
      {isAsking && isReady && plan && (
        <Question plan={plan} consent={consent} onClose={() => setAsking(false)} />
      )}
    </section>
  )
}

/** What publishing would change, or why the draft cannot be published now. */
function Sentence() {
  const t = useTexts()
  const step = useAdministrationState(({ plan }) => nextStep(plan))
  const plan = useAdministrationState(({ plan: { made } }) => loadedValue(made)?.plan)
  const isOutdated = useAdministrationState(({ plan: state }) => isPlanOutdated(state))
  const isOver = useAdministrationState(({ plan: state }) => mustPlanAgain(state))
  const errors = useAdministrationState(({ plan: { made, findings } }) =>
    made.status === 'idle' ? findings.filter(({ level }) => level === 'error').length : 0,
  )
  if (step === 'nothing') return t('plan.publish.nothing')
  if (step === 'publish' && plan) return <PlanHeadline plan={plan} />
  if (errors > 0) return t('plan.findings.errors', { count: errors })
  if (isOver) return t('plan.publish.failed')
  return t(isOutdated ? 'plan.result.old' : 'plan.result.intro')
}

/** The plan in one sentence. */
const PlanHeadline = ({ plan }: { plan: Plan }) => headlineText(planHeadline(plan), useTexts())

/** Asks once more before publishing, with the number of people. */
function Question({ plan, consent, onClose }: { plan: Plan; consent: Consent; onClose: () => void }) {
  const t = useTexts()
  const { count } = useFormats()
  const { note, all, onSaid, publish } = consent
  const without = peopleWithout(plan.summary)
  const needsLeave = isBeyondLimit(plan)
  const changed = changedPeopleCount(plan.summary)
  /** The limit also counts people for whom something changes on a later day. */
  const people = needsLeave ? (plan.limit?.changed ?? changed) : changed
  return (
    <Dialog
      title={t('plan.publish.ask')}
      onClose={onClose}
      act={
        <>
          <Button
            look="primary"
            isOff={needsLeave && !all}
            onPress={() => {
              onClose()
              publish()
            }}
          >
            {people === 0 ? t('plan.publish.button') : t('plan.publish.for', { count: people })}
          </Button>
          <Button look="secondary" onPress={onClose}>
            {t('overview.history.cancel')}
          </Button>
        </>
      }
    >
      <p>
        <PlanHeadline plan={plan} />
      </p>
      {without > 0 && <Notice tone="warning" title={t('plan.result.without', { count: without })} />}
      {needsLeave && (
        <>
          <Notice tone="warning" title={t('plan.publish.beyond', { count: people })}>
            <p>{t('plan.publish.beyondMeaning', { most: count(plan.limit?.most ?? 0) })}</p>
          </Notice>
          <CheckField
            label={t('plan.publish.all', { count: people })}
            isOn={all}
            onSwitch={(isOn) => onSaid({ note, all: isOn })}
          />
        </>
      )}
      <Field
        label={t('plan.publish.note')}
        type="text"
        maxLength={MAX_NOTE_CHARACTERS}
        value={note}
        onChange={({ currentTarget: { value } }) => onSaid({ note: value, all })}
      />
    </Dialog>
  )
}

/** The answer to publishing, which stays after the published plan is gone. */
export function PublishAnswer({ publish }: Pick<Consent, 'publish'>) {
  const t = useTexts()
  const recording = useRecording()
  const publishing = useAdministrationState((state) => state.plan.publishing)
  const isOver = useAdministrationState((state) => mustPlanAgain(state.plan))
  const isLapsed = useAdministrationState((state) => isApprovalLapsed(state.plan))
  return (
    <>
      <Answer
        status={publishing.status}
        pending={t('plan.publish.publishing')}
        success={<Published />}
        failure={
          isOver ? (
            <Notice
              tone="warning"
              title={t(isLapsed ? 'plan.needs.lapsed' : 'plan.publish.over')}
              urgent
              act={
                <Button look="secondary" small onPress={recording(Planning.planRequested())}>
                  {t('plan.result.again')}
                </Button>
              }
            >
              <p>{t(isLapsed ? 'plan.publish.lapsedAction' : 'plan.publish.overAction')}</p>
            </Notice>
          ) : (
            <Failure title="plan.publish.failed" failure={failureOf(publishing)} onRetry={publish} />
          )
        }
      />
      <Progress kind="publish" label={t('plan.publish.publishing')} />
    </>
  )
}

/** The published release. If there is an earlier one, leads to where the administrator can roll back. */
function Published() {
  const t = useTexts()
  const numberOf = useReleaseNumber()
  const published = useAdministrationState((state) => state.plan.published)
  const isFirst = useAdministrationState(({ releases }) => loadedValue(releases)?.history.length === 1)
  if (published === null) return null
  return (
    <>
      {t('plan.publish.done', { release: numberOf(published) })} {reachText(t)}{' '}
      <Link to="/history" className={textCss['link']}>
        {t(isFirst ? 'frame.history' : 'plan.publish.rollBack')}
      </Link>
    </>
  )
}
