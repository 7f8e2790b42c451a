/**
 * Long work in slices, with other requests between them. The one thread of a process does one thing at a time, so all long
 * work together takes turns: one slice, then what arrived meanwhile. While requests wait for an answer, long work also
 * rests after each slice, and so has at most a fifth of the time.
 */
import type { Progress } from '../../streams/kernel/progress.ts'
import type { Steps } from '../../streams/kernel/steps.ts'

/** The length of a slice, in milliseconds: about what a request takes. */
const SLICE_MS = 0.8
/** How much longer than its slice long work rests while requests wait. */
const REST = 4
/** Work that waited for a lock of the database took long, but used no time of others. */
const LONGEST_REST_MS = 500
/** Whether requests still wait is looked at so often. */
const LOOK_MS = 5

export type Thread = Readonly<{
  /** Milliseconds, with fractions. */
  now: () => number
  /** Runs after the events that have arrived. */
  soon: (run: () => void) => void
  later: (run: () => void, ms: number) => void
}>

export type TurnsOptions = Readonly<{
  /** Gets how far the work is, where the work says so; a rejection ends the work. */
  reached?: (progress: Progress) => Promise<void> | void
  /** The client for whom the work is done. Once the client has left, the work ends with the signal's reason. */
  client?: AbortSignal | null
}>

export type Turns = ReturnType<typeof createTurns>

export function createTurns({ now, soon, later }: Thread) {
  let requests = 0
  let restUntil = 0
  /** The first one has its turn next. */
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

  /** Resolves when long work that took so many milliseconds since its last turn has its next one. */
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
     * For long work that waits for the database, too: what it returns is awaited after each part of the work. A part counts
     * as long as it takes, because the database works for it meanwhile.
     *
     * @param atOnce how many parts run at once
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
    /** A request waits for its answer until `answered`. Requests that are long work themselves are not told. */
    asked: (): void => {
      requests += 1
    },
    answered: (): void => {
      requests -= 1
    },
    run: async <Result>(
      steps: Steps<Result>,
      { reached, client = null }: TurnsOptions = {},
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

/** The turns of this process. */
export const turns = createTurns({
  now: () => performance.now(),
  soon: (run) => void setImmediate(run),
  later: (run, ms) => void setTimeout(run, ms),
})

/** Runs the work in slices of some steps. Between two slices other requests have their turn. */
export const inTurns: Turns['run'] = turns.run
