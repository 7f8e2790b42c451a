import { defer, map, Observable, tap } from 'rxjs'
import * as v from 'valibot'
import { Failed } from '../../../streams/kernel/failure.ts'
import { createSharing } from '../../../streams/kernel/shareInFlight.ts'
import { reveal, type Secret } from '../../../streams/kernel/secret.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'
import { errorCode } from './wire.ts'

/** Specification, section 9. */
export const REQUEST_TIMEOUT_MS = 5000

export type ServiceRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Readonly<Record<string, string | undefined>>
  /** Sent as JSON. */
  body?: unknown
  /** It changes nothing that a read gives: concurrent identical calls share one. The default is true for a GET. */
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
  /** Makes the request object; the browser's own when left out. */
  createXhr?: (() => XMLHttpRequest) | undefined
}>

/** A response without its body. `date` in milliseconds since the epoch; null where the page may not see it. */
type ResponseInfo = Readonly<{ status: number; date: number | null }>

/** Sends a request and reads the response's JSON body with `read`, which may throw `Failed`; no body is `undefined`. */
export type Http = <Output>(
  request: ServiceRequest,
  read: (body: unknown, info: ResponseInfo) => Output,
) => Observable<Output>

const parseJson = (text: string): unknown => {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    throw new Failed({ kind: 'malformed', at: 'body' })
  }
}

/** The body of an error response; null where it is no JSON. */
const parseErrorBody = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** No response is `network`; any other status is `http` with the code and the data of the response (section 8). */
function toFailed({ status, responseText }: XMLHttpRequest): Failed {
  if (status === 0) return new Failed({ kind: 'network' })
  const data = parseErrorBody(responseText)
  return new Failed({ kind: 'http', status, code: v.parse(errorCode, data), data })
}

/**
 * Sends when subscribed to, and aborts when unsubscribed from. Emits the request when it has a response without an error.
 * `ajax` of rxjs does it too, in much more code.
 */
const sendXhr = (
  createXhr: () => XMLHttpRequest,
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string | null,
) =>
  new Observable<XMLHttpRequest>((subscriber) => {
    const xhr = createXhr()
    const end = () => {
      if (xhr.status === 0 || xhr.status >= 400) subscriber.error(toFailed(xhr))
      else {
        subscriber.next(xhr)
        subscriber.complete()
      }
    }
    for (const ending of ['load', 'error', 'abort']) xhr.addEventListener(ending, end)
    xhr.open(method, url)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.send(body)
    return () => {
      if (xhr.readyState < 4) xhr.abort()
    }
  })

/**
 * The HTTP client of the service (specification, section 7). Sends no credentials. A call longer than
 * `REQUEST_TIMEOUT_MS` is cancelled and fails with `timeout`; a body that is no JSON fails with `malformed`.
 */
export function createHttp({
  baseUrl,
  version,
  token,
  language,
  time,
  createXhr = () => new XMLHttpRequest(),
}: HttpOptions): Http {
  const share = createSharing()
  /** Counts the writes that began or ended: a read that is asked after one does not join a read from before it. */
  let writes = 0
  const written = () => {
    writes += 1
  }

  const headers = (): Record<string, string> => {
    const secret = token()
    const bearer = secret && reveal(secret)
    const chosen = language()
    return {
      'X-Api-Version': '1.0.0',
      'X-Addin-Version': version,
      'X-LSI-Version': '1.0',
      'X-Addin-Trigger': 'taskpane',
      ...(chosen ? { 'Accept-Language': chosen } : {}),
      ...(bearer ? { Authorization: `Bearer ${bearer.replaceAll('"', '')}` } : {}),
    }
  }

  const send = ({ method, path, query = {}, body }: ServiceRequest) =>
    defer(() => {
      const url = new URL(path, baseUrl)
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) url.searchParams.set(name, value)
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
      const text = body === undefined ? null : JSON.stringify(body)
      return sendXhr(createXhr, method, url, { ...headers(), ...type }, text)
    }).pipe(
      timeLimit(REQUEST_TIMEOUT_MS, time, () => new Failed({ kind: 'timeout' })),
      map((xhr) => {
        const date = Date.parse(xhr.getResponseHeader('date') ?? '')
        return {
          body: parseJson(xhr.responseText),
          info: { status: xhr.status, date: Number.isNaN(date) ? null : date },
        }
      }),
    )

  return (request, read) => {
    const { shared = request.method === 'GET' } = request
    // Callers share the response, and each reads it for itself.
    const sent$ = shared
      ? defer(() => share(`${String(writes)} ${JSON.stringify(request)}`, () => send(request)))
      : send(request).pipe(tap({ subscribe: written, next: written, error: written }))
    return sent$.pipe(map(({ body, info }) => read(body, info)))
  }
}
