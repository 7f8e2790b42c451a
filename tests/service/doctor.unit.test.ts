import { WORLDWIDE_LIBRARY_URL } from '../../streams/wire/officeLibrary.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { type RunningGraph, startGraph } from '../support/graph.ts'
import { WELL_KNOWN_FILE } from '../../src/server/headers.ts'
import { shippedHeaders } from '../../src/server/pageConfig.ts'
import { diagnoseInstallation, type Diagnosis, type DoctorPorts } from '../../src/service/doctor.ts'
import { readSettings } from '../../src/service/settings.ts'
import { asStoreUnavailable } from '../../src/service/sql/driver.ts'

/** An error as Node and PostgreSQL make them: foreign words, and a code. */
const coded = (code: string) => Object.assign(new Error(`odd words about ${code}`), { code })

const NOW = Date.parse('2026-03-02T09:00:00Z')
const PUBLIC = 'https://signet.example.com'
const TENANTS = ['0f5e0d3c-7a41-4b0e-9c55-6b0f5a3d0001', '5b0d9a44-02c1-4f6e-8d0e-2f6f6c1b0002'] as const
const read = readSettings(
  {
    DATABASE_URL: 'postgres://signet:hunter2@db.example.com/signet',
    SIGNET_PUBLIC_URL: PUBLIC,
    SIGNET_TENANTS: TENANTS.join(' '),
    SIGNET_CLIENT_ID: 'the-client',
    SIGNET_SCOPE: 'api://the-client/access_as_user',
    SIGNET_SECRET: 'a'.repeat(43),
  },
  () => '',
)
if ('problems' in read) throw new Error(read.problems.join())
const { settings } = read

