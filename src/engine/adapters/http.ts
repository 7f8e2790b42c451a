import { catchError, defer, map, type Observable, tap, throwError } from 'rxjs'
import { Failed, toFailure } from '../../../streams/kernel/failure.ts'
import type { Sharing } from '../../../streams/kernel/shareInFlight.ts'
import { reveal, type Secret } from '../../../streams/kernel/secret.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'
import { type Answer, parseJson, type SentRequest, sendRequest } from './request.ts'
import { addressOf, type Query } from './requestAddress.ts'

/** The time limit of a request (specification, section 9). */
export const REQUEST_TIMEOUT_MS = 5000

export type ServiceRequest = Readonly<{
  method: SentRequest['method']
  /** The path from its first slash on, without a query. */
  path: string
  query?: Query
  /** The body, which is sent as JSON. */
  body?: unknown
  /** Whether identical concurrent calls share one request, as they change no data. The default is true for a GET. */
  shared?: boolean
}>

type HttpOptions = Readonly<{
  baseUrl: string
  version: string
  /** The bearer token, read for each request; null while the user is signed out. */
  token: () => Secret | null
  /** Accept-Language, read for each request; null until a language is chosen. */
  language: () => string | null
  time: Time
  /** Shares one request among identical concurrent calls; null where such calls never happen. */
  sharing: Sharing | null
  /** Makes the request object; by default an `XMLHttpRequest` of the browser. */
  createXhr?: (() => XMLHttpRequest) | undefined
}>

/** Sends a request and passes the response's JSON to `read`, which may throw `Failed`. An empty body is `undefined`. */
export type Http = <Output>(
  request: ServiceRequest,
  read: (body: unknown, info: Omit<Answer, 'text'>) => Output,
) => Observable<Output>

/**
 * The HTTP client of the service (specification, section 7). Sends no credentials. A call that takes longer than
 * `REQUEST_TIMEOUT_MS` is cancelled and fails with `timeout`. A body that is no JSON fails with `malformed`.
 */
export function createHttp(options: HttpOptions): Http {
  const { baseUrl, version, token, language, time, sharing, createXhr } = options
  /** Counts the beginnings and ends of writes. A read shares a request only while the count stays the same. */
  let writes = 0
  const written = () => {
    writes += 1
  }

  const headers = (): Record<string, string> => {
    const secret = token()
    const bearer = secret && reveal(secret)
    const chosen = language()
    return {
      'x-api-version': '1.0.0',
      'x-addin-version': version,
      'x-lsi-version': '1.0',
      'x-addin-trigger': 'taskpane',
      ...(chosen ? { 'accept-language': chosen } : {}),
      ...(bearer ? { authorization: `Bearer ${bearer.replaceAll('"', '')}` } : {}),
    }
  }

  const send = ({ method, path, query = {}, body }: ServiceRequest) =>
    defer(() =>
      sendRequest(
        {
          method,
          url: addressOf(baseUrl, path, query),
          headers: { ...headers(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          body: body === undefined ? body : JSON.stringify(body),
        },
        createXhr,
      ),
    ).pipe(
      timeLimit(REQUEST_TIMEOUT_MS, time, () => new Failed({ kind: 'timeout' })),
      map(({ text, status, date }) => ({ body: parseJson(text), info: { status, date } })),
      catchError((error: unknown) => throwError(() => new Failed(toFailure(error)))),
    )

  return (request, read) => {
    const { shared = request.method === 'GET' } = request
    // Callers share the response, but each caller reads the body with its own `read`.
    const sent$ =
      shared && sharing
        ? defer(() => sharing(`${String(writes)} ${JSON.stringify(request)}`, () => send(request)))
        : defer(() => {
            written()
            return send(request)
          }).pipe(
            tap(written),
            catchError((error: unknown) => {
              written()
              throw error
            }),
          )
    return sent$.pipe(map(({ body, info }) => read(body, info)))
  }
}
