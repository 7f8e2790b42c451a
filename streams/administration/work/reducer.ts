import {
  type Attempt,
  attemptOnce,
  settlePending,
  failedStatus,
  idleStatus,
  successStatus,
} from '../../kernel/load.ts'
import { mergeProgress, UNCOUNTED_PROGRESS, type Progress } from '../../kernel/progress.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { withChanges } from '../../kernel/changes.ts'
import type { Work } from './events.ts'
import { workRequestSeq, type WorkRequests, type WorkKind } from './rules.ts'

/** A job that takes so long that the page shows its progress. `stopping` is the request to stop it. */
export type LongWork = Readonly<{ asked: number; progress: Progress; stopping: Attempt }>

/** The last long job of each kind. It may have ended; `runningLongWork` returns only a running job. */
export type WorkState = Readonly<Record<WorkKind, LongWork | null>>

const initial: WorkState = { check: null, plan: null, publish: null, try: null, import: null }

type OfWork = Readonly<{ kind: WorkKind; asked: number }>

const change = (state: WorkState, { kind, asked }: OfWork, to: (work: LongWork) => Partial<LongWork>) => {
  const known = state[kind]
  return known?.asked === asked ? withChanges(state, { [kind]: withChanges(known, to(known)) }) : state
}

const work = defineSlice<WorkState, typeof Work>()(initial, {
  'work/lasted': (state, { data: { kind, asked } }) =>
    state[kind]?.asked === asked
      ? state
      : { ...state, [kind]: { asked, progress: UNCOUNTED_PROGRESS, stopping: idleStatus } },
  'work/counted': (state, { data }) =>
    change(state, data, ({ progress }) => ({ progress: mergeProgress(progress, data.progress) })),
  'work/stopRequested': (state, event) =>
    change(state, event.data, ({ stopping }) => ({
      stopping: stopping.status === 'success' ? stopping : attemptOnce(stopping, event),
    })),
  'work/stopTaken': (state, { data }) =>
    change(state, data, ({ stopping }) => ({ stopping: settlePending(stopping, successStatus) })),
  'work/stopFailed': (state, { data }) =>
    change(state, data, ({ stopping }) => ({
      stopping: settlePending(stopping, failedStatus(data.failure)),
    })),
})

export const workSlices = { work }

/** The running job of this kind, once it takes long; null before that, and if none is running. */
export const runningLongWork = (
  state: WorkRequests & Readonly<{ work: WorkState }>,
  kind: WorkKind,
): LongWork | null => {
  const known = state.work[kind]
  return known !== null && known.asked === workRequestSeq(state, kind) ? known : null
}
