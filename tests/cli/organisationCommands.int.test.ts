import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TENANT_IDS } from '../../src/identityProvider/accounts.ts'
import type { RunningServer } from '../../src/server/webServer.ts'
import { readDemonstration } from '../../src/service/demonstration/northwind.ts'
import { SYNC_LEASE } from '../../src/service/directory/directoryState.ts'
import { createPeople } from '../../src/service/people/people.ts'
import { type RunningService, startProduction } from '../../src/service/production.ts'
import { readSettings } from '../../src/service/settings.ts'
import { importOrganisation } from '../../src/service/sql/backup.ts'
import type { DatabaseDriver } from '../../src/service/sql/driver.ts'
import { openDatabase, type StoreAddress } from '../../src/service/sql/openStore.ts'
import { createRegistry, scimTokenHash as hashOf } from '../../src/service/sql/registry.ts'
import { createStore } from '../../src/service/sql/store.ts'
import { deleteOrganisationRows } from '../../src/service/sql/tables.ts'
import { ADMINISTRATION_PATH } from '../../streams/wire/administration/calls.ts'
import { IS_LONG } from '../support/cases.ts'
import { type DatabaseKind, newPooledUrl, newPostgresUrl, USUAL_DATABASES } from '../support/databases.ts'
import { fillOrganisation } from '../support/wholeOrganisation.ts'
import { ADDIN_HEADERS, ALEX, mailClientToken, send, signInTo, startProvider } from '../service/running.ts'
import { runSignet } from './runningCommand.ts'

// The commands of the operator on the organisations of an installation, on databases that services use before and after.

const SECRET = randomBytes(32).toString('base64')
const PUBLIC = 'https://signet.northwind.example'
const PAGE = '<!doctype html><html lang=en><title>Signet</title><div id=root></div></html>'

let folder: string
let pages: string
let provider: RunningServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signet-organisations-'))
  pages = join(folder, 'pages')
  await mkdir(pages)
  for (const name of ['taskpane.html', 'index.html', 'launch.html', 'administration.html'])
    await writeFile(join(pages, name), PAGE)
  for (const name of ['launch.js', 'launch-guard.js']) await writeFile(join(pages, name), '')
  provider = await startProvider({ clientId: 'the-add-in', audience: 'api://signet', layout: 'entra' })
})
afterAll(async () => {
  await provider.close()
  await rm(folder, { recursive: true, force: true })
})

type Environment = Readonly<Record<string, string>>

let databases = 0
/** The settings of an installation with a new database. */
async function installation(kind: DatabaseKind, more: Environment = {}): Promise<Environment> {
  databases += 1
  return {
    SIGNET_PUBLIC_URL: PUBLIC,
    SIGNET_LISTEN: 'localhost:0',
    SIGNET_INTERNAL_LISTEN: '127.0.0.1:0',
    SIGNET_TENANTS: TENANT_IDS.harbour,
    SIGNET_AUTHORITY: `${provider.url}/{tenant}/v2.0`,
    SIGNET_CLIENT_ID: 'the-add-in',
    SIGNET_SCOPE: 'api://signet/access_as_user',
    SIGNET_SECRET: SECRET,
    ...(kind === 'embedded'
      ? { SIGNET_EMBEDDED: 'accept', SIGNET_DATA: join(folder, `data-${String(databases)}`) }
      : { DATABASE_URL: await (kind === 'a pooler' ? newPooledUrl() : newPostgresUrl()) }),
    SIGNET_ORGANISATION: 'Harbour',
    ...more,
  }
}

function settingsOf(environment: Environment) {
  const read = readSettings(environment)
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  return read.settings
}
const addressOf = (environment: Environment): StoreAddress => settingsOf(environment).database

async function serving<Result>(
  environment: Environment,
  run: (service: RunningService) => Promise<Result>,
): Promise<Result> {
  const service = await startProduction(settingsOf(environment), { write: () => undefined }, pages)
  try {
    return await run(service)
  } finally {
    await service.close()
  }
}

async function inDatabase<Result>(
  environment: Environment,
  run: (driver: DatabaseDriver) => Promise<Result>,
) {
  const driver = await openDatabase(addressOf(environment))
  try {
    return await run(driver)
  } finally {
    await driver.close()
  }
}

const signet = (environment: Environment, ...words: readonly string[]) =>
  runSignet(['organisation', ...words], { environment, wait: async () => undefined, now: Date.now })

