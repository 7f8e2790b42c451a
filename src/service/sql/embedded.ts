/** The embedded database for trials and tests: PGlite, which is PostgreSQL in this process. */
import { PGlite, type Transaction } from '@electric-sql/pglite'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Driver, type Session, unavailable } from './driver.ts'
import { lockFolder } from './folderLock.ts'

const CACHE_FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/signet-embedded-database')

/**
 * @param folder the folder of the data; null keeps the data in memory until the driver is closed
 * @throws Error with a sentence when another process uses the folder
 */
export async function openEmbedded(folder: string | null): Promise<Driver> {
  if (folder === null) return driverOf(await PGlite.create({ loadDataDir: await initialisedImage() }), null)
  await mkdir(folder, { recursive: true })
  const unlock = await lockFolder(folder)
  try {
    return driverOf(await openFolder(join(folder, 'database')), unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

/** The first start writes this file last. Without it the first start was interrupted, and the data is incomplete. */
const STARTED = 'signet-started'

async function openFolder(data: string): Promise<PGlite> {
  const isStarted = await readFile(join(data, STARTED)).then(
    () => true,
    () => false,
  )
  if (isStarted) return PGlite.create(data)
  await rm(data, { recursive: true, force: true })
  const database = await PGlite.create(data, { loadDataDir: await initialisedImage() })
  await writeFile(join(data, STARTED), '')
  return database
}

/** A cached image of a new database, because `initdb` takes some seconds. */
async function initialisedImage(): Promise<Blob> {
  const packageFile = join(
    dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')),
    '../package.json',
  )
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string }
  const file = join(CACHE_FOLDER, `${version}.tar`)
  const kept = await readFile(file).catch(() => null)
  if (kept !== null) return new Blob([kept])
  const database = await PGlite.create()
  const image = await database.dumpDataDir('none')
  await database.close()
  await keepAtomically(file, new Uint8Array(await image.arrayBuffer())).catch(() => {
    // The installation may be read-only. The next start makes the image again.
  })
  return image
}

async function keepAtomically(file: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const partial = `${file}.${String(process.pid)}`
  await writeFile(partial, bytes)
  await rename(partial, file)
}

function driverOf(database: PGlite, unlock: (() => Promise<void>) | null): Driver {
  const sessionOf = (on: PGlite | Transaction): Session => ({
    query: async <Row extends object>(sql: string, parameters: readonly unknown[] = []) =>
      (await knownProblem(on.query<Row>(sql, [...parameters]))).rows,
    script: async (sql) => {
      await knownProblem(on.exec(sql))
    },
  })
  let closed: Promise<void> | null = null
  const driver: Driver = {
    ...sessionOf(database),
    transaction: (run) => knownProblem(database.transaction((transaction) => run(sessionOf(transaction)))),
    within: () => driver,
    close: () => (closed ??= database.close().then(() => unlock?.())),
  }
  return driver
}

async function knownProblem<Answer>(answering: Promise<Answer>): Promise<Answer> {
  try {
    return await answering
  } catch (error) {
    throw unavailable(error) ?? error
  }
}
