import { useMemo } from 'react'
import { useObservableState } from 'observable-hooks'
import { catchError, defer, map, type Observable, of } from 'rxjs'

/** What `load` gives: null while it is loading, `failed` when it could not be loaded. */
export function useCode<Code>(load: () => Promise<Code>): Code | 'failed' | null {
  /** The code is inside an object, because React would call a function that is set as a state. */
  type Loaded = Readonly<{ code: Code | 'failed' | null }>
  const loaded$ = useMemo(
    (): Observable<Loaded> =>
      defer(load).pipe(
        map((code) => ({ code })),
        catchError(() => of({ code: 'failed' as const })),
      ),
    [load],
  )
  return useObservableState<Loaded>(loaded$, { code: null }).code
}
