import { useState } from 'react'
import { Planning, Publishing } from '../../../streams/administration/plan/events.ts'
import { isPublishable } from '../../../streams/administration/plan/reducer.ts'
import { mustPlanAgain } from '../../../streams/administration/plan/selectors.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import { Button } from '../../parts/Button.tsx'
import { Notice } from '../../parts/Notice.tsx'
import { useAdministrationState, useRecording } from '../hooks/administration.tsx'
import { useFormats } from '../hooks/formats.ts'
import { Failure } from '../parts/Failure.tsx'
import { Field } from '../parts/Field.tsx'
import { IfAllowed } from '../parts/NotAllowed.tsx'
import { Section } from '../parts/Section.tsx'
import { useTexts } from '../text/texts.ts'
import * as css from './Plan.module.css'

const MAX_NOTE_CHARACTERS = 500

/** Publishes exactly this plan. The administrator can add a note for the history. */
export function Publish({ plan }: { plan: Plan }) {
  const t = useTexts()
  const recording = useRecording()
  const { moment } = useFormats()
  const [note, setNote] = useState('')
  const publish = recording(Publishing.requested({ note }))
  const isReady = useAdministrationState((state) => isPublishable(state.plan))
  const publishing = useAdministrationState((state) => state.plan.publishing)
  const isOver = useAdministrationState((state) => mustPlanAgain(state.plan))
  return (
    <Section title={t('plan.publish.title')} heading="h3">
      <IfAllowed role="Signet.Publish">
        <Field
          label={t('plan.publish.note')}
          type="text"
          maxLength={MAX_NOTE_CHARACTERS}
          value={note}
          onChange={({ currentTarget: { value } }) => setNote(value)}
        />
        {isReady && publishing.status !== 'pending' && !isOver && (
          <div>
            <Button look="primary" onPress={publish}>
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
          <Failure title="plan.publish.failed" failure={failureOf(publishing)} onRetry={publish} />
        )}
      </IfAllowed>
    </Section>
  )
}
