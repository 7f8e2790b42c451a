/** The folded states of a person and of the organisation. */
import { flag, list, nullable, number, object, type OutOf, record, text } from '../kernel/schema.ts'
import { time } from '../kernel/limits.ts'
import { account, type Maintenance, metadata } from './events.ts'

/** A person, or a shared mailbox in the directory: the row of the table `person`. */
export const personState = object({
  id: text,
  /** How many facts are folded: the version of the next one. */
  revision: number,
  account: nullable(account),
  /** False after the person left the organisation. */
  active: flag,
  /** In lower case, the mail address first. */
  addresses: list(text),
  language: nullable(text),
  /** The directory's values by field. */
  directory: record(text),
  groups: list(text),
  /** Own values by the variable's path; they win over the directory's. */
  values: record(text),
  metadata,
  /** `<hash>.<extension>` of the user's own picture, else of the directory's. */
  picture: nullable(text),
  /** The directory's picture. While `picture` is the same, it follows the directory. */
  directoryPicture: nullable(text),
})
export type PersonState = OutOf<typeof personState>

export const published = object({ release: text, at: time, by: text, note: text, rolledBack: flag })
export type Published = OutOf<typeof published>

export type OrganisationState = Readonly<{
  /** How many facts are folded. */
  revision: number
  name: string
  tenants: readonly string[]
  maintenance: Maintenance
  /** Latest first; the first is the published release. */
  history: readonly Published[]
}>
