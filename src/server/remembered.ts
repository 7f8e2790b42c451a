/** Remembers the last results of a costly function of a text. */

/** The same function, which remembers its last `most` results. */
export function remembered<Result>(of: (text: string) => Result, most: number): (text: string) => Result {
  const results = createMemory<Result>(most)
  return (text) => {
    const known = results.get(text)
    if (known !== undefined) return known
    const result = of(text)
    results.set(text, result)
    return result
  }
}

export type Memory<Value> = ReturnType<typeof createMemory<Value>>

/** Values by their names, of which only the `most` that were set last are kept. */
export function createMemory<Value>(most: number) {
  const values = new Map<string, Value>()
  return {
    get: (name: string): Value | undefined => values.get(name),
    delete: (name: string): void => void values.delete(name),
    set(name: string, value: Value): void {
      values.delete(name)
      values.set(name, value)
      if (values.size <= most) return
      for (const oldest of values.keys()) {
        values.delete(oldest)
        break
      }
    },
  }
}
