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
  metadata: Metadata
}>

/** What the service keeps for the person, and is given back whole at each change: `others` belongs to somebody else. */
export type Metadata = Readonly<{
  defaultSignature: Readonly<{ master: string; reply: string | null }> | null
  others: Readonly<Record<string, unknown>>
}>

export const ProfileEvents = defineEvents('profile', {
  /** What is there is not loaded again. */
  loadRequested: data(),
  /** It is wanted anew from the service. */
  reloadRequested: data(),
  loaded: data<{ profile: Profile }>(),
  loadFailed: data<{ failure: Failure }>(),
})
export type ProfileEvent = EventOf<typeof ProfileEvents>
