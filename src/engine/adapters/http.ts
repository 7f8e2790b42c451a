import { catchError, defer, map, type Observable, switchMap, tap, throwError } from 'rxjs'
import { ajax, AjaxError } from 'rxjs/ajax'
import { Failed, toFailure } from '../../../streams/kernel/failure.ts'
import { readRetryAfter } from '../../../streams/kernel/retryAfter.ts'
import type { CallSharing } from '../../../streams/kernel/shareInFlight.ts'
import { revealSecret, type Secret } from '../../../streams/kernel/secret.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'
import { addressOf, type RequestQuery } from './requestAddress.ts'

/** The time limit of a request (specification, section 9). */
export const REQUEST_TIMEOUT_MS = 5000

export type ServiceRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path from its first slash, without a query. */
  path: string
  query?: RequestQuery
  /** A text is sent unchanged, with the `content-type` of `headers`; any other value is sent as JSON. */
  body?: unknown
  /** Additional headers. They never replace the headers that every request has, in whatever case they are written. */
  headers?: Readonly<Record<string, string>>
  /** The time limit in milliseconds, including the wait for a token; by default `REQUEST_TIMEOUT_MS`. */
  limitMs?: number
  /** Whether identical concurrent calls share one request, because they change no data. True by default for a GET. */
  shared?: boolean
}>

type HttpOptions = Readonly<{
  baseUrl: string
  version: string
  /** Provides the bearer token of each request; null while the user is signed out. */
  token: () => Observable<Secret | null>
  /** Provides another token after a 401, to send the request once more; null if a 401 is final. */
  renewToken: (() => Observable<Secret>) | null
  /** Accept-Language, read for each request; null until a language is chosen. */
  language: () => string | null
  time: Time
  /** Shares one request among identical concurrent calls; null if such calls never happen. */
  sharing: CallSharing | null
  /** Makes the request object; by default an `XMLHttpRequest` of the browser. */
  createXhr?: (() => XMLHttpRequest) | undefined
}>

/**
 * The status of a response, below 400, and its date in milliseconds since 1970; null if the page may not read the date.
 */
type AnswerInfo = Readonly<{ status: number; date: number | null }>

/** Sends a request and passes the response's JSON to `read`, which may throw `Failed`. An empty body is `undefined`. */
export type Http = <Output>(
  request: ServiceRequest,
  read: (body: unknown, info: AnswerInfo) => Output,
) => Observable<Output>

/** The value of a JSON text; `undefined` for an empty text. Any other text throws `Failed` with `malformed`. */
const parseJson = (text: string): unknown => {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    throw new Failed({ kind: 'malformed', at: 'body' })
  }
}

/** The parsed body of an error response; null when the body is not JSON. */
const parseErrorBody = (text: unknown): unknown => {
  try {
    return JSON.parse(String(text)) as unknown
  } catch {
    return null
  }
}

/** The code in the body of an error response; null when the body has none. */
function codeOf(data: unknown): string | null {
  const { code } = (data ?? {}) as Readonly<{ code?: unknown }>
  return typeof code === 'string' ? code : null
}

/** Finds a header among all headers. Asking for one that the page may not read would make the browser log an error. */
const headerOf = (xhr: XMLHttpRequest, name: string): string =>
  RegExp(`^${name}: *(.*?)\\s*$`, 'im').exec(xhr.getAllResponseHeaders())?.[1] ?? ''

function dateOf(xhr: XMLHttpRequest): number | null {
  const date = Date.parse(headerOf(xhr, 'date'))
  return Number.isNaN(date) ? null : date
}

/**
 * The failure of a request. Without a response, it is `network`. An error response is `http`, with its code and data
 * (specification, section 8) and the wait that the service asks for.
 */
function toFailed(error: unknown): Failed {
  if (!(error instanceof AjaxError)) return new Failed(toFailure(error))
  const { status, xhr } = error
  if (status === 0) return new Failed({ kind: 'network' })
  const data = parseErrorBody(error.response)
  const retryAfter = readRetryAfter(headerOf(xhr, 'retry-after'), headerOf(xhr, 'date'))
  return new Failed({ kind: 'http', status, code: codeOf(data), data, retryAfter })
}

/** The headers that only the client sets. Callers cannot send them, even while the client has no value for them. */
const RESERVED: ReadonlySet<string> = new Set(['accept-language', 'authorization'])

const isRefusedToken = (error: unknown): boolean => error instanceof AjaxError && error.status === 401

/**
 * Creates the HTTP client of the service, for the pane, launch events and the administration page (specification,
 * section 7). Sends no cookies. A call that takes longer than its limit is cancelled and fails with `timeout`. A call
 * without subscribers is cancelled, too. A body that is not JSON fails with `malformed`.
 */
export function createHttp(options: HttpOptions): Http {
  const { baseUrl, version, token, renewToken, language, time, sharing, createXhr } = options
  /** Counts the starts and ends of writes. A read shares a request only while the count stays the same. */
  let writes = 0
  const written = () => {
    writes += 1
  }

  const headersWith = (secret: Secret | null, extra: Readonly<Record<string, string>>) => {
    const bearer = secret && revealSecret(secret)
    const chosen = language()
    return {
      ...Object.fromEntries(
        Object.entries(extra)
          .map(([name, value]) => [name.toLowerCase(), value] as const)
          .filter(([name]) => !RESERVED.has(name)),
      ),
      'x-api-version': '1.0.0',
      'x-addin-version': version,
      'x-lsi-version': '1.0',
      'x-addin-trigger': 'taskpane',
      ...(chosen ? { 'accept-language': chosen } : {}),
      ...(bearer ? { authorization: `Bearer ${bearer.replaceAll('"', '')}` } : {}),
    }
  }

  const send = ({
    method,
    path,
    query = {},
    body,
    headers = {},
    limitMs = REQUEST_TIMEOUT_MS,
  }: ServiceRequest) => {
    const isJson = body !== undefined && typeof body !== 'string'
    const sendWith = (secret: Secret | null) =>
      ajax<string | null>({
        method,
        url: addressOf(baseUrl, path, query),
        headers: {
          ...headersWith(secret, headers),
          ...(isJson ? { 'content-type': 'application/json' } : {}),
        },
        body: isJson ? JSON.stringify(body) : body,
        withCredentials: false,
        // Otherwise, ajax adds a header that a service on another origin may not allow.
        crossDomain: true,
        responseType: 'text',
        ...(createXhr ? { createXHR: createXhr } : {}),
      })
    return defer(token).pipe(
      switchMap(sendWith),
      catchError((error: unknown) => {
        if (renewToken && isRefusedToken(error)) return renewToken().pipe(switchMap(sendWith))
        throw error
      }),
      timeLimit(limitMs, time, () => new Failed({ kind: 'timeout' })),
      map(({ response, status, xhr }) => ({
        body: parseJson(response ?? ''),
        info: { status, date: dateOf(xhr) },
      })),
      catchError((error: unknown) => throwError(() => toFailed(error))),
    )
  }

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
