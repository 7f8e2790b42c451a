import { Link } from 'react-router-dom'
import { Approvals } from '../../../streams/administration/approving/events.ts'
import { planApproval, planPath } from '../../../streams/administration/approving/rules.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import { changeGroupsOf } from '../../../streams/organisation/plan/approval.ts'
import { changedPeopleCount } from '../../../streams/organisation/plan/peopleLimit.ts'
import type { ApprovalWord } from '../../../streams/organisation/facts/state.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import { Button } from '../../shared/Button.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState, useRecording } from '../parts/administration.tsx'
import { useFormats } from '../parts/formats.ts'
import { Failure } from '../parts/Failure.tsx'
import { QuotedNote } from '../parts/QuotedNote.tsx'
import { type Translate, useTexts } from '../text/texts.ts'
import * as textCss from '../parts/Text.module.css'

/**
 * Says whose approval the plan needs and how far it is, and which of its changes only some people may publish.
 *
 * @param publisher the administrator on Plan; null on the page of a stored plan, for its author
 */
export function PublishNeeds({ plan, publisher }: { plan: Plan; publisher: string | null }) {
  const t = useTexts()
  const approvals = useAdministrationState((state) => state.approvals)
  const lookAgain = useRecording()(Place.retryRequested())
  const { approval, edited } = plan
  return (
    <>
      {approval && (
        <>
          <ApprovalNotice plan={plan} names={approval.by.join(', ')} publisher={publisher} />
          <Failure title="plan.needs.notKnown" failure={failureOf(approvals)} onRetry={lookAgain} />
        </>
      )}
      {edited && (
        <Notice tone="info" title={t('plan.needs.editors')}>
          <ul>
            {edited.map(({ kind, id: item, name, editors }) => (
              <li key={`${kind} ${item}`}>
                {t('plan.needs.editorsOf', {
                  name: kind === 'rest' ? t('plan.needs.rest') : name,
                  groups: editors.join(', '),
                })}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}

/** How far the approval of a plan is and what it means. On Plan, it also says what to do. */
function ApprovalNotice({ plan, names, publisher }: { plan: Plan; names: string; publisher: string | null }) {
  const t = useTexts()
  const approvals = useAdministrationState((state) => state.approvals)
  const approval = planApproval(plan, approvals, publisher)
  const isDraft = publisher !== null
  switch (approval.status) {
    case 'unneeded':
      return null
    case 'otherMoment':
    case 'unknown':
    case 'missing':
      return (
        <Notice tone="warning" title={t('plan.needs.approval', { names })}>
          {approval.status === 'unknown' ? (
            approvals.status === 'pending' && <p role="status">{t('load.loading')}</p>
          ) : approval.status === 'otherMoment' ? (
            <p>{t('plan.needs.otherMoment')}</p>
          ) : (
            <p>
              {t('plan.needs.approvalMeaning')} {isDraft && t('plan.needs.missingAction')}
            </p>
          )}
        </Notice>
      )
    case 'asked':
      return (
        <Notice tone="info" title={t('plan.needs.waiting', { names })} act={isDraft && <LookAgain />}>
          <Word word={approval.asked}>
            {(when) => t('plan.needs.asked', { who: approval.asked.by, when })}
          </Word>
          {isDraft && (
            <p>
              {t('plan.needs.askedMeaning')}{' '}
              <Link to={planPath(plan.id)} className={textCss['link']}>
                {t('plan.needs.link')}
              </Link>
            </p>
          )}
        </Notice>
      )
    case 'given':
    case 'own':
      return (
        <Notice
          tone={approval.status === 'given' ? 'info' : 'warning'}
          title={t(approval.status === 'given' ? 'plan.needs.given' : 'plan.needs.own', {
            who: approval.given.by,
          })}
        >
          <Word word={approval.given}>{(when) => when}</Word>
          <p>{t(approval.status === 'given' ? 'plan.needs.givenMeaning' : 'plan.needs.ownMeaning')}</p>
        </Notice>
      )
    case 'refused':
      return (
        <Notice tone="warning" title={t('plan.needs.refused', { who: approval.refused.by })}>
          <Word word={approval.refused}>{(when) => when}</Word>
          {isDraft && <p>{t('plan.needs.refusedAction')}</p>}
        </Notice>
      )
    case 'lapsed':
      return (
        <Notice tone="warning" title={t('plan.needs.lapsed')}>
          <p>{lapseText(approval.then, plan, t)}</p>
          {isDraft && <p>{t('plan.needs.lapsedAction')}</p>}
        </Notice>
      )
  }
}

/** When somebody said something about a plan, and the note. */
function Word({ word: { at, note }, children }: { word: ApprovalWord; children: (when: string) => string }) {
  const { moment } = useFormats()
  return (
    <>
      <p>{children(moment(at))}</p>
      <QuotedNote note={note} />
    </>
  )
}

function LookAgain() {
  const t = useTexts()
  const lookAgain = useRecording()(Approvals.lookedAgain())
  const isLooking = useAdministrationState(({ approvals }) => approvals.status === 'pending')
  return (
    <Button look="secondary" small isOff={isLooking} onPress={lookAgain}>
      {t('plan.needs.look')}
    </Button>
  )
}

type Counts = Readonly<{ people: number; groups: number }>

/** What is different since the approval: the number of people and of changes, or only what changes. */
function lapseText(then: Counts, { summary }: Plan, t: Translate): string {
  const now = { people: changedPeopleCount(summary), groups: changeGroupsOf(summary) }
  if (then.people === now.people && then.groups === now.groups) return t('plan.needs.lapsedSame')
  const countsText = ({ people, groups }: Counts) => [
    t('plan.needs.people', { count: people }),
    t('plan.needs.changes', { count: groups }),
  ]
  return t('plan.needs.lapsedCounts', { then: countsText(then), now: countsText(now) })
}
