/** Responses to the calls about the service itself: figures, and the audit. */
import {
  list,
  mapSchema,
  nullable,
  object,
  oneOf,
  optional,
  type OutOf,
  record,
  text,
} from '../../kernel/schema.ts'
import { count, textMatching, textUpTo } from '../../kernel/limits.ts'
import { auditFact } from '../../organisation/facts/audit.ts'
import { maintenance } from '../../organisation/facts/events.ts'
import { historyEntry } from '../../organisation/facts/state.ts'
import { changingPeriods } from '../../organisation/figures/periods.ts'

/**
 * The app roles for administration. `Signet.Operate` applies to the whole installation: only users and applications in
 * the operator's own tenants have it. Every other role applies to the caller's organisation.
 */
export const roles = [
  'Signet.Read',
  'Signet.Publish',
  'Signet.People',
  'Signet.Audit',
  'Signet.Operate',
] as const
export type Role = (typeof roles)[number]

export const callerInfo = object({
  /** The caller's sign-in name, or `application <client id>`. */
  name: text,
  roles: list(oneOf(...roles)),
  organisation: text,
  /** The service's version. */
  version: text,
})
export type CallerInfo = OutOf<typeof callerInfo>

/**
 * `noSignature` counts people without an assigned signature. The other problems have a count of 1: the last sync failed
 * (`directoryFailed`), or it waits for approval (`directoryNeedsLeave`).
 */
const problem = oneOf('noSignature', 'directoryFailed', 'directoryNeedsLeave')
export type OverviewProblem = OutOf<typeof problem>

/** The overview of the service, up to a minute old. */
export const overview = object({
  release: nullable(text),
  published: nullable(historyEntry),
  /**
   * `number` is the number of the release; `backTo` is the number of the release that it restored. Earlier services
   * omit both.
   */
  numbers: optional(nullable(object({ number: count, backTo: nullable(count) }))),
  /** The number of active people. */
  people: count,
  /**
   * The number of people whom an administrator keeps without a signature. The problem `noSignature` does not count them.
   * Earlier services omit it, and count them there.
   */
  keptWithout: optional(count),
  /**
   * The number of people whose add-in reported since midnight UTC. Add-ins report at sign-in, unless diagnostic data
   * are off.
   */
  toldToday: count,
  /** The number of people whose add-in reported in the last 90 days. Earlier services omit it. */
  told: optional(count),
  /** The number of shared mailboxes in the release. */
  mailboxes: count,
  maintenance,
  /** The open problems. Every count is above 0. */
  problems: list(object({ message: problem, count })),
  /** The periods of the release that begin or end soon. Earlier services omit them. */
  changing: optional(changingPeriods),
})
export type Overview = OutOf<typeof overview>

/** `next` is the value for `after` in the next request; null for the last page. */
export const auditPage = object({
  facts: list(auditFact),
  next: nullable(text),
  /** The people in the facts, by id. Erased people are missing. Earlier services omit this field. */
  people: optional(record(object({ name: text, address: text }))),
  /** The labels of fields and variables, by name. */
  labels: optional(record(text)),
})
export type AuditPage = OutOf<typeof auditPage>

/** The maximum length of an organisation id. */
const MAX_ID = 40

/** `<at>.<version>.<stream>` of the last fact on the previous page. */
const FACT_PLACE = /^(\d{1,16})\.(-?\d{1,10})\.(organisation|person\/[^]{1,320})$/

const factPlace = mapSchema(textMatching(FACT_PLACE, 'the place of a fact'), (text) => {
  const [, at, version, stream = ''] = FACT_PLACE.exec(text) ?? []
  return { at: Number(at), version: Number(version), stream }
})
export const auditQuery = object({ after: optional(factPlace) })

/** `after` is the `next` value from the previous page. */
export const organisationsQuery = object({ after: optional(textUpTo(MAX_ID)) })
