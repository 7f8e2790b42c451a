import { Observable, of } from 'rxjs'
import type { Analytics } from '../../../effects/ports.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import { now, type Time, timeLimit } from '../../../streams/kernel/time.ts'
import { REQUEST_TIMEOUT_MS } from './http.ts'

/** `url` is the base address of the receiver, `key` the write key of the source. Nothing is sent unless both are set. */
type AnalyticsOptions = Readonly<{ url: string; key: string; version: string; time: Time }>

/** Posts JSON without cookies and referrer, and ignores the response's body. Unsubscribing cancels the request. */
const post = (url: string, body: unknown): Observable<void> =>
  new Observable((subscriber) => {
    const abort = new AbortController()
    fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      keepalive: true,
      signal: abort.signal,
    }).then(
      ({ ok, status }) => {
        if (ok) {
          subscriber.next()
          subscriber.complete()
        } else subscriber.error(new Failed({ kind: 'http', status, code: null, data: null }))
      },
      () => {
        subscriber.error(new Failed({ kind: 'network' }))
      },
    )
    return () => {
      abort.abort()
    }
  })

/**
 * Sends events in the public HTTP tracking format of Segment, which RudderStack and others accept too:
 * `POST <url>/v1/track` with `{ writeKey, userId, event, properties, context, timestamp }`. Sends no token, no cookie and
 * none of the service's headers.
 */
export const createAnalytics = ({ url, key, version, time }: AnalyticsOptions): Analytics => ({
  track: ({ name, userId, parameters }) =>
    key === '' || url === ''
      ? of(undefined)
      : post(new URL('/v1/track', url).href, {
          writeKey: key,
          userId,
          event: name,
          properties: parameters,
          context: { app: { name: 'signet', version } },
          timestamp: new Date(now(time)).toISOString(),
        }).pipe(timeLimit(REQUEST_TIMEOUT_MS, time, () => new Failed({ kind: 'timeout' }))),
})
