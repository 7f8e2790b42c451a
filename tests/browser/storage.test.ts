import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Namespace, StorageCall } from '../engine/adapters/storageCalls.ts'
import { storageContract } from '../engine/adapters/storageContract.ts'
import { launchChromium } from './chromium.ts'
import { servePage } from './ownPage.ts'

// The storage over Chromium's own IndexedDB and session storage, which refuses what exceeds its quota.

let browser: Browser
let address: string
const end: (() => unknown)[] = []

beforeAll(async () => {
  const served = await servePage('storagePage.html')
  end.push(served.close)
  address = served.address
  browser = await launchChromium()
  end.push(() => browser.close())
})
afterAll(async () => {
  for (const close of end.reverse()) await close()
})

/** A page of a new context, with empty storage, unless it is opened in the context of another page. */
async function openPage(shared?: BrowserContext) {
  const context = shared ?? (await browser.newContext())
  const page = await context.newPage()
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  const open = async () => {
    await page.goto(`${address}/`)
    await page.waitForFunction(() => 'storage' in window)
  }
  await open()
  const play = (call: StorageCall) => page.evaluate((each) => window.storage.play(each), call)
  return {
    context,
    page,
    reload: open,
    play,
    /** The one value that the call gives. */
    call: async (namespace: Namespace, method: StorageCall['method'], value?: unknown) =>
      (await play({ namespace, method, key: 'key', value }))[0],
    logged: () => page.evaluate(() => window.storage.logged()),
    scripts: (name: string) => scripts.filter((path) => path.startsWith(`/${name}.`)),
  }
}

/** The browser stores at most 100 kB for the pages of this context. */
async function limitRoom({ context, page }: Readonly<{ context: BrowserContext; page: Page }>) {
  const session = await context.newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin: address, quotaSize: 100_000 })
}

/** Whether the database could be deleted, or another page kept it open. */
const deleteDatabase = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<'deleted' | 'blocked'>((resolve) => {
        const request = indexedDB.deleteDatabase('signet.storage')
        request.onsuccess = () => resolve('deleted')
        request.onblocked = () => resolve('blocked')
      }),
  )

/** Replaces the database by one of a later version. */
const replaceDatabase = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('signet.storage', 2)
        request.onblocked = reject
        request.onsuccess = () => {
          request.result.close()
          resolve()
        }
      }),
  )

const local: Namespace = { name: 'local' }
const alex: Namespace = { name: 'privateCache', user: 'u-alex' }
const maria: Namespace = { name: 'privateCache', user: 'u-maria' }

storageContract(
  'the storage of Chromium',
  async () => {
    const { context, page, play, logged } = await openPage()
    return {
      play,
      make: (call) => page.evaluate((each) => window.storage.make(each), call),
      abandon: (call) => page.evaluate((each) => window.storage.abandon(each), call),
      logged,
      // No browser stores 10 MB for a session.
      refuseWrites: () => Promise.resolve(),
      close: () => context.close(),
    }
  },
  { canRefuse: true },
)

test('[STO-1] what was kept is read by the next page, and the session by a reload', async () => {
  const { context, call, reload, scripts, logged } = await openPage()
  const namespaces: readonly Namespace[] = [
    ...[{ name: 'session' }, { name: 'local' }, { name: 'persistent' }, { name: 'roaming' }],
    { name: 'privateRoaming', user: 'u-alex' },
  ] as const
  for (const namespace of namespaces) expect(await call(namespace, 'set', namespace)).toBe('kept')
  await reload()
  for (const namespace of namespaces) expect(await call(namespace, 'get')).toEqual(namespace)
  expect(await call(local, 'driver')).toBe('indexedDB')
  expect(scripts('localforage')).toEqual([])
  expect(await logged()).toEqual([])
  await context.close()
})

test('[STO-1] pages that are open at the same time share what is stored', async () => {
  const one = await openPage()
  const other = await openPage(one.context)
  expect(await one.call(alex, 'set', 1)).toBe('kept')
  expect(await other.call(alex, 'get')).toBe(1)
  expect(await other.call(maria, 'set', 2)).toBe('kept')
  expect(await one.call(maria, 'get')).toBe(2)
  await one.call(alex, 'clear')
  expect(await other.call(alex, 'get')).toBeNull()
  expect(await other.call(maria, 'get')).toBe(2)
  await Promise.all([one.call(local, 'set', 'one'), other.call(local, 'set', 'other')])
  expect(await one.call(local, 'get')).toBe(await other.call(local, 'get'))
  expect([...(await one.logged()), ...(await other.logged())]).toEqual([])
  await one.context.close()
})

test('all namespaces share one connection', async () => {
  const { context, page, call } = await openPage()
  await page.evaluate(() => {
    const open = indexedDB.open.bind(indexedDB)
    indexedDB.open = (...database) => {
      performance.mark('opened')
      return open(...database)
    }
  })
  await Promise.all([call(local, 'set', 1), call(alex, 'set', 2), call(maria, 'get')])
  expect(await page.evaluate(() => performance.getEntriesByName('opened').length)).toBe(1)
  await context.close()
})

