/** What the calls about the service itself answer: counts, and who did what. No list of people. */
import { flag, list, map, nullable, object, oneOf, optional, type Schema, text } from '../schema.ts'
import { count, time } from './shapes.ts'
import { matching } from '../limits.ts'
import type { AuditPage, Insight, Me, Overview } from '../../organisation/answers.ts'
import { roles } from '../../organisation/answers.ts'

const status = nullable(oneOf('planned', 'active'))

export const me = object({
  name: text,
  roles: list(oneOf(...roles)),
  organisation: text,
  version: text,
}) satisfies Schema<Me>

export const overview = object({
  release: nullable(text),
  published: nullable(object({ release: text, at: time, by: text, note: text, rolledBack: flag })),
  people: count,
  toldToday: count,
  mailboxes: count,
  maintenance: status,
  problems: list(object({ message: oneOf('noSignature', 'directoryFailed', 'directoryNeedsLeave'), count })),
}) satisfies Schema<Overview>

export const insight = object({
  since: time,
  people: count,
  signatures: list(object({ signature: text, name: text, people: count })),
  versions: list(object({ version: text, people: count })),
  clients: list(object({ client: text, people: count })),
  launches: list(object({ client: text, went: count, failed: count })),
}) satisfies Schema<Insight>

export const audit = object({
  facts: list(
    object({
      at: time,
      actor: text,
      stream: oneOf('organisation', 'person'),
      person: nullable(text),
      type: text,
      note: nullable(text),
      fields: list(text),
    }),
  ),
  next: nullable(text),
}) satisfies Schema<AuditPage>

/** `<at>.<version>.<stream>` of the last fact of the page before. */
const FACT_PLACE = /^(\d{1,16})\.(-?\d{1,10})\.(organisation|person\/[^]{1,320})$/

const factPlace = map(matching(FACT_PLACE, 'the place of a fact'), (text) => {
  const [, at, version, stream = ''] = FACT_PLACE.exec(text) ?? []
  return { at: Number(at), version: Number(version), stream }
})
export const auditWanted = object({ after: optional(factPlace) })