const ADD = ['add', 'contoso', '--name', 'Contoso', '--tenant', TENANT_IDS.northwind] as const

describe.each(USUAL_DATABASES)('an organisation in %s', { timeout: 60_000 }, (kind) => {
  it('is added with what its administrator does next, changed, and listed', async () => {
    const environment = await installation(kind)
    const added = await signet(environment, ...ADD)
    expect(added.all).toContain(
      `Added contoso: Contoso, tenant ${TENANT_IDS.northwind}, people from imports.`,
    )
    expect(added.all).toContain(`${provider.url}/${TENANT_IDS.northwind}/adminconsent?client_id=the-add-in`)
    expect(added.all).toContain(
      "with an administrator's access token in SIGNET_TOKEN: signet publish signatures",
    )
    expect(added.all).toContain('Restart every instance once. Then users of other tenants can sign in.\n')
    expect(added.code).toBe(0)

    const same = await signet(environment, 'add', 'contoso')
    expect(same.all).toContain('contoso is as it was')
    const changed = await signet(
      ...[environment, 'add', 'contoso', '--name', 'Contoso Ltd'],
      ...['--tenant', TENANT_IDS.northwind, '--tenant', TENANT_IDS.elsewhere.toUpperCase()],
    )
    expect(changed.all).toContain('  name: Contoso -> Contoso Ltd\n')
    expect(changed.all).toContain(
      `  tenants: tenant ${TENANT_IDS.northwind} -> tenants ${TENANT_IDS.northwind} and ${TENANT_IDS.elsewhere}\n`,
    )
    expect(changed.all).toContain(
      `in each new tenant:\n     ${provider.url}/${TENANT_IDS.elsewhere}/adminconsent?client_id=the-add-in\n`,
    )
    expect(changed.all).not.toContain('directory:')
    expect(changed.all).not.toContain('can no longer sign in')
    const replaced = await signet(environment, 'add', 'contoso', '--tenant', TENANT_IDS.elsewhere)
    expect(replaced.all).toContain(`  Users of ${TENANT_IDS.northwind} can no longer sign in.\n`)
    expect(replaced.all).not.toContain('adminconsent')

    const { out } = await signet(environment, 'list')
    expect(out.split('\n').map((line) => line.split('  ')[0])).toEqual(['default', 'contoso', ''])
    expect(out).toContain(`default  Harbour, tenant ${TENANT_IDS.harbour}, people from imports  0 people`)
    const listed = JSON.parse((await signet(environment, 'list', '--json')).out) as unknown
    expect(listed).toMatchObject([
      { id: 'default', addedAt: null, people: 0, release: null },
      { id: 'contoso', name: 'Contoso Ltd', directory: null, removedAt: null },
    ])
  })

  it('is rebuilt and gets a new key with all others, but not while it is being removed', async () => {
    const environment = await installation(kind)
    const operate = (...words: readonly string[]) => runSignet(words, { environment, now: Date.now })
    expect((await operate('rebuild')).all).toBe('0 people folded again, 0 rows replaced.\n')
    expect((await operate('keys', 'rotate')).all).toMatch(
      /^Tokens are signed with \S+ within a minute\. .*\n$/,
    )

    await signet(environment, ...ADD)
    await signet(environment, 'add', 'leaving', '--name', 'Leaving', '--tenant', TENANT_IDS.elsewhere)
    const { people } = await readDemonstration()
    await inDatabase(environment, async (driver) => {
      await createRegistry(driver).markRemoved('leaving', 1)
      const store = createStore(driver, 'contoso')
      await createPeople({
        store,
        releases: { current: () => null },
        now: () => 1,
        newId: () => 'new',
      }).importRows(people, 'test', false)
      await driver
        .within('contoso')
        .query("update person set language = 'xx' where organisation = $1 and id = 'u-1'", ['contoso'])
    })
    const folded = `contoso: ${String(people.length)} people folded again,`
    expect((await operate('rebuild')).all).toBe(
      `default: 0 people folded again, 0 rows replaced.\n${folded} 1 row replaced.\n`,
    )
    expect((await operate('rebuild')).all).toContain(`${folded} 0 rows replaced.\n`)

    const { all } = await operate('keys', 'rotate')
    const [, own, other] =
      /^default: tokens are .* (\S+) within .*\ncontoso: .* (\S+) within .*\n/.exec(all) ?? []
    await inDatabase(environment, async (driver) => {
      const newestOf = async (id: string) =>
        (await createStore(driver, id).keys()).toSorted((a, b) => a.from - b.from).at(-1)?.id
      expect([await newestOf('default'), await newestOf('contoso'), await newestOf('leaving')]).toEqual([
        ...[own, other, undefined],
      ])
    })
  })
})

