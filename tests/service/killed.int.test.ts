import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programArguments } from '../../src/programs/programArguments.ts'
import type { RunningServer } from '../../src/server/webServer.ts'
import { ADDIN_HEADERS, ALEX, PAGE_ORIGIN, send, startProvider } from './running.ts'

const SAVE_PATH = '/api/addin/user/variables_with_options'
const SAVES = 20

describe('the process of the service', { timeout: 60_000 }, () => {
  let provider: RunningServer
  let folder: string
  const children: ChildProcess[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signature-killed-'))
    provider = await startProvider()
  })
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    await provider.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function startProcess() {
    const options = ['--port', '0', '--data', folder, '--origin', PAGE_ORIGIN, '--issuer', provider.url]
    const child = spawn(process.execPath, programArguments('src/service/demonstration/main.ts', ...options))
    children.push(child)
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
    const { listening } = JSON.parse(line) as { listening: string }
    const call = (method: string, path: string, token: string | null, body?: unknown) =>
      send(
        method,
        listening + path,
        { ...ADDIN_HEADERS, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
        body,
      )
    return { child, call }
  }

  it('[SRV-12] has, after a kill between saves, the last one that it answered or the next, and goes on', async () => {
    const { child, call } = await startProcess()
    const { body: granted } = await send('POST', `${provider.url}/mail-client/token`, {}, { email: ALEX })
    const credentials = { accessToken: granted.access_token, email: ALEX }
    const signedIn = await call('POST', '/authentication/addin/azure', null, credentials)
    const token = signedIn.body.data['access_token'] ?? ''
    const save = (office: number) =>
      call('PUT', SAVE_PATH, token, { data: { office: String(office) }, reset_fields: [] })

    for (let office = 1; office <= SAVES; office += 1) expect((await save(office)).status).toBe(200)
    const last = save(SAVES + 1).then(
      ({ status }) => status,
      () => null,
    )
    child.kill('SIGKILL')
    await once(child, 'close')
    const seen = (await last) === 200 ? [String(SAVES + 1)] : [String(SAVES), String(SAVES + 1)]

    const again = await startProcess()
    const { status, body } = await again.call('GET', '/api/addin/user/variables', token)
    expect([status, seen]).toEqual([200, expect.arrayContaining([body.values['office']])])
    const next = { data: { office: 'Bridge' }, reset_fields: [] }
    expect((await again.call('PUT', SAVE_PATH, token, next)).body.data['office']).toBe('Bridge')
  })
})
