import type { ChosenDefaults, UserProfile } from '../../streams/profile/events.ts'
import { list, nullable, object, optional, type Read, text } from '../engine/adapters/decode.ts'
import type { Http } from '../engine/adapters/http.ts'
import { chosenDefaults, createSignatureApi, type SignatureApi } from '../engine/adapters/signatureApi.ts'

/** The profile as far as a launch event needs it. `bySender` has the chosen signature by the sender's address. */
type LaunchProfile = Pick<UserProfile, 'id' | 'delegations'> &
  Readonly<{
    defaultSignature: (ChosenDefaults & Readonly<{ bySender: Readonly<Record<string, string>> }>) | null
  }>

const profileBody = object({
  id: text,
  delegations: list(text),
  metadata: optional(nullable(object({ defaultSignature: optional(chosenDefaults, null) })), null),
})

export const launchProfile: Read<LaunchProfile> = (value, at) => {
  const { id, delegations, metadata } = profileBody(value, at)
  const chosen = metadata?.defaultSignature ?? null
  return { id, delegations, defaultSignature: chosen && { bySender: {}, ...chosen } }
}

/** The calls of the signature service that launch events make (specification, section 7). */
export const createLaunchApi = (http: Http): SignatureApi<LaunchProfile> =>
  createSignatureApi(http, launchProfile)
