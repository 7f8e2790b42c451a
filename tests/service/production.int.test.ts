import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { TENANT_IDS } from '../../src/identityProvider/accounts.ts'
import { createIdentityProvider } from '../../src/identityProvider/identityProvider.ts'
import { programArguments } from '../../src/programs/programArguments.ts'
import type { RunningServer } from '../../src/server/webServer.ts'
import { databaseVersion, diagnoseInstallation } from '../../src/service/doctor.ts'
import { type RunningService, startProduction } from '../../src/service/production.ts'
import { readSettings, type Settings } from '../../src/service/settings.ts'
import { openPostgres } from '../../src/service/sql/pg.ts'
import { StoreUnavailable } from '../../src/service/sql/problems.ts'
import { newPostgresUrl } from '../support/databases.ts'
import { publishDemonstration } from '../support/demonstration.ts'
import { ADDIN_HEADERS, ALEX } from './running.ts'

const ROOT = join(import.meta.dirname, '../..')
const PUBLIC = 'https://signet.northwind.example'
const CLIENT_ID = 'the-add-in'
const PAGE = '<!doctype html><html lang=en><title>Signet</title><div id=root></div></html>'

let folder: string
let pages: string
let provider: RunningServer
let settings: Settings
let service: RunningService
let lines: string[] = []
let firstLine = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signet-production-'))
  pages = join(folder, 'dist/production/www')
  await mkdir(pages, { recursive: true })
  for (const name of ['taskpane.html', 'index.html', 'launch.html', 'administration.html'])
    await writeFile(join(pages, name), PAGE)
  await writeFile(join(pages, 'launch.js'), '')
  await writeFile(join(pages, 'launch-guard.js'), '')
  provider = await createIdentityProvider({
    port: 0,
    origins: [],
    clientId: CLIENT_ID,
    audience: 'api://signet',
    layout: 'entra',
  })
  const read = readSettings({ ...environment(), SIGNET_EMBEDDED: 'accept', SIGNET_DATA: '-' }, () => '')
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  settings = { ...read.settings, database: { kind: 'embedded', folder: null } }
  service = await startProduction(settings, { write: (line: string) => void lines.push(line) }, pages)
  firstLine = lines[0] ?? ''
  await publishDemonstration(service.context)
})
afterAll(async () => {
  await Promise.all([service.close(), provider.close()])
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  lines = []
})

const SECRET = randomBytes(32).toString('base64')
const environment = (): Readonly<Record<string, string>> => ({
  SIGNET_PUBLIC_URL: PUBLIC,
  SIGNET_LISTEN: 'localhost:0',
  SIGNET_INTERNAL_LISTEN: '127.0.0.1:0',
  SIGNET_TENANTS: TENANT_IDS.northwind,
  SIGNET_AUTHORITY: `${provider.url}/{tenant}/v2.0`,
  SIGNET_CLIENT_ID: CLIENT_ID,
  SIGNET_SCOPE: 'api://signet/access_as_user',
  SIGNET_SECRET: SECRET,
})

type Received = Readonly<{ status: number; headers: IncomingMessage['headers']; text: string }>

/** Sends any header, also Host, which `fetch` does not. */
const ask = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
  url = service.url,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(url)
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const sent = request(
      { host: new URL(url).hostname, port, path, method, headers: { ...ADDIN_HEADERS, ...type, ...headers } },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
      },
    ).on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })

