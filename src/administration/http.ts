import { catchError, defer, map, type Observable, switchMap, throwError } from 'rxjs'
import { ajax, AjaxError } from 'rxjs/ajax'
import { Failed, toFailure } from '../../streams/kernel/failure.ts'
import { reveal, type Secret } from '../../streams/kernel/secret.ts'
import { type Time, timeLimit } from '../../streams/kernel/time.ts'
import { ADMINISTRATION_PATH } from '../../streams/wire/administration/calls.ts'
import { parseJson, refusal } from '../engine/adapters/request.ts'
import { addressOf, type Query } from '../engine/adapters/requestAddress.ts'

/** What is read is there soon; a plan for all people, a folder and an import take their time. */
export const READ_LIMIT_MS = 20_000
export const WORK_LIMIT_MS = 180_000

export type AdministrationRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the administration's path, from the first slash on. */
  path: string
  query?: Query
  /** Sent as JSON; a text as text/csv. */
  body?: unknown
}>

/** Sends a request and reads the JSON of its answer with `read`, which may throw `Failed`; no body is `undefined`. */
export type AdministrationHttp = <Output>(
  request: AdministrationRequest,
  read: (body: unknown) => Output,
) => Observable<Output>

type HttpOptions = Readonly<{
  baseUrl: string
  /** The bearer token without a window; `fresh`: another one than before. */
  token: (fresh: boolean) => Observable<Secret>
  language: string
  time: Time
  /** Makes the request object; the browser's own when left out. */
  createXhr?: (() => XMLHttpRequest) | undefined
}>

const toFailed = (error: unknown): Failed =>
  error instanceof AjaxError
    ? refusal(error.status, error.response as string | null, error.xhr.getAllResponseHeaders())
    : new Failed(toFailure(error))

const isRefusedToken = (error: unknown): boolean => error instanceof AjaxError && error.status === 401

/**
 * The HTTP client of the administration calls. Each request carries a token that the identity provider still accepts:
 * the sign-in library renews it before it expires, and after a 401 it is asked once for another one.
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
