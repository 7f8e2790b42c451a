/** Converts people to and from rows of their table. */
import { LRUCache } from 'lru-cache'
import { type Corrections, firstLastDay } from '../../../streams/organisation/facts/corrections.ts'
import { departmentOrderOf, nameOrderOf } from '../../../streams/organisation/facts/personOrder.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { rawSql, type Sql, sql } from './query.ts'

/** A person as a row of the table of people. */
export type PersonRow = Omit<PersonState, 'account' | 'corrections'> &
  Readonly<{ tenant: string | null; oid: string | null; corrections: Corrections | null }>

export const PERSON_READ_COLUMNS = rawSql(`
  id, revision, tenant, oid, active, addresses, language, directory, groups, own_values as "values", metadata,
  picture, directory_picture as "directoryPicture", corrections`)
export const PERSON_WRITTEN_COLUMNS = rawSql(`
  revision, tenant, oid, active, addresses, language, directory, groups, own_values, metadata,
  picture, directory_picture, corrections, corrections_until, name_order, department_order, order_revision`)

/** The values of `PERSON_WRITTEN_COLUMNS`. */
export const personRowValues = (person: PersonState): Sql => sql`
  ${person.revision}::int, ${person.account?.tenant ?? null}, ${person.account?.oid ?? null},
  ${person.active}::boolean, ${person.addresses}::text[], ${person.language},
  ${JSON.stringify(person.directory)}::json, ${person.groups}::text[], ${JSON.stringify(person.values)}::json,
  ${JSON.stringify(person.metadata)}::json, ${person.picture}, ${person.directoryPicture},
  ${correctionsText(person)}::json, ${firstLastDay(person)},
  ${nameOrderOf(person)}, ${departmentOrderOf(person)}, ${person.revision}::int`

/** The corrections as JSON; null without any. */
const correctionsText = ({ corrections }: PersonState): string | null =>
  corrections === undefined ? null : JSON.stringify(corrections)

/** Formats an array as PostgreSQL's text form. */
const arrayText = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/** People as rows named `written`, each with the id and the values of `PERSON_WRITTEN_COLUMNS`. */
export const rowsOfPeople = (people: readonly PersonState[]): Sql => sql`(
  select id, revision, tenant, oid, active, addresses::text[], language, directory::json, groups::text[],
    own_values::json, metadata::json, picture, directory_picture, corrections::json, corrections_until, name_order, department_order,
    order_revision
  from unnest(
    ${people.map(({ id }) => id)}::text[], ${people.map(({ revision }) => revision)}::int[],
    ${people.map(({ account }) => account?.tenant ?? null)}::text[],
    ${people.map(({ account }) => account?.oid ?? null)}::text[],
    ${people.map(({ active }) => active)}::boolean[],
    ${people.map(({ addresses }) => arrayText(addresses))}::text[],
    ${people.map(({ language }) => language)}::text[],
    ${people.map(({ directory }) => JSON.stringify(directory))}::text[],
    ${people.map(({ groups }) => arrayText(groups))}::text[],
    ${people.map(({ values }) => JSON.stringify(values))}::text[],
    ${people.map(({ metadata }) => JSON.stringify(metadata))}::text[],
    ${people.map(({ picture }) => picture)}::text[],
    ${people.map(({ directoryPicture }) => directoryPicture)}::text[],
    ${people.map(correctionsText)}::text[], ${people.map(firstLastDay)}::text[],
    ${people.map(nameOrderOf)}::text[], ${people.map(departmentOrderOf)}::text[],
    ${people.map(({ revision }) => revision)}::int[]
  ) as row (id, ${PERSON_WRITTEN_COLUMNS})) as written`

/** The person of a row. */
export function personOfRow({ tenant, oid, corrections, ...more }: PersonRow): PersonState {
  return {
    ...more,
    account: tenant === null || oid === null ? null : { tenant, oid },
    ...(corrections && { corrections }),
  }
}

/** The number of cached people. Rows with more characters than `MAX_RECALLED_LENGTH` are not cached. */
const MAX_RECALLED = 5_000
const MAX_RECALLED_LENGTH = 4_096
const recalled = new LRUCache<string, PersonState>({ max: MAX_RECALLED })

/**
 * Returns the same object for the same row of an organisation, so that values derived from a person can be cached with
 * it.
 */
export function cachedPersonOfRow(organisation: string, row: PersonRow): PersonState {
  const text = JSON.stringify([organisation, row])
  const known = recalled.get(text)
  if (known !== undefined) return known
  const person = personOfRow(row)
  if (text.length <= MAX_RECALLED_LENGTH) recalled.set(text, person)
  return person
}
