import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createRegistry, type Registry } from '../../../src/service/sql/registry.ts'
import { newDatabase, USUAL_DATABASES } from '../../support/databases.ts'

describe.each(USUAL_DATABASES)('the registry over %s', (kind) => {
  let driver: DatabaseDriver
  let registry: Registry

  beforeAll(async () => {
    driver = await openDatabase(await newDatabase(kind))
    registry = createRegistry(driver)
    for (const id of ['contoso', 'fabrikam'])
      await registry.keep(
        { id, name: id, tenants: [`${id}-1`, `${id}-2`], directory: null, addedAt: 1 },
        id === 'contoso' ? 'hash' : null,
      )
  })
  afterAll(() => driver.close())

  it('keeps the time at which an organisation was removed first', async () => {
    expect([await registry.markRemoved('contoso', 5), await registry.markRemoved('contoso', 9)]).toEqual([
      true,
      true,
    ])
    expect((await registry.find('contoso'))?.removedAt).toBe(5)
    expect((await registry.find('fabrikam'))?.removedAt).toBeNull()
    expect(await registry.markRemoved('unknown', 5)).toBe(false)
  })
})
