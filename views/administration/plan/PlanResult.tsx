import { Link } from 'react-router-dom'
import { PlannedPeople, Planning } from '../../../streams/administration/plan/events.ts'
import { noPeople, PEOPLE_PER_PAGE } from '../../../streams/administration/plan/reducer.ts'
import {
  isBaseOutdated,
  nextStep,
  peoplePage,
  peopleWithout,
  planHeadline,
} from '../../../streams/administration/plan/selectors.ts'
import { callerName } from '../../../streams/administration/session/rules.ts'
import { wasWorkStopped } from '../../../streams/administration/work/rules.ts'
import { failureOf, loadedValue } from '../../../streams/kernel/load.ts'
import { changedPeopleCount } from '../../../streams/organisation/plan/peopleLimit.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { Button } from '../../shared/Button.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState, useHasRole, useRecording } from '../parts/administration.tsx'
import { useFormats } from '../parts/formats.ts'
import { Answer } from '../parts/Answer.tsx'
import { Failure } from '../parts/Failure.tsx'
import { NotAllowed } from '../parts/NotAllowed.tsx'
import { Progress } from '../parts/Progress.tsx'
import { FoldedSection, Section } from '../parts/Section.tsx'
import { useTexts } from '../text/texts.ts'
import { BlockReach } from './PlanBlocks.tsx'
import { PlanChanges } from './PlanChanges.tsx'
import { PlanCoverage } from './PlanCoverage.tsx'
import { PlanPeriods } from './PlanPeriods.tsx'
import { PublishNeeds } from './PublishNeeds.tsx'
import { personChangeTexts } from '../text/plan.ts'
import * as textCss from '../parts/Text.module.css'
import * as css from './Plan.module.css'

/** The plan's result: what publishing the draft would change, and for whom. Empty for an unchanged draft. */
export function PlanResult() {
  const t = useTexts()
  const made = useAdministrationState(({ plan }) => plan.made)
  const isUnchanged = useAdministrationState(({ plan }) => nextStep(plan) === 'nothing')
  const makePlan = useRecording()(Planning.planRequested())
  const plan = loadedValue(made)?.plan
  const hasErrors = useAdministrationState(({ plan: { findings } }) =>
    findings.some(({ level }) => level === 'error'),
  )
  const isRefused = made.status === 'idle' && hasErrors
  if (isUnchanged) return null
  return (
    <>
      <Maintenance />
      <Answer
        status={isRefused ? 'fail' : made.status}
        pending={t('plan.result.making')}
        success={plan && <AsOf plan={plan} />}
        failure={
          isRefused ? (
            <Notice tone="warning" title={t('plan.result.failed')} urgent>
              <p>{t('plan.result.refused')}</p>
            </Notice>
          ) : wasWorkStopped(failureOf(made)) ? (
            <p role="status">{t('plan.result.stopped')}</p>
          ) : (
            <Failure title="plan.result.failed" failure={failureOf(made)} onRetry={makePlan} />
          )
        }
      />
      <Progress kind="plan" label={t('plan.result.making')} />
      {plan && (
        <Section key={`${plan.id} ${String(plan.at)}`} title={t('plan.result.title')}>
          <MadePlan plan={plan} />
        </Section>
      )}
    </>
  )
}

/** The moment of a plan, and until when it can be published. */
export function AsOf({ plan: { at, until } }: { plan: Plan }) {
  const t = useTexts()
  const { moment } = useFormats()
  return <p className={css['quiet']}>{t('plan.result.asOf', { moment: moment(at), until: moment(until) })}</p>
}

/** What people read about the service meanwhile; nothing without maintenance. */
function Maintenance() {
  const t = useTexts()
  const status = useAdministrationState(({ releases }) => loadedValue(releases)?.maintenance ?? null)
  if (status === null) return null
  return (
    <Notice
      tone="info"
      act={
        <Link to="/maintenance" className={textCss['link']}>
          {t('frame.maintenance')}
        </Link>
      }
    >
      <p>{t(`overview.now.maintenance.${status}`)}</p>
    </Notice>
  )
}