type Answers = Record<string, () => Response>
const authority = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`
const KEYS = 'https://login.microsoftonline.com/common/discovery/v2.0/keys'
const document =
  (issuer: string, date = NOW) =>
  () =>
    new Response(JSON.stringify({ issuer, jwks_uri: KEYS }), {
      headers: { date: new Date(date).toUTCString() },
    })
const textOf = (name: string, library = WORLDWIDE_LIBRARY_URL): string =>
  name === WELL_KNOWN_FILE
    ? JSON.stringify({ allowed: [`${PUBLIC}/launch.js`] })
    : name.endsWith('.html')
      ? `<script src=${library}></script>`
      : ''
const pages = (): Answers =>
  Object.fromEntries(
    Object.entries(shippedHeaders(settings.pages)).map(([name, headers]) => [
      `${PUBLIC}/${name}`,
      () => new Response(textOf(name), { headers }),
    ]),
  )
const healthy = (): Answers => ({
  ...Object.fromEntries(
    TENANTS.map((tenant) => [
      `${authority(tenant)}/.well-known/openid-configuration`,
      document(authority(tenant)),
    ]),
  ),
  [KEYS]: () => new Response('{"keys":[{"kty":"RSA"}]}'),
  ...pages(),
})

const portsWith = (answers: Answers, version = 160_004): DoctorPorts => ({
  fetch: (input) => {
    const answer = answers[input instanceof Request ? input.url : String(input)]
    return answer === undefined
      ? Promise.reject(new TypeError('fetch failed', { cause: coded('ENOTFOUND') }))
      : Promise.resolve(answer())
  },
  databaseVersion: () => Promise.resolve(version),
  wallRemedy: () => Promise.resolve(null),
  now: () => NOW,
})
/** What needs mending. */
const unwell = async (over: Answers, ports: Partial<DoctorPorts> = {}): Promise<readonly Diagnosis[]> =>
  (await diagnoseInstallation(settings, { ...portsWith({ ...healthy(), ...over }), ...ports })).filter(
    ({ advice }) => advice !== null,
  )

describe('the doctor', () => {
  it('finds a healthy service well, tenant by tenant', async () => {
    const all = await diagnoseInstallation(settings, portsWith(healthy()))
    expect(all.map(({ check, advice }) => [check, advice])).toEqual(
      ['database', 'discovery', 'discovery', 'clock', 'pages'].map((check) => [check, null]),
    )
  })

  it('names a database that is away or too old, without its password', async () => {
    const away = await unwell({}, { databaseVersion: () => Promise.reject(coded('ECONNREFUSED')) })
    expect(away).toMatchObject([
      { check: 'database', finding: expect.stringContaining('ECONNREFUSED') as string },
    ])
    expect(await unwell({}, { databaseVersion: () => Promise.resolve(140_011) })).toMatchObject([
      { check: 'database', advice: expect.stringContaining('15 or newer') as string },
    ])
    expect(JSON.stringify(away)).not.toMatch(/hunter2|odd words/)
  })

  it.each([
    ['is unknown', () => new Response('{"error":"invalid_tenant"}', { status: 400 })],
    ['answers with a page of a network', () => new Response('<!doctype html><title>Sign in</title>')],
  ])('names the tenant whose provider %s', async (_, answer) => {
    const address = `${authority(TENANTS[1])}/.well-known/openid-configuration`
    const found = await unwell({ [address]: answer })
    expect(found).toMatchObject([
      { check: 'discovery', finding: expect.stringContaining(TENANTS[1]) as string },
    ])
    expect(found[0]?.advice).toContain('SIGNET_TENANTS')
  })

  it('misses keys that are not published', async () => {
    expect(await unwell({ [KEYS]: () => new Response('{"keys":[]}') })).toMatchObject([
      {
        check: 'discovery',
        finding: expect.stringContaining(TENANTS[0]) as string,
        also: [`The same: ${authority(TENANTS[1])}/.well-known/openid-configuration.`],
      },
    ])
  })

  it('compares the clock with that of the provider, in both directions', async () => {
    const first = `${authority(TENANTS[0])}/.well-known/openid-configuration`
    for (const off of [31_000, -31_000])
      expect(await unwell({ [first]: document('a', NOW + off) })).toMatchObject([
        {
          check: 'clock',
          finding: expect.stringContaining('31 s') as string,
          advice: expect.stringContaining('NTP') as string,
        },
      ])
    expect(await unwell({ [first]: document('a', NOW + 29_000) })).toEqual([])
  })

  it('reads the pages as users reach them', async () => {
    const page = `${PUBLIC}/taskpane.html`
    const headers = shippedHeaders(settings.pages)['taskpane.html'] ?? {}
    const { 'Content-Security-Policy': _, ...others } = headers
    expect(
      await unwell({ [page]: () => new Response(textOf('taskpane.html'), { headers: others }) }),
    ).toMatchObject([
      {
        check: 'pages',
        finding: expect.stringMatching(/taskpane\.html .*: Content-Security-Policy\.$/) as string,
      },
    ])
    expect(
      await unwell({
        [page]: () =>
          new Response(textOf('taskpane.html'), { headers: { ...headers, 'X-Frame-Options': 'DENY' } }),
      }),
    ).toMatchObject([{ finding: expect.stringContaining('X-Frame-Options') as string }])
    expect(await unwell({ [page]: () => new Response('', { status: 302 }) })).toMatchObject([
      { finding: expect.stringContaining('status 302') as string },
    ])
  })

  it('[CLIENT-7] names a page that loads Microsoft’s library from another place than the setting says', async () => {
    const [headers] = [shippedHeaders(settings.pages)['launch.html'] ?? {}]
    const findings = await unwell({
      [`${PUBLIC}/launch.html`]: () =>
        new Response(textOf('launch.html', 'https://appsforoffice.microsoft.com/lib/1/hosted/office.js'), {
          headers,
        }),
    })
    expect(findings.map(({ finding }) => finding)).toEqual([
      `${PUBLIC}/launch.html does not load Microsoft's library from ${WORLDWIDE_LIBRARY_URL}.`,
    ])
  })

  it('misses the program of launch events in the well-known file', async () => {
    const name = `${PUBLIC}/${WELL_KNOWN_FILE}`
    const headers = shippedHeaders(settings.pages)[WELL_KNOWN_FILE] ?? {}
    for (const text of ['{"allowed":["https://other.example/launch.js"]}', 'no json'])
      expect(await unwell({ [name]: () => new Response(text, { headers }) })).toMatchObject([
        { check: 'pages', finding: expect.stringContaining('does not allow') as string },
      ])
  })

  describe('tells one cause once', () => {
    const away = { databaseVersion: () => Promise.reject(coded('ECONNREFUSED')) }
    const names = Object.keys(shippedHeaders(settings.pages))
    const allPages = (answer: (name: string) => Response): Answers =>
      Object.fromEntries(names.map((name) => [`${PUBLIC}/${name}`, () => answer(name)]))
    const unreached = (): Response => {
      throw new TypeError('fetch failed', { cause: coded('ECONNREFUSED') })
    }
    const checksOf = (found: readonly Diagnosis[]) => found.map(({ check }) => check)

    it.each<[string, () => Response]>([
      ['cannot be reached', unreached],
      ['answer 502, as a proxy does', () => new Response('', { status: 502 })],
    ])('a database that is away, when the pages %s: the service does not run', async (_, answer) => {
      const found = await unwell(allPages(answer), away)
      expect(found).toMatchObject([{ check: 'database', also: [expect.stringContaining(PUBLIC) as string] }])
    })

    it('and not pages that fail by themselves', async () => {
      const [first = ''] = names
      const one = { [`${PUBLIC}/${first}`]: unreached }
      expect(checksOf(await unwell(one, away))).toEqual(['database', 'pages'])
      expect(
        checksOf(
          await unwell(
            allPages(() => new Response('', { status: 404 })),
            away,
          ),
        ),
      ).toEqual(['database', 'pages'])
      const [database] = await unwell({}, away)
      expect(database?.also).toEqual([])
    })

    it('a name that nothing answers at, with the pages that it keeps away', async () => {
      const [first = '', ...others] = names
      expect(await unwell(allPages(unreached))).toMatchObject([
        {
          check: 'pages',
          finding: `${PUBLIC}/${first} cannot be reached: nothing accepts connections there (ECONNREFUSED).`,
          also: [`The same: ${others.map((name) => `${PUBLIC}/${name}`).join(', ')}.`],
        },
      ])
    })

    it('a header that a proxy adds to every page, beside one that another page misses', async () => {
      const headers = shippedHeaders(settings.pages)
      const found = await unwell(
        allPages((name) => {
          const shipped: Record<string, string> = { ...headers[name], 'X-Frame-Options': 'DENY' }
          if (name === 'launch.html') delete shipped['Content-Security-Policy']
          return new Response(textOf(name), { headers: shipped })
        }),
      )
      expect(found.map(({ finding, also }) => [finding.split(' has ')[1], also.length])).toEqual(
        expect.arrayContaining([
          ['X-Frame-Options.', 1],
          ['other headers than the service sends: Content-Security-Policy.', 0],
        ]),
      )
      expect(found).toHaveLength(2)
    })

    it('a provider that cannot be reached, with the clock and the tenants that wait for it', async () => {
      const addresses = TENANTS.map((tenant) => `${authority(tenant)}/.well-known/openid-configuration`)
      const found = await unwell(Object.fromEntries(addresses.map((address) => [address, unreached])))
      expect(found).toMatchObject([
        {
          check: 'discovery',
          advice: expect.stringContaining('SIGNET_AUTHORITY') as string,
          also: [`The same: ${String(addresses[1])}.`, 'The clock cannot be compared until then.'],
        },
      ])
    })

    it('but says of an answer without a time that the clock cannot be compared', async () => {
      const untimed = TENANTS.map((tenant) => [
        `${authority(tenant)}/.well-known/openid-configuration`,
        () => new Response(JSON.stringify({ issuer: authority(tenant), jwks_uri: KEYS })),
      ])
      expect(await unwell(Object.fromEntries(untimed) as Answers)).toMatchObject([
        { check: 'clock', advice: expect.stringContaining('Date') as string },
      ])
    })
  })

  it('says why a page cannot be reached', async () => {
    const [found] = await diagnoseInstallation(settings, portsWith({})).then((all) =>
      all.filter(({ check }) => check === 'pages'),
    )
    expect(found?.finding).toContain('ENOTFOUND')
    expect(found?.advice).toContain('SIGNET_PUBLIC_URL')
  })
})

