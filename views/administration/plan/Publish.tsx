import { useState } from 'react'
import { Link } from 'react-router-dom'
import { Planning, Publishing } from '../../../streams/administration/plan/events.ts'
import { isPlanCurrent } from '../../../streams/administration/plan/reducer.ts'
import { mustPlanAgain } from '../../../streams/administration/plan/selectors.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import { changedPeopleCount, isBeyondLimit } from '../../../streams/organisation/plan/peopleLimit.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import { Button } from '../../shared/Button.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState, useRecording } from '../parts/administration.tsx'
import { useFormats } from '../parts/formats.ts'
import { Answer } from '../parts/Answer.tsx'
import { Failure } from '../parts/Failure.tsx'
import { CheckField, Field } from '../parts/Field.tsx'
import { Progress } from '../parts/Progress.tsx'
import { IfAllowed } from '../parts/NotAllowed.tsx'
import { useReleaseNumber } from '../parts/ReleaseId.tsx'
import { Section } from '../parts/Section.tsx'
import { useTexts } from '../text/texts.ts'
import * as textCss from '../parts/Text.module.css'
import * as css from './Plan.module.css'

const MAX_NOTE_CHARACTERS = 500
const NOTHING_SAID = { note: '', all: false }

/** Publishes exactly this plan and shows the result, which stays after the published plan is gone. */
export function Publish({ plan }: { plan: Plan | null }) {
  const t = useTexts()
  const recording = useRecording()
  const numberOf = useReleaseNumber()
  const { count, moment } = useFormats()
  const isReady = useAdministrationState((state) => isPlanCurrent(state.plan))
  const publishing = useAdministrationState((state) => state.plan.publishing)
  const published = useAdministrationState((state) => state.plan.published)
  const isOver = useAdministrationState((state) => mustPlanAgain(state.plan))
  const [typed, setTyped] = useState({ about: '', note: '', all: false })
  const about = plan ? `${plan.id} ${String(plan.at)}` : ''
  // Each new plan starts with an empty note, and without permission to change more people than its limit.
  const { note, all } = typed.about === about ? typed : NOTHING_SAID
  const publish = recording(Publishing.requested({ note, all }))
  const changed = plan ? (plan.limit?.changed ?? changedPeopleCount(plan.summary)) : 0
  const needsLeave = plan !== null && isBeyondLimit(plan)
  if (!plan && publishing.status === 'idle') return null
  return (
    <Section title={t('plan.publish.title')} heading="h3">
      <IfAllowed role="Signet.Publish">
        {plan && (
          <>
            <Field
              label={t('plan.publish.note')}
              type="text"
              maxLength={MAX_NOTE_CHARACTERS}
              value={note}
              onChange={({ currentTarget: { value } }) => setTyped({ about, note: value, all })}
            />
            <p className={css['quiet']}>{t('plan.publish.until', { moment: moment(plan.until) })}</p>
          </>
        )}
        {isReady && !isOver && needsLeave && (
          <>
            <Notice tone="warning" title={t('plan.publish.beyond', { count: changed })}>
              <p>{t('plan.publish.beyondMeaning', { most: count(plan.limit?.most ?? 0) })}</p>
            </Notice>
            <CheckField
              label={t('plan.publish.all', { count: changed })}
              isOn={all}
              onSwitch={(isOn) => setTyped({ about, note, all: isOn })}
            />
          </>
        )}
        {isReady && !isOver && (
          <div>
            <Button
              look="primary"
              isOff={publishing.status === 'pending' || (needsLeave && !all)}
              onPress={publish}
            >
              {t('plan.publish.button')}
            </Button>
          </div>
        )}
        <Answer
          status={publishing.status}
          pending={t('plan.publish.publishing')}
          success={
            published !== null && (
              <>
                {t('plan.publish.done', { release: numberOf(published) })}{' '}
                <Link to="/history" className={textCss['link']}>
                  {t('frame.history')}
                </Link>
              </>
            )
          }
          failure={
            isOver ? (
              <Notice
                tone="warning"
                title={t('plan.publish.over')}
                urgent
                act={
                  <Button look="secondary" small onPress={recording(Planning.planRequested())}>
                    {t('plan.result.again')}
                  </Button>
                }
              >
                <p>{t('plan.publish.overAction')}</p>
              </Notice>
            ) : (
              <Failure title="plan.publish.failed" failure={failureOf(publishing)} onRetry={publish} />
            )
          }
        />
        <Progress kind="publish" label={t('plan.publish.publishing')} />
      </IfAllowed>
    </Section>
  )
}
