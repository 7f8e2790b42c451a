/** Requests and responses of the calls about plans, releases and folders. */
import {
  flag,
  list,
  nullable,
  object,
  oneOf,
  optional,
  record,
  type OutOf,
  type Schema,
  text,
  union,
} from '../../kernel/schema.ts'
import { after, finding, hash, id, pictures, sentPictures } from './shapes.ts'
import { count, time, listUpTo, recordUpTo, textUpTo } from '../../kernel/limits.ts'
import type { PersonPlan, PlanSummary } from '../../organisation/plan.ts'
import { documentSchema } from './document.ts'
import { MAX_FILES } from '../../organisation/paths.ts'
import { condition, dueChoice, period } from './people.ts'

const MAX_NOTE_CHARACTERS = 500
/** A limit above that of a folder, so that the check of the folder finds a long path and names its file. */
const MAX_SENT_PATH = 1000

const aspect = oneOf('signature', 'reply', 'mobile', 'name', 'recipients', 'collection')
const signatureChange = {
  kind: oneOf('added', 'removed', 'changed'),
  signature: text,
  name: text,
  aspects: list(aspect),
}
const because = nullable(union(oneOf('user', 'everyone'), list(condition)))
const missing = { signature: text, name: text, variables: list(text) }
const namedChoice = nullable(object({ choice: dueChoice, name: text }))
const rendition = nullable(
  object({ signature: nullable(text), reply: nullable(text), mobile: nullable(text) }),
)
const counted = { people: count, sample: object({ person: text, address: text }) }

const personPlan = object({
  person: text,
  address: text,
  signatures: list(object(signatureChange)),
  default: nullable(object({ from: namedChoice, to: namedChoice, because })),
  losesAll: flag,
  reordered: flag,
  mayChoose: nullable(flag),
  mailboxes: object({ added: list(text), removed: list(text) }),
  missing: list(object(missing)),
}) satisfies Schema<PersonPlan>

const summary = object({
  people: count,
  unchanged: count,
  signatures: list(object({ ...signatureChange, ...counted, before: rendition, after: rendition })),
  defaults: list(object({ ...counted, from: nullable(text), to: nullable(text), because })),
  losing: list(object(counted)),
  reordered: list(object(counted)),
  choosing: list(object({ ...counted, mayChoose: flag })),
  mailboxes: list(object({ ...counted, address: text, kind: oneOf('added', 'removed') })),
  missing: list(object({ ...counted, ...missing })),
}) satisfies Schema<PlanSummary>

export const plan = object({
  /** Equal for the same release over the same base. */
  id: text,
  /** The published release at that time; null before the first. */
  base: nullable(text),
  release: text,
  /** The moment at which both releases are compared. */
  at: time,
  until: time,
  /** The base of all addresses of pictures. */
  pictures: text,
  summary,
  variables: list(object({ path: text, kind: oneOf('added', 'removed', 'changed') })),
  /** Signatures whose period is not open at that moment. */
  closed: list(object({ signature: text, name: text, during: period })),
})
export type Plan = OutOf<typeof plan>

export const plannedPeople = object({ people: list(personPlan), next: nullable(text) })
export type PlanPage = OutOf<typeof plannedPeople>

const history = list(object({ release: text, at: time, by: text, note: text, rolledBack: flag }))
const maintenance = nullable(oneOf('planned', 'active'))

/** The history, latest first; `current` is null before the first release. */
export const releases = object({ current: nullable(text), maintenance, history })
export type Releases = OutOf<typeof releases>

/** The response of publishing and rolling back. */
export const published = object({ release: text, history })
export const maintenanceStatus = object({ status: maintenance })

/** A release with its pictures by the hash of their content. */
export const exported = object({ release: text, document: documentSchema, pictures })
export type Exported = OutOf<typeof exported>

/** Bytes of files as base64, by their paths in the folder. */
export const folderSent = object({ files: recordUpTo(text, MAX_FILES, textUpTo(MAX_SENT_PATH)) })
/** The result of a check; `document` is null when a part is unreadable. A finding with `error` refuses the folder. */
export const folderRead = object({
  document: nullable(documentSchema),
  pictures,
  findings: list(object({ ...finding, rule: text })),
})
export type FolderFinding = OutOf<typeof folderRead>['findings'][number]
export type FolderRead = OutOf<typeof folderRead>

const NO_PICTURES: Readonly<Record<string, string>> = {}

export const folderWanted = object({
  document: documentSchema,
  pictures: optional(sentPictures, NO_PICTURES),
})
/** The files that `signet export` writes. */
export const folderWritten = object({ files: record(text) })

export const ofId = object({ id })
export const hashes = object({ pictures: listUpTo(hash, MAX_FILES) })
export const missingPictures = object({ missing: list(text) })
export const picturesSent = object({ pictures: sentPictures })
export const planWanted = object({
  document: documentSchema,
  pictures: optional(sentPictures, NO_PICTURES),
  at: optional(time),
})
export const pageWanted = object({ after: optional(after) })
const note = optional(textUpTo(MAX_NOTE_CHARACTERS), '')
export const publishing = object({ plan: hash, note })
export const rollingBack = object({ note })
export const exportWanted = object({
  /** A release or a plan; the default is the published release. */
  release: optional(hash),
})
