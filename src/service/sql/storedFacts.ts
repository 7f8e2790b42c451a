/**
 * Facts as they are stored. The first version of a type is stored by its name, a later one with its number, as in
 * `person/imported@2`. Every version stays readable.
 */
import type { Recorded } from '../../../streams/kernel/event.ts'
import type {
  DefaultChoice,
  DirectoryChange,
  OrganisationFact,
  PersonFact,
} from '../../../streams/organisation/events.ts'
import {
  flag,
  list,
  loose,
  nullable,
  object,
  oneOf,
  optional,
  record,
  type Schema,
  text,
} from '../../../streams/kernel/schema.ts'
import { isFailed } from '../../../streams/kernel/failure.ts'

type Fact = OrganisationFact | PersonFact
type Data<Type extends Fact['type']> = Extract<Fact, { type: Type }>['data']

export type FactRow = Readonly<{ version: number; type: string; data: object; actor: string; at: number }>

const texts = list(text)
const byName = record(text)
const account = object({ tenant: text, oid: text })
const recordFields = {
  addresses: texts,
  account: nullable(account),
  language: nullable(text),
  fields: byName,
  groups: texts,
  picture: nullable(text),
}
const changed = object(
  Object.fromEntries(
    Object.entries(recordFields).map(([name, field]) => [name, optional<unknown, unknown>(field)] as const),
  ),
) as Schema<DirectoryChange>
const choice: Schema<DefaultChoice> = object({
  master: optional(text),
  reply: optional(text),
  bySender: optional(byName),
})
const published = object({ release: text, base: nullable(text), note: text })
const nothing = object({})

/** The first versions. Optional fields were added later; unknown fields of a newer service stay. */
const SCHEMAS: { readonly [Type in Fact['type']]: Schema<Data<Type>> } = {
  'organisation/founded': object({ name: text, tenants: texts }),
  'organisation/releasePublished': published,
  'organisation/releaseRolledBack': published,
  'organisation/maintenanceSet': object({ status: nullable(oneOf('planned', 'active')) }),
  'organisation/keyRotated': object({ key: text }),
  'organisation/syncAsked': object({ retire: flag }),
  'person/imported': object({ record: object(recordFields) }),
  'person/directoryChanged': object({ changed }),
  'person/accountBound': object({ account }),
  'person/departed': nothing,
  'person/returned': nothing,
  'person/valuesSaved': object({ values: byName, reset: texts }),
  'person/metadataSaved': object({
    metadata: loose({ defaultSignature: optional(choice) }),
  }),
  'person/pictureChanged': object({ picture: text }),
  'person/pictureRemoved': nothing,
  'person/defaultChosen': object({ choice }),
  'person/erased': nothing,
}

/** An unreadable fact. The message has its place, and no value of a person. */
export class UnreadableFact extends Error {}

/** @throws UnreadableFact for an unknown type, a newer version, or data of another shape */
export function readFact(
  stream: string,
  { version, type: stored, data, actor, at }: FactRow,
): Recorded<Fact> {
  const unreadable = (reason: string) =>
    new UnreadableFact(`The fact ${String(version)} of ${stream}, ${stored}, cannot be read: ${reason}.`)
  const [type = '', schemaVersion] = stored.split('@')
  const [kind = ''] = stream.split('/')
  if (!type.startsWith(`${kind}/`) || !Object.hasOwn(SCHEMAS, type)) throw unreadable('its type is unknown')
  if (schemaVersion !== undefined) throw unreadable('a newer version of Signet wrote it')
  try {
    SCHEMAS[type as Fact['type']].read(data, '')
  } catch (error) {
    if (!isFailed(error) || error.failure.kind !== 'malformed') throw error
    const place = error.failure.at === 'body' ? 'data' : error.failure.at
    throw unreadable(`its ${place} is not what the type says`)
  }
  return { type, data, meta: { seq: version, at, source: actor } } as Recorded<Fact>
}
