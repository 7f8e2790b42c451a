import { type ReactNode, useState } from 'react'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { now } from '../../../streams/kernel/time.ts'
import { SelfTest } from '../../../streams/pane/selfTest/events.ts'
import { selectPossibleUse } from '../../../streams/pane/signatures/usable.ts'
import { useApp, useAppState, useRecord } from '../app.tsx'
import { explainFailure, type FailurePurpose, technicalDetailsOf } from '../text/failure.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import { Button } from '../../shared/Button.tsx'
import { Helpdesk, type TechnicalLine, TechnicalLines } from '../../shared/Helpdesk.tsx'
import { Notice } from '../../shared/Notice.tsx'
import * as css from '../../shared/Notice.module.css'

/** The purposes whose failure concerns the open message itself. */
const DANGERS: ReadonlySet<FailurePurpose> = new Set<FailurePurpose>(['insert', 'takeOut', 'undo'])

/**
 * Explains a failure, if there is one: what happened, what it means for the message, and what to do. Has a retry button
 * if a retry can succeed, and folded technical details.
 */
export function FailureNotice({
  title,
  failure,
  purpose,
  onRetry,
  act,
}: {
  title: TextKey
  failure: Failure | null
  purpose: FailurePurpose
  onRetry: (() => void) | null
  /** A button that is an alternative to a retry. */
  act?: ReactNode
}) {
  const t = useTexts()
  const usable = useAppState(selectPossibleUse)
  if (!failure) return null
  const { what, meaning, action, values, largest, mayRetry } = explainFailure(failure, purpose, usable)
  const retry = mayRetry ? onRetry : null
  return (
    <Notice
      tone={DANGERS.has(purpose) ? 'danger' : 'warning'}
      title={t(title)}
      urgent
      more={<ForHelpdesk failure={failure} />}
      act={
        retry || act ? (
          <>
            {retry && (
              <Button look="secondary" small onPress={retry}>
                {t('notice.retry')}
              </Button>
            )}
            {act}
          </>
        ) : null
      }
    >
      <p>
        {t(what, values)} {t(meaning, values)}
      </p>
      {largest.length > 0 && (
        <p>{t('part.largest', { parts: largest.map(({ part, characters }) => t(part, { characters })) })}</p>
      )}
      <p>{t(action, values)}</p>
    </Notice>
  )
}

/** Everything technical about a failure, and a button that copies it. */
function ForHelpdesk({ failure }: { failure: Failure }) {
  const t = useTexts()
  const record = useRecord()
  const { time, version } = useApp()
  const [seenAt] = useState(() => now(time))
  const [isAsked, setAsked] = useState(false)
  const status = useAppState(({ selfTest }) => selfTest.copy.status)
  const lines: readonly TechnicalLine[] = [
    ...technicalDetailsOf(failure).map(([name, value]) => [t(name), value] as const),
    [t('notice.time'), new Date(seenAt).toISOString()],
    [t('notice.version'), version],
  ]
  return (
    <Helpdesk>
      <TechnicalLines lines={lines} />
      <div className={css['copy']}>
        <Button
          look="secondary"
          small
          onPress={() => {
            setAsked(true)
            record(SelfTest.copyRequested({ text: lines.map((line) => line.join(': ')).join('\n') }))
          }}
        >
          {t('notice.copyTechnical')}
        </Button>
        {isAsked && status === 'success' && <span>{t('notice.copiedTechnical')}</span>}
        {isAsked && status === 'fail' && <span>{t('what.clipboard')}</span>}
      </div>
    </Helpdesk>
  )
}
