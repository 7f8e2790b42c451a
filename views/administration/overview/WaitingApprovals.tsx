import { useId } from 'react'
import { Link } from 'react-router-dom'
import {
  approvalsToGive,
  type AskedApproval,
  type OwnApproval,
  ownApprovals,
  planPath,
} from '../../../streams/administration/approving/rules.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { callerName } from '../../../streams/administration/session/rules.ts'
import { failureOf, loadedValue } from '../../../streams/kernel/load.ts'
import { useAdministrationState, useRecording } from '../parts/administration.tsx'
import { useFormats } from '../parts/formats.ts'
import { Failure } from '../parts/Failure.tsx'
import { QuotedNote } from '../parts/QuotedNote.tsx'
import { Section } from '../parts/Section.tsx'
import { useTexts } from '../text/texts.ts'
import * as buttonCss from '../../shared/Button.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Now.module.css'

/**
 * The plans that wait for the administrator's approval, and the answers about the administrator's own plans. Nothing
 * without either, as in an organisation that asks for no approval.
 */
export function WaitingApprovals() {
  const t = useTexts()
  const approvals = useAdministrationState((state) => state.approvals)
  const caller = useAdministrationState(({ session }) => callerName(session))
  const retry = useRecording()(Place.retryRequested())
  const known = loadedValue(approvals) ?? []
  const waiting = approvalsToGive(known)
  const own = ownApprovals(known, caller)
  return (
    <>
      <Failure title="plan.needs.notKnown" failure={failureOf(approvals)} onRetry={retry} />
      {waiting.length > 0 && (
        <div className={css['card']}>
          <Section title={t('overview.now.approvals.title')}>
            <ul className={`${sectionCss['list']} ${css['approvals']}`}>
              {waiting.map((each) => (
                <Waiting key={each.hash} approval={each} />
              ))}
            </ul>
          </Section>
        </div>
      )}
      {own.length > 0 && (
        <div className={css['card']}>
          <Section title={t('overview.now.approvals.own')}>
            <ul className={`${sectionCss['list']} ${css['approvals']}`}>
              {own.map((each) => (
                <Own key={each.approval.hash} own={each} />
              ))}
            </ul>
          </Section>
        </div>
      )}
    </>
  )
}

function Waiting({ approval: { plan, asked, people, until } }: { approval: AskedApproval }) {
  const t = useTexts()
  const { moment } = useFormats()
  const id = useId()
  return (
    <li>
      <div>
        <p id={id}>
          <strong>{t('overview.now.approvals.asks', { who: asked.by })}</strong>
        </p>
        <QuotedNote note={asked.note} />
        <p>{t('overview.now.approvals.people', { count: people })}</p>
        <p className={textCss['quiet']}>
          {t('overview.now.approvals.asked', { when: moment(asked.at), until: moment(until) })}
        </p>
      </div>
      <ToPlan plan={plan} describedBy={id} />
    </li>
  )
}

function Own({
  own: {
    approval: { plan, by, people },
    status,
    word,
  },
}: {
  own: OwnApproval
}) {
  const t = useTexts()
  const { moment } = useFormats()
  const id = useId()
  return (
    <li>
      <div>
        <p id={id}>
          <strong>
            {status === 'asked'
              ? t('plan.needs.waiting', { names: by.join(', ') })
              : t(`plan.needs.${status}`, { who: word.by })}
          </strong>
        </p>
        <QuotedNote note={word.note} />
        <p>{t('overview.now.approvals.people', { count: people })}</p>
        <p className={textCss['quiet']}>{moment(word.at)}</p>
      </div>
      <ToPlan plan={plan} describedBy={id} />
    </li>
  )
}

function ToPlan({ plan, describedBy }: { plan: string; describedBy: string }) {
  const t = useTexts()
  return (
    <Link to={planPath(plan)} aria-describedby={describedBy} className={buttonCss['secondary']}>
      {t('overview.now.approvals.open')}
    </Link>
  )
}
