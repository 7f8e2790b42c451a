/**
 * Reads people in the order of an index, a limited number of rows at a time. As in `searchTerms.ts`, limits are
 * subqueries and no statement has a condition for the end of a range, so that no query plan depends on statistics.
 */
import { departmentOrderOf, nameOrderOf } from '../../../streams/organisation/facts/personOrder.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { OrganisationAccess } from './access.ts'
import { type PersonRow, personOfRow, PERSON_READ_COLUMNS } from './personRows.ts'
import { rawSql, type Sql, sql } from './query.ts'
import { derivingStaleRows } from './staleRows.ts'

/** The condition for people whose order is outdated, because a version of Signet without it wrote the row. */
const IS_STALE = rawSql('order_revision is distinct from revision')

/**
 * An index to read. `department` is the order text of a department: with `name`, only its people are read, and with
 * `department`, only later departments. `seen` has the people whose add-in has reported, by their last report.
 */
export type PersonIndex = Readonly<
  | { by: 'name'; department: string | null }
  | { by: 'department'; after: string | null }
  | { by: 'seen'; department: string | null }
>

/** A person's place in an index: the values of its columns, the id last. */
export type IndexPlace = readonly (string | number)[]

/** `person` is null at a place whose person the reader did not ask for. */
export type PersonAtPlace = Readonly<{ place: IndexPlace; person: PersonState | null; seenAt: number | null }>

export type IndexReader = Readonly<{
  isActive: boolean
  isDescending: boolean
  after: IndexPlace | null
  limit: number
}>

type PlacedRow = PersonRow & Readonly<{ nameOrder: string; departmentOrder: string; seenAt: number | null }>

const LAST_REPORT = rawSql(
  '(select told.at from told where told.organisation = $1 and told.person = person.id) as "seenAt"',
)

const directionOf = (isDescending: boolean): Sql => rawSql(isDescending ? 'desc' : 'asc')
const beyond = (isDescending: boolean): Sql => rawSql(isDescending ? '<' : '>')

export function createOrderedPeopleStore({ query, transaction }: OrganisationAccess) {
  async function readPlaces(
    where: Sql,
    order: Sql,
    { isActive, limit }: IndexReader,
    placeOf: (row: PlacedRow) => IndexPlace,
  ): Promise<readonly PersonAtPlace[]> {
    const rows = await query<PlacedRow>`
      select ${PERSON_READ_COLUMNS}, name_order as "nameOrder", department_order as "departmentOrder", ${LAST_REPORT}
      from person where organisation = $1 and active = ${isActive}::boolean ${where}
      order by ${order} limit (select ${limit}::int)`
    return rows.map((row) => {
      const { nameOrder: _name, departmentOrder: _department, seenAt, ...more } = row
      return { place: placeOf(row), person: personOfRow(more), seenAt }
    })
  }

  function byName(department: string | null, reader: IndexReader) {
    const { after, isDescending } = reader
    const [is, to] = [beyond(isDescending), directionOf(isDescending)]
    return readPlaces(
      sql`${department === null ? rawSql('') : sql`and department_order = ${department}`}
        ${after === null ? rawSql('') : sql`and (name_order, id) ${is} (${after[0]}, ${after[1]})`}`,
      sql`name_order ${to}, id ${to}`,
      reader,
      ({ nameOrder, id }) => [nameOrder, id],
    )
  }

  function byDepartment(later: string | null, reader: IndexReader) {
    const { after, isDescending } = reader
    const [is, to] = [beyond(isDescending), directionOf(isDescending)]
    return readPlaces(
      after !== null
        ? sql`and (department_order, name_order, id) ${is} (${after[0]}, ${after[1]}, ${after[2]})`
        : later === null
          ? rawSql('')
          : sql`and department_order > ${later}`,
      sql`department_order ${to}, name_order ${to}, id ${to}`,
      reader,
      ({ departmentOrder, nameOrder, id }) => [departmentOrder, nameOrder, id],
    )
  }

  /** The department is compared as an expression, because a planner would else read all people of the department. */
  async function bySeen(
    department: string | null,
    { isActive, isDescending, after, limit }: IndexReader,
  ): Promise<readonly PersonAtPlace[]> {
    const [is, to] = [beyond(isDescending), directionOf(isDescending)]
    const rows = await query<Readonly<{ placeAt: number; placePerson: string }> & (PersonRow | { id: null })>`
      with place as materialized (
        select at, person as holder from told where organisation = $1
        ${after === null ? rawSql('') : sql`and (at, person) ${is} (${after[0]}::bigint, ${after[1]})`}
        order by at ${to}, person ${to} limit (select ${limit}::int))
      select place.at as "placeAt", place.holder as "placePerson", found.* from place
      left join lateral (
        select ${PERSON_READ_COLUMNS} from person
        where person.organisation = $1 and person.id = place.holder and active = ${isActive}::boolean
        ${department === null ? rawSql('') : sql`and department_order || '' = ${department}`}
      ) as found on true
      order by place.at ${to}, place.holder ${to}`
    return rows.map(({ placeAt, placePerson, ...row }) => ({
      place: [placeAt, placePerson],
      person: row.id === null ? null : personOfRow(row as PersonRow),
      seenAt: placeAt,
    }))
  }

  return {
    /** The next places of an index. Fewer than `limit` places are the last ones. */
    places: (index: PersonIndex, reader: IndexReader): Promise<readonly PersonAtPlace[]> =>
      index.by === 'name'
        ? byName(index.department, reader)
        : index.by === 'department'
          ? byDepartment(index.after, reader)
          : bySeen(index.department, reader),
    /** When the add-ins of these people last reported, in milliseconds since 1970. Omits people without a report. */
    seenAt: async (ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
      const rows = await query<{ person: string; at: number }>`
        select person, at from told where organisation = $1 and person = any (${ids}::text[])`
      return new Map(rows.map(({ person, at }) => [person, at]))
    },
    /** Stores the order of a batch of people whose order is outdated (`derivingStaleRows`). */
    fill: derivingStaleRows<PersonRow>(
      transaction,
      { columns: PERSON_READ_COLUMNS, isStale: IS_STALE },
      async (inside, rows) => {
        const people = rows.map(personOfRow)
        await inside`
          update person set name_order = given.name, department_order = given.department, order_revision = revision
          from unnest(
            ${people.map(({ id }) => id)}::text[], ${people.map(nameOrderOf)}::text[],
            ${people.map(departmentOrderOf)}::text[]) as given (id, name, department)
          where person.organisation = $1 and person.id = given.id`
      },
    ),
  }
}
