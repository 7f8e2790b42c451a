import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Namespace, StorageCall } from '../engine/adapters/storageCalls.ts'
import { storageContract } from '../engine/adapters/storageContract.ts'
import { launchChromium } from './chromium.ts'
import { servePage } from './ownPage.ts'

// The storage over Chromium's own IndexedDB, local and session storage, which refuse what exceeds their quotas.

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
  const failures: string[] = []
  page.on('pageerror', ({ message }) => failures.push(message))
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
    call: async (namespace: Namespace, method: StorageCall['method'], value?: unknown, key = 'key') =>
      (await play({ namespace, method, key, value }))[0],
    /** The warnings and errors that were logged, and the errors that nobody caught. */
    logged: async () => [...(await page.evaluate(() => window.storage.logged())), ...failures],
    lines: () => page.evaluate(() => window.storage.lines()),
    databases: () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name).sort()),
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
        const request = indexedDB.deleteDatabase('signet')
        request.onsuccess = () => resolve('deleted')
        request.onblocked = () => resolve('blocked')
      }),
  )

/** From now on, the page can open no database. */
const denyIndexedDb = (page: Page) =>
  page.evaluate(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('denied', 'SecurityError')
    }
  })

const local: Namespace = { name: 'local' }
const alex: Namespace = { name: 'privateCache', user: 'u-alex' }
const maria: Namespace = { name: 'privateCache', user: 'u-maria' }
const drafts: Namespace = { name: 'privateDrafts', user: 'u-alex' }

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

const ids = ['u-alex', 'u', 'U', 'u/', 'u/key', 'ü', 'u_2f_']
const stored: readonly Namespace[] = [
  ...([{ name: 'local' }, { name: 'kept' }, { name: 'roaming' }] as const),
  ...(['privateRoaming', 'privateCache', 'privateDrafts'] as const).flatMap((name) =>
    ids.map((user) => ({ name, user })),
  ),
]

