import { isUneventful } from '../../../streams/administration/directory/rules.ts'
import { appliesOtherChanges, type DirectoryRun } from '../../../streams/organisation/directory/directory.ts'
import { Helpdesk, TechnicalLines } from '../../shared/Helpdesk.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { useFormats } from '../parts/formats.ts'
import { runFailureAdvice } from '../text/directory.ts'
import { fieldName } from '../text/fieldName.ts'
import { Section } from '../parts/Section.tsx'
import { Terms } from '../parts/Terms.tsx'
import { type Translate, useTexts } from '../text/texts.ts'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Directory.module.css'

/** Shows the latest run in full, and collapses earlier runs. */
export function Runs({ runs: [last, ...earlier] }: { runs: readonly DirectoryRun[] }) {
  const t = useTexts()
  const summaryOf = useRunSummary()
  return (
    <>
      <Section title={t('directory.last')}>
        {last ? (
          <>
            <p>{summaryOf(last)}</p>
            <Run run={last} />
          </>
        ) : (
          <p>{t('directory.noRun')}</p>
        )}
      </Section>
      {earlier.length > 0 && (
        <Section title={t('directory.earlier')}>
          {earlier.map((run) => (
            <details key={run.id} className={css['run']}>
              <summary>{summaryOf(run)}</summary>
              <Run run={run} />
            </details>
          ))}
        </Section>
      )}
    </>
  )
}

/** Returns a one-line summary of a run, such as `Dry run · 23 Nov 2026, 12:00 · Done`. */
export function useRunSummary(): (run: DirectoryRun) => string {
  const t = useTexts()
  const { moment } = useFormats()
  return (run) =>
    [t(run.isTrial ? 'directory.kind.try' : 'directory.kind.sync'), moment(run.at), outcomeOf(run, t)].join(
      ' · ',
    )
}

const outcomeOf = (run: DirectoryRun, t: Translate) =>
  run.stoppedBy === undefined
    ? t(appliesOtherChanges(run) ? 'directory.outcome.waits' : `directory.outcome.${run.outcome}`)
    : t('directory.outcome.stopped', { by: run.stoppedBy })

const COUNTS = ['read', 'added', 'changed', 'retired', 'returned', 'refused'] as const

/** Shows who began a run, which attributes are missing, what it changed or would change, and why it failed. */
function Run({ run }: { run: DirectoryRun }) {
  const t = useTexts()
  const { count } = useFormats()
  const { by, failure, isTrial, outcome, samples, unknownAttributes = [] } = run
  const isRestDone = appliesOtherChanges(run)
  const isOnlyReported = isTrial || (outcome === 'needsLeave' && !isRestDone)
  /** The name of a count. It also labels each person in that count. */
  const nameOf = (each: (typeof COUNTS)[number]) =>
    t(isRestDone && each === 'retired' ? 'directory.count.waiting' : `directory.count.${each}`)
  return (
    <div className={sectionCss['section']}>
      <p className={textCss['quiet']}>{t('directory.startedBy', { by })}</p>
      {unknownAttributes.map(({ source, names }) => (
        <p key={source}>
          {source === 'scim'
            ? t('directory.unknownAttributes.scim', { names: names.join(', ') })
            : t('directory.unknownAttributes.graph', { source, names: names.join(', ') })}
        </p>
      ))}
      {failure && <Failed failure={failure} />}
      {outcome === 'done' && isUneventful(run) ? (
        <p>{t(isTrial ? 'directory.wouldNothing' : 'directory.nothing')}</p>
      ) : (
        <>
          <h3>{t(isOnlyReported ? 'directory.wouldChange' : 'directory.changes')}</h3>
          <Terms look="counts" terms={COUNTS.map((each) => [nameOf(each), count(run[each])])} />
        </>
      )}
      {samples.length > 0 && (
        <>
          <h3>{t('directory.samples')}</h3>
          <ul className={sectionCss['lines']}>
            {samples.map(({ person, change, fields, reason }) => (
              <li key={`${change} ${person}`}>
                <strong>{person}</strong> <span className={textCss['mark']}>{nameOf(change)}</span>{' '}
                <span className={textCss['quiet']}>
                  {fields.map((field) => fieldName(field, {}, t)).join(', ')}
                </span>
                {reason !== null && <span lang="en">{reason}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** Shows what went wrong in a failed run, and what the administrator can do. */
function Failed({ failure }: { failure: NonNullable<DirectoryRun['failure']> }) {
  const t = useTexts()
  const { what, action } = runFailureAdvice(failure.code)
  return (
    <Notice
      tone="warning"
      title={t(what)}
      more={
        <Helpdesk>
          <TechnicalLines
            lines={[
              [t('notice.code'), failure.code],
              [t('notice.message'), failure.message],
            ]}
          />
        </Helpdesk>
      }
    >
      <p>{t('directory.failure.unchanged')}</p>
      <p>{t(action)}</p>
    </Notice>
  )
}
