/** Opens the database that an address names, and migrates its tables to those of this program. */
import type { Driver } from './driver.ts'
import { openEmbedded } from './embedded.ts'
import { migrate, readMigrations } from './migrate.ts'
import { openPostgres } from './pg.ts'
import { createStore, type Store } from './store.ts'

/** `folder: null` keeps the data in memory until the store is closed. */
export type StoreAddress =
  Readonly<{ kind: 'postgres'; url: string }> | Readonly<{ kind: 'embedded'; folder: string | null }>

/** The time limit of a statement that migrates. It may change many rows, or wait for another instance that migrates. */
const MIGRATION_LIMIT_MS = 600_000

/** @throws Error with a sentence when the folder is in use, or the database is newer than this program */
export async function openDatabase(address: StoreAddress): Promise<Driver> {
  if (address.kind === 'postgres') {
    const migrating = openPostgres(address.url, MIGRATION_LIMIT_MS)
    try {
      await migrate(migrating, await readMigrations(), Date.now)
    } finally {
      await migrating.close()
    }
    return openPostgres(address.url)
  }
  const driver = await openEmbedded(address.folder)
  try {
    await migrate(driver, await readMigrations(), Date.now)
    return driver
  } catch (error) {
    await driver.close()
    throw error
  }
}

/** @throws StoreUnavailable; the errors of `openDatabase` */
export const openStore = async (address: StoreAddress, organisation = 'default'): Promise<Store> =>
  createStore(await openDatabase(address), organisation)
