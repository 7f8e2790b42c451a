import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/service/sql/openStore.ts'
import { newPostgresUrl } from '../support/databases.ts'
import { startGate } from '../support/gate.ts'
import { ALEX, type Running, start } from './running.ts'

const SAVE_PATH = '/api/addin/user/variables_with_options'

describe('the service while its database is away', () => {
  let running: Running
  let gate: Awaited<ReturnType<typeof startGate>>
  let token: string
  beforeAll(async () => {
    gate = await startGate(new URL(await newPostgresUrl()))
    running = await start({ open: () => openStore({ kind: 'postgres', url: gate.url }) })
    token = await running.signIn(ALEX)
  })
  afterAll(async () => {
    await running.stop()
    await gate.close()
  })

  const department = async () => (await running.call('GET', '/api/addin/user/variables', token)).body
  const save = (value: string) =>
    running.call('PUT', SAVE_PATH, token, { data: { department: value }, reset_fields: [] })

  it('[SRV-27] answers 503 with Retry-After, writes nothing, and goes on by itself when it is back', async () => {
    const accessToken = await running.mailClientToken(ALEX)
    await gate.cut()
    const refused = await Promise.all([
      running.call('GET', '/api/addin/user', token),
      running.call('GET', '/signatures-cache/api/v1/signature/addin', token),
      running.call('POST', '/authentication/addin/azure', null, { accessToken, email: ALEX }),
      save('Deck'),
    ])
    for (const { status, body, headers } of refused)
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5'])
    await gate.reopen()
    expect((await department()).values['department']).toBe('Operations')
    expect((await save('Deck')).status).toBe(200)
    expect((await department()).values['department']).toBe('Deck')
    expect(await running.signIn(ALEX)).not.toBe('')
  })
})
