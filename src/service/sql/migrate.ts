/** Migrates the tables of a database. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type DatabaseDriver, type DatabaseSession, sqlState } from './driver.ts'
import { StoreUnavailable } from './problems.ts'
import { PlainError } from '../../server/reasons.ts'

export type Migration = Readonly<{ version: number; name: string; sql: string; checksum: string }>
type Applied = Readonly<{ version: number; checksum: string }>

const FOLDER = join(import.meta.dirname, 'migrations')

/** The SQLSTATE codes of an unavailable lock and of a deadlock. */
const LOCKED = ['55P03', '40P01']
const PAUSE_MS = 1_000
const TRIES = 600
const UNDEFINED_TABLE = '42P01'
/** The SQLSTATE codes of a key, table or type that already exists, for example when two processes create it at once. */
const EXISTS_ALREADY = ['23505', '42P07', '42710']

/** Reads the files `<four digits>-<name>.sql` in order. Their numbers begin at 1. */
export async function readMigrations(folder = FOLDER): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name, index) => {
      if (Number(name.slice(0, 4)) !== index + 1)
        throw new PlainError(`${name} is not migration ${String(index + 1)}.`)
      const sql = await readFile(join(folder, name), 'utf8')
      return { version: index + 1, name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Applies the missing migrations, each in a transaction. Several processes may call this at once, because they wait for
 * each other. A migration that waits too long for a lock gives way to other statements, and begins again.
 *
 * @param pause waits between two tries
 * @throws PlainError when the database is newer than the program, or a migration was changed
 */
export async function migrate(
  driver: DatabaseDriver,
  migrations: readonly Migration[],
  now: () => number,
  pause: (ms: number) => Promise<unknown> = setTimeout,
): Promise<void> {
  let applied = await readApplied(driver).catch((error: unknown) => {
    if (sqlState(error) === UNDEFINED_TABLE) return null
    throw error
  })
  if (applied === null) await createTable(driver)
  applied = refuseUnknown(applied ?? [], migrations)
  for (const migration of migrations.slice(applied.length)) {
    await untilUnlocked(pause, () =>
      driver.transaction(async (session) => {
        await session.query('insert into migration_lock (id) values (1) on conflict (id) do nothing')
        await session.query('select id from migration_lock where id = 1 for update')
        const meanwhile = refuseUnknown(await readApplied(session), migrations)
        if (meanwhile.length >= migration.version) return
        await session.script(migration.sql)
        await session.query('insert into migration (version, name, checksum, at) values ($1, $2, $3, $4)', [
          migration.version,
          migration.name,
          migration.checksum,
          now(),
        ])
      }),
    )
  }
}

/**
 * Retries while an instance of the previous version or a backup holds a lock.
 *
 * @throws the error of `run` after `TRIES`
 */
async function untilUnlocked(
  pause: (ms: number) => Promise<unknown>,
  run: () => Promise<void>,
): Promise<void> {
  for (let left = TRIES; ; left -= 1)
    try {
      return await run()
    } catch (error) {
      const state = error instanceof StoreUnavailable ? error.sqlState : sqlState(error)
      if (left === 1 || !LOCKED.includes(state ?? '')) throw error
      await pause(PAUSE_MS)
    }
}

const readApplied = (session: DatabaseSession) =>
  session.query<Applied>('select version, checksum from migration order by version')

/** Retries if another process creates the tables at the same time, because `if not exists` may then fail. */
async function createTable(driver: DatabaseDriver): Promise<void> {
  for (;;) {
    try {
      await driver.script(
        'create table if not exists migration (version int primary key, name text not null, checksum text not null, at bigint not null);' +
          'create table if not exists migration_lock (id int primary key)',
      )
      return
    } catch (error) {
      if (!EXISTS_ALREADY.includes(sqlState(error) ?? '')) throw error
    }
  }
}

function refuseUnknown(applied: readonly Applied[], migrations: readonly Migration[]): readonly Applied[] {
  if (applied.length > migrations.length) {
    throw new PlainError(
      `The database has migration ${String(applied.length)}, this program knows ${String(migrations.length)}: ` +
        'it was used by a newer Signet. Start that version, or restore a backup.',
    )
  }
  for (const [index, { checksum }] of applied.entries()) {
    const known = migrations[index]
    if (known?.checksum !== checksum)
      throw new PlainError(`The database was made by another ${String(known?.name)} than this program has.`)
  }
  return applied
}
