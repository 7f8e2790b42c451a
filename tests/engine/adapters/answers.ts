import { map, type Observable, of } from 'rxjs'
import type { Api } from '../../../effects/ports.ts'
import { createApi } from '../../../src/engine/adapters/api.ts'
import type { Http } from '../../../src/engine/adapters/http.ts'
import { createSignatureApi } from '../../../src/engine/adapters/signatureApi.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'
import { READ_USER_AT_LAUNCH } from '../../../streams/wire/signatures.ts'
import type { Read } from '../../../streams/kernel/schema.ts'

/** A service that answers everything with this body. */
const answering =
  (body: unknown): Http =>
  (_, read) =>
    of(body).pipe(map((sent) => read(sent, { status: 200, date: null })))

/** What a call gives of an answer with this body, or throws. */
function given<T>(answer$: Observable<T>): T {
  const found: T[] = []
  let failure: unknown = new Error('no answer')
  answer$.subscribe({ next: (value) => found.push(value), error: (error: unknown) => (failure = error) })
  if (found.length === 0) throw failure
  return found[0] as T
}

/** Reads bodies with a call of the pane. */
export const answerOf =
  <T>(call: (api: Api) => Observable<T>): Read<T> =>
  (body) =>
    given(call(createApi(answering(body))))

/** Reads profiles as launch events do. */
export const launchProfile = (body: unknown) =>
  given(createSignatureApi(answering(body), READ_USER_AT_LAUNCH).user())

export const credentials = { accessToken: createSecret('token'), email: 'a@example.com' }
export const nothingChanged = { values: {}, resetFields: [], base: { values: {} } }
