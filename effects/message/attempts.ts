import { EMPTY, type Observable, catchError, ignoreElements, throwError } from 'rxjs'
import { Failed, type Failure, toFailure } from '../../streams/kernel/failure.ts'
import type { Ports } from '../ports.ts'

/** Whether the mail client did not respond in time. The client may still execute that call. */
export const isHostSilence = ({ kind }: Failure): boolean => kind === 'hostSilent'

/** Retries a refused call once with `again$`. An unanswered call may still take effect, so it is not retried. */
export const retryOnce = <T>(work$: Observable<T>, again$ = work$): Observable<T> =>
  work$.pipe(
    catchError((error: unknown) => {
      const failure = toFailure(error)
      return failure.kind === 'host' ? again$ : throwError(() => new Failed(failure))
    }),
  )

/** Runs the work and emits nothing. A failure is logged and ignored. */
export const bestEffort = (
  work$: Observable<unknown>,
  action: string,
  { log }: Pick<Ports, 'log'>,
): Observable<never> =>
  work$.pipe(
    ignoreElements(),
    catchError((error: unknown) => {
      log.warn(action, { kind: toFailure(error).kind })
      return EMPTY
    }),
  )
