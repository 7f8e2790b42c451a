/** The embedded database for trials and tests: PGlite, which runs PostgreSQL in this process. */
import { PGlite, type Transaction } from '@electric-sql/pglite'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type DatabaseDriver, type DatabaseSession, asStoreUnavailable } from './driver.ts'
import { lockFolder } from './folderLock.ts'
import { ORGANISATION_SETTING, refusingDriverFor, type RowSecurity } from './rowSecurity.ts'

const CACHE_FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/signet-embedded-database')

/** Prepares a database before its use. Resolves with the row security between organisations; null without it. */
type Prepare = (driver: DatabaseDriver) => Promise<RowSecurity | null>

/**
 * @param folder the data folder; null keeps the data in memory until the driver is closed
 * @throws PlainError when another process uses the folder; the errors of `prepare`
 */
export async function openEmbedded(
  folder: string | null,
  prepare: Prepare = () => Promise.resolve(null),
): Promise<DatabaseDriver> {
  if (folder === null)
    return prepared(await PGlite.create({ loadDataDir: await initialisedImage() }), null, prepare)
  await mkdir(folder, { recursive: true })
  const unlock = await lockFolder(folder)
  try {
    return await prepared(await openFolder(join(folder, 'database')), unlock, prepare)
  } catch (error) {
    await unlock()
    throw error
  }
}

async function prepared(database: PGlite, unlock: (() => Promise<void>) | null, prepare: Prepare) {
  try {
    const wall = await prepare(driverOf(database, null, null))
    return driverOf(database, unlock, wall)
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * The last file written by the first start. If it is missing, the first start was interrupted, and the data is
 * incomplete.
 */
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

/** Resolves with an image of a new database. It is cached, because `initdb` takes several seconds. */
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
    // Ignored, because the installation may be read-only. The next start creates the image again.
  })
  return image
}

async function keepAtomically(file: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const partial = `${file}.${String(process.pid)}`
  await writeFile(partial, bytes)
  await rename(partial, file)
}

/**
 * Creates a driver with a single session. The session keeps the role and organisation of its last statement until a
 * statement needs different ones, so repeated statements of one organisation cost nothing extra.
 */
function driverOf(
  database: PGlite,
  unlock: (() => Promise<void>) | null,
  wall: RowSecurity | null,
): DatabaseDriver {
  const sessionOf = (on: PGlite | Transaction): DatabaseSession => ({
    query: async <Row extends object>(sql: string, parameters: readonly unknown[] = []) =>
      (await knownProblem(on.query<Row>(sql, [...parameters]))).rows,
    script: async (sql) => {
      await knownProblem(on.exec(sql))
    },
  })
  const session = sessionOf(database)

  /** The organisation of the session; null while the session has the owner's role. */
  let entered: string | null = null
  async function enter(organisation: string | null): Promise<void> {
    if (entered === organisation) return
    await session.query('select set_config($1, $2, false), set_config($3, $4, false)', [
      ...['role', organisation === null ? 'none' : wall?.role],
      ...[ORGANISATION_SETTING, organisation ?? ''],
    ])
    entered = organisation
  }
  let last: Promise<unknown> = Promise.resolve()
  function after<Result>(organisation: string | null, run: () => Promise<Result>): Promise<Result> {
    const running = last.then(() => enter(organisation)).then(run)
    last = running.catch(() => undefined)
    return running
  }
  const within = (organisation: string | null): Omit<DatabaseDriver, 'within' | 'close'> => ({
    query: (sql, parameters) => after(organisation, () => session.query(sql, parameters)),
    script: (sql) => after(organisation, () => session.script(sql)),
    transaction: (run) =>
      after(organisation, () =>
        knownProblem(database.transaction((transaction) => run(sessionOf(transaction)))),
      ),
  })

  let closed: Promise<void> | null = null
  const driver: DatabaseDriver = {
    ...within(null),
    within: (organisation) =>
      wall === null
        ? driver
        : (refusingDriverFor(wall, organisation) ?? within(wall.missing.length === 0 ? organisation : null)),
    close: () => (closed ??= database.close().then(() => unlock?.())),
  }
  return driver
}

async function knownProblem<Answer>(answering: Promise<Answer>): Promise<Answer> {
  try {
    return await answering
  } catch (error) {
    throw asStoreUnavailable(error) ?? error
  }
}
