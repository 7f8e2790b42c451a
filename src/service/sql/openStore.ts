/** Opens the database at an address, and migrates its tables to this program's version. */
import type { DatabaseDriver } from './driver.ts'
import { openEmbedded } from './embedded.ts'
import { migrate, readMigrations } from './migrate.ts'
import { POOL_SIZE, openPostgres } from './pg.ts'
import { StoreUnavailable } from './problems.ts'
import { createStore, type Store } from './store.ts'
import { createFairDriver } from './fairness.ts'
import { completeRowSecurity, type RowSecurity } from './rowSecurity.ts'

/** `folder: null` keeps the data in memory until the store is closed. */
export type StoreAddress =
  Readonly<{ kind: 'postgres'; url: string }> | Readonly<{ kind: 'embedded'; folder: string | null }>

/** The time limit of a migration's statement, which may change many rows or wait for another migrating instance. */
const MIGRATION_LIMIT_MS = 600_000
/**
 * How long a migration waits for a table lock. Reads of the table queue behind it meanwhile. The limit is shorter than
 * PostgreSQL's deadlock timeout, so that in a deadlock the migration retries.
 */
const MIGRATION_LOCK_LIMIT_MS = 500
/** Leaves connections for statements that only read, and for other organisations. */
const TURNS = { connections: POOL_SIZE, locking: 6, perFree: 4, waiting: 2_000, waitMs: 5_000 }

/** The host and port of a database, without its password. */
export function databaseHostOf(url: string): string {
  const { host } = new URL(url)
  return host === '' ? 'the default of this machine' : host
}

/** @throws PlainError when the folder is in use, or the database is newer than this program; StoreUnavailable */
export async function openDatabase(address: StoreAddress): Promise<DatabaseDriver> {
  if (address.kind === 'embedded') return openEmbedded(address.folder, prepare)
  const preparing = openPostgres(address.url, null, MIGRATION_LIMIT_MS, MIGRATION_LOCK_LIMIT_MS)
  try {
    return createFairDriver(openPostgres(address.url, await prepare(preparing)), TURNS)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    const { message, problem, sqlState, cause } = error
    throw new StoreUnavailable(`${message}. Its address is ${databaseHostOf(address.url)}`, {
      problem,
      sqlState,
      cause,
    })
  } finally {
    await preparing.close()
  }
}

async function prepare(driver: DatabaseDriver): Promise<RowSecurity> {
  await migrate(driver, await readMigrations(), Date.now)
  return completeRowSecurity(driver)
}

/** @throws StoreUnavailable; the errors of `openDatabase` */
export const openStore = async (address: StoreAddress, organisation = 'default'): Promise<Store> =>
  createStore(await openDatabase(address), organisation)
