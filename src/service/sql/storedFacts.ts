/**
 * Facts as they are stored. Each type has a version: its first one is stored by its name, a later one with it, as in
 * `person/imported@2`. What was stored once is read for ever.
 */
import * as v from 'valibot'
import type { Recorded } from '../../../streams/kernel/event.ts'
import type {
  DefaultChoice,
  DirectoryChange,
  OrganisationFact,
  PersonFact,
} from '../../../streams/organisation/events.ts'

type Fact = OrganisationFact | PersonFact
type Data<Type extends Fact['type']> = Extract<Fact, { type: Type }>['data']

export type FactRow = Readonly<{ version: number; type: string; data: object; actor: string; at: number }>

const text = v.string()
const texts = v.array(text)
const byName = v.record(text, text)
const account = v.object({ tenant: text, oid: text })
const record = v.object({
  addresses: texts,
  account: v.nullable(account),
  language: v.nullable(text),
  fields: byName,
  groups: texts,
  picture: v.nullable(text),
})
// JSON has no undefined.
const changed = v.partial(record) as v.GenericSchema<unknown, DirectoryChange>
const choice: v.GenericSchema<unknown, DefaultChoice> = v.object({
  master: v.exactOptional(text),
  reply: v.exactOptional(text),
  bySender: v.exactOptional(byName),
})
const published = v.object({ release: text, base: v.nullable(text), note: text })
const nothing = v.object({})

/** Of the first version. What is optional was added later; what a newer service added beside it is left as it is. */
const SCHEMAS: { readonly [Type in Fact['type']]: v.GenericSchema<unknown, Data<Type>> } = {
  'organisation/founded': v.object({ name: text, tenants: texts }),
  'organisation/releasePublished': published,
  'organisation/releaseRolledBack': published,
  'organisation/maintenanceSet': v.object({ status: v.nullable(v.picklist(['planned', 'active'])) }),
  'organisation/keyRotated': v.object({ key: text }),
  'organisation/syncAsked': v.object({ retire: v.boolean() }),
  'person/imported': v.object({ record }),
  'person/directoryChanged': v.object({ changed }),
  'person/accountBound': v.object({ account }),
  'person/departed': nothing,
  'person/returned': nothing,
  'person/valuesSaved': v.object({ values: byName, reset: texts }),
  'person/metadataSaved': v.object({
    metadata: v.objectWithRest({ defaultSignature: v.exactOptional(choice) }, v.unknown()),
  }),
  'person/pictureChanged': v.object({ picture: text }),
  'person/pictureRemoved': nothing,
  'person/defaultChosen': v.object({ choice }),
  'person/erased': nothing,
}

/** A fact that this service cannot read. The message names its place, and no value of a person. */
export class UnreadableFact extends Error {}

/** @throws UnreadableFact for one of an unknown type, of a newer version, or that is not what its type says */
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
  const { success, issues } = v.safeParse(SCHEMAS[type as Fact['type']], data, { abortEarly: true })
  if (!success) throw unreadable(`its ${v.getDotPath(issues[0]) ?? 'data'} is not what the type says`)
  return { type, data, meta: { seq: version, at, source: actor } } as Recorded<Fact>
}
