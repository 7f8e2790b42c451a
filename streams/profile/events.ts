import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'

/** The person as the service knows them (specification, section 3). `delegations` are user ids. */
export type Profile = Readonly<{
  id: string
  email: string
  isAdmin: boolean
  pictureUrl: string | null
  authType: string
  language: string
  clientName: string
  displayName: string
  delegations: readonly string[]
  metadata: Readonly<{ defaultSignature: Readonly<{ master: string; reply: string | null }> | null }>
}>

export const ProfileEvents = defineEvents('profile', {
  loadRequested: data(),
  loaded: data<{ profile: Profile }>(),
  loadFailed: data<{ failure: Failure }>(),
})
export type ProfileEvent = EventOf<typeof ProfileEvents>
