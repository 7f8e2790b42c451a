import { useMemo } from 'react'
import { useObservableState } from 'observable-hooks'
import { defer, map, merge, repeat } from 'rxjs'
import { type Age, ageAt, nextAge } from '../../streams/kernel/age.ts'
import { at, now } from '../../streams/kernel/time.ts'
import { useApp } from './app.tsx'

/**
 * How long ago `since` was, which is in milliseconds since the epoch. Give the component that calls this a `key` of
 * `since`. Draws only when the age changes: with the clock, and with a state of another clock, as in a replay.
 */
export function useAge(since: number): Age {
  const { state$, time } = useApp()
  const next$ = useMemo(() => {
    const passing$ = defer(() => at(nextAge(since, now(time)), time)).pipe(repeat())
    return merge(state$, passing$).pipe(map(() => nextAge(since, now(time))))
  }, [state$, since, time])
  // The age stays the same until `next`.
  const next = useObservableState(next$, () => nextAge(since, now(time)))
  return ageAt(since, next - 1)
}
