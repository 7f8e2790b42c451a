import type { Evolve, Recorded } from '../../../streams/kernel/event.ts'
import { replay } from '../../../streams/kernel/store.ts'

/** What one event found and what it left; the parts that it did not change are the same objects. */
export type Step<State> = Readonly<{ before: State; after: State }>

/** The states of a log that may still grow. */
export type History<State> = Readonly<{
  /** What the event at this place of the log did. Throws what `evolve` throws. */
  stepAt(index: number): Step<State>
}>

/** So many events are folded again at most, to any place that was passed before. */
export const CHECKPOINT_EVERY = 64

/** Folds `log` as far as it is asked to, and keeps a state now and then, so that going back does not begin anew. */
export function createHistory<State, E>(
  initial: State,
  evolve: Evolve<State, E>,
  log: readonly Recorded<E>[],
): History<State> {
  const checkpoints: State[] = [initial]
  let last = { count: 0, state: initial }

  /** The state after the first `count` events. */
  const after = (count: number): State => {
    const wanted = Math.floor(count / CHECKPOINT_EVERY)
    for (let known = checkpoints.length; known <= wanted; known++) {
      const from = (known - 1) * CHECKPOINT_EVERY
      const state = checkpoints[known - 1] ?? initial
      checkpoints.push(replay(state, evolve, log.slice(from, from + CHECKPOINT_EVERY)))
    }
    const isNear = last.count <= count && last.count >= wanted * CHECKPOINT_EVERY
    const from = isNear ? last : { count: wanted * CHECKPOINT_EVERY, state: checkpoints[wanted] ?? initial }
    last = { count, state: replay(from.state, evolve, log.slice(from.count, count)) }
    return last.state
  }

  return {
    stepAt(index) {
      const before = after(index)
      return { before, after: after(index + 1) }
    },
  }
}
