/**
 * Reads stored facts. The stored type is the fact's name. Later versions of a fact append their number, as in
 * `person/imported@2`. Facts of every version stay readable.
 */
import type { Recorded } from '../../../streams/kernel/event.ts'
import {
  Organisation,
  type OrganisationFact,
  Person,
  type PersonFact,
} from '../../../streams/organisation/facts/events.ts'
import type { Schema } from '../../../streams/kernel/schema.ts'
import { isFailed } from '../../../streams/kernel/failure.ts'

type Fact = OrganisationFact | PersonFact
export type FactRow = Readonly<{ version: number; type: string; data: object; actor: string; at: number }>

/** The schemas of the first version of each fact, by type. Fields that were added later are optional. */
const SCHEMAS = new Map<string, Schema<object>>(
  [...Object.values(Organisation), ...Object.values(Person)].map(({ type, schema }) => [type, schema]),
)

/** A fact that cannot be read. The message names the fact's stream and version, and contains no value of a person. */
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
  const schema = SCHEMAS.get(type)
  if (!type.startsWith(`${kind}/`) || schema === undefined) throw unreadable('its type is unknown')
  if (schemaVersion !== undefined) throw unreadable('a newer version of Signet wrote it')
  try {
    schema.read(data, '')
  } catch (error) {
    if (!isFailed(error) || error.failure.kind !== 'malformed') throw error
    const place = error.failure.at === 'body' ? 'data' : error.failure.at
    throw unreadable(`its ${place} is not what the type says`)
  }
  return { type, data, meta: { seq: version, at, source: actor } } as Recorded<Fact>
}
