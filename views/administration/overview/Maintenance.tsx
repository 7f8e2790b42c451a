import { useState } from 'react'
import { MaintenanceChange } from '../../../streams/administration/overview/events.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import type { Maintenance as Status } from '../../../streams/organisation/facts/events.ts'
import { Button } from '../../shared/Button.tsx'
import { useAdministrationState, useGesture, useHasRole } from '../parts/administration.tsx'
import { Answer } from '../parts/Answer.tsx'
import { AreaPage } from '../parts/AreaPage.tsx'
import { Failure } from '../parts/Failure.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { NotAllowed } from '../parts/NotAllowed.tsx'
import { useTexts } from '../text/texts.ts'
import * as css from './Maintenance.module.css'

const STATUSES = [null, 'planned', 'active'] as const

/** Lets the administrator announce, begin and end maintenance. */
export function Maintenance() {
  const overview = useAdministrationState((state) => state.overview)
  return (
    <AreaPage area="maintenance">
      <Loaded load={overview} role="Signet.Read">
        {({ maintenance }) => <Choice key={maintenance ?? 'none'} current={maintenance} />}
      </Loaded>
      <Result />
    </AreaPage>
  )
}

function Result() {
  const t = useTexts()
  const change = useAdministrationState((state) => state.maintenanceChange)
  return (
    <Answer
      status={change.status}
      pending={t('overview.maintenance.saving')}
      success={t('overview.maintenance.saved')}
      failure={<Failure title="overview.maintenance.failed" failure={failureOf(change)} onRetry={null} />}
    />
  )
}

function Choice({ current }: { current: Status }) {
  const t = useTexts()
  const record = useGesture()
  const mayPublish = useHasRole('Signet.Publish')
  const isPending = useAdministrationState(({ maintenanceChange }) => maintenanceChange.status === 'pending')
  const [chosen, setChosen] = useState<Status>(current)
  return (
    <>
      <fieldset className={css['choice']} disabled={!mayPublish}>
        <legend>{t('overview.maintenance.legend')}</legend>
        {STATUSES.map((status) => {
          const name = status ?? 'none'
          return (
            <div key={name} className={css['status']}>
              <input
                type="radio"
                name="maintenance"
                id={`maintenance-${name}`}
                aria-describedby={`maintenance-${name}-words`}
                checked={chosen === status}
                onChange={() => setChosen(status)}
              />
              <label htmlFor={`maintenance-${name}`}>
                {t(`overview.maintenance.${name}`)}
                {status === current && (
                  <span className={css['now']}> · {t('overview.maintenance.current')}</span>
                )}
              </label>
              <p id={`maintenance-${name}-words`}>
                {status === null
                  ? t('overview.maintenance.noWords')
                  : t('overview.maintenance.words', { words: t(`overview.maintenance.said.${status}`) })}
              </p>
            </div>
          )
        })}
      </fieldset>
      {mayPublish ? (
        <div>
          <Button
            look="primary"
            onPress={() => {
              if (!isPending && chosen !== current) record(MaintenanceChange.requested({ status: chosen }))
            }}
          >
            {t('overview.maintenance.save')}
          </Button>
        </div>
      ) : (
        <NotAllowed role="Signet.Publish" />
      )}
    </>
  )
}
