/**
 * The second wall between organisations, row-level security. The first is the conditions of the statements.
 *
 * The statements of an organisation run as a role that owns no table, in transactions that have the organisation's id in
 * the setting `signet.organisation`. Without the setting this role sees no row, and can write none. The owner of the
 * tables sees all rows: migrations, backups, and instances of versions that did not know the role.
 *
 * Roles belong to the whole server, tables to one database. So the role has the name of the user who connects, which is
 * the same for all databases of this user, and a database is looked at whenever it is opened, as after it was restored
 * on another server.
 */
import { type Driver, type Session, sqlState } from './driver.ts'
import { OWN_ORGANISATION } from './registry.ts'
import { PlainError } from '../../server/reasons.ts'

/**
 * `missing` is what has to be run for the wall, one statement each; empty while it stands. `canBeMade` is whether the user
 * who connects may run it, so that the service does when it starts.
 */
export type Wall = Readonly<{ role: string; missing: readonly string[]; canBeMade: boolean }>

/** The setting that names the organisation of a transaction. */
export const ORGANISATION_SETTING = 'signet.organisation'

/** The statements are those that are missing, in their order. Identifiers have 63 bytes at most. */
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

/** The SQLSTATE code of a user who may not do this, and those of a server that another process changes at the same time. */
const NOT_ALLOWED = '42501'
const CONCURRENT = ['23505', '42710', '40001', '40P01', 'XX000']
const TRIES = 20

/** What the database has of the wall. */
export async function wallOf(session: Pick<Session, 'query'>): Promise<Wall> {
  const [found] = await session.query<Wall>(LOOK)
  if (found === undefined) throw new PlainError('The database shows no roles.')
  return found
}

/** Makes what is missing, as far as the user who connects may do so. Several processes may do this at once. */
export async function raiseWall(driver: Driver): Promise<Wall> {
  for (let tries = 1; ; tries += 1) {
    const wall = await wallOf(driver)
    if (wall.missing.length === 0 || !wall.canBeMade) return wall
    try {
      await driver.transaction(async (session) => {
        await session.query('select id from migration_lock where id = 1 for update')
        for (const statement of (await wallOf(session)).missing) await session.script(statement)
      })
    } catch (error) {
      const state = sqlState(error) ?? ''
      if (state === NOT_ALLOWED) return wall
      if (!CONCURRENT.includes(state) || tries === TRIES) throw error
    }
  }
}

/** What an operator has to do before the database can have another organisation: one sentence with the statements. */
export function remedyOf({ missing }: Wall): string {
  // What is missing on tables, the service grants by itself as soon as it has the role.
  const ofRole = missing.filter((statement) => !/^grant (usage|select)/.test(statement))
  const statements = ofRole.length > 0 ? ofRole : missing
  return (
    'The database cannot hide organisations from each other yet. To have more than one, run as a superuser, in this ' +
    `database: ${statements.map((statement) => `${statement};`).join(' ')} Then start the service again.`
  )
}

/**
 * What refuses each statement of an organisation that the database cannot hide from others; null when it can, and for the
 * organisation of the settings, which is alone then.
 */
export function refusalOf(wall: Wall, organisation: string): ReturnType<Driver['within']> | null {
  if (wall.missing.length === 0 || organisation === OWN_ORGANISATION) return null
  const refuse = () => Promise.reject(new PlainError(remedyOf(wall)))
  return { query: refuse, transaction: refuse }
}
