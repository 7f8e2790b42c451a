import { catchError, defer, map, type Observable, throwError } from 'rxjs'
import { ajax, AjaxError } from 'rxjs/ajax'
import * as v from 'valibot'
import { Failed, toFailure } from '../../../streams/kernel/failure.ts'
import { createSharing } from '../../../streams/kernel/shareInFlight.ts'
import { reveal, type Secret } from '../../../streams/kernel/secret.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'
import { errorCode } from './wire.ts'

/** Specification, section 9. */
export const REQUEST_TIMEOUT_MS = 5000

export type Request = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Readonly<Record<string, string | undefined>>
  /** Goes out as JSON. */
  body?: unknown
  /** Concurrent identical calls share one pending request; every GET does. */
  shared?: boolean
}>

export type HttpOptions = Readonly<{
  baseUrl: string
  version: string
  /** The bearer of the one who is signed in, read anew for every request. */
  token: () => Secret | null
  /** Accept-Language; null until a language was chosen. */
  language: () => string | null
  time: Time
  /** Makes the request object; the browser's own unless a test brings another. */
  createXhr?: (() => XMLHttpRequest) | undefined
}>

/** What an answer tells besides its body. `date` in milliseconds since the epoch; null where the page may not see it. */
export type Answered = Readonly<{ status: number; date: number | null }>

/** Sends a request and reads the answer's JSON body with `read`, which may throw `Failed`; no body is `undefined`. */
export type Http = <Output>(
  request: Request,
  read: (body: unknown, answered: Answered) => Output,
) => Observable<Output>

const parseJson = (text: string): unknown => {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    throw new Failed({ kind: 'malformed', at: 'body' })
  }
}

/** What an answer of another status carries; a body that is no JSON carries nothing. */
const parseErrorBody = (text: unknown): unknown => {
  try {
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : null
  } catch {
    return null
  }
}

/** No response is `network`; any other status is `http` with the code and the data of the answer (section 8). */
function toFailed(error: unknown): Failed {
  if (!(error instanceof AjaxError)) return new Failed(toFailure(error))
  if (error.status === 0) return new Failed({ kind: 'network' })
  const data = parseErrorBody(error.response)
  return new Failed({ kind: 'http', status: error.status, code: v.parse(errorCode, data), data })
}

/**
 * The one HTTP client (specification, section 7). No credentials are sent; a call that takes longer than 5000 ms is
 * cancelled and fails with `timeout`; a body that is not what `read` expects fails with `malformed`.
 */
export function createHttp({ baseUrl, version, token, language, time, createXhr }: HttpOptions): Http {
  const share = createSharing()

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

  const send = ({ method, path, query = {}, body }: Request) =>
    defer(() => {
      const url = new URL(path, baseUrl)
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) url.searchParams.set(name, value)
      return ajax<string | null>({
        url: url.href,
        method,
        headers: { ...headers(), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        withCredentials: false,
        // Or rxjs adds X-Requested-With, which a service need not allow.
        crossDomain: true,
        responseType: 'text',
        ...(createXhr ? { createXHR: createXhr } : {}),
      })
    }).pipe(
      timeLimit(REQUEST_TIMEOUT_MS, time, () => new Failed({ kind: 'timeout' })),
      map(({ response, status, responseHeaders }) => {
        const date = Date.parse(responseHeaders['date'] ?? '')
        return {
          body: parseJson(response ?? ''),
          answered: { status, date: Number.isNaN(date) ? null : date },
        }
      }),
      catchError((error: unknown) => throwError(() => toFailed(error))),
    )

  return (request, read) => {
    const { shared = request.method === 'GET' } = request
    // What is shared is the answer: each caller reads of it what it needs.
    const sent$ = shared ? share(JSON.stringify(request), () => send(request)) : send(request)
    return sent$.pipe(map(({ body, answered }) => read(body, answered)))
  }
}
