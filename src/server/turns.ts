import { setImmediate } from 'node:timers/promises'
import type { Steps } from '../../streams/kernel/steps.ts'

/** The length of a slice, in milliseconds: too short for a person to notice, but longer than a task switch takes. */
const SLICE_MS = 3

/** Runs the work in slices of some steps. Between two slices other requests have their turn. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (let from = performance.now(); ;) {
    const { done, value } = steps.next()
    if (done === true) return value
    if (performance.now() - from < SLICE_MS) continue
    await setImmediate()
    from = performance.now()
  }
}
