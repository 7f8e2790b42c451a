/** What the calls about the service itself answer: counts, and who did what. No list of people. */
import * as v from 'valibot'
import type { AuditPage, Insight, Me, Overview } from '../../streams/organisation/answers.ts'
import { roles } from '../../streams/organisation/answers.ts'
import { count, list, shape, time } from './shapes.ts'

const status = v.nullable(v.picklist(['planned', 'active']))

export const me = shape({
  name: v.string(),
  roles: list(v.picklist(roles)),
  organisation: v.string(),
  version: v.string(),
}) satisfies v.GenericSchema<unknown, Me>

export const overview = shape({
  release: v.nullable(v.string()),
  published: v.nullable(
    shape({ release: v.string(), at: time, by: v.string(), note: v.string(), rolledBack: v.boolean() }),
  ),
  people: count,
  toldToday: count,
  mailboxes: count,
  maintenance: status,
  problems: list(
    shape({ message: v.picklist(['noSignature', 'directoryFailed', 'directoryNeedsLeave']), count }),
  ),
}) satisfies v.GenericSchema<unknown, Overview>

export const insight = shape({
  since: time,
  people: count,
  signatures: list(shape({ signature: v.string(), name: v.string(), people: count })),
  versions: list(shape({ version: v.string(), people: count })),
  clients: list(shape({ client: v.string(), people: count })),
  launches: list(shape({ client: v.string(), went: count, failed: count })),
}) satisfies v.GenericSchema<unknown, Insight>

export const audit = shape({
  facts: list(
    shape({
      at: time,
      actor: v.string(),
      stream: v.picklist(['organisation', 'person']),
      person: v.nullable(v.string()),
      type: v.string(),
      note: v.nullable(v.string()),
      fields: list(v.string()),
    }),
  ),
  next: v.nullable(v.string()),
}) satisfies v.GenericSchema<unknown, AuditPage>

/** `<at>.<version>.<stream>` of the last fact of the page before. */
const FACT_PLACE = /^(\d{1,16})\.(-?\d{1,10})\.(organisation|person\/[^]{1,320})$/

const factPlace = v.pipe(
  v.string(),
  v.regex(FACT_PLACE),
  v.transform((text) => {
    const [, at, version, stream = ''] = FACT_PLACE.exec(text) ?? []
    return { at: Number(at), version: Number(version), stream }
  }),
)
export const auditWanted = shape({ after: v.exactOptional(factPlace) })
