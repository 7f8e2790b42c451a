import { catchError, map, type Observable, of, tap } from 'rxjs'
import type { Log } from '../../../effects/ports.ts'
import { Failed, type Failure, toFailure } from '../../../streams/kernel/failure.ts'
import type { CheckedClient } from './answers.ts'
import type { CallGate } from './callGate.ts'
import type { CallArguments, CallName, CallResult } from './mailClient.ts'

/**
 * Creates the calls on a mail client's items. Every call goes through the gate, and is sent only while its item is
 * open. A read counts only if the item is still open when the reply arrives.
 */
export function createItemCalls(client: CheckedClient, gate: CallGate, log: Log) {
  const mustBeOpen = (itemKey: string) => {
    if (client.currentItem()?.key !== itemKey) throw new Failed({ kind: 'itemGone' })
  }

  const call = <Name extends CallName>(
    itemKey: string,
    name: Name,
    args: CallArguments<Name>,
    limitMs?: number,
  ) =>
    gate<CallResult<Name>>(
      name,
      (done) => {
        mustBeOpen(itemKey)
        client.call(name, args, done)
      },
      limitMs,
    )

  const report = (call: CallName, failure: Failure) => {
    if (failure.kind === 'itemGone') log.warn('mail_item_gone', { call })
    else if (failure.kind === 'host') {
      log.error('mail_client_failed', { call, code: failure.code, name: failure.name })
    } else log.error('mail_client_failed', { call, code: null, name: failure.kind })
  }

  /** Emits `empty` after a failure. The failure is logged unless its code is `expected`. */
  const orElse = <Value, Empty>(
    call$: Observable<Value>,
    name: CallName,
    empty: Empty,
    expected?: number,
  ): Observable<Value | Empty> =>
    call$.pipe(
      catchError((error: unknown) => {
        const failure = toFailure(error)
        if (failure.kind !== 'host' || failure.code !== expected) report(name, failure)
        return of(empty)
      }),
    )

  const ask = <Name extends CallName>(
    itemKey: string,
    name: Name,
    args: CallArguments<Name>,
    limitMs?: number,
  ): Observable<CallResult<Name>> => call(itemKey, name, args, limitMs).pipe(tap(() => mustBeOpen(itemKey)))

  const read = <Name extends CallName, Empty>(
    itemKey: string,
    name: Name,
    args: CallArguments<Name>,
    empty: Empty,
    limitMs?: number,
    expected?: number,
  ): Observable<CallResult<Name> | Empty> => orElse(ask(itemKey, name, args, limitMs), name, empty, expected)

  const write = <Name extends CallName>(
    itemKey: string,
    name: Name,
    args: CallArguments<Name>,
    limitMs?: number,
  ): Observable<void> => call(itemKey, name, args, limitMs).pipe(map(() => undefined))

  return {
    call,
    /** Reads a value. Fails with the reason if that is impossible. */
    ask,
    /** Reads a value. Emits `empty` after a failure. */
    read,
    write,
    orElse,
    report,
  }
}
