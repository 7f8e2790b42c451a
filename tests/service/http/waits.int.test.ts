import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { openStore } from '../../../src/service/sql/openStore.ts'
import { heavyCalls } from '../../bench/service/waitCalls.ts'
import { startInstance, startProvider } from '../running.ts'

it('every call with a body is among those whose cost for others is measured', async () => {
  const provider = await startProvider()
  const store = await openStore({ kind: 'embedded', folder: null })
  const withBody = new Set<string>()
  const { service } = await startInstance({
    provider,
    store,
    secret: randomBytes(32),
    publicUrl: () => 'https://signet.example.com',
    prepare: async (app) =>
      void app.addHook('onRoute', ({ method, url, schema }) => {
        if (schema?.body !== undefined) withBody.add(`${String(method)} ${url}`)
      }),
  })
  try {
    expect(withBody.size).toBeGreaterThan(20)
    const measured = new Set(heavyCalls().flatMap(({ route, body }) => (body === undefined ? [] : [route])))
    expect([...measured].sort()).toEqual([...withBody].sort())
  } finally {
    await service.close()
    await store.close()
    await provider.close()
  }
})
