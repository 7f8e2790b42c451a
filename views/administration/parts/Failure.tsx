import type { ReactNode } from 'react'
import type { Failure as FailureOf } from '../../../streams/kernel/failure.ts'
import { Button } from '../../shared/Button.tsx'
import { Helpdesk, TechnicalLines } from '../../shared/Helpdesk.tsx'
import { Notice } from '../../shared/Notice.tsx'
import type { TextValues } from '../../shared/translation.ts'
import { explainFailure, technicalDetailsOf } from '../text/failure.ts'
import { type TextKey, useTexts } from '../text/texts.ts'

/**
 * Shows a failure: what happened, what to do, a retry button if a retry can succeed, and collapsed details. Shows
 * nothing without a failure.
 */
export function Failure({
  title,
  values,
  failure,
  onRetry,
  children,
}: {
  title: TextKey
  /** Values for the placeholders in the title. */
  values?: TextValues
  failure: FailureOf | null
  onRetry: (() => void) | null
  /** Additional content between what happened and what to do. */
  children?: ReactNode
}) {
  const t = useTexts()
  if (!failure) return null
  const { what, action, mayRetry } = explainFailure(failure)
  return (
    <Notice
      tone="warning"
      title={t(title, values)}
      urgent
      act={
        mayRetry && onRetry ? (
          <Button look="secondary" small onPress={onRetry}>
            {t('load.retry')}
          </Button>
        ) : null
      }
      more={
        <Helpdesk>
          <TechnicalLines
            lines={technicalDetailsOf(failure).map(([name, value]) => [t(name), value] as const)}
          />
        </Helpdesk>
      }
    >
      <p>{t(what)}</p>
      {children}
      <p>{t(action)}</p>
    </Notice>
  )
}
