/** The table of facts, both of the organisation and of all people. */
import type { Recorded } from '../../../streams/kernel/event.ts'
import type { OrganisationFact, PersonFact } from '../../../streams/organisation/facts/events.ts'
import type { OrganisationAccess } from './access.ts'
import { reportConflicts } from './conflicts.ts'
import { VersionConflict } from './problems.ts'
import { rawSql, type Sql, sql } from './query.ts'
import { type FactRow, readFact } from './storedFacts.ts'

/** The actor and the time of a write, in milliseconds since 1970. */
export type FactOrigin = Readonly<{ actor: string; at: number }>

/** The position of a fact in the audit: its time in milliseconds since 1970, stream and version. */
export type FactPlace = Readonly<{ at: number; stream: string; version: number }>

/** The position of a fact among the facts of all people. */
export type PersonPlace = Readonly<{ id: string; version: number }>

type Fact = OrganisationFact | PersonFact

/** The prefix of a person's stream name; the id follows. */
export const PERSON_STREAM_PREFIX = 'person/'
/** Sorts after all stream names of people. */
const AFTER_PERSONS = 'person0'

/** The lowest version of a fact. Versions below 0 record earlier erasures of people with the same id. */
const FIRST_VERSION = -(2 ** 31)

export const EVENT_COLUMNS = rawSql('organisation, stream, version, type, data, actor, at')

/** The column values of new facts, with versions from `from` on. Reads the facts from the rows of `factRows`. */
export const eventColumnValues = (stream: string, from: number, { actor, at }: FactOrigin): Sql =>
  sql`$1, ${stream}, ${from}::int + fact.place::int - 1, fact.type, fact.data::json, ${actor}, ${at}::bigint`
export const factRows = (facts: readonly Fact[]): Sql => sql`unnest(
    ${facts.map(({ type }) => type)}::text[], ${facts.map(({ data }) => JSON.stringify(data))}::text[]
  ) with ordinality as fact (type, data, place)`

export function createFactStore({ query, ask }: OrganisationAccess) {
  async function readFacts<Known extends Fact>(
    stream: string,
    from: number,
  ): Promise<readonly Recorded<Known>[]> {
    const rows = await query<FactRow>`
      select version, type, data, actor, at from event
      where organisation = $1 and stream = ${stream} and version >= ${from} order by version`
    return rows.map((row) => readFact(stream, row) as Recorded<Known>)
  }

  return {
    /** The facts of the organisation's stream, in order, from the version `from` on. */
    organisationFacts: (from: number) => readFacts<OrganisationFact>('organisation', from),
    /** @throws VersionConflict when the stream's next version is not `expected` */
    appendOrganisation: async (
      expected: number,
      facts: readonly OrganisationFact[],
      signed: FactOrigin,
    ): Promise<void> => {
      if (facts.length === 0) return
      const appended = await reportConflicts(
        query`
          insert into event (${EVENT_COLUMNS})
          select ${eventColumnValues('organisation', expected, signed)} from ${factRows(facts)}
          where ${expected}::int = 0 or exists (
            select 1 from event
            where organisation = $1 and stream = 'organisation' and version = ${expected}::int - 1
          )
          returning version`,
      )
      if (appended.length === 0) throw new VersionConflict(`the organisation is not at ${expected}`)
    },

    personFacts: (id: string, from: number) =>
      readFacts<PersonFact>(PERSON_STREAM_PREFIX + id, from <= 0 ? FIRST_VERSION : from),
    /** The facts of all streams after the position `after`, in descending order of time, stream and version. */
    audit: async (
      after: FactPlace | null,
      limit: number,
    ): Promise<readonly Readonly<{ fact: Recorded<Fact>; place: FactPlace }>[]> => {
      const rows = await ask<FactRow & FactPlace>(
        `select stream, version, type, data, actor, at from event where organisation = $1
         ${after === null ? '' : 'and (at, stream, version) < ($3::bigint, $4, $5::bigint)'}
         order by at desc, stream desc, version desc limit $2`,
        [limit, ...(after === null ? [] : [after.at, after.stream, after.version])],
      )
      return rows.map(({ stream, ...row }) => ({
        fact: readFact(stream, row),
        place: { at: row.at, stream, version: row.version },
      }))
    },
    /** One page of the facts of all people after the position `after`, ordered by person id and version. */
    peopleFacts: async (
      after: PersonPlace | null,
      limit: number,
    ): Promise<readonly (PersonPlace & Readonly<{ fact: Recorded<PersonFact> }>)[]> => {
      const rows = await query<FactRow & Readonly<{ stream: string }>>`
        select stream, version, type, data, actor, at from event
        where organisation = $1 and (stream, version) > (${PERSON_STREAM_PREFIX + (after?.id ?? '')}, ${after?.version ?? 0}::int)
          and stream < ${AFTER_PERSONS}
        order by stream, version limit ${limit}`
      return rows.map(({ stream, ...row }) => ({
        id: stream.slice(PERSON_STREAM_PREFIX.length),
        version: row.version,
        fact: readFact(stream, row) as Recorded<PersonFact>,
      }))
    },
  }
}
