import type { Observable, OperatorFunction } from 'rxjs'
import { catchError, defaultIfEmpty, map, of, take } from 'rxjs'
import { type Failure, toFailure } from './failure.ts'

const nothing: unique symbol = Symbol('nothing')

/**
 * Ends a request inside a flattening operator with exactly one event, made from the first value or from the failure.
 * The outer stream continues. A source that completes without a value counts as a failure.
 */
export const settle =
  <Value, Success, Failed>(
    success: (value: Value) => Success,
    failed: (failure: Failure) => Failed,
  ): OperatorFunction<Value, Success | Failed> =>
  (source$: Observable<Value>) =>
    source$.pipe(
      take(1),
      defaultIfEmpty(nothing),
      map((value): Success | Failed =>
        value === nothing ? failed({ kind: 'defect', message: 'completed without a value' }) : success(value),
      ),
      catchError((error: unknown) => of(failed(toFailure(error)))),
    )
