/** The states of a person and of the organisation, folded from their facts. */
import {
  flag,
  list,
  nullable,
  number,
  object,
  optional,
  type OutOf,
  record,
  text,
} from '../../kernel/schema.ts'
import { time } from '../../kernel/limits.ts'
import { corrections } from './corrections.ts'
import { account, type Maintenance, metadata, type PlanToApprove } from './events.ts'

/** A person, or a shared mailbox in the directory: the row of the table `person`. */
export const personState = object({
  id: text,
  /** The number of folded facts, and so the version of the next fact. */
  revision: number,
  account: nullable(account),
  /** False after the person left the organisation. */
  active: flag,
  /** In lower case, the mail address first. */
  addresses: list(text),
  language: nullable(text),
  /** The values by directory field: the directory's own, unless something stands above them in `corrections`. */
  directory: record(text),
  groups: list(text),
  /** The user's own values by variable path. They win over the directory's values. */
  values: record(text),
  metadata,
  /** The picture to show, as `<hash>.<extension>`: the directory's, until the user changes or removes it. */
  picture: nullable(text),
  /** The directory's picture. If `picture` is equal to it, a new directory picture replaces both. */
  directoryPicture: nullable(text),
  /** What stands above the directory; absent without it. Earlier services omit it. */
  corrections: optional(corrections),
})
export type PersonState = OutOf<typeof personState>

export const historyEntry = object({ release: text, at: time, by: text, note: text, rolledBack: flag })
export type HistoryEntry = OutOf<typeof historyEntry>

/** Who said something about a plan, and when. */
export const approvalWord = object({ by: text, at: time, note: text })
export type ApprovalWord = OutOf<typeof approvalWord>

/** What was said about a plan that needs approval. Asking again clears the answers. */
export type Approval = PlanToApprove &
  Readonly<{
    /** Null if it was approved or refused without being asked for. */
    asked: ApprovalWord | null
    given: readonly ApprovalWord[]
    refused: ApprovalWord | null
  }>

export type OrganisationState = Readonly<{
  /** The number of folded facts. */
  revision: number
  name: string
  tenants: readonly string[]
  maintenance: Maintenance
  /** The published releases, latest first. The first one is current. */
  history: readonly HistoryEntry[]
  /** The latest approvals of plans over the current release, latest first; absent until one is asked for or given. */
  approvals?: readonly Approval[]
}>