function MadePlan({ plan }: { plan: Plan }) {
  const t = useTexts()
  const isOther = useAdministrationState(({ plan: state }) => isBaseOutdated(state))
  const mayPublish = useHasRole('Signet.Publish')
  const document = useAdministrationState(({ plan: { made } }) => loadedValue(made)?.document ?? null)
  const me = useAdministrationState(({ session }) => callerName(session))
  return (
    <>
      {!mayPublish && <NotAllowed role="Signet.Publish" />}
      {isOther && (
        <Notice
          tone="warning"
          title={t('plan.result.otherBase')}
          act={
            <Link to="/history" className={textCss['link']}>
              {t('frame.history')}
            </Link>
          }
        >
          <p>{t('plan.result.otherBaseMeaning')}</p>
        </Notice>
      )}
      <PublishNeeds plan={plan} publisher={me} />
      <PlanRows plan={plan} document={document} />
    </>
  )
}

/** What publishing a plan would change, and for whom. */
export function PlanRows({ plan, document }: { plan: Plan; document: ReleaseDocument | null }) {
  const t = useTexts()
  const { summary } = plan
  const { kind } = planHeadline(plan)
  const without = peopleWithout(summary)
  return (
    <>
      {without > 0 && (
        <Notice tone="warning" title={t('plan.result.without', { count: without })}>
          <p>{t('plan.result.withoutMeaning')}</p>
        </Notice>
      )}
      <PlanChanges plan={plan} />
      <PlanCoverage summary={summary} />
      {(kind === 'people' || kind === 'rules' || without > 0) && <People plan={plan} />}
      {document && <PlanPeriods document={document} at={plan.at} />}
      {summary.reach && <BlockReach reach={summary.reach} />}
    </>
  )
}

/** The people with a change or without a signature, page by page. Reads the first page when it is opened. */
function People({ plan: { id, summary } }: { plan: Plan }) {
  const t = useTexts()
  const recording = useRecording()
  const { count } = useFormats()
  const read = useAdministrationState(({ plan }) => plan.people)
  // The list may still be of a plan that was shown before.
  const people = read.query === id ? read : noPeople(id)
  const { people: shown, from, isLast } = peoplePage(people)
  const { load } = people
  const isBegun = people.items !== null || load.status !== 'idle'
  const show = (first: number) => recording(PlannedPeople.shown({ plan: id, from: first }))
  const changed = changedPeopleCount(summary)
  const without = peopleWithout(summary)
  const counts = [
    ...(changed > 0 ? [t('plan.fold.people', { count: changed })] : []),
    ...(without > 0 ? [t('plan.fold.without', { count: without })] : []),
  ]
  return (
    <FoldedSection
      title={t('plan.people.title')}
      counts={counts.length === 0 ? t('plan.people.none') : counts.join(' · ')}
      onOpen={() => {
        if (!isBegun) show(0)()
      }}
    >
      {shown.length > 0 && (
        <table className={css['table']}>
          <caption>
            {t('plan.people.range', { from: count(from + 1), to: count(from + shown.length) })}
          </caption>
          <thead>
            <tr>
              <th scope="col">{t('plan.people.person')}</th>
              <th scope="col">{t('plan.result.what')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((person) => (
              <tr key={person.person}>
                <td className={css['path']}>{person.address}</td>
                <td>{personChangeTexts(person, t).join(' ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p role="status">
        {load.status === 'pending' && t('load.loading')}
        {load.status === 'success' && shown.length === 0 && t('plan.people.none')}
      </p>
      <Failure title="load.failed" failure={failureOf(load)} onRetry={show(from)} />
      {isBegun && (from > 0 || !isLast) && (
        <div className={css['row']}>
          {from > 0 && (
            <Button look="secondary" onPress={show(from - PEOPLE_PER_PAGE)}>
              {t('plan.people.previous')}
            </Button>
          )}
          {!isLast && (load.status === 'success' || load.status === 'idle') && (
            <Button look="secondary" onPress={show(from + PEOPLE_PER_PAGE)}>
              {t('plan.people.next')}
            </Button>
          )}
        </div>
      )}
    </FoldedSection>
  )
}
