import { setImmediate } from 'node:timers/promises'
import type { Steps } from '../../streams/kernel/steps.ts'

/** Runs the work; between its steps other requests have their turn. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await setImmediate()
  }
}
