import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/server/webServer.ts'
import { createKnownOrganisations } from '../../src/service/knownOrganisations.ts'
import { EMPTY_REGISTRY, type Registered } from '../../src/service/sql/registry.ts'

const CONTOSO: Registered = {
  ...{ id: 'contoso', name: 'Contoso', tenants: ['t-1'], directory: null, addedAt: 1, removedAt: null },
}

/** What is known of these organisations; `asked` has each look-up in the database. */
function knowing(rows: () => readonly Registered[]) {
  const asked: string[] = []
  const state = { now: 0, isAway: false }
  const look = async (name: string, isFound: (row: Registered) => boolean) => {
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
      expect(await known.of('contoso')).toBe(CONTOSO)
      expect(await known.ofTenant('t-1')).toBe(CONTOSO)
      expect(await known.ofScimToken('hash')).toBe(CONTOSO)
    }
    expect(asked).toEqual(['contoso', 't-1', 'hash'])
    state.now = 10_000
    await known.of('contoso')
    expect(asked).toHaveLength(4)
  })

  it('has one answer by the id, the tenant and the token after a change', async () => {
    let rows = [CONTOSO]
    const { known, state } = knowing(() => rows)
    await known.of('contoso')
    state.now = 9_000
    expect(await known.ofTenant('t-1')).toBe(CONTOSO)
    rows = [{ ...CONTOSO, name: 'Contoso Ltd', tenants: ['t-2'] }]
    state.now = 10_000
    const renamed = await known.of('contoso')
    expect(renamed).toBe(rows[0])
    expect(await known.ofTenant('t-2')).toBe(renamed)
    // The tenant is remembered, but the organisation no longer has it.
    expect(await known.ofTenant('t-1')).toBeNull()
  })

  it('asks nothing for what cannot be an id or a tenant', async () => {
    const { known, asked } = knowing(() => [CONTOSO])
    for (const name of ['', '\0', 'a b', 'ä', 'x'.repeat(257), '__proto__\n'])
      expect([await known.of(name), await known.ofTenant(name)]).toEqual([null, null])
    expect(asked).toEqual([])
  })

  it('[SCALE-3] looks up 6,000 unknown names a minute, and goes on to answer for what it knows', async () => {
    const { known, asked, state } = knowing(() => [CONTOSO])
    expect(await known.ofTenant('t-1')).toBe(CONTOSO)
    for (let name = asked.length; name < 6_000; name += 1) await known.ofTenant(`unknown-${String(name)}`)
    await expect(known.ofTenant('unknown')).rejects.toThrow(Refusal)
    state.now = 20_000
    expect(await known.ofTenant('t-1')).toBe(CONTOSO)
    await expect(known.ofTenant('unknown')).rejects.toThrow(Refusal)
    state.now = 60_000
    expect(await known.ofTenant('unknown')).toBeNull()
  })

  it('asks again after a failure', async () => {
    const { known, state } = knowing(() => [CONTOSO])
    state.isAway = true
    await expect(known.of('contoso')).rejects.toThrow('away')
    state.isAway = false
    expect(await known.of('contoso')).toBe(CONTOSO)
  })
})
