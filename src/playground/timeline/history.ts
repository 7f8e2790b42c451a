import type { Evolve, Recorded } from '../../../streams/kernel/event.ts'
import { replayLog } from '../../../streams/kernel/store.ts'

/** The states before and after each event of a log. The log may grow, and may lose its oldest events. */
export type History<State> = ReturnType<typeof createHistory<State, unknown>>

/** The number of events between two checkpoints. Showing an earlier event folds no more events than this. */
export const EVENTS_PER_CHECKPOINT = 64

/** Folds `log` on demand, starting at `base`, the state before the log's first event. Keeps checkpoints. */
export function createHistory<State, E>(
  base: () => State,
  evolve: Evolve<State, E>,
  log: readonly Recorded<E>[],
) {
  let from = firstEventNumber(log)
  let checkpoints: State[] = [base()]
  let last = { count: 0, state: base() }
  const forgetFolded = () => {
    if (from === firstEventNumber(log)) return
    from = firstEventNumber(log)
    checkpoints = [base()]
    last = { count: 0, state: base() }
  }

  /** The state after the first `count` events. */
  const after = (count: number): State => {
    const checkpoint = Math.floor(count / EVENTS_PER_CHECKPOINT)
    for (let known = checkpoints.length; known <= checkpoint; known++) {
      const start = (known - 1) * EVENTS_PER_CHECKPOINT
      const state = checkpoints[known - 1] ?? base()
      checkpoints.push(replayLog(state, evolve, log.slice(start, start + EVENTS_PER_CHECKPOINT)))
    }
    const isNear = last.count <= count && last.count >= checkpoint * EVENTS_PER_CHECKPOINT
    const nearest = isNear
      ? last
      : { count: checkpoint * EVENTS_PER_CHECKPOINT, state: checkpoints[checkpoint] ?? base() }
    last = { count, state: replayLog(nearest.state, evolve, log.slice(nearest.count, count)) }
    return last.state
  }

  return {
    /**
     * The states before and after the event with this number, which must be in the log. Both states share unchanged
     * parts. Throws the errors of `evolve`.
     */
    transitionAt(seq: number): Readonly<{ before: State; after: State }> {
      forgetFolded()
      const before = after(seq - from)
      return { before, after: after(seq - from + 1) }
    },
  }
}

/** The number of a log's first event; 0 if the log is empty. */
export const firstEventNumber = ([first]: readonly Recorded<unknown>[]): number => first?.meta.seq ?? 0
