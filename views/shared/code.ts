import { useMemo } from 'react'
import { useObservableState } from 'observable-hooks'
import { catchError, defer, map, type Observable, of } from 'rxjs'

/** The result of `load`: null while loading, `failed` when it could not be loaded. */
export function useLoadedCode<Code>(load: () => Promise<Code>): Code | 'failed' | null {
  /** The code is wrapped in an object, because React would call a function that is set as a state. */
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
