import { useMemo } from 'react'
import { useObservableEagerState } from 'observable-hooks'
import { defer, distinctUntilChanged, map, merge, repeat } from 'rxjs'
import { type Age, ageAt, nextAge } from '../../streams/kernel/age.ts'
import { at, now } from '../../streams/kernel/time.ts'
import { useApp } from './app.tsx'

/**
 * How long ago `since` was, in milliseconds since the epoch; give the component that calls it a `key` of `since`.
 * Draws only when the age changes: with the clock, and with a state that comes with another clock, as in a replay.
 */
export function useAge(since: number): Age {
  const { state$, time } = useApp()
  const age$ = useMemo(() => {
    const passing$ = defer(() => at(nextAge(since, now(time)), time)).pipe(repeat())
    return merge(state$, passing$).pipe(
      map(() => nextAge(since, now(time))),
      distinctUntilChanged(),
      map((next) => ageAt(since, next - 1)),
    )
  }, [state$, since, time])
  return useObservableEagerState(age$)
}
