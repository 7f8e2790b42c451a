import type { Observable, OperatorFunction } from 'rxjs'
import { catchError, map, of, take, throwIfEmpty } from 'rxjs'
import { Failed, type Failure, toFailure } from './failure.ts'

/**
 * Turns a request inside a flattening operator into exactly one event, made from the first value or from the failure.
 * The outer stream continues. A request that completes without a value counts as a failure.
 */
export const settle =
  <Value, Done, NotDone>(
    done: (value: Value) => Done,
    failed: (data: Readonly<{ failure: Failure }>) => NotDone,
  ): OperatorFunction<Value, Done | NotDone> =>
  (source$: Observable<Value>) =>
    source$.pipe(
      take(1),
      throwIfEmpty(() => new Failed({ kind: 'defect', message: 'completed without a value' })),
      map(done),
      catchError((error: unknown) => of(failed({ failure: toFailure(error) }))),
    )
