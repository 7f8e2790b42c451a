/**
 * Row-level security: a second barrier between organisations, after the conditions in the statements.
 *
 * An organisation's statements run as a role that owns no table. Their transactions have the organisation's id in the
 * setting `signet.organisation`. Without the setting, the role can neither see nor write rows. The owner of the tables
 * sees all rows, which migrations, backups and instances of versions without the role need.
 *
 * Roles belong to the whole server, tables to one database. So the role is named after the connecting user, and all of
 * the user's databases share it. Each opening of a database checks the role, because the database may have been
 * restored on another server.
 */
import { type DatabaseDriver, type DatabaseSession, sqlState } from './driver.ts'
import { OWN_ORGANISATION } from './registry.ts'
import { PlainError } from '../../server/reasons.ts'

/**
 * The state of row security. `missing` contains the statements still to run; it is empty when row security is complete.
 * `canBeMade` is true if the connected user may run them. The service then runs them when it starts.
 */
export type RowSecurity = Readonly<{ role: string; missing: readonly string[]; canBeMade: boolean }>

/** The setting with the id of a transaction's organisation. */
export const ORGANISATION_SETTING = 'signet.organisation'

/** Reads the state of row security. `missing` is in the order of execution. Identifiers may have up to 63 bytes. */
const LOOK = `
  with named as (
    select case when octet_length(session_user) <= 58 then session_user || '_rows'
      else 'signet_' || md5(session_user) || '_rows' end as role),
  found as (
    select named.role, r.oid, r.rolcanlogin or r.rolsuper or r.rolbypassrls as is_foreign,
      coalesce(pg_has_role(session_user, r.oid, case
        when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end), false) as is_granted
    from named left join pg_roles r on r.rolname = named.role),
  hidden as (
    select string_agg(format('%I', c.relname), ', ' order by c.relname) as tables
    from found, pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relrowsecurity
      and not coalesce(has_table_privilege(found.oid, c.oid, 'select')
        and has_table_privilege(found.oid, c.oid, 'insert')
        and has_table_privilege(found.oid, c.oid, 'update')
        and has_table_privilege(found.oid, c.oid, 'delete'), false)),
  seen as (
    select string_agg(format('%I', c.relname), ', ') as views
    from found, pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'v' and c.relname = 'entry_address'
      and not coalesce(has_table_privilege(found.oid, c.oid, 'select'), false))
  select role,
    -- A role that can log in is of a person or a program: it is the operator's to decide about.
    is_foreign is not true and (is_granted or (
      select rolcreaterole or rolsuper from pg_roles where rolname = session_user)) as "canBeMade", array_remove(array[
    case when oid is null then format('create role %I nologin', role) end,
    case when is_foreign then format('alter role %I nologin nosuperuser nobypassrls', role) end,
    case when not is_granted then format('grant %I to %I', role, session_user) end,
    case when not coalesce(has_schema_privilege(oid, current_schema(), 'usage'), false)
      then format('grant usage on schema %I to %I', current_schema(), role) end,
    case when tables is not null
      then format('grant select, insert, update, delete on %s to %I', tables, role) end,
    case when views is not null then format('grant select on %s to %I', views, role) end], null) as missing
  from found, hidden, seen`

/**
 * `NOT_ALLOWED` is the SQLSTATE of a missing permission. `CONCURRENT` are the SQLSTATEs of a concurrent change by
 * another process.
 */
const NOT_ALLOWED = '42501'
const CONCURRENT = ['23505', '42710', '40001', '40P01', 'XX000']
const TRIES = 20

/** Reads the state of row security in the database. */
export async function readRowSecurity(session: Pick<DatabaseSession, 'query'>): Promise<RowSecurity> {
  const [found] = await session.query<RowSecurity>(LOOK)
  if (found === undefined) throw new PlainError('The database shows no roles.')
  return found
}

/** Runs the missing statements, as far as the connected user may. Several processes may do this at once. */
export async function completeRowSecurity(driver: DatabaseDriver): Promise<RowSecurity> {
  for (let tries = 1; ; tries += 1) {
    const wall = await readRowSecurity(driver)
    if (wall.missing.length === 0 || !wall.canBeMade) return wall
    try {
      await driver.transaction(async (session) => {
        await session.query('select id from migration_lock where id = 1 for update')
        for (const statement of (await readRowSecurity(session)).missing) await session.script(statement)
      })
    } catch (error) {
      const state = sqlState(error) ?? ''
      if (state === NOT_ALLOWED) return wall
      if (!CONCURRENT.includes(state) || tries === TRIES) throw error
    }
  }
}

/** One sentence for the operator, with the statements to run before the database can hold another organisation. */
export function rowSecurityRemedyOf({ missing }: RowSecurity): string {
  // Leaves out missing grants on tables if the role is missing, because the service grants them itself once it has the
  // role.
  const ofRole = missing.filter((statement) => !/^grant (usage|select)/.test(statement))
  const statements = ofRole.length > 0 ? ofRole : missing
  return (
    'The database cannot hide organisations from each other yet. To have more than one, run as a superuser, in this ' +
    `database: ${statements.map((statement) => `${statement};`).join(' ')} Then start the service again.`
  )
}

/**
 * Returns a driver that refuses all statements, because the database cannot hide the organisation from others. Null if
 * it can, or for the organisation in the settings, which is then the only one.
 */
export function refusingDriverFor(
  wall: RowSecurity,
  organisation: string,
): ReturnType<DatabaseDriver['within']> | null {
  if (wall.missing.length === 0 || organisation === OWN_ORGANISATION) return null
  const refuse = () => Promise.reject(new PlainError(rowSecurityRemedyOf(wall)))
  return { query: refuse, transaction: refuse }
}
