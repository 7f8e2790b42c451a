import { catchError, defer, map, type Observable, throwError } from 'rxjs'
import { ajax, type AjaxConfig, AjaxError } from 'rxjs/ajax'
import * as v from 'valibot'
import type { Api } from '../../effects/ports.ts'
import { Failed, type Failure } from '../../streams/kernel/failure.ts'
import { createSharing } from '../../streams/kernel/once.ts'
import { reveal, type Secret } from '../../streams/kernel/secret.ts'
import { type Time, timeLimit } from '../../streams/kernel/time.ts'
import { PAGE_SIZE } from '../../streams/signatures/rules.ts'
import * as wire from './wire.ts'

/** Specification, section 9. */
export const REQUEST_TIMEOUT_MS = 5000

type Request = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Readonly<Record<string, string | undefined>>
  body?: unknown
  /** Concurrent identical calls share one pending request. */
  shared?: boolean
}>

export type ApiOptions = Readonly<{
  baseUrl: string
  version: string
  /** The bearer of the one who is signed in, read anew for every request. */
  token: () => Secret | null
  /** Accept-Language; null until a language was chosen. */
  language: () => string | null
  time: Time
  /** Makes the request object; the browser's own unless a test brings another. */
  createXhr?: () => XMLHttpRequest
}>

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
function toHttpFailure(error: unknown): Failed {
  if (error instanceof Failed) return error
  if (!(error instanceof AjaxError) || error.status === 0)
    return new Failed({ kind: 'network' } satisfies Failure)
  const data = parseErrorBody(error.response)
  return new Failed({ kind: 'http', status: error.status, code: v.parse(wire.errorCode, data), data })
}

const decode =
  <Output>(schema: v.GenericSchema<unknown, Output>) =>
  (body: unknown): Output => {
    const result = v.safeParse(schema, body)
    if (result.success) return result.output
    throw new Failed({ kind: 'malformed', at: v.getDotPath(result.issues[0]) ?? 'body' })
  }

/**
 * The one client of the signature service (specification, section 7). No credentials are sent; a call that takes
 * longer than 5000 ms is cancelled and fails with `timeout`.
 */
export function createApi(options: ApiOptions): Api {
  const { baseUrl, version, token, language, time, createXhr } = options
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

  const send = ({ method, path, query = {}, body }: Request): Observable<unknown> =>
    defer(() => {
      const url = new URL(path, baseUrl)
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) url.searchParams.set(name, value)
      const config: AjaxConfig = {
        url: url.href,
        method,
        headers: { ...headers(), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        withCredentials: false,
        responseType: 'text',
        ...(createXhr ? { createXHR: createXhr } : {}),
      }
      return ajax<string | null>(config)
    }).pipe(
      timeLimit(REQUEST_TIMEOUT_MS, time, () => new Failed({ kind: 'timeout' })),
      map(({ response }) => parseJson(response ?? '')),
      catchError((error: unknown) => throwError(() => toHttpFailure(error))),
    )

  const call = <Output>(request: Request, read: (body: unknown) => Output): Observable<Output> => {
    const isShared = request.shared ?? request.method === 'GET'
    const sent$ = send(request).pipe(map(read))
    return isShared ? share(JSON.stringify(request), () => sent$) : sent$
  }

  return {
    verify: ({ accessToken, email }) =>
      call(
        {
          method: 'POST',
          path: '/authentication/addin/azure',
          body: { accessToken: reveal(accessToken), email },
          shared: true,
        },
        decode(wire.session),
      ),
    user: () => call({ method: 'GET', path: '/api/addin/user' }, decode(wire.profile)),
    signature: ({ combinedIds }) =>
      call(
        {
          method: 'GET',
          path: '/signatures-cache/api/v1/signature/addin',
          query: { build_base64: 'true', combined_ids: combinedIds },
        },
        decode(wire.cachedSignature),
      ),
    signatures: ({ page, withImages }) =>
      call(
        {
          method: 'GET',
          path: '/signatures-cache/api/v1/signatures',
          query: { build_base64: String(withImages), page: String(page), per_page: String(PAGE_SIZE) },
        },
        decode(wire.signaturePage),
      ),
    maintenance: () => call({ method: 'GET', path: '/api/addin/maintenance' }, decode(wire.maintenance)),
    sendTelemetry: (payload) =>
      call(
        { method: 'PUT', path: '/api/addin/user/addin-info', body: payload, shared: true },
        () => undefined,
      ),
  }
}
