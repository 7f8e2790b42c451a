import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPages } from '../../src/build/bundle.ts'
import { listen, portOf } from '../../src/build/ports.ts'
import { createPageServer } from '../../src/build/server.ts'
import { storageContract } from '../engine/adapters/storageContract.ts'
import { launchChromium } from './chromium.ts'

// The storage over Chromium's own IndexedDB and session storage, which refuses what exceeds its quota.

const PROJECT = join(import.meta.dirname, '..', '..')

let browser: Browser
let address: string
const end: (() => unknown)[] = []

beforeAll(async () => {
  await mkdir(join(PROJECT, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(PROJECT, 'dist', 'storage-'))
  end.push(() => rm(folder, { recursive: true, force: true }))
  await buildPages({
    pages: [[join(import.meta.dirname, 'storagePage.html')]],
    environment: {},
    folder: join(folder, 'pages'),
    cacheFolder: join(folder, 'cache'),
  })
  const server = createServer(
    createPageServer({ folder: join(folder, 'pages'), index: 'storagePage.html', headersOf: () => ({}) }),
  )
  await listen(server, 0)
  end.push(() => server.close())
  address = `http://localhost:${String(portOf(server))}`
  browser = await launchChromium()
  end.push(() => browser.close())
})
afterAll(async () => {
  for (const close of end.reverse()) await close()
})

/** A page with empty storage of its own. */
async function openPage() {
  const context = await browser.newContext()
  const page = await context.newPage()
  const open = async () => {
    await page.goto(`${address}/`)
    await page.waitForFunction(() => 'storage' in window)
  }
  await open()
  return { context, page, reload: open }
}

storageContract(
  'the storage of Chromium',
  async () => {
    const { context, page } = await openPage()
    return {
      play: (call) => page.evaluate((each) => window.storage.play(each), call),
      make: (call) => page.evaluate((each) => window.storage.make(each), call),
      abandon: (call) => page.evaluate((each) => window.storage.abandon(each), call),
      // Chromium has no web-SQL.
      logged: async () =>
        (await page.evaluate(() => window.storage.logged())).filter(
          (action) => action !== 'storage_driver_skipped',
        ),
      // No browser stores 10 MB for a session.
      refuseWrites: () => Promise.resolve(),
      close: () => context.close(),
    }
  },
  { canRefuse: true },
)

test('[STO-1] what was kept is read by the next page, and the session by a reload', async () => {
  const { context, page, reload } = await openPage()
  const namespaces = [
    ...[{ name: 'session' }, { name: 'local' }, { name: 'standing' }, { name: 'roaming' }],
    { name: 'privateRoaming', user: 'u-alex' },
  ] as const
  for (const namespace of namespaces)
    expect(
      await page.evaluate((each) => window.storage.play(each), {
        namespace,
        method: 'set',
        key: 'key',
        value: namespace,
      } as const),
    ).toEqual(['kept'])
  await reload()
  for (const namespace of namespaces)
    expect(
      await page.evaluate((each) => window.storage.play(each), {
        namespace,
        method: 'get',
        key: 'key',
      } as const),
    ).toEqual([namespace])
  const local = { namespace: { name: 'local' }, method: 'driver' } as const
  expect(await page.evaluate((each) => window.storage.play(each), local)).toEqual(['indexedDB'])
  await context.close()
})
