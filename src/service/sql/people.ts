/** Reads the tables of people and their addresses. */
import { addressForms } from '../../values/mailAddress.ts'
import type { Account } from '../../../streams/organisation/facts/events.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import {
  type CountedValue,
  MAX_SUGGESTED_CHARACTERS,
} from '../../../streams/organisation/rules/fieldValues.ts'
import type { OrganisationAccess } from './access.ts'
import { type PersonRow, personOfRow, PERSON_READ_COLUMNS, cachedPersonOfRow } from './personRows.ts'
import { rawSql, type Sql, sql } from './query.ts'

/** The beginning of an escaped character in JSON. PostgreSQL cannot read NUL and unpaired surrogates. */
const ESCAPE = '\\u'

/** A person, and the first last day (UTC) of the person's corrections. */
export type CorrectionPlace = Readonly<{ id: string; until: string }>

/** The statements of most requests and sign-ins. Their texts are built only once. */
const PERSON_OF_ACCOUNT = `select ${PERSON_READ_COLUMNS.texts.join('')} from person
  where organisation = $1 and tenant = $2 and oid = $3`
const PERSON_WITH_ID = `select ${PERSON_READ_COLUMNS.texts.join('')} from person where organisation = $1 and id = $2`

export function createPeopleStore({ query, ask, count }: OrganisationAccess, organisation: string) {
  async function readPersons(where: Sql): Promise<readonly PersonState[]> {
    const rows = await query<PersonRow>`
      select ${PERSON_READ_COLUMNS} from person where organisation = $1 and ${where}`
    return rows.map(personOfRow)
  }
  async function recalledPerson(statement: string, ...parameters: readonly string[]) {
    const [row] = await ask<PersonRow>(statement, parameters)
    return row === undefined ? null : cachedPersonOfRow(organisation, row)
  }
  const readPerson = async (where: Sql): Promise<PersonState | null> => (await readPersons(where))[0] ?? null

  return {
    person: (id: string) => recalledPerson(PERSON_WITH_ID, id),
    /** The person with this address, ignoring case. The person may be inactive. */
    personByAddress: (address: string) =>
      readPerson(
        sql`id = (select person from address where organisation = $1
          and address = any (${addressForms(address)}::text[]) order by address limit 1)`,
      ),
    personByAccount: (tenant: string, oid: string) => recalledPerson(PERSON_OF_ACCOUNT, tenant, oid),
    personsByAccount: (accounts: readonly Account[]) =>
      readPersons(sql`(tenant, oid) in (select tenant, oid from unnest(
          ${accounts.map(({ tenant }) => tenant)}::text[], ${accounts.map(({ oid }) => oid)}::text[]
        ) as account (tenant, oid)) order by id`),
    persons: (ids: readonly string[]) => readPersons(sql`id = any (${ids}::text[]) order by id`),
    /** The people with one of these addresses, for delegations. */
    personsByAddress: (addresses: readonly string[]) =>
      readPersons(sql`id in (select person from address where organisation = $1
        and address = any (${addresses.flatMap(addressForms)}::text[])) order by id`),
    /** One page of the active people, ordered by id, after the id `after`. */
    people: (after: string | null, limit: number) =>
      readPersons(
        sql`${after === null ? rawSql('') : sql`id > ${after} and`} active order by id limit (select ${limit}::int)`,
      ),
    /**
     * The values of a directory field of the first active people by id, the most frequent first. Without a field, their
     * groups. Leaves out people with an escaped character in their record, because SQL cannot read each of these.
     *
     * @param limit the number of people who are read
     */
    fieldValues: (field: string | null, limit: number): Promise<readonly CountedValue[]> => {
      const own =
        field === null
          ? sql`unnest(groups)`
          : sql`(select case when strpos(directory::text, ${ESCAPE}) = 0 then directory ->> ${field} end)`
      return query<CountedValue>`
        select value, count(*)::int as people
        from (
          select directory, groups from person where organisation = $1 and active
          order by id limit (select ${limit}::int)
        ) as person, lateral ${own} as own (value)
        where value <> '' and length(value) <= ${MAX_SUGGESTED_CHARACTERS}::int
        group by value order by people desc, value collate "C"`
    },
    /**
     * One page of the people with a correction whose last day (UTC) is before `day`, after the place `after`. Inactive
     * people count, too.
     */
    peopleCorrectedUntil: (
      day: string,
      after: CorrectionPlace | null,
      limit: number,
    ): Promise<readonly CorrectionPlace[]> =>
      query<CorrectionPlace>`
        select id, corrections_until as until from person
        where organisation = $1 and corrections_until < ${day}
        ${after === null ? rawSql('') : sql`and (corrections_until, id) > (${after.until}, ${after.id})`}
        order by corrections_until, id limit (select ${limit}::int)`,
    /** The number of active people. */
    countPeople: () => count(sql`count(*)::int as count from person where organisation = $1 and active`),
    /** The number of people with a row, including inactive people. */
    countRows: () => count(sql`count(*)::int as count from person where organisation = $1`),
    /** The addresses of these people in the table of addresses, by person id. Omits people without an address. */
    addressesOf: async (ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
      const rows = await query<{ id: string; addresses: readonly string[] }>`
        select person as id, array_agg(address) as addresses from address
        where organisation = $1 and person = any (${ids}::text[]) group by person`
      return new Map(rows.map(({ id, addresses }) => [id, addresses]))
    },
  }
}
