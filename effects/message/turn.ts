/** Reads or draws the number by which blocks share messages. */
import {
  catchError,
  concat,
  defaultIfEmpty,
  defer,
  distinctUntilChanged,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  switchMap,
  takeUntil,
} from 'rxjs'
import { toFailure } from '../../streams/kernel/failure.ts'
import { Mailbox } from '../../streams/message/mailbox/events.ts'
import { drawnTurn, parseTurn, TURN_KEY } from '../../streams/message/mailbox/turn.ts'
import { itemWithoutTurn } from '../../streams/message/senders/selectors.ts'
import type { MessagePorts } from '../ports.ts'
import type { MessageEffect } from './app.ts'
import { type Claims, createClaims } from './claim.ts'

/** The prefix of the session data keys with which runtimes claim to draw an item's number. */
export const DRAWING_KEY_PREFIX = 'lsi_drawing_'

/**
 * The item's number. Without one, this runtime claims to draw it, reads again, and stores its own if there is still
 * none. So all runtimes use the first stored number. If session data does not work, the number counts in this runtime
 * only.
 */
function turnOf(itemKey: string, claims: Claims, { host, runtimeId, log }: MessagePorts): Observable<number> {
  const own = drawnTurn(runtimeId, itemKey)
  const read$ = defer(() => host.sessionData(itemKey, TURN_KEY)).pipe(map(parseTurn))
  const store$ = defer(() => host.setSessionData(itemKey, TURN_KEY, String(own))).pipe(ignoreElements())
  const draw$ = defer(() => {
    claims.begin(itemKey)
    return claims.granted(itemKey)
  }).pipe(
    switchMap(() => read$),
    switchMap((turn) => (turn === null ? concat(store$, of(own)) : of(turn))),
  )
  return read$.pipe(
    switchMap((turn) => (turn === null ? draw$ : of(turn))),
    catchError((error: unknown) => {
      log.warn('turn_not_kept', { kind: toFailure(error).kind })
      return of(own)
    }),
    defaultIfEmpty(own),
  )
}

/** Reads the message's number once a known block is shown by only a share of messages. */
export const readTurn: MessageEffect = (_event$, state$, ports) => {
  const claims = createClaims(
    ports,
    (itemKey) => state$.value.mailbox.item?.key === itemKey,
    DRAWING_KEY_PREFIX,
  )
  const lacking$ = state$.pipe(map(itemWithoutTurn), distinctUntilChanged())
  const turns$ = lacking$.pipe(
    filter((itemKey) => itemKey !== null),
    mergeMap((itemKey) =>
      concat(
        turnOf(itemKey, claims, ports).pipe(
          map((turn) => Mailbox.turnRead({ itemKey, turn })),
          takeUntil(lacking$.pipe(filter((other) => other !== itemKey))),
        ),
        claims.end(itemKey),
      ),
    ),
  )
  return merge(claims.run$, turns$)
}
