import type { Evolve, Recorded } from '../../../streams/kernel/event.ts'
import { replay } from '../../../streams/kernel/store.ts'

/** The states before and after one event. Parts that the event did not change are the same objects. */
export type Transition<State> = Readonly<{ before: State; after: State }>

/** The states of a log that may grow. */
export type History<State> = Readonly<{
  /** The transition of the event at this place of the log. Throws what `evolve` throws. */
  transitionAt(index: number): Transition<State>
}>

/** Going back to a visited place folds at most this many events again. */
export const CHECKPOINT_EVERY = 64

/** Folds `log` on demand and keeps checkpoints. */
export function createHistory<State, E>(
  initial: State,
  evolve: Evolve<State, E>,
  log: readonly Recorded<E>[],
): History<State> {
  const checkpoints: State[] = [initial]
  let last = { count: 0, state: initial }

  /** The state after the first `count` events. */
  const after = (count: number): State => {
    const checkpoint = Math.floor(count / CHECKPOINT_EVERY)
    for (let known = checkpoints.length; known <= checkpoint; known++) {
      const from = (known - 1) * CHECKPOINT_EVERY
      const state = checkpoints[known - 1] ?? initial
      checkpoints.push(replay(state, evolve, log.slice(from, from + CHECKPOINT_EVERY)))
    }
    const isNear = last.count <= count && last.count >= checkpoint * CHECKPOINT_EVERY
    const from = isNear
      ? last
      : { count: checkpoint * CHECKPOINT_EVERY, state: checkpoints[checkpoint] ?? initial }
    last = { count, state: replay(from.state, evolve, log.slice(from.count, count)) }
    return last.state
  }

  return {
    transitionAt(index) {
      const before = after(index)
      return { before, after: after(index + 1) }
    },
  }
}