describe('the doctor of a directory', () => {
  let graph: RunningGraph
  afterEach(() => graph.close())

  /** Starts Microsoft Graph with every permission. Returns the settings that read it. */
  async function startDirectory() {
    const secret = 'graph-secret'
    graph = await startGraph({ port: 0, clientId: 'the-client', secret })
    const credential = { kind: 'secret', secret } as const
    return {
      kind: 'graph',
      url: graph.url,
      pictures: false,
      attributes: [],
      intervalMs: 1,
      credential,
    } as const
  }
  /** What is found of a directory in one tenant. */
  async function foundWith(permissions: readonly string[], secret = 'graph-secret') {
    graph = await startGraph({ port: 0, clientId: 'the-client', secret: 'graph-secret', permissions })
    const [tenant] = TENANTS
    graph.tenant(tenant).putUser('u', { mail: 'u@x.example' })
    const { authority: issuer, url } = graph
    const credential = { kind: 'secret', secret } as const
    const directory = {
      kind: 'graph',
      url,
      pictures: true,
      attributes: [],
      intervalMs: 1,
      credential,
    } as const
    const identity = { ...settings.identity, authority: issuer, tenants: [tenant] }
    const all = await diagnoseInstallation(
      { ...settings, identity, directory },
      { ...portsWith(pages()), fetch: either },
    )
    return all.filter(({ check }) => check === 'directory')
  }
  const either: typeof fetch = (input, init) =>
    String(input).startsWith(graph.url) ? fetch(input, init) : portsWith(pages()).fetch(input, init)

  it('finds all permissions', async () => {
    const finding = expect.stringContaining(
      'User.Read.All, GroupMember.Read.All, ProfilePhoto.Read.All',
    ) as string
    expect(await foundWith(['User.Read.All', 'GroupMember.Read.All', 'ProfilePhoto.Read.All'])).toEqual([
      { check: 'directory', finding, advice: null, also: [] },
    ])
  })

  it('names each permission that is missing, and where to give it', async () => {
    const found = await foundWith(['User.Read.All'])
    expect(found.map(({ advice }) => advice?.split(' ').slice(0, 4).join(' '))).toEqual([
      'Add GroupMember.Read.All in Entra,',
      'Add ProfilePhoto.Read.All in Entra,',
    ])
  })

  it('is not asked when its provider tells no token endpoint: that is one fault', async () => {
    const directory = await startDirectory()
    const found = await diagnoseInstallation({ ...settings, directory }, portsWith(pages()))
    expect(found.filter(({ advice }) => advice !== null)).toMatchObject([
      {
        check: 'discovery',
        also: [
          expect.stringMatching(/^The same: /),
          'The clock cannot be compared until then.',
          'Microsoft Graph is not asked until then.',
        ] as string[],
      },
    ])
    expect(graph.asked().requests).toEqual([])
  })

  it('is asked when its provider publishes no keys, because it still issues tokens', async () => {
    const directory = await startDirectory()
    const keyless = { ...healthy(), [KEYS]: () => new Response('{"keys":[]}') }
    const found = await diagnoseInstallation({ ...settings, directory }, portsWith(keyless))
    expect(found.find(({ check }) => check === 'discovery')?.also).not.toContain(
      'Microsoft Graph is not asked until then.',
    )
    expect(found.map(({ check }) => check)).toContain('directory')
  })

  it('tells once what Microsoft Graph answers in every tenant', async () => {
    const directory = await startDirectory()
    const identity = { ...settings.identity, authority: graph.authority, tenants: TENANTS }
    for (const tenant of TENANTS) graph.tenant(tenant).putUser('u', { mail: 'u@x.example' })
    const away: typeof fetch = (input, init) =>
      String(input).startsWith(`${graph.url}/v1.0/`)
        ? Promise.reject(new TypeError('fetch failed'))
        : either(input, init)
    const all = await diagnoseInstallation(
      { ...settings, identity, directory },
      { ...portsWith(pages()), fetch: away },
    )
    expect(all.filter(({ check }) => check === 'directory')).toMatchObject([
      { finding: `${graph.url} cannot be reached.`, also: [`The same: tenant ${TENANTS[1]}.`] },
    ])
  })

  it('says that the secret is not good, without it', async () => {
    const found = await foundWith([], 'wrong-secret')
    expect(found).toMatchObject([{ finding: expect.stringContaining('AADSTS7000215') as string }])
    expect(JSON.stringify(found)).not.toContain('wrong-secret')
  })
})

