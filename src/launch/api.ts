import type { UserProfile } from '../../streams/message/profile/events.ts'
import type { Senders } from '../../streams/message/senders/senders.ts'
import { list, nullable, object, optional, type Read, text } from '../engine/adapters/decode.ts'
import type { Http } from '../engine/adapters/http.ts'
import { chosenBesides, createSignatureApi, type SignatureApi } from '../engine/adapters/signatureApi.ts'

/** The profile as far as a launch event needs it. */
type LaunchProfile = Pick<UserProfile, 'id' | 'delegations'> &
  Readonly<{ chosen: Readonly<{ reply: string | null; bySender: Senders['bySender'] | null }> | null }>

const metadata = object({ defaultSignature: optional(nullable(object(chosenBesides)), null) })
const profileBody = object({
  id: text,
  delegations: list(text),
  metadata: optional(nullable(metadata), null),
})

export const launchProfile: Read<LaunchProfile> = (value, at) => {
  const { metadata: kept, ...profile } = profileBody(value, at)
  return { ...profile, chosen: kept?.defaultSignature ?? null }
}

/** The calls of the signature service that launch events make (specification, section 7). */
export const createLaunchApi = (http: Http): SignatureApi<LaunchProfile> =>
  createSignatureApi(http, launchProfile)