describe('an organisation', { timeout: 60_000 }, () => {
  const kind = 'postgres'

  it('has a token for SCIM that is shown once, and another one when it is asked for', async () => {
    const environment = await installation(kind)
    const token = (text: string) => /shown only now:\n(\S{40,})\n/.exec(text)?.[1]
    const first = token((await signet(environment, ...ADD, '--directory', 'scim')).out) ?? ''
    const ofToken = (text: string) =>
      inDatabase(environment, async (driver) => (await createRegistry(driver).ofScimToken(hashOf(text)))?.id)
    expect(await ofToken(first)).toBe('contoso')
    expect(token((await signet(environment, 'add', 'contoso', '--name', 'Other')).out)).toBeUndefined()
    expect(await ofToken(first)).toBe('contoso')
    const renewed = await signet(environment, 'add', 'contoso', '--new-token')
    expect(renewed.out).toMatch(
      /^contoso has a new SCIM token\. The one before is refused within seconds\.\n\nThe secret token/,
    )
    const second = token(renewed.out) ?? ''
    expect([await ofToken(first), await ofToken(second)]).toEqual([undefined, 'contoso'])
    expect((await signet(environment, 'add', 'contoso', '--directory', 'none')).out).toContain(
      '  Its SCIM token is deleted.\n',
    )
    expect(await ofToken(second)).toBeUndefined()
    await inDatabase(environment, async (driver) => {
      const rows = await driver.query('select * from organisation')
      expect(JSON.stringify(rows)).not.toContain(second)
    })
  })

  it('is refused with tenants, ids and directories that it cannot have', async () => {
    const environment = await installation(kind)
    await signet(environment, ...ADD)
    const other = ['add', 'fabrikam', '--name', 'Fabrikam', '--tenant'] as const
    for (const [words, code, sentence] of [
      [
        ['add', 'default', '--name', 'x', '--tenant', TENANT_IDS.elsewhere],
        64,
        'default is the organisation of',
      ],
      [['add', 'No_Id', '--name', 'x', '--tenant', TENANT_IDS.elsewhere], 64, 'No_Id is not an id'],
      [['add', 'fabrikam', '--tenant', TENANT_IDS.elsewhere], 64, '--name is missing'],
      [['add', 'fabrikam', '--name', 'Fabrikam'], 64, '--tenant is missing'],
      [['add', 'fabrikam', '--name', ' ', '--tenant', TENANT_IDS.elsewhere], 64, '--name is empty'],
      [[...other, TENANT_IDS.elsewhere, '--directory', 'ldap'], 64, '--directory takes graph, scim or none'],
      [[...other, TENANT_IDS.elsewhere, '--pictures'], 64, '--sync-minutes and --pictures need'],
      [
        [...other, TENANT_IDS.elsewhere, '--directory', 'graph', '--sync-minutes', '0'],
        64,
        'number from 1 to 1440',
      ],
      [[...other, TENANT_IDS.elsewhere, '--new-token'], 64, '--new-token needs --directory scim'],
      [[...other, TENANT_IDS.elsewhere, '--directory', 'graph'], 1, 'SIGNET_DIRECTORY is not graph'],
      [[...other, 'fabrikam.example'], 1, 'fabrikam.example is not the id of a tenant'],
      [[...other, TENANT_IDS.harbour], 1, `${TENANT_IDS.harbour} is in SIGNET_TENANTS`],
      [[...other, TENANT_IDS.northwind.toUpperCase()], 1, `${TENANT_IDS.northwind} is a tenant of contoso.`],
      [['export', 'fabrikam', join(folder, 'none')], 1, 'There is no organisation fabrikam.'],
      [['import', join(folder, 'none')], 1, 'There is no file'],
      [['remove', 'fabrikam', '--yes'], 1, 'There is no organisation fabrikam.'],
      [
        ['remove', 'default', '--yes'],
        64,
        'default is the organisation of the settings: it cannot be removed.',
      ],
      [['remove', 'contoso'], 64, 'give --yes'],
    ] as const) {
      const answer = await signet(environment, ...words)
      expect(answer.all).toContain(sentence)
      expect([answer.code, answer.out], words.join(' ')).toEqual([code, ''])
    }
    const { out } = await signet(environment, 'list')
    expect(out.split('\n')).toHaveLength(3)
  })

  it('needs SIGNET_TENANTS: without, no organisation is added, and a service with several does not start', async () => {
    const environment = await installation(kind)
    const without = {
      ...environment,
      SIGNET_TENANTS: '',
      SIGNET_AUTHORITY: `${provider.url}/${TENANT_IDS.harbour}/v2.0`,
    }
    // Sorts before ids that begin with a letter.
    const add = ['add', '365', ...ADD.slice(2)]
    const starts = () => serving(without, () => Promise.resolve('started'))
    expect(await signet(without, ...add)).toMatchObject({
      code: 1,
      all: expect.stringContaining('SIGNET_TENANTS is missing: with several') as string,
    })
    expect(await starts()).toBe('started')
    expect((await signet(environment, ...add)).code).toBe(0)
    await expect(starts()).rejects.toThrow('SIGNET_TENANTS is missing: with several organisations')
  })

  it('reads Microsoft Graph with the credential of the settings', async () => {
    const environment = await installation(kind, { SIGNET_DIRECTORY: 'graph', SIGNET_GRAPH_SECRET: 'x' })
    const words = [...ADD, '--directory', 'graph', '--sync-minutes', '30', '--pictures'] as const
    expect((await signet(environment, ...words)).out).toContain(
      'Microsoft Graph every 30 minutes, with pictures',
    )
    const directory = () =>
      inDatabase(environment, async (driver) => (await createRegistry(driver).find('contoso'))?.directory)
    expect(await directory()).toEqual({ kind: 'graph', minutes: 30, pictures: true })
    await signet(environment, 'add', 'contoso', '--directory', 'graph')
    expect(await directory()).toEqual({ kind: 'graph', minutes: 30, pictures: true })
    await signet(environment, 'add', 'contoso', '--directory', 'graph', '--sync-minutes', '60')
    expect(await directory()).toEqual({ kind: 'graph', minutes: 60, pictures: true })
    await signet(environment, 'add', 'contoso', '--directory', 'none')
    await signet(environment, 'add', 'contoso', '--directory', 'graph')
    expect(await directory()).toEqual({ kind: 'graph', minutes: 15, pictures: false })
  })
})

