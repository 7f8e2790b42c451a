import { EMPTY, type Observable, catchError, ignoreElements, throwError } from 'rxjs'
import { Failed, type Failure, toFailure } from '../streams/kernel/failure.ts'
import type { Ports } from './ports.ts'

/** The mail client has not answered in time, and may still do what it was asked. */
export const isSilence = ({ kind }: Failure): boolean => kind === 'hostSilent'

/** A call that the mail client refused is made once more; one that it keeps silent over may still be carried out. */
export const onceMore = <T>(work$: Observable<T>): Observable<T> =>
  work$.pipe(
    catchError((error: unknown) => {
      const failure = toFailure(error)
      return failure.kind === 'host' ? work$ : throwError(() => new Failed(failure))
    }),
  )

/** For what is done for good order's sake: a failure is logged and changes nothing. */
export const atBest = (work$: Observable<unknown>, action: string, { log }: Ports): Observable<never> =>
  work$.pipe(
    ignoreElements(),
    catchError((error: unknown) => {
      log.warn(action, { kind: toFailure(error).kind })
      return EMPTY
    }),
  )
