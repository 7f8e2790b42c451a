import { useMemo } from 'react'
import { PlannedPeople, Planning } from '../../../streams/administration/plan/events.ts'
import { draftImages } from '../../../streams/administration/plan/preview.ts'
import { PEOPLE_PER_PAGE } from '../../../streams/administration/plan/reducer.ts'
import {
  changedSignatures,
  type ChangedSignature,
  planHeadline,
  isBaseOutdated,
  isPlanOutdated,
  nextStep,
  partToCheck,
  peoplePage,
  peopleWithout,
} from '../../../streams/administration/plan/selectors.ts'
import { wasWorkStopped } from '../../../streams/administration/work/rules.ts'
import { failureOf, loadedValue } from '../../../streams/kernel/load.ts'
import { changedPeopleCount } from '../../../streams/organisation/plan/peopleLimit.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import {
  isRenderedGroup,
  type PlanSummary,
  type Rendition,
  shownUses,
  type SignatureGroup,
} from '../../../streams/organisation/plan/plan.ts'
import type { SignatureImage } from '../../../streams/html/content.ts'
import { Button } from '../../shared/Button.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState, useHasRole, useRecording } from '../parts/administration.tsx'
import { useFormats } from '../parts/formats.ts'
import { Answer } from '../parts/Answer.tsx'
import { Failure } from '../parts/Failure.tsx'
import { useShowMore } from '../parts/more.tsx'
import { NotAllowed } from '../parts/NotAllowed.tsx'
import { Progress } from '../parts/Progress.tsx'
import { FoldedSection, Section } from '../parts/Section.tsx'
import { useTexts } from '../text/texts.ts'
import { AffectedPeople, ComparisonSide } from './Difference.tsx'
import { BlockCalendar, ChangedBlocks, BlockReach } from './PlanBlocks.tsx'
import { PlanCoverage } from './PlanCoverage.tsx'
import {
  differenceText,
  headlineText,
  missingVariableTexts,
  personChangeTexts,
  planSummaryTexts,
} from '../text/plan.ts'
import * as sectionCss from '../parts/Section.module.css'
import * as css from './Plan.module.css'

