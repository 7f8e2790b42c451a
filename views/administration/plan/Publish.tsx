import { useId, useState } from 'react'
import { Planning, Publishing } from '../../../streams/administration/plan/events.ts'
import { isPublishable } from '../../../streams/administration/plan/reducer.ts'
import { mustPlanAgain } from '../../../streams/administration/plan/selectors.ts'
import { hasRole } from '../../../streams/administration/session/rules.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import { Button } from '../../parts/Button.tsx'
import { Notice } from '../../parts/Notice.tsx'
import { useAdministrationState, useRecording } from '../hooks/administration.tsx'
import { useFormats } from '../hooks/formats.ts'
import { Failure } from '../parts/Failure.tsx'
import { NotAllowed } from '../parts/NotAllowed.tsx'
import { useTexts } from '../text/texts.ts'
import * as fieldCss from '../parts/Field.module.css'
import * as css from './Plan.module.css'

const MAX_NOTE_CHARACTERS = 500

/** Publishes exactly this plan, with a note for the history. */
export function Publish({ plan }: { plan: Plan }) {
  const t = useTexts()
  const recording = useRecording()
  const { moment } = useFormats()
  const noteId = useId()
  const [note, setNote] = useState('')
  const mayPublish = useAdministrationState(({ session }) => hasRole(session, 'Signet.Publish'))
  const isReady = useAdministrationState((state) => isPublishable(state.plan))
  const publishing = useAdministrationState((state) => state.plan.publishing)
  const isOver = useAdministrationState((state) => mustPlanAgain(state.plan))
  return (
    <section className={css['section']} aria-label={t('plan.publish.title')}>
      <h3>{t('plan.publish.title')}</h3>
      {!mayPublish ? (
        <NotAllowed role="Signet.Publish" />
      ) : (
        <>
          <div className={fieldCss['field']}>
            <label htmlFor={noteId}>{t('plan.publish.note')}</label>
            <input
              id={noteId}
              type="text"
              maxLength={MAX_NOTE_CHARACTERS}
              value={note}
              onChange={({ currentTarget: { value } }) => {
                setNote(value)
              }}
            />
          </div>
          {isReady && publishing.status !== 'pending' && !isOver && (
            <div>
              <Button look="primary" onPress={recording(Publishing.requested({ note }))}>
                {t('plan.publish.button')}
              </Button>
            </div>
          )}
          <p className={css['quiet']}>{t('plan.publish.until', { moment: moment(plan.until) })}</p>
          <p role="status">{publishing.status === 'pending' ? t('plan.publish.publishing') : ''}</p>
          {isOver ? (
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
            publishing.status === 'fail' && (
              <Failure
                title="plan.publish.failed"
                failure={publishing.failure}
                onRetry={recording(Publishing.requested({ note }))}
              />
            )
          )}
        </>
      )}
    </section>
  )
}
