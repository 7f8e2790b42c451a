import { catchError, defer, map, type Observable, switchMap, throwError } from 'rxjs'
import { ajax, AjaxError } from 'rxjs/ajax'
import { Failed, toFailure } from '../../streams/kernel/failure.ts'
import { reveal, type Secret } from '../../streams/kernel/secret.ts'
import { type Time, timeLimit } from '../../streams/kernel/time.ts'
import { ADMINISTRATION_PATH } from '../../streams/wire/administration/calls.ts'
import { parseJson, refusal } from '../engine/adapters/request.ts'
import { addressOf, type Query } from '../engine/adapters/requestAddress.ts'

/** The time limits of a read and of other calls: a plan for all people, a folder or an import takes longer. */
export const READ_LIMIT_MS = 20_000
export const WORK_LIMIT_MS = 180_000

export type AdministrationRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path below the administration's own path, from its first slash on. */
  path: string
  query?: Query
  /** A text is sent as text/csv, any other value as JSON. */
  body?: unknown
}>

/** Sends a request and passes the response's JSON to `read`, which may throw `Failed`. An empty body is `undefined`. */
export type AdministrationHttp = <Output>(
  request: AdministrationRequest,
  read: (body: unknown) => Output,
) => Observable<Output>

type HttpOptions = Readonly<{
  baseUrl: string
  /** Gets the bearer token without opening a window. With `fresh`, gets a new token in place of the previous one. */
  token: (fresh: boolean) => Observable<Secret>
  language: string
  time: Time
  /** Makes the request object; by default an `XMLHttpRequest` of the browser. */
  createXhr?: (() => XMLHttpRequest) | undefined
}>

const toFailed = (error: unknown): Failed =>
  error instanceof AjaxError
    ? refusal(error.status, error.response as string | null, error.xhr.getAllResponseHeaders())
    : new Failed(toFailure(error))

const isRefusedToken = (error: unknown): boolean => error instanceof AjaxError && error.status === 401

/**
 * The HTTP client of the administration calls. The sign-in library renews the token before the token expires. After a
 * 401, the client asks the library once for a new token and sends the request again.
 */
export function createAdministrationHttp({
  baseUrl,
  token,
  language,
  time,
  createXhr,
}: HttpOptions): AdministrationHttp {
  const sendWith = (secret: Secret, { method, path, query = {}, body }: AdministrationRequest) => {
    const content =
      typeof body === 'string'
        ? { type: 'text/csv', body }
        : body === undefined
          ? null
          : { type: 'application/json', body: JSON.stringify(body) }
    return ajax<string | null>({
      url: addressOf(baseUrl, ADMINISTRATION_PATH + path, query),
      method,
      headers: {
        'Accept-Language': language,
        Authorization: `Bearer ${(reveal(secret) ?? '').replaceAll('"', '')}`,
        ...(content ? { 'Content-Type': content.type } : {}),
      },
      ...(content ? { body: content.body } : {}),
      withCredentials: false,
      crossDomain: true,
      responseType: 'text',
      ...(createXhr ? { createXHR: createXhr } : {}),
    })
  }
  const send = (request: AdministrationRequest, fresh: boolean) =>
    token(fresh).pipe(switchMap((secret) => sendWith(secret, request)))

  return (request, read) =>
    defer(() => send(request, false)).pipe(
      catchError((error: unknown) =>
        isRefusedToken(error) ? send(request, true) : throwError(() => toFailed(error)),
      ),
      timeLimit(
        request.method === 'GET' ? READ_LIMIT_MS : WORK_LIMIT_MS,
        time,
        () => new Failed({ kind: 'timeout' }),
      ),
      map(({ response }) => read(parseJson(response ?? ''))),
      catchError((error: unknown) => throwError(() => toFailed(error))),
    )
}