describe('what the doctor says', () => {
  const first = `${authority(TENANTS[0])}/.well-known/openid-configuration`
  const discovered = TENANTS.map((tenant) => ({
    check: 'discovery',
    finding: `${authority(tenant)} publishes 1 key.`,
    advice: null,
    also: [],
  }))
  const wellPages = {
    check: 'pages',
    advice: null,
    also: [],
    finding: `${PUBLIC} serves the pages with their headers and Microsoft's library from ${new URL(WORLDWIDE_LIBRARY_URL).host}.`,
  }
  const clock = (finding: string, advice: string | null = null) => ({
    check: 'clock',
    finding,
    advice,
    also: [],
  })
  const database = (finding: string, advice: string | null = null) => ({
    check: 'database',
    finding,
    advice,
    also: [],
  })

  it('of a healthy service', async () => {
    const over = { [first]: document(authority(TENANTS[0])), [KEYS]: () => new Response('{"keys":[{},{}]}') }
    expect(await diagnoseInstallation(settings, portsWith({ ...healthy(), ...over }))).toEqual([
      database('PostgreSQL 16 answers.'),
      ...discovered.map((each) => ({ ...each, finding: each.finding.replace('1 key', '2 keys') })),
      clock("The clock differs by 0 s from the identity provider's."),
      wellPages,
    ])
  })

  it.each<[Partial<DoctorPorts>, ReturnType<typeof database>]>([
    [{ databaseVersion: () => Promise.resolve(150_000) }, database('PostgreSQL 15 answers.')],
    [
      { wallRemedy: () => Promise.resolve('As a superuser, run this.') },
      database('PostgreSQL 16 answers. As a superuser, run this.'),
    ],
    [
      { databaseVersion: () => Promise.resolve(149_999) },
      database('The database is PostgreSQL 14.', 'Upgrade it to 15 or newer.'),
    ],
    [
      { databaseVersion: () => Promise.reject(new Error('odd words', { cause: coded('ENOTFOUND') })) },
      database(
        'The database does not answer: its name is unknown (ENOTFOUND). Its address is db.example.com.',
        'Check DATABASE_URL, the password, and that the network lets this machine reach the database.',
      ),
    ],
  ])('of a database: %#', async (ports, expected) => {
    const [found] = await diagnoseInstallation(settings, { ...portsWith(healthy()), ...ports })
    expect(found).toEqual(expected)
  })

  it('of the embedded database, of which it asks nothing', async () => {
    const embedded = { ...settings, database: { kind: 'embedded', folder: '/data' } } as const
    const asking = { ...portsWith(healthy()), databaseVersion: () => Promise.reject(new Error('asked')) }
    expect((await diagnoseInstallation(embedded, asking))[0]).toEqual(
      database('The embedded database in /data is used, which is for trying.'),
    )
  })

  it.each([
    [30_000, "The clock differs by 30 s from the identity provider's.", null],
    [
      30_001,
      "The clock differs by 30 s from the identity provider's, and tokens are refused at 60 s.",
      'Let NTP set the clock of this machine.',
    ],
  ])('of a clock that differs by %i ms', async (off, finding, advice) => {
    for (const now of [NOW + off, NOW - off]) {
      const found = await diagnoseInstallation(settings, { ...portsWith(healthy()), now: () => now })
      expect(found.find(({ check }) => check === 'clock')).toEqual(clock(finding, advice))
    }
  })

  it('of answers without a time, or with none that can be read', async () => {
    const untimed = (date?: string) =>
      Object.fromEntries(
        TENANTS.map((tenant) => [
          `${authority(tenant)}/.well-known/openid-configuration`,
          () =>
            new Response(JSON.stringify({ issuer: 'i', jwks_uri: KEYS }), {
              headers: date === undefined ? {} : { date },
            }),
        ]),
      )
    for (const answers of [untimed(), untimed('soon')])
      expect(await unwell(answers)).toEqual([
        clock(
          'No answer of the identity provider has a time to compare the clock with.',
          'Let the proxy on the way to it pass the header Date.',
        ),
      ])
  })

  it('of a provider whose first answer has no time, by that of another', async () => {
    const untimed = () => new Response(JSON.stringify({ issuer: 'i', jwks_uri: KEYS }))
    expect(await unwell({ [first]: untimed })).toEqual([])
  })

  const advice =
    'Check SIGNET_TENANTS and SIGNET_AUTHORITY, and that this machine may reach the identity provider over https.'
  it('of a tenant that is unknown, beside one that is well', async () => {
    const timed = { headers: { date: new Date(NOW).toUTCString() }, status: 400 }
    expect(await unwell({ [first]: () => new Response('{}', timed) })).toEqual([
      {
        check: 'discovery',
        advice,
        also: [],
        finding: `${first} does not publish its issuer and keys: status 400.`,
      },
    ])
  })

  it('of a plain provider, at its address alone', async () => {
    const plain = {
      ...settings,
      identity: { ...settings.identity, authority: 'https://login.example', tenants: [] },
    }
    const address = 'https://login.example/.well-known/openid-configuration'
    const all = await diagnoseInstallation(
      plain,
      portsWith({ ...healthy(), [address]: document('https://login.example') }),
    )
    expect(all.filter(({ check }) => check === 'discovery')).toEqual([
      { ...discovered[0], finding: 'https://login.example publishes 1 key.' },
    ])
    const away = await diagnoseInstallation(plain, portsWith(pages()))
    expect(away.filter(({ check }) => check === 'discovery' || check === 'clock')).toEqual([
      {
        check: 'discovery',
        advice,
        also: ['The clock cannot be compared until then.'],
        finding: `${address} does not publish its issuer and keys: its name is unknown (ENOTFOUND).`,
      },
    ])
  })

  const page = `${PUBLIC}/taskpane.html`
  const headers = () => shippedHeaders(settings.pages)['taskpane.html'] ?? {}
  it.each<[string, () => Response, string, string]>([
    [
      'another status',
      () => new Response(null, { status: 302 }),
      'answers with status 302',
      'Let the proxy pass every path to the service, without a redirect or a sign-in of its own.',
    ],
    [
      'another header',
      () => new Response(textOf('taskpane.html'), { headers: { ...headers(), 'Referrer-Policy': 'origin' } }),
      'has other headers than the service sends: Referrer-Policy',
      'Let the proxy pass these headers as they are, and check that every instance has the same settings.',
    ],
    [
      'a header more',
      () => new Response(textOf('taskpane.html'), { headers: { ...headers(), 'X-Frame-Options': 'DENY' } }),
      'has X-Frame-Options',
      'Let the proxy not add it: Outlook shows the page in a frame.',
    ],
    [
      'no library',
      () => new Response('<p>', { headers: headers() }),
      `does not load Microsoft's library from ${WORLDWIDE_LIBRARY_URL}`,
      'Check SIGNET_OFFICE_LIBRARY, and that every instance has the same settings.',
    ],
  ])('of a page with %s', async (_, answer, problem, mending) => {
    expect(await unwell({ [page]: answer })).toEqual([
      { check: 'pages', finding: `${page} ${problem}.`, advice: mending, also: [] },
    ])
  })

  it.each(['{', '{}', '{"allowed":["https://else.example/launch.js"]}'])(
    'of a well-known file that is %s',
    async (text) => {
      const address = `${PUBLIC}/${WELL_KNOWN_FILE}`
      const shipped = shippedHeaders(settings.pages)[WELL_KNOWN_FILE] ?? {}
      expect(await unwell({ [address]: () => new Response(text, { headers: shipped }) })).toEqual([
        {
          check: 'pages',
          finding: `${address} does not allow ${PUBLIC}/launch.js.`,
          also: [],
          advice: 'Let the proxy pass paths that begin with a dot to the service, too.',
        },
      ])
    },
  )

  it.each([
    [502, true],
    [503, true],
    [504, true],
    [500, false],
    [404, false],
  ])('of a database that is away while every page has status %i: one cause is %s', async (status, isOne) => {
    const names = Object.keys(shippedHeaders(settings.pages))
    const failing = Object.fromEntries(
      names.map((name) => [`${PUBLIC}/${name}`, () => new Response(null, { status })]),
    )
    const away = { databaseVersion: () => Promise.reject(new Error('away')) }
    const found = await unwell(failing, away)
    expect(found.map(({ check }) => check)).toEqual(isOne ? ['database'] : ['database', 'pages'])
    expect(found[0]?.also).toEqual(
      isOne ? [`${PUBLIC} does not serve the pages: the service starts once it has its database.`] : [],
    )
  })

  const notAnswering = async (error: unknown) => {
    const [first] = await unwell({}, { databaseVersion: () => Promise.reject(error) })
    return first?.finding
  }

  it.each([
    [coded('ECONNREFUSED'), 'nothing accepts connections there (ECONNREFUSED)'],
    [coded('28P01'), 'it refuses the password (28P01)'],
    [new Error('Connection terminated unexpectedly'), 'the connection failed'],
    ['odd', 'the connection failed'],
  ])('of a database that cannot be reached, where, and why in its own words: %s', async (error, reason) => {
    expect(await notAnswering(error)).toBe(
      `The database does not answer: ${reason}. Its address is db.example.com.`,
    )
  })

  it('[SCALE-6] of a database that has no free connection', async () => {
    const busy = asStoreUnavailable(Object.assign(coded('53300'), { severity: 'FATAL' }))
    expect(await notAnswering(busy)).toBe(
      'The database has too much to do: it has no free connection (53300). Its address is db.example.com.',
    )
  })

  it('of an answer that is not JSON', async () => {
    const address = `${authority(TENANTS[0])}/.well-known/openid-configuration`
    const [first] = await unwell({ [address]: () => new Response('<p>') })
    expect(first?.finding).toBe(`${address} does not publish its issuer and keys: its answer is not JSON.`)
  })
})
