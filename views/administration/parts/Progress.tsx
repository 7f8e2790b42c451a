import { Work } from '../../../streams/administration/work/events.ts'
import { longWork } from '../../../streams/administration/work/reducer.ts'
import { askedOf, spokenPart, type WorkKind } from '../../../streams/administration/work/rules.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import type { Progress as Counted } from '../../../streams/kernel/progress.ts'
import { Button } from '../../parts/Button.tsx'
import * as textCss from '../../parts/Text.module.css'
import { useAdministrationState, useRecording } from '../hooks/administration.tsx'
import { type Translate, useTexts } from '../text/texts.ts'
import * as css from './Progress.module.css'

/** How far each kind of work is, in words. */
const COUNTED = {
  check: 'progress.signatures',
  plan: 'progress.people',
  publish: 'progress.pictures',
  try: 'progress.people',
  import: 'progress.people',
} as const satisfies Readonly<Record<WorkKind, string>>

function countedText(kind: WorkKind, { done, of }: Counted, t: Translate): string {
  if (kind === 'publish' && done === of) return t('progress.release')
  return of === 0 ? t('progress.uncounted') : t(COUNTED[kind], { done, count: of })
}

/**
 * How far work of the service is, and a button that stops it. The place is kept free while the work is under way, and
 * the progress is drawn once the work lasts. Publishing cannot be stopped, because a release is one fact.
 *
 * @param label what is under way, for screen readers
 */
export function Progress({ kind, label }: { kind: WorkKind; label: string }) {
  const t = useTexts()
  const recording = useRecording()
  const isUnderWay = useAdministrationState((state) => askedOf(state, kind) !== null)
  const work = useAdministrationState((state) => longWork(state, kind))
  if (!isUnderWay) return null
  if (work === null) return <div className={css['progress']} />
  const { asked, progress, stopping } = work
  const isStopping = stopping.status === 'pending' || stopping.status === 'success'
  const text = countedText(kind, progress, t)
  return (
    <div className={css['progress']}>
      <Bar label={label} text={text} progress={progress} />
      {/* The button is first, so that it stays in its place when the numbers grow. */}
      <div className={css['line']}>
        {kind !== 'publish' && (
          <Button
            look="secondary"
            small
            isOff={isStopping}
            onPress={recording(Work.stopRequested({ kind, asked }))}
          >
            {t(isStopping ? 'progress.stopping' : 'progress.stop')}
          </Button>
        )}
        <span>{text}</span>
      </div>
      {failureOf(stopping) && (
        <p role="alert" className={css['failed']}>
          {t('progress.stopFailed')}
        </p>
      )}
    </div>
  )
}

/** The bar, and what screen readers say now and then. Nothing counted yet: the bar has no value. */
function Bar({ label, text, progress }: { label: string; text: string; progress: Counted }) {
  const t = useTexts()
  const part = spokenPart(progress)
  return (
    <>
      <progress
        className={css['bar']}
        aria-label={label}
        aria-valuetext={text}
        {...(progress.of === 0 ? {} : { value: progress.done, max: progress.of })}
      />
      <p role="status" className={textCss['unseen']}>
        {part > 0 && t('progress.spoken', { part })}
      </p>
    </>
  )
}
