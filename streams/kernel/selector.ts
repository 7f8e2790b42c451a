type Results<State, Inputs extends readonly ((state: State) => unknown)[]> = {
  [Index in keyof Inputs]: Inputs[Index] extends (state: State) => infer Result ? Result : never
}

/**
 * A memoised projection of the state: `project` runs again only when one of the inputs gives another reference,
 * so a view that reads it is drawn again only then. One result is remembered.
 */
export function createSelector<State, const Inputs extends readonly ((state: State) => unknown)[], Result>(
  inputs: Inputs,
  project: (...values: Results<State, Inputs>) => Result,
): (state: State) => Result {
  let last: { values: readonly unknown[]; result: Result } | null = null
  return (state) => {
    const values = inputs.map((input) => input(state))
    if (last?.values.every((value, index) => Object.is(value, values[index]))) return last.result
    last = { values, result: project(...(values as Results<State, Inputs>)) }
    return last.result
  }
}
