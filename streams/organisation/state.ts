/** The folded states of a person and of the organisation. */
import type { Account, Maintenance, Metadata } from './events.ts'

/** A person, or a shared mailbox in the directory: the row of the table `person`. */
export type PersonState = Readonly<{
  id: string
  /** How many facts are folded: the version of the next one. */
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
  /** `<hash>.<extension>` of the user's own picture, else of the directory's. */
  picture: string | null
  /** The directory's picture. While `picture` is the same, it follows the directory. */
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
  /** Latest first; the first is the published release. */
  history: readonly Published[]
}>
