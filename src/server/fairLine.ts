/** Lets work of organisations begin in turns, where only some may run at once. */

/** Runs the work when its turn comes. Work whose client leaves before its turn never begins. */
export type FairLine = <Result>(
  of: object,
  work: () => Promise<Result>,
  client?: AbortSignal | null,
) => Promise<Result>

/**
 * Each organisation runs one work at a time, and all organisations together `atOnce`. When a place is free, the
 * organisation that began longest ago is next: so each one waits for at most one work of each other.
 */
export function createFairLine(atOnce: number): FairLine {
  const running = new Set<object>()
  /** What waits, by organisation. */
  const lines = new Map<object, Set<() => void>>()
  /** The number of the last work of each organisation that began. */
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
