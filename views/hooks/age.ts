import { useCallback, useSyncExternalStore } from 'react'
import { defer, merge, repeat } from 'rxjs'
import { type Age, ageAt, nextAge } from '../../streams/kernel/age.ts'
import { at, now } from '../../streams/kernel/time.ts'
import { useApp } from './app.tsx'

/**
 * How long ago `since` was, in milliseconds since the epoch. Draws again when its words change, and only then: as time
 * passes, and with any state that finds the clock somewhere else, as a replay does that goes back and forth.
 */
export function useAge(since: number): Age {
  const { state$, time } = useApp()
  const subscribe = useCallback(
    (changed: () => void) => {
      const passing$ = defer(() => at(nextAge(since, now(time)), time)).pipe(repeat())
      const following = merge(state$, passing$).subscribe(changed)
      return () => {
        following.unsubscribe()
      }
    },
    [state$, since, time],
  )
  // An age stays as it is until the next one: what it is called by here.
  const next = useSyncExternalStore(subscribe, () => nextAge(since, now(time)))
  return ageAt(since, next - 1)
}
