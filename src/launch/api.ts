import type { Http } from '../engine/adapters/http.ts'
import { createSignatureApi, type SignatureApi } from '../engine/adapters/signatureApi.ts'
import * as decode from './decode.ts'

/** The calls of the signature service that launch events make (specification, section 7). */
export const createLaunchApi = (http: Http): SignatureApi<decode.LaunchProfile> =>
  createSignatureApi(http, decode)