test('a page lets another one delete or replace the database, and opens it again when it can', async () => {
  const { context, page, call, logged } = await openPage()
  const other = await context.newPage()
  await other.goto(`${address}/`)
  expect(await call(local, 'set', 1)).toBe('kept')

  expect(await deleteDatabase(other)).toBe('deleted')
  expect(await call(local, 'get')).toBeNull()
  expect(await call(local, 'set', 2)).toBe('kept')
  expect(await logged()).toEqual([])

  await replaceDatabase(other)
  expect(await call(local, 'set', 3)).toBe('refused')
  expect(await logged()).toEqual(['storage_failed'])

  expect(await deleteDatabase(other)).toBe('deleted')
  expect(await call(local, 'set', 4)).toBe('kept')
  expect(await call(local, 'get')).toBe(4)
  expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(1)
  await context.close()
})

test('[STO-4] a write beyond the quota of IndexedDB is told as refused, logged, and the earlier value stays', async () => {
  const opened = await openPage()
  const { context, call, logged } = opened
  await limitRoom(opened)
  expect(await call(alex, 'set', 'before')).toBe('kept')
  expect(await call(alex, 'set', 'x'.repeat(1_000_000))).toBe('refused')
  expect(await logged()).toEqual(['storage_failed'])
  expect(await call(alex, 'get')).toBe('before')
  await context.close()
})

test('[STO-4] a write is told as refused when its transaction is aborted after the value was put', async () => {
  const { context, page, call, logged } = await openPage()
  expect(await call(alex, 'set', 'before')).toBe('kept')
  await page.evaluate(() => {
    const put = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, 'put')?.value as typeof store.put
    const store = IDBObjectStore.prototype
    store.put = function (this: IDBObjectStore, ...values) {
      const request = put.apply(this, values)
      request.addEventListener('success', () => this.transaction.abort())
      return request
    }
  })
  expect(await call(alex, 'set', 'after')).toBe('refused')
  expect(await logged()).toEqual(['storage_failed'])
  expect(await call(alex, 'get')).toBe('before')
  await context.close()
})

describe('where IndexedDB does not work', () => {
  test('[STO-1] local storage is used, with a chunk that is loaded for it', async () => {
    const { context, page, call, reload, scripts, logged } = await openPage()
    await replaceDatabase(page)
    expect(await call(alex, 'set', 1)).toBe('kept')
    expect(await call(alex, 'driver')).toBe('localStorage')
    expect(scripts('localforage')).toHaveLength(1)
    expect(await logged()).toEqual(['storage_driver_skipped'])
    await reload()
    expect(await call(alex, 'get')).toBe(1)
    await context.close()
  })

  test('[STO-1] local storage is used when the database opens and cannot be read', async () => {
    const { context, page, call } = await openPage()
    await page.evaluate(() => {
      IDBObjectStore.prototype.getAllKeys = () => {
        throw new DOMException('denied', 'UnknownError')
      }
    })
    expect(await call(alex, 'set', 1)).toBe('kept')
    expect(await call(alex, 'driver')).toBe('localStorage')
    await context.close()
  })

  test('memory is used when the chunk cannot be loaded', async () => {
    const { context, page, call, logged } = await openPage()
    await replaceDatabase(page)
    await page.route('**/localforage.*', (route) => route.abort())
    expect(await call(alex, 'set', 1)).toBe('untilClosed')
    expect(await call(alex, 'get')).toBe(1)
    expect(await call(alex, 'driver')).toBe('memory')
    expect(await logged()).toEqual(['storage_driver_skipped', 'storage_driver_skipped', 'storage_in_memory'])
    await context.close()
  })
})

test('[STO-1] web-SQL is tried first where the browser has it, with a name of a table that SQL reads', async () => {
  const context = await browser.newContext()
  await context.addInitScript(() => {
    const statements: string[] = []
    const transaction = {
      executeSql(statement: string, _: unknown, _done: unknown, fail: (at: unknown, error: Error) => void) {
        statements.push(statement)
        fail(transaction, new Error('denied'))
      },
    }
    Object.assign(window, {
      statements,
      openDatabase: () => ({
        transaction: (work: (one: typeof transaction) => void) => work(transaction),
      }),
    })
  })
  const { page, call, logged } = await openPage(context)
  expect(await call({ name: 'privateCache', user: 'Ü/1' }, 'set', 1)).toBe('kept')
  expect(await page.evaluate(() => (window as unknown as { statements: string[] }).statements)).toEqual([
    expect.stringMatching(/^CREATE TABLE IF NOT EXISTS cache[a-z0-9_]+ \(/),
  ])
  expect(await call(local, 'driver')).toBe('indexedDB')
  expect(await logged()).toEqual(['storage_driver_skipped'])
  await context.close()
})
