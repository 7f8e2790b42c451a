import { useEffect, useState } from 'react'
import { defer, repeat } from 'rxjs'
import { type Age, ageAt, nextAge } from '../../streams/kernel/age.ts'
import { at, now } from '../../streams/kernel/time.ts'
import { useApp } from './app.tsx'

/** How long ago `since` was, in milliseconds since the epoch. Draws again when its words change, and only then. */
export function useAge(since: number): Age {
  const { time } = useApp()
  const [moment, setMoment] = useState(() => now(time))
  useEffect(() => {
    const following = defer(() => at(nextAge(since, now(time)), time))
      .pipe(repeat())
      .subscribe(() => {
        setMoment(now(time))
      })
    return () => {
      following.unsubscribe()
    }
  }, [since, time])
  return ageAt(since, moment)
}
