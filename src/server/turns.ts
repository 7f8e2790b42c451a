import { setImmediate } from 'node:timers/promises'
import type { Progress } from '../../streams/kernel/progress.ts'
import type { Steps } from '../../streams/kernel/steps.ts'

/** The length of a slice, in milliseconds: too short for a person to notice, but longer than a task switch takes. */
const SLICE_MS = 3

/**
 * Runs the work in slices of some steps. Between two slices other requests have their turn.
 *
 * @param reached gets how far the work is, where the work says so; a rejection ends the work
 */
export async function inTurns<Result>(
  steps: Steps<Result>,
  reached: (progress: Progress) => Promise<void> | void = () => {},
): Promise<Result> {
  for (let from = performance.now(); ;) {
    const { done, value } = steps.next()
    if (done === true) return value
    if (value) await reached(value)
    if (performance.now() - from < SLICE_MS) continue
    await setImmediate()
    from = performance.now()
  }
}
