import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningServer } from '../../../src/server/webServer.ts'
import { createService, type Service } from '../../../src/service/service.ts'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createRegistry } from '../../../src/service/sql/registry.ts'
import { createStore } from '../../../src/service/sql/store.ts'
import { publishDocument } from '../../support/demonstration.ts'
import { newDatabase, USUAL_DATABASES } from '../../support/databases.ts'
import { largeDocument } from '../../growth/largeDocument.ts'
import { startProvider } from '../running.ts'

const IDS = ['contoso', 'fabrikam', 'tailspin']

describe.each(USUAL_DATABASES)('organisations beyond the bound of memory over %s', (kind) => {
  let driver: DatabaseDriver
  let provider: RunningServer
  let service: Service

  beforeAll(async () => {
    driver = await openDatabase(await newDatabase(kind))
    provider = await startProvider()
    const registry = createRegistry(driver)
    for (const id of IDS)
      await registry.keep({ id, name: id, tenants: [`tenant-${id}`], directory: null, addedAt: 0 }, null)
    const storeOf = (organisation: string) => ({
      ...createStore(driver, organisation),
      close: async () => {},
    })
    service = await createService({
      store: storeOf('default'),
      others: { registry, storeOf, directoryFor: () => null, bound: { bytes: 1, count: 2 } },
      organisation: 'Northwind Trading',
      tenants: ['own'],
      authority: provider.url,
      tokenAudiences: ['api://signet'],
      scope: 'access_as_user',
      origins: [],
      secret: randomBytes(32),
      publicUrl: () => 'https://signet.example.com',
    })
  })
  afterAll(async () => {
    await service.close()
    await Promise.all([provider.close(), driver.close()])
  })

  const open = async (id: string) => {
    const organisation = await service.organisations.of(id)
    if (organisation === null) throw new Error(`There is no ${id}.`)
    return organisation
  }

  it('[SCALE-1] give no user of an unknown tenant to the organisation of the settings', async () => {
    const { ofTenant, own } = service.organisations
    expect(await ofTenant('unknown')).toBeNull()
    expect(await ofTenant('own')).toBe(own)
    expect((await ofTenant('tenant-contoso'))?.id).toBe('contoso')
  })

  it('[SCALE-3] are dropped, and answer as before when they are asked again', async () => {
    const published = new Map<string, string>()
    const first = new Map<string, unknown>()
    for (const id of IDS) {
      const organisation = await open(id)
      first.set(id, organisation)
      published.set(
        id,
        await publishDocument(organisation.context, {
          ...largeDocument({ signatures: 1, templates: 1, lines: 20 }),
          organisation: id,
        }),
      )
      // The next call counts the new release, and drops the other organisations once they are idle.
      await expect
        .poll(
          async () => {
            await open(id)
            return service.organisations.size().organisations
          },
          { timeout: 60_000 },
        )
        .toBe(2)
      expect(service.organisations.size().bytes).toBeGreaterThan(1_000)
    }
    for (const id of IDS) {
      const { releases } = (await open(id)).context
      expect(releases.current()?.id).toBe(published.get(id))
      expect(releases.current()?.document.organisation).toBe(id)
    }
    expect(await open('tailspin')).not.toBe(first.get('contoso'))
    // The one that was used last is never dropped, whatever it takes.
    const last = await open('contoso')
    expect(last).not.toBe(first.get('contoso'))
    expect(await open('contoso')).toBe(last)
  })
})
