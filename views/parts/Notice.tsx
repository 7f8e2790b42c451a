import type { ReactNode } from 'react'
import type { Failure } from '../../streams/kernel/failure.ts'
import { explainFailure, type Purpose } from '../text/failure.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import * as css from './Notice.module.css'

type Tone = 'info' | 'sender' | 'warning' | 'danger'

const ICONS = { info: 'info', sender: 'sender', warning: 'warning', danger: 'failed' } as const

/** A notice. Screen readers read an `urgent` one at once. */
export function Notice({
  tone,
  title,
  urgent = false,
  children,
  act,
}: {
  tone: Tone
  title?: string
  urgent?: boolean
  children?: ReactNode
  act?: ReactNode
}) {
  return (
    <div className={`${css['notice']} ${css[tone] ?? ''}`} role={urgent ? 'alert' : 'note'}>
      <Icon name={ICONS[tone]} />
      <div className={css['words']}>
        {title && <p className={css['title']}>{title}</p>}
        {children}
      </div>
      {act && <div className={css['act']}>{act}</div>}
    </div>
  )
}

/** A failure: what happened, what it means for the message, what to do, and a retry where that can succeed. */
export function FailureNotice({
  title,
  failure,
  purpose,
  onRetry,
  act,
  children,
}: {
  title: TextKey
  failure: Failure
  purpose: Purpose
  onRetry: (() => void) | null
  /** An alternative to a retry. */
  act?: ReactNode
  /** More about the failure. */
  children?: ReactNode
}) {
  const t = useTexts()
  const { what, meaning, action, values, largest, mayRetry } = explainFailure(failure, purpose)
  const retry = mayRetry ? onRetry : null
  return (
    <Notice
      tone={purpose === 'insert' ? 'danger' : 'warning'}
      title={t(title)}
      urgent
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
      {children}
      <p>{t(action, values)}</p>
    </Notice>
  )
}
