/**
 * Runs long work in slices, so that other requests run in between. A process has one thread, so after each slice, the
 * requests that arrived meanwhile come first, then the next long work. While requests wait for an answer, long work
 * also rests after each slice, and so uses at most a fifth of the time.
 */
import type { Progress } from '../../streams/kernel/progress.ts'
import type { Steps } from '../../streams/kernel/steps.ts'

/** The length of a slice in milliseconds, about the duration of a request. */
const SLICE_MS = 0.8
/** The ratio of rest to slice while requests wait. */
const REST = 4
/** The longest rest. A slice may have been long only because it waited for a database lock, which delays no request. */
const LONGEST_REST_MS = 500
/** How often a rest checks whether requests still wait. */
const LOOK_MS = 5

export type EventLoop = Readonly<{
  /** The time in milliseconds, with fractions. */
  now: () => number
  /** Runs the function after the events that are already queued. */
  soon: (run: () => void) => void
  later: (run: () => void, ms: number) => void
}>

export type SliceOptions = Readonly<{
  /** Called with the progress of the work, if it reports any; a rejection ends the work. */
  reached?: (progress: Progress) => Promise<void> | void
  /** The client that the work is for. When the client disconnects, the work ends with the signal's reason. */
  client?: AbortSignal | null
}>

export type TimeSlicer = ReturnType<typeof createTimeSlicer>

export function createTimeSlicer({ now, soon, later }: EventLoop) {
  let requests = 0
  let restUntil = 0
  /** Long work that waits for its turn. The first gets the next turn. */
  const waiting: (() => void)[] = []
  let isWaking = false

  function wake(): void {
    if (isWaking || waiting.length === 0) return
    isWaking = true
    const rest = requests === 0 ? 0 : restUntil - now()
    if (rest > 0) later(giveTurn, Math.min(Math.ceil(rest), LOOK_MS))
    else soon(giveTurn)
  }

  function giveTurn(): void {
    isWaking = false
    if (requests === 0 || restUntil <= now()) waiting.shift()?.()
    wake()
  }

  /** Waits for the next turn. `took`: how long the work has run since its last turn, in milliseconds. */
  async function pause(took: number): Promise<void> {
    restUntil = Math.min(Math.max(restUntil, now()) + took * REST, now() + LONGEST_REST_MS)
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      wake()
    })
  }

  return {
    pause,
    /**
     * Returns a function to await after each part of long work that also uses the database. Waiting for the database
     * counts as work, because the database is busy meanwhile.
     *
     * @param atOnce the number of parts that run at once
     */
    taking(atOnce: number): () => Promise<void> | undefined {
      let from = now()
      return () => {
        const took = now() - from
        if (took < SLICE_MS) return
        return pause(took / atOnce).then(() => {
          from = now()
        })
      }
    },
    /** Counts a request as waiting until `answered` is called. Do not count requests that are long work themselves. */
    asked: (): void => {
      requests += 1
    },
    answered: (): void => {
      requests -= 1
    },
    run: async <Result>(
      steps: Steps<Result>,
      { reached, client = null }: SliceOptions = {},
    ): Promise<Result> => {
      for (let from = now(); ;) {
        client?.throwIfAborted()
        const { done, value } = steps.next()
        if (done === true) return value
        if (value) await reached?.(value)
        const took = now() - from
        if (took < SLICE_MS) continue
        await pause(took)
        from = now()
      }
    },
  }
}

/** The time slicer of this process. */
export const timeSlicer = createTimeSlicer({
  now: () => performance.now(),
  soon: (run) => void setImmediate(run),
  later: (run, ms) => void setTimeout(run, ms),
})

/** Runs work in slices of several steps. Other requests run between two slices. */
export const runInSlices: TimeSlicer['run'] = timeSlicer.run
