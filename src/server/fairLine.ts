/** Queues jobs so that organisations take turns when only a few jobs may run at once. */

/**
 * Runs the work of an organisation (`of`) when its turn comes. If the client disconnects first, the work never starts.
 */
export type FairQueue = <Result>(
  of: object,
  work: () => Promise<Result>,
  client?: AbortSignal | null,
) => Promise<Result>

/**
 * Creates a queue that runs one job of each organisation at a time, and at most `atOnce` jobs in total. The next job is
 * that of the waiting organisation whose last job started longest ago.
 */
export function createFairQueue(atOnce: number): FairQueue {
  const running = new Set<object>()
  /** The start functions of the waiting jobs, by organisation. */
  const lines = new Map<object, Set<() => void>>()
  /** The sequence number of each organisation's most recently started job. */
  const begun = new WeakMap<object, number>()
  let works = 0

  function beginNext(): void {
    while (running.size < atOnce) {
      const free = [...lines.keys()].filter((of) => !running.has(of))
      const [next] = free.toSorted((one, other) => (begun.get(one) ?? 0) - (begun.get(other) ?? 0))
      const [begin] = next === undefined ? [] : (lines.get(next) ?? [])
      if (begin === undefined) return
      begin()
    }
  }

  const turnOf = (of: object, client: AbortSignal | null): Promise<void> =>
    new Promise((resolve, reject) => {
      const line = lines.get(of) ?? new Set()
      const leaveLine = () => {
        line.delete(begin)
        if (line.size === 0) lines.delete(of)
      }
      const leave = () => {
        leaveLine()
        reject(client?.reason as Error)
      }
      const begin = () => {
        client?.removeEventListener('abort', leave)
        leaveLine()
        running.add(of)
        begun.set(of, (works += 1))
        resolve()
      }
      if (client?.aborted === true) return leave()
      client?.addEventListener('abort', leave, { once: true })
      lines.set(of, line.add(begin))
      beginNext()
    })

  return async (of, work, client = null) => {
    await turnOf(of, client)
    try {
      return await work()
    } finally {
      running.delete(of)
      beginNext()
    }
  }
}
