import { useMemo } from 'react'
import { useObservableState } from 'observable-hooks'
import { defer, map, merge, repeat } from 'rxjs'
import { type Age, ageAt, nextAgeChange } from '../../../streams/kernel/age.ts'
import { emitAt, now } from '../../../streams/kernel/time.ts'
import { useApp } from '../app.tsx'

/**
 * The age of `since`, a time in milliseconds since the epoch. The calling component needs `since` as its `key`. The
 * component is drawn again only when the age changes: as time passes, or when a replay shows a state from another time.
 */
export function useAge(since: number): Age {
  const { state$, time } = useApp()
  const next$ = useMemo(() => {
    const passing$ = defer(() => emitAt(nextAgeChange(since, now(time)), time)).pipe(repeat())
    return merge(state$, passing$).pipe(map(() => nextAgeChange(since, now(time))))
  }, [state$, since, time])
  // The age stays the same until `next`.
  const next = useObservableState(next$, () => nextAgeChange(since, now(time)))
  return ageAt(since, next - 1)
}
