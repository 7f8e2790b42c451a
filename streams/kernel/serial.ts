/** Runs a work after those of its key that came before it, whether they failed or not. */
export type Serial = <Result>(work: () => Promise<Result>, key?: string) => Promise<Result>

/** For the edges, whose calls are promises: what may not overlap runs one after the other, for each key by itself. */
export function createSerial(): Serial {
  /** The last work of each key that has not ended. */
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
