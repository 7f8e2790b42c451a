/**
 * Applies these changes to the state. Returns the same reference if nothing changed, so no memoised selector runs
 * again.
 */
export function withChanges<State extends object>(state: State, changes: Partial<NoInfer<State>>): State {
  for (const key of Object.keys(changes) as (keyof State)[])
    if (!Object.is(changes[key], state[key])) return { ...state, ...changes }
  return state
}
