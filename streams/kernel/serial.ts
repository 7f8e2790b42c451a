/** Runs work after the earlier work of the same key, whether that failed or not. */
export type Serial = <Result>(work: () => Promise<Result>, key?: string) => Promise<Result>

/** Runs promises one after the other, for each key by itself. */
export function createSerial(): Serial {
  /** The last pending work of each key. */
  const last = new Map<string, Promise<unknown>>()

  return (work, key = '') => {
    const result = (last.get(key) ?? Promise.resolve()).then(work)
    const forget = () => {
      if (last.get(key) === ended) last.delete(key)
    }
    const ended = result.then(forget, forget)
    last.set(key, ended)
    return result
  }
}