/** The plan's result: what publishing the draft would change, and for whom. Empty for an unchanged draft. */
export function PlanResult() {
  const t = useTexts()
  const made = useAdministrationState(({ plan }) => plan.made)
  const isUnchanged = useAdministrationState(({ plan }) => nextStep(plan) === 'nothing')
  const makePlan = useRecording()(Planning.planRequested())
  const plan = loadedValue(made)?.plan
  const errors = useAdministrationState(
    ({ plan: { findings } }) => findings.filter(({ level }) => level === 'error').length,
  )
  const isRefused = made.status === 'idle' && errors > 0
  if (isUnchanged) return null
  return (
    <Section title={t('plan.result.title')}>
      {made.status === 'idle' && !isRefused && <p>{t('plan.result.intro')}</p>}
      <Answer
        status={isRefused ? 'fail' : made.status}
        pending={t('plan.result.making')}
        success={plan && <AsOf plan={plan} />}
        failure={
          isRefused ? (
            <Notice tone="warning" title={t('plan.findings.errors', { count: errors })} urgent>
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
      {plan && <MadePlan key={`${plan.id} ${String(plan.at)}`} plan={plan} />}
    </Section>
  )
}

/** The plan in one sentence. */
export const PlanHeadline = ({ plan }: { plan: Plan }) => headlineText(planHeadline(plan), useTexts())

function AsOf({ plan }: { plan: Plan }) {
  const t = useTexts()
  const { count, moment } = useFormats()
  const { at, until, summary } = plan
  return (
    <>
      <p className={css['headline']}>
        <PlanHeadline plan={plan} />
      </p>
      <p className={css['quiet']}>
        {t('plan.result.asOf', {
          moment: moment(at),
          people: count(summary.people),
          unchanged: count(summary.unchanged),
        })}{' '}
        {t('plan.publish.until', { moment: moment(until) })}
      </p>
    </>
  )
}

function MadePlan({ plan }: { plan: Plan }) {
  const t = useTexts()
  const isOld = useAdministrationState(({ plan: state }) => isPlanOutdated(state))
  const isOther = useAdministrationState(({ plan: state }) => isBaseOutdated(state))
  const mayPublish = useHasRole('Signet.Publish')
  const { count } = useFormats()
  const { summary, variables, closed } = plan
  const { kind } = planHeadline(plan)
  const without = peopleWithout(summary)
  return (
    <>
      {without > 0 && (
        <Notice tone="warning" title={t('plan.result.without', { count: without })}>
          <p>{t('plan.result.withoutMeaning')}</p>
        </Notice>
      )}
      {!mayPublish && <NotAllowed role="Signet.Publish" />}
      {isOld && (
        <Notice tone="info" title={t('plan.result.old')}>
          <p>{t('plan.result.oldAction')}</p>
        </Notice>
      )}
      {isOther && (
        <Notice tone="warning" title={t('plan.result.otherBase')}>
          <p>{t('plan.result.otherBaseMeaning')}</p>
        </Notice>
      )}
      <Problems plan={plan} />
      <Changes plan={plan} />
      {variables.length > 0 && (
        <FoldedSection title={t('plan.result.variables')} counts={count(variables.length)}>
          <ul className={css['list']}>
            {variables.map(({ path, kind }) => (
              <li key={path}>
                <code>{path}</code>: {t(`plan.variable.${kind}`)}
              </li>
            ))}
          </ul>
        </FoldedSection>
      )}
      {closed.length > 0 && (
        <FoldedSection title={t('plan.result.closed')} counts={count(closed.length)}>
          <ul className={css['list']}>
            {closed.map(({ signature, name, during: { from, to, timeZone } }) => (
              <li key={signature}>{t('plan.result.window', { name, from, to, timeZone })}</li>
            ))}
          </ul>
        </FoldedSection>
      )}
      <Blocks plan={plan} />
      {summary.coverage && (
        <PlanCoverage coverage={summary.coverage} isOpen={partToCheck(summary) === 'coverage'} />
      )}
      <Differences plan={plan} />
      {(kind === 'people' || kind === 'rules' || without > 0) && <People summary={summary} />}
    </>
  )
}

function Problems({ plan: { summary } }: { plan: Plan }) {
  const t = useTexts()
  const { count } = useFormats()
  const { losing, missing } = summary
  const problems = losing.length + missing.length
  if (problems === 0) return null
  return (
    <FoldedSection
      title={t('plan.result.problems')}
      counts={count(problems)}
      isOpen={partToCheck(summary) === 'problems'}
    >
      <ul className={css['list']}>
        {losing.map(({ people, sample }) => (
          <li key={sample.person}>{t('plan.result.losing', { count: people, address: sample.address })}</li>
        ))}
        {missing.map((each) => (
          <li key={`${each.signature} ${each.variables.join(' ')}`}>
            {t('plan.result.missing', {
              count: each.people,
              address: each.sample.address,
              name: each.name,
              variables: missingVariableTexts(each, t),
            })}
          </li>
        ))}
      </ul>
    </FoldedSection>
  )
}

/** One line for each change, with the number of people that it affects. */
function Changes({ plan: { summary } }: { plan: Plan }) {
  const t = useTexts()
  const { count } = useFormats()
  const lines = planSummaryTexts(summary, t)
  const [shown, more] = useShowMore(lines, LINES_SHOWN)
  if (lines.length === 0) return null
  return (
    <FoldedSection title={t('plan.result.changes')} counts={count(lines.length + (summary.more ?? 0))}>
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col" className={css['count']}>
              {t('plan.result.people')}
            </th>
            <th scope="col">{t('plan.result.what')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(([people, text], index) => (
            <tr key={`${String(index)} ${text}`}>
              <td className={css['count']}>{count(people)}</td>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
      {summary.more !== undefined && <p>{t('plan.result.more', { count: summary.more })}</p>}
    </FoldedSection>
  )
}

const LINES_SHOWN = 50

/** Who gets which block, and the content of each slot. An older service sends nothing about blocks. */
function Blocks({ plan: { at, summary } }: { plan: Plan }) {
  const document = useAdministrationState(({ plan: { made } }) => loadedValue(made)?.document ?? null)
  if (!summary.reach) return null
  return (
    <>
      <BlockReach reach={summary.reach} />
      {document && <BlockCalendar document={document} at={at} />}
    </>
  )
}

/** The changed signatures and blocks, with each distinct difference shown before and after. */
function Differences({ plan }: { plan: Plan }) {
  const document = useAdministrationState(({ plan: { made } }) => loadedValue(made)?.document ?? null)
  const contents = useAdministrationState(({ plan: { draft } }) => draft?.pictures ?? null)
  const images = useMemo(
    () => (document && contents ? draftImages(document, contents, plan.pictures) : []),
    [document, contents, plan.pictures],
  )
  return (
    <>
      {changedSignatures(plan.summary).map((changed) => (
        <Changed key={changed.signature} changed={changed} images={images} />
      ))}
      {plan.summary.blocks && <ChangedBlocks groups={plan.summary.blocks} images={images} />}
    </>
  )
}

const GROUPS_SHOWN = 3

function Changed({ changed, images }: { changed: ChangedSignature; images: readonly SignatureImage[] }) {
  const t = useTexts()
  const { name, people, groups } = changed
  const [shown, more] = useShowMore(groups, GROUPS_SHOWN, (left) =>
    t('plan.result.moreDifferences', { count: left }),
  )
  return (
    <FoldedSection title={name} counts={t('plan.fold.people', { count: people })}>
      {shown.map((group, index) => (
        <div key={String(index)} className={sectionCss['section']}>
          <AffectedPeople says={differenceText(group, t)} group={group} />
          <SideBySide group={group} images={images} />
        </div>
      ))}
      {more}
    </FoldedSection>
  )
}

function SideBySide({ group, images }: { group: SignatureGroup; images: readonly SignatureImage[] }) {
  const t = useTexts()
  const titleOf = (use: keyof Rendition, when: string) =>
    t('plan.result.frame', { name: group.name, use: t(`plan.use.${use}`), when })
  const [before, after] = [t('plan.result.before'), t('plan.result.after')]
  if (!isRenderedGroup(group)) return <p className={css['quiet']}>{t('plan.result.undrawn')}</p>
  return shownUses(group).map((use) => (
    <div key={use}>
      <h4>{t(`plan.use.${use}`)}</h4>
      <div className={css['pair']}>
        <ComparisonSide caption={before} html={group.before?.[use] ?? null} title={titleOf(use, before)} />
        <ComparisonSide
          caption={after}
          html={group.after?.[use] ?? null}
          title={titleOf(use, after)}
          images={images}
        />
      </div>
    </div>
  ))
}

/** The people with a change or without a signature, page by page. Reads the first page when it is opened. */
function People({ summary }: { summary: PlanSummary }) {
  const t = useTexts()
  const recording = useRecording()
  const { count } = useFormats()
  const people = useAdministrationState(({ plan }) => plan.people)
  const { people: shown, from, isLast } = peoplePage(people)
  const { load } = people
  const isBegun = people.items !== null || load.status !== 'idle'
  const show = (first: number) => recording(PlannedPeople.shown({ from: first }))
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
