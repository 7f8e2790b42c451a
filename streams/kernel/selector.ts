type Selector = (state: never) => unknown
type Results<Inputs extends readonly Selector[]> = { [Index in keyof Inputs]: ReturnType<Inputs[Index]> }
type StateOf<Inputs extends readonly Selector[]> = Parameters<Inputs[number]>[0]

/**
 * Creates a memoised projection of the state. `project` runs again only when an input returns another reference, so a
 * view that reads the result renders again only then. Only the last result is cached.
 */
export function createSelector<const Inputs extends readonly Selector[], Result>(
  inputs: Inputs,
  project: (...values: Results<Inputs>) => Result,
): (state: StateOf<Inputs>) => Result {
  let last: { values: readonly unknown[]; result: Result } | null = null
  return (state) => {
    const values = inputs.map((input) => input(state))
    if (last?.values.every((value, index) => Object.is(value, values[index]))) return last.result
    last = { values, result: project(...(values as unknown as Results<Inputs>)) }
    return last.result
  }
}
