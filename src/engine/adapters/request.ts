import { Observable } from 'rxjs'
import { Failed } from '../../../streams/kernel/failure.ts'
import { readRetryAfter } from '../../../streams/kernel/retryAfter.ts'

/** A request as it is sent: without credentials, and with these headers only. */
export type SentRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers: Readonly<Record<string, string>>
  body?: string | undefined
}>

/** A response with a status below 400. `date` is in milliseconds since 1970; null if the page may not read the date. */
export type Answer = Readonly<{ text: string; status: number; date: number | null }>

/** The value of a JSON text; `undefined` for an empty text. Any other text throws `Failed` with `malformed`. */
export const parseJson = (text: string): unknown => {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    throw new Failed({ kind: 'malformed', at: 'body' })
  }
}

/** The parsed body of an error response; null when the body is no JSON. */
const parseErrorBody = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? '') as unknown
  } catch {
    return null
  }
}

/** The code in the body of an error response; null when the body has none. */
function codeOf(data: unknown): string | null {
  const { code } = (data ?? {}) as Readonly<{ code?: unknown }>
  return typeof code === 'string' ? code : null
}

/**
 * The failure of a request without success. Without a response (status 0), the failure is `network`. Otherwise it is
 * `http`, with the response's code and data (specification, section 8), and with the wait that the service asks for.
 *
 * @param headers all headers that the page may read, one on each line
 */
export function refusal(status: number, text: string | null, headers: string): Failed {
  if (status === 0) return new Failed({ kind: 'network' })
  const data = parseErrorBody(text)
  const retryAfter = readRetryAfter(headerIn(headers, 'retry-after'), headerIn(headers, 'date'))
  return new Failed({ kind: 'http', status, code: codeOf(data), data, retryAfter })
}

/** Reads a header from all headers. The browser logs an error when asked for a header that the page may not read. */
const headerIn = (headers: string, name: string): string =>
  RegExp(`^${name}: *(.*?)\\s*$`, 'im').exec(headers)?.[1] ?? ''

/**
 * Sends a request on subscription, and aborts the request when no subscriber is left. A status from 400 on fails as
 * `refusal` says. `createXhr` makes the request object. rxjs has `ajax` for this, but `ajax` would add 4 kB to the
 * first load and to launch.js (docs/decisions/0017-the-engine-before-the-screen.md).
 */
export const sendRequest = (
  { method, url, headers, body }: SentRequest,
  createXhr = (): XMLHttpRequest => new XMLHttpRequest(),
): Observable<Answer> =>
  new Observable((subscriber) => {
    const xhr = createXhr()
    const fail = () => {
      subscriber.error(refusal(0, null, ''))
    }
    xhr.addEventListener('error', fail)
    xhr.addEventListener('abort', fail)
    xhr.addEventListener('load', () => {
      const { status } = xhr
      const text = xhr.response as string | null
      const headers = xhr.getAllResponseHeaders()
      if (status >= 400) return subscriber.error(refusal(status, text, headers))
      const date = Date.parse(headerIn(headers, 'date'))
      subscriber.next({ text: text ?? '', status, date: Number.isNaN(date) ? null : date })
      subscriber.complete()
    })
    xhr.open(method, url)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.send(body)
    // Aborting has no effect on a request that has ended.
    return () => {
      xhr.abort()
    }
  })
