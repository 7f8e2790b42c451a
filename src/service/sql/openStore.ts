/** Opens the database that an address names, and migrates its tables to those of this program. */
import type { Driver } from './driver.ts'
import { openEmbedded } from './embedded.ts'
import { migrate, readMigrations } from './migrate.ts'
import { CONNECTIONS, openPostgres } from './pg.ts'
import { StoreUnavailable } from './problems.ts'
import { createStore, type Store } from './store.ts'
import { takeTurns } from './fairness.ts'
import { raiseWall, type Wall } from './rowSecurity.ts'

/** `folder: null` keeps the data in memory until the store is closed. */
export type StoreAddress =
  Readonly<{ kind: 'postgres'; url: string }> | Readonly<{ kind: 'embedded'; folder: string | null }>

/** The time limit of a statement that migrates. It may change many rows, or wait for another instance that migrates. */
const MIGRATION_LIMIT_MS = 600_000
/**
 * While a migration waits for a lock on a table, reads of the table wait behind it. This is less than PostgreSQL waits
 * before it ends one of two transactions that wait for each other, so that the migration is the one that begins again.
 */
const MIGRATION_LOCK_LIMIT_MS = 500
/** What may wait for locks leaves connections to what only reads, and each organisation leaves some to the others. */
const TURNS = { connections: CONNECTIONS, locking: 6, perFree: 4, waiting: 2_000, waitMs: 5_000 }

/** The host and the port of a database, without its password. */
export function placeOf(url: string): string {
  const { host } = new URL(url)
  return host === '' ? 'the default of this machine' : host
}

/** @throws PlainError when the folder is in use, or the database is newer than this program; StoreUnavailable */
export async function openDatabase(address: StoreAddress): Promise<Driver> {
  if (address.kind === 'embedded') return openEmbedded(address.folder, prepare)
  const preparing = openPostgres(address.url, null, MIGRATION_LIMIT_MS, MIGRATION_LOCK_LIMIT_MS)
  try {
    return takeTurns(openPostgres(address.url, await prepare(preparing)), TURNS)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    const { message, problem, sqlState, cause } = error
    throw new StoreUnavailable(`${message}. Its address is ${placeOf(address.url)}`, {
      problem,
      sqlState,
      cause,
    })
  } finally {
    await preparing.close()
  }
}

async function prepare(driver: Driver): Promise<Wall> {
  await migrate(driver, await readMigrations(), Date.now)
  return raiseWall(driver)
}

/** @throws StoreUnavailable; the errors of `openDatabase` */
export const openStore = async (address: StoreAddress, organisation = 'default'): Promise<Store> =>
  createStore(await openDatabase(address), organisation)
