/** Runs work once the earlier work with the same key has ended, even if it failed. */
export type Serial = <Result>(work: () => Promise<Result>, key?: string) => Promise<Result>

/** Runs work with the same key one at a time. Different keys do not wait for each other. */
export function createSerial(): Serial {
  /** The last pending work for each key. */
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
