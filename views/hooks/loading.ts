import { useCallback } from 'react'
import { ProfileEvents } from '../../streams/profile/events.ts'
import { Signatures } from '../../streams/signatures/events.ts'
import { useApp } from './app.tsx'

/** Asks again for everything that could not be loaded. */
export function useLoadAgain(): () => void {
  const { state$, record } = useApp()
  return useCallback(() => {
    const { profile, signatures } = state$.value
    if (profile.status === 'fail') record(ProfileEvents.loadRequested())
    if (signatures.default.status === 'fail') record(Signatures.cacheRequested())
    for (const list of ['own', 'delegated'] as const)
      if (signatures[list].status === 'fail') record(Signatures.nextPageWanted({ list }))
  }, [state$, record])
}