/**
 * What users, administrators and readers of mails get. Addresses begin with `@`, and have no seals, so that places in a
 * text and the lines of a card do not depend on their length. The time of the question is left out.
 */
async function answersOf({ url }: RunningService, place: string) {
  const plain = (text: string) =>
    text
      .replaceAll('\r\n ', '')
      .replaceAll(`${PUBLIC}${place}`, '@')
      .replace(/(\/images\/qr\.[\w-]+|\/card\/[\w-]+)\.[\w-]{22}/g, '$1.seal')
      .replace(/"start":\d+,"end":\d+/g, '')
      .replace(/"at":\d+,"signatures"/, '')
  const bearer = await signInTo(url, provider, ALEX)
  const administrator = await mailClientToken(provider, ALEX)
  const answers: (readonly [path: string, status: number, text: string])[] = []
  let texts = ''
  for (const path of [
    '/signatures-cache/api/v1/signature/addin',
    '/signatures-cache/api/v1/signatures?page=1',
    '/api/addin/user',
    '/api/addin/user/variables',
    ...['/people', '/people/u-1', '/releases', '/audit', '/export'].map((each) => ADMINISTRATION_PATH + each),
  ]) {
    const token = path.startsWith(ADMINISTRATION_PATH) ? administrator : bearer
    const { status, text } = await send('GET', url + path, {
      ...ADDIN_HEADERS,
      Authorization: `Bearer ${token}`,
    })
    texts += text
    answers.push([path, status, plain(text)])
  }
  const addresses = new Set(texts.match(new RegExp(`${PUBLIC}[^"\\\\ ]*/(?:images|go|card)/[^"\\\\ ]*`, 'g')))
  expect(addresses.size).toBeGreaterThan(3)
  for (const address of addresses) {
    expect(address.startsWith(`${PUBLIC}${place}/`)).toBe(true)
    const answer = await fetch(address.replace(PUBLIC, url), { redirect: 'manual' })
    const content = plain(Buffer.from(await answer.arrayBuffer()).toString('latin1'))
    answers.push([plain(address), answer.status, `${content} ${answer.headers.get('location') ?? ''}`])
  }
  return answers
}

