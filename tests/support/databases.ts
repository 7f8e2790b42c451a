/**
 * The databases of the service, for tests. What speaks to a database itself, `src/service/sql`, is tested over each of
 * them, by `forEachDatabase`; what is above the store, to which all are alike, over PostgreSQL, by `overPostgres`.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, inject } from 'vitest'
import type { Driver } from '../../src/service/sql/driver.ts'
import { openDatabase, type StoreAddress } from '../../src/service/sql/openStore.ts'
import { createStore, type Store } from '../../src/service/sql/store.ts'
import { IS_LONG } from './cases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers each request with the address of an empty database. */
    newDatabase: string
  }
}

export type DatabaseKind = 'embedded' | 'postgres' | 'a pooler'
export const DATABASES: readonly DatabaseKind[] = ['embedded', 'postgres']

/** Whether all PostgreSQL databases are reached through a pooler in transaction mode. */
const IS_POOLED = process.env['SIGNET_TEST_POOLER'] !== undefined
/** For tests of what a pooler can break: statements and transactions. */
export const DATABASES_AND_POOLER: readonly DatabaseKind[] = [
  ...DATABASES,
  ...(IS_POOLED ? [] : ['a pooler' as const]),
]

/** For tests of what is above the store: PostgreSQL, and in `npm run test:long` each. */
export const USUAL_DATABASES: readonly DatabaseKind[] = IS_LONG ? DATABASES_AND_POOLER : ['postgres']

/** A database of its own for what needs one: a process, a migration. In memory when embedded. */
export const newDatabase = async (kind: DatabaseKind): Promise<StoreAddress> =>
  kind === 'embedded'
    ? { kind, folder: null }
    : { kind: 'postgres', url: await (kind === 'a pooler' ? newPooledUrl() : newPostgresUrl()) }

/** The address of an empty PostgreSQL database, which is dropped at the end of the run. */
export const newPostgresUrl = (): Promise<string> => (IS_POOLED ? newPooledUrl() : newDirectUrl())
/** The same without a pooler, whatever `SIGNET_TEST_POOLER` says. */
export const newDirectUrl = (): Promise<string> => newUrl('')
export const newPooledUrl = (): Promise<string> => newUrl('pooled')

async function newUrl(path: string): Promise<string> {
  const answer = await fetch(inject('newDatabase') + path)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

/** Test files of a worker share its databases; each block has an organisation of its own. */
const shared = new Map<DatabaseKind, Promise<StoreAddress>>()
let embedded: Promise<Driver> | null = null

async function openDriver(kind: DatabaseKind): Promise<Driver> {
  if (kind === 'embedded') {
    embedded ??= openDatabase({ kind, folder: null })
    return { ...(await embedded), close: () => Promise.resolve() }
  }
  const address = shared.get(kind) ?? newDatabase(kind)
  shared.set(kind, address)
  return openDatabase(await address)
}

/** Opens the same data each time, empty at first, in the embedded database that the files of a worker share. */
export function embeddedData(): () => Promise<Store> {
  const organisation = randomUUID()
  return async () => createStore(await openDriver('embedded'), organisation)
}

/**
 * `open` opens a store: of the same data each time, empty at first, with connections of its own, as another instance of
 * the service would. It is closed after the test, or after the block when it was opened before the tests.
 */
type Declare = (open: () => Promise<Store>, kind: DatabaseKind) => void

/** Declares the tests once for each database, and behind a pooler: for tests of `src/service/sql`. */
export const forEachDatabase = (name: string, declare: Declare): void =>
  declareOver(DATABASES_AND_POOLER, name, declare)

/** Declares the tests over PostgreSQL, and in `npm run test:long` over each: for tests of what is above the store. */
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
