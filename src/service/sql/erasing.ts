/** Erases a person from every table that contains the person's data. */
import type { Query } from './query.ts'
import { eraseEntries } from './directoryPeople.ts'
import { EVENT_COLUMNS, PERSON_STREAM_PREFIX, type FactOrigin } from './facts.ts'
import { type PersonRow, personOfRow, PERSON_READ_COLUMNS } from './personRows.ts'
import { dropUnusedPictures } from './pictures.ts'
import { VersionConflict } from './problems.ts'

/**
 * Deletes a person's row, addresses, pictures, facts and directory entries. Only the fact of the erasure remains.
 *
 * @throws VersionConflict when the person is not at the revision `expected`
 */
export async function erasePerson(
  inside: Query,
  id: string,
  expected: number,
  { actor, at }: FactOrigin,
): Promise<void> {
  const [gone] = await inside<PersonRow>`
    delete from person where organisation = $1 and id = ${id} and revision = ${expected}
    returning ${PERSON_READ_COLUMNS}`
  if (gone === undefined) throw new VersionConflict(`${id} is not at ${expected} any more`)
  await dropPictures(inside, id, await eraseEntries(inside, personOfRow(gone)))
  await inside`delete from address where organisation = $1 and person = ${id}`
  await inside`delete from told where organisation = $1 and person = ${id}`
  await inside`delete from event where organisation = $1 and stream = ${PERSON_STREAM_PREFIX + id} and version >= 0`
  // Gives the erasure a version below 0, so that the id can be imported again from version 0.
  await inside`
    insert into event (${EVENT_COLUMNS})
    select $1, ${PERSON_STREAM_PREFIX + id}::text, coalesce(min(version), 0) - 1, 'person/erased', '{}'::json, ${actor}::text,
      ${at}::bigint
    from event where organisation = $1 and stream = ${PERSON_STREAM_PREFIX + id}`
}

/** Deletes these pictures and the pictures in a person's facts, unless another person or a release uses them. */
async function dropPictures(inside: Query, id: string, pictures: readonly string[]) {
  const facts = await inside<{ data: unknown }>`
    select data from event where organisation = $1 and stream = ${PERSON_STREAM_PREFIX + id}`
  const named = [...JSON.stringify(facts).matchAll(/"picture":"([0-9a-f]{32})\./g)].map(([, hash]) => hash)
  await dropUnusedPictures(inside, [...named, ...pictures.flatMap((picture) => picture.split('.', 1))])
}
