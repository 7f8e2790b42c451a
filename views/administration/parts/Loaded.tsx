import type { ReactNode } from 'react'
import { Place } from '../../../streams/administration/place/events.ts'
import { lacksRole } from '../../../streams/administration/session/rules.ts'
import { failureOf, type Load, loadedValue } from '../../../streams/kernel/load.ts'
import type { Role } from '../../../streams/wire/administration/insight.ts'
import { useRecording, useHasRole } from './administration.tsx'
import { useTexts } from '../text/texts.ts'
import { Failure } from './Failure.tsx'
import { NotAllowed } from './NotAllowed.tsx'
import * as textCss from './Text.module.css'

/**
 * Shows a load in each state: loading, failed with a retry button, forbidden with the required role, or the value. The
 * previous value stays during a reload and below its failure. Place this view below the area's heading.
 */
export function Loaded<Value>({
  load,
  role,
  children,
}: {
  load: Load<Value>
  /** The role that the load's call requires. */
  role: Role
  children: (value: Value) => ReactNode
}) {
  const t = useTexts()
  const recording = useRecording()
  const isAllowed = useHasRole(role)
  const failure = failureOf(load)
  const value = loadedValue(load)
  if (!isAllowed || (failure && lacksRole(failure))) return <NotAllowed role={role} />
  return (
    <>
      <Failure
        title={value === undefined ? 'load.failed' : 'load.stale'}
        failure={failure}
        onRetry={recording(Place.retryRequested())}
      />
      {value !== undefined
        ? children(value)
        : !failure && (
            <p role="status" className={textCss['quiet']} data-loading>
              {t('load.loading')}
            </p>
          )}
    </>
  )
}
