import { useMemo } from 'react'
import { useObservableState } from 'observable-hooks'
import { catchError, defer, map, type Observable, of } from 'rxjs'
import type { Sanitize } from '../../streams/html/plan.ts'
import { useTools } from './tools.tsx'

/** In an object: React would call a function that it gets as a state. */
type Loaded = Readonly<{ sanitize: Sanitize | 'failed' | null }>

/** The sanitiser: null while it is loading, `failed` when it could not be loaded. */
export function useSanitizer(): Sanitize | 'failed' | null {
  const { loadSanitizer } = useTools()
  const loaded$ = useMemo(
    (): Observable<Loaded> =>
      defer(loadSanitizer).pipe(
        map((sanitize) => ({ sanitize })),
        catchError(() => of({ sanitize: 'failed' as const })),
      ),
    [loadSanitizer],
  )
  return useObservableState<Loaded>(loaded$, { sanitize: null }).sanitize
}
