/** The audit entry of a fact: who did it and when, and the names of changed fields, but never a person's values. */
import type { Recorded } from '../../kernel/event.ts'
import { time } from '../../kernel/limits.ts'
import { list, nullable, object, oneOf, type OutOf, text } from '../../kernel/schema.ts'
import type { OrganisationFact, PersonFact } from './events.ts'

export const auditFact = object({
  at: time,
  actor: text,
  stream: oneOf('organisation', 'person'),
  person: nullable(text),
  /** The name of the fact, such as `organisation/releasePublished`. */
  type: text,
  /** The note on a publish, a rollback or an approval. */
  note: nullable(text),
  /** The names of the changed fields or variables, never their values. */
  fields: list(text),
})
export type AuditFact = OutOf<typeof auditFact>

const PERSON = 'person/'

/**
 * Builds the audit entry for a fact.
 *
 * @param stream the fact's stream: `organisation` or `person/<id>`
 */
export const auditFactOf = (fact: Recorded<OrganisationFact | PersonFact>, stream: string): AuditFact => ({
  at: fact.meta.at,
  actor: fact.meta.source,
  ...(stream.startsWith(PERSON)
    ? { stream: 'person', person: stream.slice(PERSON.length) }
    : { stream: 'organisation', person: null }),
  type: fact.type,
  note: noteOf(fact),
  fields: fieldsOf(fact),
})

function noteOf(fact: OrganisationFact | PersonFact): string | null {
  return 'note' in fact.data && fact.data.note !== '' ? fact.data.note : null
}

function fieldsOf(fact: OrganisationFact | PersonFact): readonly string[] {
  if (fact.type === 'person/directoryChanged') return Object.keys(fact.data.changed)
  if (fact.type === 'person/corrected') return Object.keys(fact.data.fields)
  if (fact.type === 'person/correctionsEnded') return fact.data.fields
  if (fact.type === 'person/supplemented') return [...Object.keys(fact.data.values), ...fact.data.removed]
  if (fact.type !== 'person/valuesSaved') return []
  return [...new Set([...Object.keys(fact.data.values), ...fact.data.reset])]
}
