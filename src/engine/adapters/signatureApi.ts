import type { Observable } from 'rxjs'
import type { Api } from '../../../effects/ports.ts'
import type { Verified } from '../../../streams/auth/events.ts'
import { reveal } from '../../../streams/kernel/secret.ts'
import type { SignaturePage } from '../../../streams/signatures/events.ts'
import { PAGE_SIZE } from '../../../streams/signatures/list.ts'
import type { CachedSignature } from '../../../streams/signatures/signature.ts'
import type { Http } from './http.ts'

/** Reads the body of a response; one of another shape throws `Failed` with `malformed`. */
type Decode<Output> = (body: unknown) => Output

export type SignatureDecoders<Profile> = Readonly<{
  verified: Decode<Verified>
  profile: Decode<Profile>
  cachedSignature: Decode<CachedSignature>
  signaturePage: Decode<SignaturePage>
}>

/** `user` gives as much of the profile as its decoder reads. */
export type SignatureApi<Profile> = Pick<Api, 'verify' | 'signature' | 'signatures' | 'delegatedSignatures'> &
  Readonly<{ user: () => Observable<Profile> }>

/** The calls that pane and launch events need for a signature (specification, section 7); each decodes in its way. */
export const createSignatureApi = <Profile>(
  http: Http,
  decode: SignatureDecoders<Profile>,
): SignatureApi<Profile> => ({
  verify: ({ accessToken, email }) =>
    http(
      {
        method: 'POST',
        path: '/authentication/addin/azure',
        body: { accessToken: reveal(accessToken), email },
        shared: true,
      },
      decode.verified,
    ),
  user: () => http({ method: 'GET', path: '/api/addin/user' }, decode.profile),
  signature: ({ combinedIds }) =>
    http(
      {
        method: 'GET',
        path: '/signatures-cache/api/v1/signature/addin',
        query: { build_base64: 'true', combined_ids: combinedIds },
      },
      decode.cachedSignature,
    ),
  signatures: ({ page, withImages, perPage = PAGE_SIZE }) =>
    http(
      {
        method: 'GET',
        path: '/signatures-cache/api/v1/signatures',
        query: { build_base64: String(withImages), page: String(page), per_page: String(perPage) },
      },
      decode.signaturePage,
    ),
  delegatedSignatures: ({ userIds, page, withImages, perPage = PAGE_SIZE }) =>
    http(
      {
        method: 'POST',
        path: '/signatures-cache/api/v1/signatures/get/batch',
        query: { build_base64: String(withImages), page: String(page), per_page: String(perPage) },
        body: { user_ids: userIds },
        shared: true,
      },
      decode.signaturePage,
    ),
})
