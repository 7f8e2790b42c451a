/** The folded states: what the row of a person holds, and what each instance knows of its organisation. */
import type { Account, Maintenance, Metadata } from './events.ts'

/** A person, or a shared mailbox that the directory knows. The row of the table `person`. */
export type PersonState = Readonly<{
  id: string
  /** How many facts are folded: the version that the next one must have. */
  revision: number
  account: Account | null
  /** False after the person left the organisation. */
  active: boolean
  /** In lower case, the mail address first. */
  addresses: readonly string[]
  language: string | null
  /** The directory's values by field. */
  directory: Readonly<Record<string, string>>
  groups: readonly string[]
  /** Own values by the variable's path; they win over the directory's. */
  values: Readonly<Record<string, string>>
  metadata: Metadata
  /** `<hash>.<extension>`, or null. The user's own; without one the directory's. */
  picture: string | null
  /** What the directory told last: while it is the picture, the picture follows the directory. */
  directoryPicture: string | null
}>

export type Published = Readonly<{
  release: string
  at: number
  by: string
  note: string
  rolledBack: boolean
}>

export type OrganisationState = Readonly<{
  /** How many facts are folded. */
  revision: number
  name: string
  tenants: readonly string[]
  maintenance: Maintenance
  /** What was published, latest first; the first is answered. */
  history: readonly Published[]
}>
