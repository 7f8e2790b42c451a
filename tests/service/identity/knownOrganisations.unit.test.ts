import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../src/server/webServer.ts'
import { createKnownOrganisations } from '../../../src/service/identity/knownOrganisations.ts'
import { EMPTY_REGISTRY, type RegisteredOrganisation } from '../../../src/service/sql/registry.ts'

const CONTOSO: RegisteredOrganisation = {
  id: 'contoso',
  name: 'Contoso',
  tenants: ['t-1'],
  directory: null,
  addedAt: 1,
  removedAt: null,
}

const CLIENT = () => 'client'

/** What is known of these organisations; `asked` has each look-up in the database. */
function knowing(rows: () => readonly RegisteredOrganisation[]) {
  const asked: string[] = []
  const state = { now: 0, isAway: false }
  const look = async (name: string, isFound: (row: RegisteredOrganisation) => boolean) => {
    asked.push(name)
    if (state.isAway) throw new Error('away')
    return rows().find(isFound) ?? null
  }
  const known = createKnownOrganisations(
    {
      ...EMPTY_REGISTRY,
      find: (id) => look(id, (row) => row.id === id),
      ofTenant: (tenant) => look(tenant, (row) => row.tenants.includes(tenant)),
      ofScimToken: (hash) => look(hash, () => hash === 'hash'),
    },
    () => state.now,
  )
  return { known, asked, state }
}

describe('an instance', () => {
  it('asks the registry for an organisation once in 10 s, by its tenant and token, too', async () => {
    const { known, asked, state } = knowing(() => [CONTOSO])
    for (let times = 0; times < 3; times += 1) {
      expect(await known.of('contoso', CLIENT)).toBe(CONTOSO)
      expect(await known.ofTenant('t-1', CLIENT)).toBe(CONTOSO)
      expect(await known.ofScimToken('hash', CLIENT)).toBe(CONTOSO)
    }
    expect(asked).toEqual(['contoso', 't-1', 'hash'])
    state.now = 10_000
    await known.of('contoso', CLIENT)
    expect(asked).toHaveLength(4)
  })

  it('has one answer by the id, the tenant and the token after a change', async () => {
    let rows = [CONTOSO]
    const { known, state } = knowing(() => rows)
    await known.of('contoso', CLIENT)
    state.now = 9_000
    expect(await known.ofTenant('t-1', CLIENT)).toBe(CONTOSO)
    rows = [{ ...CONTOSO, name: 'Contoso Ltd', tenants: ['t-2'] }]
    state.now = 10_000
    const renamed = await known.of('contoso', CLIENT)
    expect(renamed).toBe(rows[0])
    expect(await known.ofTenant('t-2', CLIENT)).toBe(renamed)
    // The tenant is remembered, but the organisation no longer has it.
    expect(await known.ofTenant('t-1', CLIENT)).toBeNull()
  })

  it('asks nothing for what cannot be an id or a tenant', async () => {
    const { known, asked } = knowing(() => [CONTOSO])
    for (const name of ['', '\0', 'a b', 'ä', 'x'.repeat(257), '__proto__\n'])
      expect([await known.of(name, CLIENT), await known.ofTenant(name, CLIENT)]).toEqual([null, null])
    expect(asked).toEqual([])
  })

  it('[SCALE-3] looks up 300 wrong names a minute of a client, and goes on to answer for what it knows', async () => {
    const { known, state } = knowing(() => [CONTOSO])
    expect(await known.ofTenant('t-1', CLIENT)).toBe(CONTOSO)
    const invented = Array.from({ length: 300 }, (_, index) => `unknown-${String(index)}`)
    await Promise.all(invented.map((name) => known.ofTenant(name, CLIENT)))
    for (const name of ['unknown', 't-2']) await expect(known.ofTenant(name, CLIENT)).rejects.toThrow(Refusal)
    await expect(known.ofScimToken('hash', CLIENT)).rejects.toThrow(Refusal)
    state.now = 20_000
    expect(await known.ofTenant('t-1', CLIENT)).toBe(CONTOSO)
    expect(await known.ofTenant('unknown', () => 'other client')).toBeNull()
    state.now = 60_000
    expect(await known.ofTenant('unknown-1', CLIENT)).toBeNull()
  })

  it('[SCALE-3] meets any number of organisations of one client, and of verified names', async () => {
    const { known } = knowing(() =>
      Array.from({ length: 400 }, (_, index) => ({
        ...CONTOSO,
        id: `o-${String(index)}`,
        tenants: [`t-${String(index)}`],
      })),
    )
    for (let index = 0; index < 400; index += 1)
      expect(await known.ofTenant(`t-${String(index)}`, CLIENT)).not.toBeNull()
    for (let index = 0; index < 400; index += 1) expect(await known.of(`x-${String(index)}`, null)).toBeNull()
    expect(await known.ofTenant('unknown', CLIENT)).toBeNull()
  })

  it('counts no name as wrong that could not be looked up', async () => {
    const { known, state } = knowing(() => [CONTOSO])
    state.isAway = true
    for (let index = 0; index < 300; index += 1)
      await expect(known.ofTenant(`t-${String(index)}`, CLIENT)).rejects.toThrow('away')
    state.isAway = false
    expect(await known.ofTenant('t-1', CLIENT)).toBe(CONTOSO)
  })

  it('looks a name up once for all who ask at the same time, and counts it for each', async () => {
    const { known, asked } = knowing(() => [])
    const clients = ['one', 'other']
    for (let index = 0; index < 300; index += 1)
      await Promise.all(clients.map((client) => known.ofTenant(`t-${String(index)}`, () => client)))
    expect(asked).toHaveLength(300)
    for (const client of clients)
      await expect(known.ofTenant('unknown', () => client)).rejects.toThrow(Refusal)
  })

  it('keeps what it found however many names are invented', async () => {
    const { known, asked } = knowing(() => [CONTOSO])
    await known.ofTenant('t-1', CLIENT)
    for (let index = 0; index < 20_001; index += 1) await known.ofTenant(`unknown-${String(index)}`, null)
    const before = asked.length
    expect(await known.ofTenant('t-1', CLIENT)).toBe(CONTOSO)
    expect(asked).toHaveLength(before)
  })

  it('asks again when the clock went back', async () => {
    const { known, asked, state } = knowing(() => [CONTOSO])
    state.now = 100_000
    await known.of('contoso', CLIENT)
    await known.of('unknown', CLIENT)
    state.now = 90_001
    await known.of('contoso', CLIENT)
    await known.of('unknown', CLIENT)
    expect(asked).toEqual(['contoso', 'unknown'])
    state.now = 90_000
    await known.of('contoso', CLIENT)
    await known.of('unknown', CLIENT)
    expect(asked).toEqual(['contoso', 'unknown', 'contoso', 'unknown'])
  })

  it('asks again after a failure', async () => {
    const { known, state } = knowing(() => [CONTOSO])
    state.isAway = true
    await expect(known.of('contoso', CLIENT)).rejects.toThrow('away')
    state.isAway = false
    expect(await known.of('contoso', CLIENT)).toBe(CONTOSO)
  })
})