async function* stream(lines: readonly string[]) {
  yield* lines
}

const PLACE = /\/of\/contoso\.[\w-]{12}/
/** The beginning of the public addresses of contoso. */
async function placeIn({ url }: RunningService): Promise<string> {
  const bearer = await signInTo(url, provider, ALEX)
  const headers = { ...ADDIN_HEADERS, Authorization: `Bearer ${bearer}` }
  return (
    PLACE.exec((await send('GET', `${url}/signatures-cache/api/v1/signature/addin`, headers)).text)?.[0] ?? ''
  )
}

/** Every value of every table of the database that contains a text, in any case. */
async function placesOf(driver: DatabaseDriver, marks: readonly string[]): Promise<readonly string[]> {
  const columns = await driver.query<{ table: string; column: string; type: string }>(
    `select table_name as table, column_name as column, udt_name as type from information_schema.columns
     where table_schema = 'public' order by 1, 2`,
  )
  const found: string[] = []
  for (const { table, column, type } of columns) {
    const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`
    const rows = await driver.query(
      `select 1 from ${table} where ${marks.map((_, index) => `${text} ilike $${String(index + 1)}`).join(' or ')}`,
      marks.map((mark) => `%${mark}%`),
    )
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}

// Each command opens its database: the embedded one takes its lock, and migrates what is in its folder. It gives an
// organisation away and takes it back; all else is over PostgreSQL.
const WAYS = [['embedded', 'postgres'], ...(IS_LONG ? ([['postgres', 'embedded']] as const) : [])] as const
describe.each(WAYS)('an organisation of %s that goes to %s', { timeout: 120_000 }, (from, to) => {
  let single: Environment
  let many: Environment
  let file: string
  let before: Awaited<ReturnType<typeof answersOf>>
  let place: string

  beforeAll(async () => {
    single = await installation(from, {
      SIGNET_TENANTS: TENANT_IDS.northwind,
      SIGNET_ORGANISATION: 'Northwind',
    })
    many = await installation(to)
    before = await serving(single, async (service) => {
      await fillOrganisation(service.context, Date.now())
      // A picture whose bytes have a mark of the organisation.
      const bytes = new TextEncoder().encode('the picture of Alexis')
      await service.context.store.keepPicture('e'.repeat(32), { mediaType: 'image/png', bytes })
      // The first sign-in binds the account, which the audit has.
      await signInTo(service.url, provider, ALEX)
      return answersOf(service, '')
    })
    file = join(folder, `${from}.jsonl`)
  })

  it('[SCALE-7] answers as before in another installation, with another secret', async () => {
    const exported = await signet(single, 'export', 'default', file)
    expect(exported).toMatchObject({
      code: 0,
      out: expect.stringContaining('without signing keys') as string,
    })
    expect((await stat(file)).mode & 0o077).toBe(0)
    expect((await signet(many, 'export', 'default', file)).all).toContain('is there already')
    const text = await readFile(file, 'utf8')
    expect(text).not.toContain('signing_key')

    expect((await signet(many, 'import', file)).all).toContain('give --as <id>')
    many = { ...many, SIGNET_SECRET: randomBytes(32).toString('base64') }
    const imported = await signet(many, 'import', file, '--as', 'contoso')
    expect(imported.all).toContain('Imported contoso, ')
    expect(imported.code).toBe(0)
    expect((await signet(many, 'import', file, '--as', 'fabrikam')).all).toContain(
      `${TENANT_IDS.northwind} is a tenant of contoso.`,
    )
    const after = await serving(many, async (service) => {
      place = await placeIn(service)
      return answersOf(service, place)
    })
    expect(place).toMatch(PLACE)
    expect(after).toEqual(before)
  })

  it('[SCALE-7] comes back from an export of its own, as it was', async () => {
    const again = join(folder, `again-${from}.jsonl`)
    expect((await signet(many, 'export', 'contoso', again)).code).toBe(0)
    // Beside what it was exported from.
    const third = { ...single, SIGNET_TENANTS: TENANT_IDS.harbour }
    expect((await signet(third, 'import', again)).code).toBe(0)
    const back = join(folder, `back-${from}.jsonl`)
    expect((await signet(third, 'export', 'contoso', back)).code).toBe(0)
    expect(await readFile(back, 'utf8')).toBe(await readFile(again, 'utf8'))
    expect((await readFile(again, 'utf8')).split('\n').length).toBeGreaterThan(30)
  })

  it('[SCALE-7] is imported whole or not at all', async () => {
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    const target = await installation(to)
    await inDatabase(target, async (driver) => {
      for (const [written, sentence] of [
        [lines.slice(0, -1), 'incomplete'],
        [lines.slice(1), 'not an export'],
        [[], 'not an export'],
        [lines.with(0, (lines[0] ?? '').replace(/"migrations":\d+/, '"migrations":1000')), 'newer Signet'],
        [[...lines.slice(0, -1), '{"table":"signing_key","columns":["id"]}'], 'is not a line'],
      ] as const)
        await expect(
          importOrganisation(
            driver,
            stream(written),
            async (each) => ({ ...each, organisation: 'contoso' }),
            1,
          ),
        ).rejects.toThrow(sentence)
      expect(await placesOf(driver, ['contoso', 'northwind'])).toEqual([])
    })
  })

  it('[SCALE-7] is removed from every table, after an interruption, too', async () => {
    const MARKS = ['contoso', 'northwind', 'alexis', TENANT_IDS.northwind]
    await inDatabase(many, async (driver) => {
      // What the service makes while it runs: a lease, a signing key.
      await createStore(driver, 'contoso').lease('sync', 'contoso', 0, 1)
      expect((await placesOf(driver, MARKS)).length).toBeGreaterThan(15)
    })
    const no = await runSignet(['organisation', 'remove', 'contoso'], {
      environment: many,
      confirm: async () => false,
    })
    expect([no.code, no.out]).toEqual([1, 'Nothing was removed.\n'])

    // The command ends when every instance would know, and then after some statements.
    const ended = async () => Promise.reject(new Error('the process ended'))
    const first = await runSignet(['organisation', 'remove', 'contoso', '--yes'], {
      environment: many,
      wait: ended,
      now: Date.now,
    })
    expect(first.all).toContain('contoso answers nothing any more.')
    expect(first.code).toBe(1)
    await serving(many, async ({ url }) => {
      const accessToken = await mailClientToken(provider, ALEX)
      const body = { accessToken, email: ALEX }
      expect((await send('POST', `${url}/authentication/addin/azure`, ADDIN_HEADERS, body)).status).toBe(401)
      const [path] = before.find(([each]) => each.startsWith('@/images/')) ?? ['']
      expect((await fetch(path.replace('@', `${url}${place}`))).status).toBe(404)
    })
    await inDatabase(many, async (driver) => {
      let left = 7
      const within = (organisation: string) => {
        const inside = driver.within(organisation)
        const query: DatabaseDriver['query'] = (sql, parameters) => {
          if (sql.includes('delete') && (left -= 1) < 0) return ended()
          return inside.query(sql, parameters)
        }
        return { ...inside, query }
      }
      await expect(deleteOrganisationRows({ ...driver, within }, 'contoso')).rejects.toThrow(
        'the process ended',
      )
    })
    expect((await signet(many, 'list')).out).toContain('removal began')
    expect((await signet(many, 'add', 'contoso', '--name', 'Again')).all).toContain(
      'contoso is being removed',
    )

    // An instance still syncs: its lease ends after 9 s.
    let clock = Date.now() + 60_000
    await inDatabase(many, async (driver) => {
      await createStore(driver, 'contoso').lease(SYNC_LEASE, 'an instance', clock, clock + 9_000)
    })
    const waited: number[] = []
    const later = await runSignet(['organisation', 'remove', 'contoso', '--yes'], {
      environment: many,
      now: () => clock,
      async wait(ms) {
        waited.push(ms)
        clock += ms
      },
    })
    expect(waited).toEqual([2_000, 2_000, 2_000, 2_000, 2_000, 15_000])
    expect(later.all).toContain('Waiting until its sync with the directory ends.\n')
    expect(later.all).toContain('Removed contoso (Northwind).\n')
    expect(later.all).toMatch(/ {2}\d+ rows? of \w+\n/)
    expect(later.code).toBe(0)
    await inDatabase(many, async (driver) => {
      expect(await placesOf(driver, MARKS)).toEqual([])
      const own = await createStore(driver, 'default').organisationFacts(0)
      expect(own.map(({ type }) => type)).toEqual(['organisation/founded'])
    })
    expect((await signet(many, 'list')).out.split('\n')).toHaveLength(2)
  })
})
