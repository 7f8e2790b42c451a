import type { Observable } from 'rxjs'
import { defer, finalize, shareReplay } from 'rxjs'

export type CallSharing = <T>(key: string, call: () => Observable<T>) => Observable<T>

/**
 * Shares one running call among all concurrent callers with the same key. A failure reaches every caller. Nothing is
 * cached after the call has ended. The call is cancelled when the last caller unsubscribes.
 */
export function createCallSharing(): CallSharing {
  const running = new Map<string, Observable<unknown>>()
  return <T>(key: string, call: () => Observable<T>) =>
    defer(() => {
      const known$ = running.get(key)
      if (known$) return known$ as Observable<T>
      const shared$: Observable<T> = defer(call).pipe(
        finalize(() => {
          if (running.get(key) === shared$) running.delete(key)
        }),
        shareReplay({ bufferSize: 1, refCount: true }),
      )
      running.set(key, shared$)
      return shared$
    })
}