test('[STO-1] what was kept is read by the next page, and the session by a reload', async () => {
  const { context, call, reload, logged } = await openPage()
  const namespaces: readonly Namespace[] = [{ name: 'session' }, { name: 'persistent' }, ...stored]
  for (const namespace of namespaces) expect(await call(namespace, 'set', namespace)).toBe('kept')
  await reload()
  for (const namespace of namespaces) expect(await call(namespace, 'get')).toEqual(namespace)
  expect(await call(local, 'driver')).toBe('indexedDB')
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

test('a new namespace neither opens the database again nor raises its version', async () => {
  const { context, page, call, logged } = await openPage()
  const other = await openPage(context)
  const version = () =>
    page.evaluate(async () => (await indexedDB.databases()).find(({ name }) => name === 'signet')?.version)
  await Promise.all([call(local, 'set', 1), other.call(local, 'get')])
  const first = await version()
  await page.evaluate(() => {
    const open = indexedDB.open.bind(indexedDB)
    indexedDB.open = (...database) => {
      performance.mark('opened')
      return open(...database)
    }
  })
  await Promise.all(stored.map((namespace) => call(namespace, 'set', 1)))
  expect(await page.evaluate(() => performance.getEntriesByName('opened').length)).toBe(0)
  expect(await version()).toBe(first)
  expect([...(await logged()), ...(await other.logged())]).toEqual([])
  await context.close()
})

test('a page lets another one delete the database, and opens it again', async () => {
  const { context, call, logged } = await openPage()
  const other = await context.newPage()
  await other.goto(`${address}/`)
  expect(await call(local, 'set', 1)).toBe('kept')
  expect(await deleteDatabase(other)).toBe('deleted')
  expect(await call(local, 'get')).toBeNull()
  expect(await call(local, 'set', 2)).toBe('kept')
  expect(await call(local, 'get')).toBe(2)
  expect(await logged()).toEqual([])
  await context.close()
})

test('[STO-4] a write is told as refused when the database cannot be opened again', async () => {
  const { context, page, call, lines } = await openPage()
  const other = await context.newPage()
  await other.goto(`${address}/`)
  expect(await call(local, 'set', 1)).toBe('kept')
  await denyIndexedDb(page)
  expect(await deleteDatabase(other)).toBe('deleted')
  expect(await call(local, 'set', 2)).toBe('refused')
  expect(await call(local, 'get')).toBeUndefined()
  // localforage also leaves a rejected promise without a handler, which the console shows.
  expect((await lines()).filter((line) => line.startsWith('error'))).toEqual([
    'error storage_failed',
    'error storage_failed',
  ])
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

/** A mark at each step of the page, in the order of the steps. */
const marksOf = (page: Page) =>
  page.evaluate(() => performance.getEntriesByType('mark').map(({ name }) => name))

describe('where IndexedDB does not work', () => {
  test('[STO-1] local storage is used', async () => {
    const { context, page, call, reload, logged, lines } = await openPage()
    await denyIndexedDb(page)
    expect(await call(alex, 'set', 1)).toBe('kept')
    expect(await call(alex, 'driver')).toBe('localStorage')
    expect(await lines()).toEqual([
      'debug storage_driver_absent webSQL',
      'warn storage_driver_skipped indexedDB',
    ])
    await reload()
    await denyIndexedDb(page)
    expect(await call(alex, 'get')).toBe(1)
    expect(await logged()).toEqual(['storage_driver_skipped'])
    await context.close()
  })

  test('what an earlier version stored in local storage is found', async () => {
    const { context, page, call } = await openPage()
    await denyIndexedDb(page)
    await page.evaluate(() => localStorage.setItem('signet/cache_2d__dc__2f_1/key', '{"from":"before"}'))
    expect(await call({ name: 'privateCache', user: 'Ü/1' }, 'get')).toEqual({ from: 'before' })
    await context.close()
  })

  test('[STO-1] local storage is used when the database opens and cannot be read', async () => {
    const { context, page, call } = await openPage()
    await page.evaluate(() => {
      IDBObjectStore.prototype.get = () => {
        throw new DOMException('denied', 'UnknownError')
      }
    })
    expect(await call(alex, 'set', 1)).toBe('kept')
    expect(await call(alex, 'driver')).toBe('localStorage')
    await context.close()
  })

  test('memory is used when local storage is full, too', async () => {
    const { context, page, call, lines } = await openPage()
    await denyIndexedDb(page)
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    expect(await call(alex, 'set', 1)).toBe('untilClosed')
    expect(await call(alex, 'get')).toBe(1)
    expect(await call(alex, 'driver')).toBe('memory')
    expect(await lines()).toEqual([
      'debug storage_driver_absent webSQL',
      'warn storage_driver_skipped indexedDB',
      'warn storage_driver_skipped localStorage',
      'error storage_in_memory',
    ])
    await context.close()
  })
})

describe('what an earlier version stored in IndexedDB', () => {
  const namespaceOf = ({ name, user }: Namespace): string => {
    const kinds: Record<string, string> = {
      privateRoaming: 'private',
      privateCache: 'cache',
      privateDrafts: 'drafts',
    }
    return user === undefined ? name : `${kinds[name] ?? ''}-${user}`
  }

  /** Stores as the earlier version did. The page keeps the database open, and closes it as asked. */
  const storeEarlier = (page: Page, closes: 'now' | 'whenAsked' | 'never') =>
    page.evaluate(
      async ({ namespaces, when }) => {
        const database = await new Promise<IDBDatabase>((resolve, reject) => {
          const request = indexedDB.open('signet.storage', 1)
          request.onupgradeneeded = () => void request.result.createObjectStore('values')
          request.onerror = reject
          request.onsuccess = () => resolve(request.result)
        })
        const transaction = database.transaction('values', 'readwrite')
        for (const namespace of namespaces)
          for (const key of ['key', '', 'key/key'])
            transaction.objectStore('values').put({ before: [namespace, key] }, [namespace, key])
        await new Promise((resolve) => {
          transaction.oncomplete = resolve
        })
        if (when === 'now') database.close()
        if (when === 'whenAsked') database.onversionchange = () => database.close()
      },
      { namespaces: stored.map(namespaceOf), when: closes },
    )
  const before = (namespace: Namespace, key = 'key') => ({ before: [namespaceOf(namespace), key] })

  /** A context in which an earlier version has stored, and a page that has not opened its storage yet. */
  async function openUpdated(closes: Parameters<typeof storeEarlier>[1] = 'now') {
    const earlier = await openPage()
    await storeEarlier(earlier.page, closes)
    return { ...(await openPage(earlier.context)), earlier: earlier.page }
  }
  const readAll = async (call: Awaited<ReturnType<typeof openPage>>['call']) => {
    const values = []
    for (const namespace of stored) values.push(await call(namespace, 'get'))
    return values
  }
  const everything = stored.map((namespace) => before(namespace))
  const oldDatabaseIsGone = ({ databases }: Pick<Awaited<ReturnType<typeof openPage>>, 'databases'>) =>
    expect.poll(databases).toEqual(['signet'])

  test('[STO-1] is there after the update, in each namespace, and the database of then is gone', async () => {
    const updated = await openUpdated()
    const { context, call, reload, logged } = updated
    expect(await call(alex, 'get', undefined, 'key/key')).toEqual(before(alex, 'key/key'))
    expect(await call(alex, 'get', undefined, '')).toEqual(before(alex, ''))
    expect(await readAll(call)).toEqual(everything)
    await oldDatabaseIsGone(updated)
    await reload()
    expect(await readAll(call)).toEqual(everything)
    expect(await logged()).toEqual([])
    await context.close()
  })

  test('does not come back after it was cleared or changed', async () => {
    const { context, call, reload, logged } = await openUpdated()
    await call(alex, 'clear')
    await call(drafts, 'set', 'today')
    await call(local, 'remove')
    await reload()
    expect(await call(alex, 'get')).toBeNull()
    expect(await call(alex, 'get', undefined, 'key/key')).toBeNull()
    expect(await call(local, 'get')).toBeNull()
    expect(await call(drafts, 'get')).toBe('today')
    expect(await logged()).toEqual([])
    await context.close()
  })

  test('does not come back when the user signs out before it could be moved', async () => {
    const updated = await openUpdated()
    const { context, page, call, reload, logged } = updated
    await page.evaluate(() => {
      IDBObjectStore.prototype.clear = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await call(alex, 'clear')
    await call(local, 'remove')
    expect(await logged()).toEqual(['storage_move_failed'])
    await reload()
    expect(await call(alex, 'get')).toBeNull()
    expect(await call(local, 'get')).toBeNull()
    expect(await call({ name: 'kept' }, 'get')).toEqual(before({ name: 'kept' }))
    await oldDatabaseIsGone(updated)
    expect(await logged()).toEqual([])
    await context.close()
  })

  /** Each value, the mark of the move after them, and the deletion of the values between both. */
  const steps = [
    { method: 'put', nth: 1 },
    { method: 'put', nth: 5 },
    { method: 'put', nth: 3 * stored.length },
    { method: 'clear', nth: 1 },
    { method: 'put', nth: 3 * stored.length + 1 },
  ] as const
  test.each(steps)('survives a page that is closed in the middle of the move: $method $nth', async (step) => {
    const { context, page } = await openUpdated()
    await page.evaluate(({ method, nth }) => {
      const original = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, method)
        ?.value as IDBObjectStore['put']
      let calls = 0
      function stuck(this: IDBObjectStore, ...values: [unknown, IDBValidKey]) {
        calls += 1
        const request = original.apply(this, values)
        if (calls === nth) {
          // Its transaction never ends.
          const goOn = () => {
            this.get('none').onsuccess = goOn
          }
          goOn()
          performance.mark('stuck')
        }
        return request
      }
      Object.assign(IDBObjectStore.prototype, { [method]: stuck })
    }, step)
    await page.evaluate(
      () => void window.storage.play({ namespace: { name: 'local' }, method: 'get', key: 'key' }),
    )
    await expect.poll(() => marksOf(page)).toContain('stuck')
    await page.close()
    const next = await openPage(context)
    expect(await readAll(next.call)).toEqual(everything)
    await oldDatabaseIsGone(next)
    expect(await next.logged()).toEqual([])
    await context.close()
  })

  test('is moved when two pages open at once, and cleared for both', async () => {
    const one = await openUpdated()
    const other = await openPage(one.context)
    const values = await Promise.all([readAll(one.call), readAll(other.call)])
    expect(values).toEqual([everything, everything])
    await one.call(alex, 'clear')
    expect(await other.call(alex, 'get')).toBeNull()
    const third = await openPage(one.context)
    expect(await third.call(alex, 'get')).toBeNull()
    expect(await third.call(drafts, 'get')).toEqual(before(drafts))
    await oldDatabaseIsGone(third)
    expect([...(await one.logged()), ...(await other.logged())]).toEqual([])
    await one.context.close()
  })

  test('is moved while a page of the earlier version has its database open', async () => {
    const updated = await openUpdated('whenAsked')
    expect(await readAll(updated.call)).toEqual(everything)
    await oldDatabaseIsGone(updated)
    expect(await updated.logged()).toEqual([])
    await updated.context.close()
  })

  test('is moved while a page that no longer answers has its database open, and deleted when it closes', async () => {
    const updated = await openUpdated('never')
    const { context, call, reload, databases, earlier, logged } = updated
    expect(await readAll(call)).toEqual(everything)
    expect(await call(alex, 'set', 'today')).toBe('kept')
    expect(await databases()).toEqual(['signet', 'signet.storage'])
    await reload()
    expect(await call(alex, 'get')).toBe('today')
    await earlier.close()
    await oldDatabaseIsGone(updated)
    expect(await logged()).toEqual([])
    await context.close()
  })

  test('is not looked for by creating its database', async () => {
    const { context, page, call, reload } = await openPage()
    await page.evaluate(() => {
      const open = indexedDB.open.bind(indexedDB)
      indexedDB.open = (name, ...version) => {
        performance.mark(name)
        return open(name, ...version)
      }
    })
    await call(local, 'get')
    expect(new Set(await marksOf(page))).toEqual(new Set(['signet']))
    await reload()
    await page.evaluate(() => {
      indexedDB.databases = () => {
        performance.mark('listed')
        return Promise.resolve([])
      }
    })
    expect(await call(local, 'get')).toBeNull()
    expect(await marksOf(page)).toEqual([])
    await context.close()
  })

  test('is looked for by opening its database where the browser does not list databases', async () => {
    const { context, page, call, reload, databases, logged } = await openUpdated()
    const forgetList = () =>
      page.evaluate(() => {
        Reflect.deleteProperty(IDBFactory.prototype, 'databases')
      })
    await forgetList()
    expect(await call(alex, 'get')).toEqual(before(alex))
    await reload()
    await expect.poll(databases).toEqual(['signet'])
    expect(await logged()).toEqual([])
    await context.close()
  })
})

describe('where the browser has web-SQL', () => {
  /**
   * A database for the statements of localforage's driver, over tables in local storage. As in a browser, a statement
   * answers later, transactions run one after the other, and an unknown statement is an error.
   */
  const withWebSql = (context: BrowserContext, tables: Record<string, Record<string, unknown>> | 'denied') =>
    context.addInitScript((first) => {
      type Tables = Record<string, Record<string, string>>
      const read = () => JSON.parse(localStorage.getItem('tables') ?? 'null') as Tables | null
      if (first !== 'denied' && !read()) localStorage.setItem('tables', JSON.stringify(first))
      const run = (statement: string, [key = '', value = '']: readonly string[]): object[] => {
        if (first === 'denied') throw new Error('denied')
        const all = read() ?? {}
        const name =
          /^(?:CREATE TABLE IF NOT EXISTS|DROP TABLE IF EXISTS|.* (?:FROM|INTO)) (\w+)/.exec(
            statement,
          )?.[1] ?? ''
        const rest = statement.replace(name, '?')
        const table = (all[name] ??= {})
        if (name === 'sqlite_master') Reflect.deleteProperty(all, name)
        const rows = (each: readonly string[]) => each.map((one) => ({ key: one, value: table[one] }))
        const results: Record<string, () => object[]> = {
          'CREATE TABLE IF NOT EXISTS ? (id INTEGER PRIMARY KEY, key unique, value)': () => [],
          'DROP TABLE IF EXISTS ?': () => {
            Reflect.deleteProperty(all, name)
            return []
          },
          'SELECT * FROM ? WHERE key = ? LIMIT 1': () => rows(key in table ? [key] : []),
          'SELECT * FROM ?': () => rows(Object.keys(table)),
          'SELECT key FROM ?': () => rows(Object.keys(table)),
          'INSERT OR REPLACE INTO ? (key, value) VALUES (?, ?)': () => {
            table[key] = value
            return []
          },
          'DELETE FROM ? WHERE key = ?': () => {
            Reflect.deleteProperty(table, key)
            return []
          },
          'DELETE FROM ?': () => {
            all[name] = {}
            return []
          },
          "SELECT name FROM ? WHERE type='table'": () =>
            ['__WebKitDatabaseInfoTable__', ...Object.keys(all)].map((each) => ({ name: each })),
        }
        const result = results[rest]?.()
        if (!result) throw new Error(`The statement is unknown: ${statement}`)
        localStorage.setItem('tables', JSON.stringify(all))
        return result
      }

      type Done = (at: object, result: object) => void
      let last = Promise.resolve()
      const transaction = (work: (at: object) => void, failed?: (error: unknown) => void) => {
        last = last.then(async () => {
          const statements: (() => void)[] = []
          const at = {
            executeSql: (statement: string, values: readonly string[], done?: Done, fail?: Done) =>
              void statements.push(() => {
                let rows
                try {
                  rows = run(statement, values)
                } catch (error) {
                  if (fail) fail(at, error as object)
                  else failed?.(error)
                  return
                }
                const found = rows
                done?.(at, { rows: { length: found.length, item: (index: number) => found[index] } })
              }),
          }
          work(at)
          for (let next = statements.shift(); next; next = statements.shift()) {
            await new Promise((resolve) => setTimeout(resolve))
            next()
          }
        })
      }
      Object.assign(window, {
        openDatabase: () => ({ transaction }),
      })
    }, tables)

  const tablesOf = (page: Page) =>
    page.evaluate(() => JSON.parse(localStorage.getItem('tables') ?? 'null') as unknown)

  test('[PUB-2] [STO-1] web-SQL is used first, then IndexedDB, then local storage, all through localforage', async () => {
    const context = await browser.newContext()
    await withWebSql(context, {})
    const { page, call, reload, lines, databases } = await openPage(context)
    expect(await call(alex, 'set', { in: 'web-SQL' })).toBe('kept')
    expect(await call(alex, 'driver')).toBe('webSQL')
    await reload()
    expect(await call(alex, 'get')).toEqual({ in: 'web-SQL' })
    expect(await tablesOf(page)).toEqual({
      keyvaluepairs: { 'cache_2d_u_2d_alex/key': '{"in":"web-SQL"}', moved: 'true' },
    })
    expect(await lines()).toEqual([])
    expect(await databases()).toEqual([])
    await context.close()

    const denied = await browser.newContext()
    await withWebSql(denied, 'denied')
    const second = await openPage(denied)
    expect(await second.call(alex, 'set', 1)).toBe('kept')
    expect(await second.call(alex, 'driver')).toBe('indexedDB')
    expect(await second.lines()).toEqual(['warn storage_driver_skipped webSQL'])
    // localforage gives its databases this second store.
    expect(
      await second.page.evaluate(
        () =>
          new Promise((resolve) => {
            const request = indexedDB.open('signet')
            request.onsuccess = () => resolve([...request.result.objectStoreNames])
          }),
      ),
    ).toEqual(['keyvaluepairs', 'local-forage-detect-blob-support'])
    const third = await openPage(denied)
    await denyIndexedDb(third.page)
    expect(await third.call(alex, 'set', 2)).toBe('kept')
    expect(await third.call(alex, 'driver')).toBe('localStorage')
    expect(await third.lines()).toEqual([
      'warn storage_driver_skipped webSQL',
      'warn storage_driver_skipped indexedDB',
    ])
    expect(await third.page.evaluate(() => localStorage.getItem('signet/cache_2d_u_2d_alex/key'))).toBe('2')
    await denied.close()
  })

  test('what an earlier version stored, with a table for each namespace, is there after the update', async () => {
    const context = await browser.newContext()
    await withWebSql(context, {
      local: { key: '"of this browser"' },
      cache_2d__dc__2f_1: { key: '{"of":"Ü/1"}', other: '1' },
      drafts_2d_u_2d_alex: { key: '"of Alex"' },
      of_another_program: { key: '1' },
    })
    const { page, call, reload, logged } = await openPage(context)
    expect(await call(local, 'get')).toBe('of this browser')
    expect(await call({ name: 'privateCache', user: 'Ü/1' }, 'get')).toEqual({ of: 'Ü/1' })
    expect(await call({ name: 'privateDrafts', user: 'u-alex' }, 'get')).toBe('of Alex')
    await call({ name: 'privateCache', user: 'Ü/1' }, 'clear')
    await expect
      .poll(() => tablesOf(page))
      .toEqual({
        keyvaluepairs: {
          'local/key': '"of this browser"',
          'drafts_2d_u_2d_alex/key': '"of Alex"',
          moved: 'true',
        },
        of_another_program: { key: '1' },
      })
    await reload()
    expect(await call({ name: 'privateCache', user: 'Ü/1' }, 'get')).toBeNull()
    expect(await call(local, 'get')).toBe('of this browser')
    expect(await logged()).toEqual([])
    await context.close()
  })
})