async function accessTokenOf(email: string): Promise<string> {
  const answer = await fetch(`${provider.url}/mail-client/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}
async function signIn(email: string, headers: Readonly<Record<string, string>> = {}) {
  const accessToken = await accessTokenOf(email)
  const answer = await ask('POST', '/authentication/addin/azure', headers, { accessToken, email })
  const { data } = JSON.parse(answer.text) as { data: { access_token: string } }
  return { accessToken, bearer: data.access_token, text: answer.text }
}
const internal = (path: string) => ask('GET', path, {}, undefined, service.internalUrl)

it('the first line of the log names the version of package.json, and the addresses', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const { url, internalUrl } = service
  expect(JSON.parse(firstLine)).toMatchObject({
    msg: 'listening',
    version,
    url,
    internalUrl,
    publicUrl: PUBLIC,
  })
})

describe('the addresses of pictures', () => {
  it('[SRV-6] are those of the public address, whatever a request names', async () => {
    const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'ftp' }
    const { bearer, text } = await signIn(ALEX, headers)
    const authorization = { ...headers, Authorization: `Bearer ${bearer}` }
    const paths = [
      '/signatures-cache/api/v1/signature/addin',
      '/signatures-cache/api/v1/signatures',
      '/api/addin/user',
    ]
    const texts = [text]
    for (const path of paths) texts.push((await ask('GET', path, authorization)).text)
    const sources = texts.join('').match(/[^"\\ ]*\/images\/[^"\\ ]*/g) ?? []
    expect(sources.length).toBeGreaterThan(3)
    for (const source of sources) expect(source).toMatch(/^https:\/\/signet\.northwind\.example\/images\//)
    expect(texts.join('')).not.toContain('evil')
  })
})

describe('the log and the metrics', () => {
  it('[SRV-35] hold no address, name, token or signature, whatever is asked and whatever fails', async () => {
    const written: string[] = []
    const spies = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0),
    )
    const { accessToken, bearer } = await signIn(ALEX)
    const headers = { Authorization: `Bearer ${bearer}`, 'X-Request-Id': ALEX }
    const [signatures, user] = await Promise.all([
      ask('GET', `/signatures-cache/api/v1/signatures?q=${ALEX}`, headers),
      ask('GET', '/api/addin/user', headers),
    ])
    const name = 'Quixotica Zyxwv'
    await ask('PUT', '/api/addin/user/variables_with_options', headers, {
      data: { job_title: name, metadata: {} },
      reset_fields: [],
    })
    await ask('PUT', '/api/addin/user/variables_with_options', headers, { data: name, reset_fields: [] })
    await ask('GET', `/nothing/${ALEX}/${bearer}`, headers)
    await ask('GET', `/images/${ALEX}`, headers)
    const reader = {
      'User-Agent': 'ReaderApp',
      Referer: 'https://mailbox.example/',
      'X-Forwarded-For': '2001:db8::7',
    }
    await ask('GET', `/images/linked/${'c0ffee12'.repeat(4)}/spring-fair.png`, reader)
    await ask('POST', '/authentication/addin/azure', {}, { accessToken: `${accessToken}x`, email: ALEX })
    vi.spyOn(service.context.store, 'person').mockRejectedValueOnce(new Error(`no row of ${ALEX}: ${name}`))
    expect((await ask('GET', '/api/addin/user', headers)).status).toBe(500)
    const metrics = await internal('/metrics')
    for (const spy of spies) spy.mockRestore()

    const { id } = JSON.parse(user.text) as { id: string }
    const all = [...lines, ...written, metrics.text].join('\n')
    expect(lines.length).toBeGreaterThanOrEqual(9)
    for (const secret of [ALEX, 'northwind', 'Alex', 'Kim', name, `"${id}"`, bearer, accessToken])
      expect(all, secret).not.toContain(secret)
    for (const secret of ['c0ffee12', 'spring-fair', 'ReaderApp', 'mailbox.example', '2001:db8'])
      expect(all, secret).not.toContain(secret)
    for (const token of [bearer, accessToken])
      for (const part of token.split('.')) expect(all).not.toContain(part)
    expect(all).not.toMatch(/\w@\w|<p|<td|<table/)
    // There was something to leak.
    expect(signatures.text).toContain('Alex')
    expect(all).toContain('/signatures-cache/api/v1/signatures')
    expect(all).toContain('/images/*')
  })
})

describe('a service whose database is away', () => {
  it('answers 503 and says when to try again, and goes on when it is back', async () => {
    const { bearer } = await signIn(ALEX)
    const headers = { Authorization: `Bearer ${bearer}` }
    vi.spyOn(service.context.store, 'person').mockRejectedValueOnce(new StoreUnavailable('db-7 refused'))
    const { status, headers: answered, text } = await ask('GET', '/api/addin/user', headers)
    expect([status, answered['retry-after'], (JSON.parse(text) as { code: string }).code]).toEqual([
      ...[503, '5', 'unavailable'],
    ])
    expect(text).not.toContain('db-7')
    expect((await ask('GET', '/api/addin/user', headers)).status).toBe(200)
  })
})

describe('a service whose database takes no writes', () => {
  it('tells why, with the SQLSTATE in its log, is not ready, and goes on when it can write again', async () => {
    const url = await newPostgresUrl()
    const full = await startProduction(
      { ...settings, database: { kind: 'postgres', url } },
      { write: (line: string) => void lines.push(line) },
      pages,
    )
    const operator = openPostgres(url)
    try {
      await publishDemonstration(full.context)
      const accessToken = await accessTokenOf(ALEX)
      const signedIn = await ask(
        ...(['POST', '/authentication/addin/azure', {}, { accessToken, email: ALEX }, full.url] as const),
      )
      const { data } = JSON.parse(signedIn.text) as { data: { access_token: string } }
      const headers = { Authorization: `Bearer ${data.access_token}` }
      const save = () =>
        ask(
          ...(['PUT', '/api/addin/user/variables_with_options', headers] as const),
          ...([{ data: { department: 'Deck' }, reset_fields: [] }, full.url] as const),
        )
      const ready = async () => {
        const answer = await fetch(`${full.internalUrl}/ready`)
        return [answer.status, ((await answer.json()) as { problems: readonly string[] }).problems]
      }
      await operator.script(
        `create function refuse() returns trigger language plpgsql as $$ begin
           raise exception 'no room for ${ALEX}' using errcode = '53100';
         end $$;
         create trigger refuse before insert or update on person for each row execute function refuse();
         create trigger refuse before insert or update on plan for each row execute function refuse();`,
      )
      lines = []
      const refused = await save()
      expect([refused.status, refused.headers['retry-after'], JSON.parse(refused.text)]).toEqual([
        ...[503, '5'],
        {
          code: 'database_full',
          message: 'The database of the service has no room on its disk. Try again.',
        },
      ])
      const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
      const told = { database: 'full', sqlState: '53100' }
      expect(logged).toMatchObject([
        { ...told, msg: 'database takes no writes', level: 50 },
        { ...told, msg: 'answered', status: 503 },
      ])
      expect(lines.join()).not.toContain('alex')
      expect((await ask('GET', '/api/addin/user', headers, undefined, full.url)).status).toBe(200)
      expect(await ready()).toEqual([503, ['The database has no room on its disk.']])
      expect(await (await fetch(`${full.internalUrl}/metrics`)).text()).toContain(
        'signet_database_failures_total{problem="full"} 2\n',
      )
      await operator.script('drop function refuse cascade')
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 5_000)
      expect(await ready()).toEqual([200, []])
      vi.restoreAllMocks()
      expect((await save()).status).toBe(200)
    } finally {
      vi.restoreAllMocks()
      await Promise.all([full.close(), operator.close()])
    }
  })
})

describe('a service whose database runs not every statement', () => {
  it('[SCALE-6] tells a lock from a cancelled statement in answer, log, metrics and readiness, and stays ready', async () => {
    const url = await newPostgresUrl()
    const one = await startProduction(
      { ...settings, database: { kind: 'postgres', url } },
      { write: (line: string) => void lines.push(line) },
      pages,
    )
    const operator = openPostgres(url)
    try {
      await publishDemonstration(one.context)
      const accessToken = await accessTokenOf(ALEX)
      const signedIn = await ask(
        ...(['POST', '/authentication/addin/azure', {}, { accessToken, email: ALEX }, one.url] as const),
      )
      const { data } = JSON.parse(signedIn.text) as { data: { access_token: string } }
      const headers = { Authorization: `Bearer ${data.access_token}` }
      const told = []
      for (const [sqlState, database] of [
        ['55P03', 'locked'],
        ['57014', 'cancelled'],
      ] as const) {
        await operator.script(
          `create function refuse() returns trigger language plpgsql as $$ begin
             raise exception 'no row for ${ALEX}' using errcode = '${sqlState}';
           end $$;
           create trigger refuse before insert or update on person for each row execute function refuse();`,
        )
        lines = []
        const { status, text } = await ask(
          ...(['PUT', '/api/addin/user/variables_with_options', headers] as const),
          ...([{ data: { department: 'Deck' }, reset_fields: [] }, one.url] as const),
        )
        expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
          { msg: 'answered', status: 503, database, sqlState },
        ])
        const answer = await fetch(`${one.internalUrl}/ready`)
        const { problems } = (await answer.json()) as { problems: readonly string[] }
        told.push([status, (JSON.parse(text) as { code: string }).code, answer.status, problems.at(-1)])
        await operator.script('drop function refuse cascade')
      }
      expect(told).toEqual([
        [503, 'database_locked', 200, 'The database kept rows locked for too long.'],
        [503, 'database_cancelled', 200, 'The database cancelled a statement.'],
      ])
      const metrics = await (await fetch(`${one.internalUrl}/metrics`)).text()
      for (const problem of ['locked', 'cancelled'])
        expect(metrics).toContain(`signet_database_failures_total{problem="${problem}"} 1\n`)
    } finally {
      await Promise.all([one.close(), operator.close()])
    }
  })
})

describe('the limits of the service', () => {
  it('count the requests of the user of a bearer, and only theirs', async () => {
    const { bearer } = await signIn('jonas.weber@northwind.example')
    const headers = { Authorization: `Bearer ${bearer}` }
    const answers = await Promise.all(
      Array.from({ length: 301 }, () => ask('GET', '/api/addin/configs', headers)),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    const { bearer: other } = await signIn(ALEX)
    expect((await ask('GET', '/api/addin/user', { Authorization: `Bearer ${other}` })).status).toBe(200)
  })
})

it('the doctor finds the served pages well', async () => {
  const found = await diagnoseInstallation(settings, {
    fetch: (input, init) => fetch(String(input).replace(PUBLIC, service.url), init),
    databaseVersion: () => Promise.resolve(150_000),
    wallRemedy: () => Promise.resolve(null),
    now: Date.now,
  })
  expect(found.map(({ check, advice }) => [check, advice])).toEqual(
    ['database', 'discovery', 'clock', 'pages'].map((check) => [check, null]),
  )
})

it('the operator sees whether the instance is ready, and users do not reach that', async () => {
  expect((await internal('/ready')).status).toBe(200)
  expect((await internal('/live')).status).toBe(200)
  for (const path of ['/ready', '/live', '/metrics']) expect((await ask('GET', path)).status).toBe(404)
})

describe('npm run service', { timeout: 60_000 }, () => {
  const run = (over: Readonly<Record<string, string>>) => {
    // Of the variables of this process only those that it takes to run.
    const { PATH = '', TMPDIR } = process.env
    const child = spawn(process.execPath, programArguments('src/service/main.ts'), {
      cwd: folder,
      env: { PATH, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...over },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
    return { child, output, ended }
  }

  it('[SRV-26] stops with every missing setting named, and refuses the embedded database', async () => {
    const { code, stderr, stdout } = await run({ SIGNET_DATA: folder }).ended
    expect([code, stdout]).toEqual([2, ''])
    const named = stderr
      .trim()
      .split('\n')
      .map((line) => line.split(/\W/, 1)[0])
    expect(named).toEqual([
      ...['SIGNET_PUBLIC_URL', 'DATABASE_URL', 'SIGNET_TENANTS', 'SIGNET_CLIENT_ID', 'SIGNET_SCOPE'],
      'SIGNET_SECRET',
    ])
    expect(stderr).toContain('SIGNET_EMBEDDED=accept')
  })

  it('[SRV-28] serves calls and pages, knows no /_control, and ends with code 0 on SIGTERM', async () => {
    const database = await newPostgresUrl()
    const { child, output, ended } = run({ ...environment(), DATABASE_URL: database })
    while (!output.stdout.includes('{"listening"')) await Promise.race([once(child.stdout, 'data'), ended])
    const url = /\{"listening":"([^"]+)"/.exec(output.stdout)?.[1] ?? ''
    const at = (method: string, path: string) => ask(method, path, {}, undefined, url)
    expect((await at('GET', '/taskpane.html')).text).toContain(PUBLIC)
    expect((await at('GET', '/api/addin/user')).status).toBe(401)
    for (const path of ['faults', 'clock', 'requests', 'reset', 'maintenance', ''])
      for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
        const { status, text } = await at(method, `/_control/${path}`)
        expect([status, (JSON.parse(text) as { code: string }).code], `${method} ${path}`).toEqual([
          404,
          'not_found',
        ])
      }
    expect(await databaseVersion(database)).toBeGreaterThanOrEqual(150_000)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('has written a line for each request when it ends', async () => {
    const { child, output, ended } = run({ ...environment(), DATABASE_URL: await newPostgresUrl() })
    while (!output.stdout.includes('{"listening"')) await Promise.race([once(child.stdout, 'data'), ended])
    const url = /\{"listening":"([^"]+)"/.exec(output.stdout)?.[1] ?? ''
    const paths = Array.from({ length: 200 }, (_, index) => `/nothing/${String(index)}`)
    await Promise.all(paths.map((path) => ask('GET', path, {}, undefined, url)))
    child.kill('SIGTERM')
    const { code, stdout } = await ended
    const lines = stdout.trim().split('\n').slice(1)
    const answered = lines.filter((line) => (JSON.parse(line) as { msg?: string }).msg === 'answered')
    expect([code, answered.length]).toEqual([0, paths.length])
  })
})
