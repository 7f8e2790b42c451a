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

/** A response below 400. `date` in milliseconds since the epoch; null where the page may not see it. */
export type Answer = Readonly<{ text: string; status: number; date: number | null }>

/** The value of a JSON text; of an empty one `undefined`. Throws `Failed` with `malformed`. */
export const parseJson = (text: string): unknown => {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    throw new Failed({ kind: 'malformed', at: 'body' })
  }
}

/** The body of an error response; null where it is no JSON. */
const parseErrorBody = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? '') as unknown
  } catch {
    return null
  }
}

/** The code of an error response; null without one. */
function codeOf(data: unknown): string | null {
  const { code } = (data ?? {}) as Readonly<{ code?: unknown }>
  return typeof code === 'string' ? code : null
}

/**
 * The failure of a response without success. Without a response (status 0) it is `network`; otherwise it is `http` with
 * the code and the data of the response (specification, section 8), and the wait that the service asks for.
 *
 * @param headers all that the page may see, a line each
 */
export function refusal(status: number, text: string | null, headers: string): Failed {
  if (status === 0) return new Failed({ kind: 'network' })
  const data = parseErrorBody(text)
  const retryAfter = readRetryAfter(headerIn(headers, 'retry-after'), headerIn(headers, 'date'))
  return new Failed({ kind: 'http', status, code: codeOf(data), data, retryAfter })
}

/** Reads a header from all headers: asking for a header that the page may not see writes an error to the console. */
const headerIn = (headers: string, name: string): string =>
  RegExp(`^${name}: *(.*?)\\s*$`, 'im').exec(headers)?.[1] ?? ''

/**
 * Sends a request when it is subscribed to, and aborts it when no subscriber is left. A status from 400 fails as
 * `refusal` says. `createXhr` makes the request object; the browser's own when left out. In the place of `ajax` of rxjs,
 * which is 4 kB of the first load and of launch.js (docs/decisions/0017-the-engine-before-the-screen.md).
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
    // Aborting a request that has ended does nothing.
    return () => {
      xhr.abort()
    }
  })
