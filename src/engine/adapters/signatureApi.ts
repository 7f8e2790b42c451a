import { map, type Observable } from 'rxjs'
import type { Api } from '../../../effects/ports.ts'
import type { Session } from '../../../streams/message/auth/events.ts'
import { revealSecret } from '../../../streams/kernel/secret.ts'
import { PAGE_SIZE } from '../../../streams/message/signatures/list.ts'
import {
  type AddinCall,
  READ_DELEGATED_SIGNATURES,
  READ_SIGNATURE,
  READ_SIGNATURES,
  SIGN_IN,
} from '../../../streams/wire/signatures.ts'
import { bodyReader, refuseValue } from '../../../streams/kernel/schema.ts'
import type { Http, ServiceRequest } from './http.ts'
import { readSession } from './sessionToken.ts'

/** Sends a declared call to the service. */
export const callService = <Answer>(
  http: Http,
  { answer, ...call }: AddinCall<Answer>,
  sent: Omit<ServiceRequest, 'method' | 'path'> = {},
): Observable<Answer> => http({ ...sent, ...call }, bodyReader(answer))

/**
 * Reads the session from a response.
 * @throws Failed when the response has no valid token
 */
export const sessionOf = ({ data: { token } }: Readonly<{ data: Readonly<{ token: string }> }>): Session =>
  readSession(token) ?? refuseValue('data.access_token', 'token')

/** The calls about signatures. `user` returns only the part of the profile that the call reads. */
export type SignatureApi<Profile> = Pick<Api, 'verify' | 'signature' | 'signatures' | 'delegatedSignatures'> &
  Readonly<{ user: () => Observable<Profile> }>

/**
 * Creates the service calls about signatures (specification, section 7). The pane and launch events read different
 * parts of the profile.
 */
export const createSignatureApi = <Profile>(
  http: Http,
  readUser: AddinCall<Profile>,
): SignatureApi<Profile> => ({
  verify: ({ accessToken, email }) =>
    callService(http, SIGN_IN, {
      body: { accessToken: revealSecret(accessToken), email },
      shared: true,
    }).pipe(
      map((answer) => {
        const session = sessionOf(answer)
        const { signature } = answer.data
        // Another user's signature is dropped, but the session is used.
        return { session, signature: signature?.userId === session.userId ? signature : null }
      }),
    ),
  user: () => callService(http, readUser),
  signature: ({ combinedIds }) =>
    callService(http, READ_SIGNATURE, { query: { build_base64: 'true', combined_ids: combinedIds } }),
  signatures: ({ combinedIds, ...page }) =>
    callService(http, READ_SIGNATURES, { query: { ...pageQuery(page), combined_ids: combinedIds } }),
  delegatedSignatures: ({ userIds, ...page }) =>
    callService(http, READ_DELEGATED_SIGNATURES, {
      query: pageQuery(page),
      body: { user_ids: userIds },
      shared: true,
    }),
})

const pageQuery = ({ page, withImages, perPage = PAGE_SIZE }: Parameters<Api['signatures']>[0]) => ({
  build_base64: String(withImages),
  page: String(page),
  per_page: String(perPage),
})
