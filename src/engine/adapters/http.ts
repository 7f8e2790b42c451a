import { catchError, defer, map, type Observable, tap, throwError } from 'rxjs'
import { ajax, AjaxError } from 'rxjs/ajax'
import { Failed, toFailure } from '../../../streams/kernel/failure.ts'
import { createSharing } from '../../../streams/kernel/shareInFlight.ts'
import { reveal, type Secret } from '../../../streams/kernel/secret.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'
import { addressOf, type Query } from './requestAddress.ts'

/** Specification, section 9. */
export const REQUEST_TIMEOUT_MS = 5000

export type ServiceRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** From the first slash on, without a query. */
  path: string
  query?: Query
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

/** The value of a JSON text; of an empty one `undefined`. Throws `Failed` with `malformed`. */
export const parseJson = (text: string): unknown => {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    throw new Failed({ kind: 'malformed', at: 'body' })
  }
}

/** The body of an error response; null where it is no JSON. */
const parseErrorBody = (text: unknown): unknown => {
  try {
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : null
  } catch {
    return null
  }
}

/** The code of an error response; null without one. */
function codeOf(data: unknown): string | null {
  const { code } = (data ?? {}) as Readonly<{ code?: unknown }>
  return typeof code === 'string' ? code : null
}

/** No response is `network`; any other status is `http` with the code and the data of the response (section 8). */
export function toFailed(error: unknown): Failed {
  if (!(error instanceof AjaxError)) return new Failed(toFailure(error))
  if (error.status === 0) return new Failed({ kind: 'network' })
  const data = parseErrorBody(error.response)
  return new Failed({ kind: 'http', status: error.status, code: codeOf(data), data })
}

/**
 * The HTTP client of the service (specification, section 7). Sends no credentials. A call longer than
 * `REQUEST_TIMEOUT_MS` is cancelled and fails with `timeout`; a body that is no JSON fails with `malformed`.
 */
export function createHttp({ baseUrl, version, token, language, time, createXhr }: HttpOptions): Http {
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
    defer(() =>
      ajax<string | null>({
        url: addressOf(baseUrl, path, query),
        method,
        headers: { ...headers(), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        withCredentials: false,
        // Without it rxjs adds X-Requested-With, which the service's CORS need not allow.
        crossDomain: true,
        responseType: 'text',
        ...(createXhr ? { createXHR: createXhr } : {}),
      }),
    ).pipe(
      timeLimit(REQUEST_TIMEOUT_MS, time, () => new Failed({ kind: 'timeout' })),
      map(({ response, status, responseHeaders }) => {
        const date = Date.parse(responseHeaders['date'] ?? '')
        return {
          body: parseJson(response ?? ''),
          info: { status, date: Number.isNaN(date) ? null : date },
        }
      }),
      catchError((error: unknown) => throwError(() => toFailed(error))),
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
