/**
 * The service's databases, for tests. Tests of `src/service/sql`, which accesses databases itself, run on each of them
 * (`forEachDatabase`). Tests of the code above the store, where all databases are alike, run on PostgreSQL
 * (`overPostgres`).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, inject } from 'vitest'
import type { DatabaseDriver } from '../../src/service/sql/driver.ts'
import { openDatabase, type StoreAddress } from '../../src/service/sql/openStore.ts'
import { createStore, type Store } from '../../src/service/sql/store.ts'
import { IS_LONG } from './cases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL that answers each request with a new database's address. */
    newDatabase: string
  }
}

export type DatabaseKind = 'embedded' | 'postgres' | 'a pooler'
export const DATABASES: readonly DatabaseKind[] = ['embedded', 'postgres']

/** Whether all PostgreSQL databases are reached through a pooler in transaction mode. */
const IS_POOLED = process.env['SIGNET_TEST_POOLER'] !== undefined
/** For tests of statements and transactions, which a pooler can break. */
export const DATABASES_AND_POOLER: readonly DatabaseKind[] = [
  ...DATABASES,
  ...(IS_POOLED ? [] : ['a pooler' as const]),
]

/** For tests of the code above the store: PostgreSQL, and every database in `npm run test:long`. */
export const USUAL_DATABASES: readonly DatabaseKind[] = IS_LONG ? DATABASES_AND_POOLER : ['postgres']

/** A separate database for a test that needs one, such as of a process or a migration. In memory if embedded. */
export const newDatabase = async (kind: DatabaseKind): Promise<StoreAddress> =>
  kind === 'embedded'
    ? { kind, folder: null }
    : { kind: 'postgres', url: await (kind === 'a pooler' ? newPooledUrl() : newPostgresUrl()) }

/** The URL of an empty PostgreSQL database, which is dropped at the end of the run. */
export const newPostgresUrl = (): Promise<string> => (IS_POOLED ? newPooledUrl() : newDirectUrl())
/** The same without a pooler, regardless of `SIGNET_TEST_POOLER`. */
export const newDirectUrl = (): Promise<string> => newUrl('')
export const newPooledUrl = (): Promise<string> => newUrl('pooled')

async function newUrl(path: string): Promise<string> {
  const answer = await fetch(inject('newDatabase') + path)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

/** A worker's test files share its databases, so each block has its own organisation. */
const shared = new Map<DatabaseKind, Promise<StoreAddress>>()
let embedded: Promise<DatabaseDriver> | null = null

async function openDriver(kind: DatabaseKind): Promise<DatabaseDriver> {
  if (kind === 'embedded') {
    embedded ??= openDatabase({ kind, folder: null })
    return { ...(await embedded), close: () => Promise.resolve() }
  }
  const address = shared.get(kind) ?? newDatabase(kind)
  shared.set(kind, address)
  return openDatabase(await address)
}

/** Returns a function that opens the same data each time, initially empty, in the embedded database of the worker. */
export function embeddedData(): () => Promise<Store> {
  const organisation = randomUUID()
  return async () => createStore(await openDriver('embedded'), organisation)
}

/**
 * `open` opens a store with the same data each time, initially empty, and with its own connections, like another
 * instance of the service. The store is closed after the test, or after the block if it was opened before the tests.
 */
type Declare = (open: () => Promise<Store>, kind: DatabaseKind) => void

/** Declares the tests for each database and for a pooler; use it for tests of `src/service/sql`. */
export const forEachDatabase = (name: string, declare: Declare): void =>
  declareOver(DATABASES_AND_POOLER, name, declare)

/** Declares the tests on PostgreSQL, and on every database in `npm run test:long`; use it above the store. */
export const overPostgres = (name: string, declare: (open: () => Promise<Store>) => void): void =>
  declareOver(USUAL_DATABASES, name, declare)

function declareOver(kinds: readonly DatabaseKind[], name: string, declare: Declare): void {
  describe.each(kinds)(`${name} over %s`, (kind) => {
    const organisation = randomUUID()
    const opened: Store[] = []
    const closeFrom = (first: number) => Promise.all(opened.splice(first).map((store) => store.close()))
    let before = 0
    beforeEach(() => {
      before = opened.length
    })
    afterEach(() => closeFrom(before))
    afterAll(() => closeFrom(0))
    declare(async () => {
      const store = createStore(await openDriver(kind), organisation)
      opened.push(store)
      return store
    }, kind)
  })
}
