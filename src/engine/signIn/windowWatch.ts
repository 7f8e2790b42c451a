import { EventType, type IPublicClientApplication } from '@azure/msal-browser'
import { filter, map, merge, Observable, share, switchMap, take, takeUntil } from 'rxjs'
import { signInFailure, UNEXPECTED_STATES } from '../../../streams/pane/auth/signInCodes.ts'
import { emitAfter, growingIntervals, type Time } from '../../../streams/kernel/time.ts'
import { RESPONSE_CHANNEL, type ResponseNotice } from './redirectResponse.ts'

const WATCH_INTERVAL_MS = 50
/** The time limit for a response after the sign-in window has closed. */
const CLOSED_GRACE_MS = 300

const isResponseNotice = (message: unknown): message is ResponseNotice =>
  typeof message === 'object' && message !== null && 'window' in message && 'state' in message

/** `failure` only rejects and never resolves. The caller must always call `end`. */
export type WindowWatch = Readonly<{ failure: Promise<never>; end: () => void }>

/**
 * Watches a sign-in window. `failure` rejects when the window closes without a response, or when the response's state
 * is not `state`.
 */
export function watchWindow(
  library: Pick<IPublicClientApplication, 'addEventCallback' | 'removeEventCallback'>,
  correlationId: string,
  state: string | null,
  time: Time,
): WindowWatch {
  const response$ = new Observable<ResponseNotice>((subscriber) => {
    const channel = new BroadcastChannel(RESPONSE_CHANNEL)
    channel.addEventListener('message', ({ data: notice }: MessageEvent<unknown>) => {
      if (isResponseNotice(notice) && notice.window.endsWith(correlationId)) subscriber.next(notice)
    })
    return () => channel.close()
  }).pipe(share())
  const opened$ = new Observable<Window>((subscriber) => {
    const callback = library.addEventCallback(
      ({ payload, correlationId: of }) => {
        if (of === correlationId && payload && 'popupWindow' in payload) subscriber.next(payload.popupWindow)
      },
      [EventType.POPUP_OPENED],
    )
    return () => {
      if (callback !== null) library.removeEventCallback(callback)
    }
  })
  const closed$ = opened$.pipe(
    switchMap((window) =>
      growingIntervals(WATCH_INTERVAL_MS, 0, time).pipe(
        filter(() => window.closed),
        take(1),
      ),
    ),
    switchMap(() => emitAfter(CLOSED_GRACE_MS, time)),
    map(() => signInFailure('user_cancelled')),
    takeUntil(response$),
  )
  const otherState$ = response$.pipe(
    filter((notice) => state !== null && notice.state?.split('|')[1] !== state),
    map((notice) =>
      notice.state === null
        ? signInFailure('invalid_state_error', UNEXPECTED_STATES.state)
        : signInFailure('invalid_state_error'),
    ),
  )
  let end: (() => void) | null = null
  const failure = new Promise<never>((_, reject) => {
    const watch = merge(otherState$, closed$).pipe(take(1)).subscribe(reject)
    end = () => watch.unsubscribe()
  })
  return { failure, end: () => end?.() }
}
