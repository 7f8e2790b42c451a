import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TENANT_IDS } from '../../../src/identityProvider/accounts.ts'
import { type RunningService, startProduction } from '../../../src/service/production.ts'
import { readSettings, type Settings } from '../../../src/service/settings.ts'

// SCIM in the process that an organisation runs.

const TOKEN = randomBytes(24).toString('base64')
const PAGE = '<!doctype html><html lang=en><title>Signet</title><div id=root></div></html>'

let folder: string
let lines: string[] = []
const running: RunningService[] = []

async function start(directory: Readonly<Record<string, string>>): Promise<RunningService> {
  const read = readSettings(
    {
      SIGNET_PUBLIC_URL: 'https://signet.northwind.example',
      SIGNET_LISTEN: 'localhost:0',
      SIGNET_INTERNAL_LISTEN: '127.0.0.1:0',
      SIGNET_TENANTS: TENANT_IDS.northwind,
      SIGNET_DATA: '-',
      SIGNET_CLIENT_ID: 'the-add-in',
      SIGNET_SCOPE: 'api://signet/access_as_user',
      SIGNET_SECRET: randomBytes(32).toString('base64'),
      SIGNET_EMBEDDED: 'accept',
      ...directory,
    },
    () => '',
  )
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const settings: Settings = { ...read.settings, database: { kind: 'embedded', folder: null } }
  const service = await startProduction(settings, { write: (line: string) => void lines.push(line) }, folder)
  running.push(service)
  return service
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signet-scim-'))
  await mkdir(folder, { recursive: true })
  for (const name of ['taskpane.html', 'index.html', 'launch.html', 'administration.html'])
    await writeFile(join(folder, name), PAGE)
  await writeFile(join(folder, 'launch.js'), '')
  await writeFile(join(folder, 'launch-guard.js'), '')
})
afterAll(async () => {
  await Promise.all(running.map((service) => service.close()))
  await rm(folder, { recursive: true, force: true })
})

const ask = (url: string, method: string, path: string, token: string, body?: object) =>
  fetch(`${url}/scim/v2${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

describe('SCIM in production', () => {
  it('takes no token without its setting', async () => {
    const { url } = await start({ SIGNET_SCIM_TOKEN: TOKEN })
    const answer = await ask(url, 'GET', '/Users', TOKEN)
    expect(answer.status).toBe(401)
    expect(await answer.text()).toContain('The secret token is wrong.')
  })

  it('has the schemas of the attributes that its settings name', async () => {
    const { url } = await start({
      SIGNET_DIRECTORY: 'scim',
      SIGNET_SCIM_TOKEN: TOKEN,
      SIGNET_DIRECTORY_ATTRIBUTES: 'urn:acme:2.0:User:costCentre',
    })
    const answer = await ask(url, 'GET', '/Schemas/urn:acme:2.0:User', TOKEN)
    expect(await answer.json()).toMatchObject({ attributes: [{ name: 'costCentre' }] })
  })

  it('[SRV-35] leaves no name, address or token in the log and the metrics; wrong tokens are limited', async () => {
    const { url, internalUrl, context } = await start({ SIGNET_DIRECTORY: 'scim', SIGNET_SCIM_TOKEN: TOKEN })
    lines = []
    const address = 'quixotica@zyxwv.example'
    const added = await ask(url, 'POST', '/Users', TOKEN, {
      userName: address,
      title: 'Pilot',
      name: { familyName: 'Zyxwv' },
      emails: [{ value: address }],
    })
    const { id } = (await added.json()) as { id: string }
    expect(added.status).toBe(201)
    expect((await context.store.personByAddress(address))?.active).toBe(true)
    const filter = encodeURIComponent(`userName eq "${address}"`)
    expect((await ask(url, 'GET', `/Users?filter=${filter}`, TOKEN)).status).toBe(200)
    expect((await ask(url, 'GET', `/Users?filter=${filter}x`, TOKEN)).status).toBe(400)
    expect((await ask(url, 'GET', `/Users/${address}`, TOKEN)).status).toBe(404)
    expect((await ask(url, 'POST', '/Users', TOKEN, { userName: address })).status).toBe(409)
    const wrong = `${TOKEN}x`
    const statuses: number[] = []
    for (let time = 0; time < 21; time++) statuses.push((await ask(url, 'GET', '/Users', wrong)).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429])
    // The good token goes on meanwhile.
    expect((await ask(url, 'GET', '/Users', TOKEN)).status).toBe(200)
    const refused = await ask(url, 'GET', '/Users', wrong)
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'application/scim+json'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)

    const all = [...lines, await (await fetch(`${internalUrl}/metrics`)).text()].join('\n')
    expect(all).toContain('/scim/v2/Users')
    for (const secret of [address, 'zyxwv', 'Zyxwv', 'quixotica', 'Pilot', TOKEN, id])
      expect(all, secret).not.toContain(secret)
  })
})
