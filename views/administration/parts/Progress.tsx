import { Work } from '../../../streams/administration/work/events.ts'
import { runningLongWork } from '../../../streams/administration/work/reducer.ts'
import { workRequestSeq, spokenProgress, type WorkKind } from '../../../streams/administration/work/rules.ts'
import { type Attempt, failureOf } from '../../../streams/kernel/load.ts'
import type { Progress as Counted } from '../../../streams/kernel/progress.ts'
import { Button } from '../../shared/Button.tsx'
import * as textCss from '../../shared/Text.module.css'
import { useAdministrationState, useRecording } from './administration.tsx'
import { type Translate, useTexts } from '../text/texts.ts'
import * as css from './Progress.module.css'

/** The progress text for each kind of job. */
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
 * A job's progress with a button that stops the job. Reserves its space while the job runs, and shows the progress once
 * the job takes long. Publishing cannot be stopped, because a release is a single fact.
 *
 * @param label the job's name for screen readers
 */
export function Progress({ kind, label }: { kind: WorkKind; label: string }) {
  const t = useTexts()
  const recording = useRecording()
  const isUnderWay = useAdministrationState((state) => workRequestSeq(state, kind) !== null)
  const work = useAdministrationState((state) => runningLongWork(state, kind))
  if (!isUnderWay) return null
  if (work === null) return <div className={css['progress']} />
  const { asked, progress, stopping } = work
  return (
    <ProgressBar
      label={label}
      text={countedText(kind, progress, t)}
      progress={progress}
      stop={kind === 'publish' ? null : { stopping, onStop: recording(Work.stopRequested({ kind, asked })) }}
    />
  )
}

/**
 * A progress bar with its numbers in words and a stop button. Until something is counted, the bar has no value.
 *
 * @param stop null for a job that cannot be stopped; `stopping` is the request to stop it
 */
export function ProgressBar({
  label,
  text,
  progress,
  stop,
}: {
  label: string
  text: string
  progress: Counted
  stop: Readonly<{ stopping: Attempt; onStop: () => void }> | null
}) {
  const t = useTexts()
  const part = spokenProgress(progress)
  const isStopping = stop?.stopping.status === 'pending' || stop?.stopping.status === 'success'
  return (
    <div className={css['progress']}>
      <progress
        className={css['bar']}
        aria-label={label}
        aria-valuetext={text}
        {...(progress.of === 0 ? {} : { value: progress.done, max: progress.of })}
      />
      {/* Screen readers announce the progress only at each quarter, so that they can read other content meanwhile. */}
      <p role="status" className={textCss['unseen']}>
        {part > 0 && t('progress.spoken', { part })}
      </p>
      {/* The button comes first, so that longer numbers do not move it. */}
      <div className={css['line']}>
        {stop && (
          <Button look="secondary" small isOff={isStopping} onPress={stop.onStop}>
            {t(isStopping ? 'progress.stopping' : 'progress.stop')}
          </Button>
        )}
        <span>{text}</span>
      </div>
      {stop && failureOf(stop.stopping) && (
        <p role="alert" className={css['failed']}>
          {t('progress.stopFailed')}
        </p>
      )}
    </div>
  )
}
