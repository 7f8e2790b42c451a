import { shape } from '../../kernel/field.ts'
import { defineLoad } from '../../kernel/load.ts'
import type { Senders } from '../senders/senders.ts'

/** The user as the service knows them (specification, section 3). `delegations` are user ids. */
export type UserProfile = Readonly<{
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

/**
 * The signatures that the user chose. Without one for replies, `master` goes into them too. `bySender` has those for
 * messages from certain addresses; without a `master` the organisation's default holds for all others.
 */
export type ChosenDefaults =
  | Readonly<{ master: string; reply: string | null; bySender?: Senders['bySender'] }>
  | Readonly<{ master: null; reply: null; bySender: Senders['bySender'] }>

export const chosenDefaultsField = shape<ChosenDefaults>()('chosenDefaults')

/** Stored by the service for the user, and sent as a whole at each change: `others` belongs to other programs. */
export type Metadata = Readonly<{
  defaultSignature: ChosenDefaults | null
  others: Readonly<Record<string, unknown>>
}>

export const Profile = defineLoad('profile', shape<UserProfile>()('profile'))
