import { useMemo } from 'react'
import { useObservableState } from 'observable-hooks'
import { defer, map, merge, repeat } from 'rxjs'
import { type Age, ageAt, nextAge } from '../../streams/kernel/age.ts'
import { at, now } from '../../streams/kernel/time.ts'
import { useApp } from './app.tsx'

/**
 * How long ago `since` was, in milliseconds since the epoch; give the component that calls it a `key` of `since`.
 * Draws only when the age changes: with the clock, and with a state that comes with another clock, as in a replay.
 */
export function useAge(since: number): Age {
  const { state$, time } = useApp()
  const next$ = useMemo(() => {
    const passing$ = defer(() => at(nextAge(since, now(time)), time)).pipe(repeat())
    return merge(state$, passing$).pipe(map(() => nextAge(since, now(time))))
  }, [state$, since, time])
  // The age stays the same until then.
  const next = useObservableState(next$, () => nextAge(since, now(time)))
  return ageAt(since, next - 1)
}
