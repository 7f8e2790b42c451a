import type { ReactNode } from 'react'
import type { Failure } from '../../streams/kernel/failure.ts'
import { explainFailure, type Purpose } from '../text/failure.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import * as css from './Notice.module.css'

type Tone = 'info' | 'sender' | 'warning' | 'danger'

const icons = { info: 'info', sender: 'sender', warning: 'warning', danger: 'failed' } as const

/** Something the person should know. `urgent` has it read out at once. */
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
      <Icon name={icons[tone]} />
      <div className={css['words']}>
        {title && <p className={css['title']}>{title}</p>}
        {children}
      </div>
      {act && <div className={css['act']}>{act}</div>}
    </div>
  )
}

/** A failure: what happened, what it means for the message, what to do, and a way to do it where one helps. */
export function FailureNotice({
  title,
  failure,
  purpose,
  onTryAgain,
  act,
  children,
}: {
  title: TextKey
  failure: Failure
  purpose: Purpose
  onTryAgain: (() => void) | null
  /** Another way to what was wanted. */
  act?: ReactNode
  /** What else is to be known of it. */
  children?: ReactNode
}) {
  const t = useTexts()
  const { what, meaning, action, values, largest, mayTryAgain } = explainFailure(failure, purpose)
  const again = mayTryAgain ? onTryAgain : null
  return (
    <Notice
      tone={purpose === 'insert' ? 'danger' : 'warning'}
      title={t(title)}
      urgent
      act={
        again || act ? (
          <>
            {again && (
              <Button look="secondary" small onPress={again}>
                {t('notice.again')}
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
