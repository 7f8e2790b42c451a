import { describe, expect, it } from 'vitest'
import { type Environment, readSettings, type Settings } from '../../src/service/settings.ts'

const TENANT = '0f1e2d3c-4b5a-4697-8877-665544332211'
const SECRET = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64')
const URL_OF_DATABASE = 'postgres://signet:hunter2@db.example.com:5432/signet'
const valid: Environment = {
  DATABASE_URL: URL_OF_DATABASE,
  SIGNET_PUBLIC_URL: 'https://signet.example.com',
  SIGNET_TENANTS: TENANT,
  SIGNET_CLIENT_ID: 'the-client',
  SIGNET_SCOPE: 'api://signet.example.com/the-client/access_as_user',
  SIGNET_SECRET: SECRET,
}
const FILES: Readonly<Record<string, string>> = {
  '/run/secrets/database': `${URL_OF_DATABASE}\n`,
  '/run/secrets/secret': `${SECRET}\n`,
  '/run/secrets/empty': '\n',
  '/run/secrets/graph': 'graph-secret\n',
  '/run/secrets/scim': 'scim-token-0123456789-0123456789\n',
}
const readFile = (path: string): string => {
  const text = FILES[path]
  if (text === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' })
  return text
}
const read = (over: Environment = {}) => readSettings({ ...valid, ...over }, readFile)
function settingsOf(over: Environment = {}): Settings {
  const result = read(over)
  if ('problems' in result) throw new Error(result.problems.join('\n'))
  return result.settings
}
const problemsOf = (over: Environment): readonly string[] => {
  const result = read(over)
  return 'problems' in result ? result.problems : []
}

describe('settings', () => {
  it('have a default where there is a good one', () => {
    expect(settingsOf()).toEqual({
      database: { kind: 'postgres', url: URL_OF_DATABASE },
      publicUrl: 'https://signet.example.com',
      organisation: 'signet.example.com',
      identity: {
        authority: 'https://login.microsoftonline.com/{tenant}/v2.0',
        tenants: [TENANT],
        tokenAudiences: ['the-client', 'api://signet.example.com/the-client'],
        scope: 'access_as_user',
      },
      secret: Buffer.from(SECRET, 'base64'),
      listen: { host: '0.0.0.0', port: 8080 },
      internalListen: { host: '127.0.0.1', port: 9090 },
      trustedProxies: [],
      origins: ['https://signet.example.com'],
      isGuarding: true,
      log: 'info',
      directory: null,
      pages: {
        SIGNET_API_URL: 'https://signet.example.com',
        SIGNET_CLIENT_ID: 'the-client',
        SIGNET_AUTHORITY: `https://login.microsoftonline.com/${TENANT}`,
        SIGNET_SCOPE: 'api://signet.example.com/the-client/access_as_user',
        SIGNET_IMAGE_ORIGINS: 'https://signet.example.com',
        SIGNET_LOCALE: 'en',
        SIGNET_FALLBACK_LOCALE: 'en',
        SIGNET_SUPPORT_URL: '',
        SIGNET_ANALYTICS_URL: '',
        SIGNET_ANALYTICS_KEY: '',
        SIGNET_OFFICE_LIBRARY: 'https://officeapis.public.onecdn.static.microsoft/1/office.js',
        SIGNET_PRODUCTION: 'true',
        SIGNET_BETA: 'false',
      },
    })
  })

  it('are taken as they are set', () => {
    const other = '11111111-2222-4333-8444-555555555555'
    const settings = settingsOf({
      SIGNET_PUBLIC_URL: 'https://signet.example.com/',
      SIGNET_TENANTS: `${TENANT.toUpperCase()}, ${other}`,
      SIGNET_ORGANISATION: 'Northwind Trading',
      SIGNET_LISTEN: '[::]:443',
      SIGNET_INTERNAL_LISTEN: 'localhost:0',
      SIGNET_TRUSTED_PROXIES: '10.0.0.0/8 192.0.2.7,2001:db8::/32',
      SIGNET_ORIGINS: 'https://pages.example.com https://signet.example.com',
      SIGNET_LOG: 'warn',
      SIGNET_LOCALE: 'de',
    })
    expect(settings).toMatchObject({
      publicUrl: 'https://signet.example.com',
      organisation: 'Northwind Trading',
      identity: { tenants: [TENANT, other] },
      listen: { host: '::', port: 443 },
      internalListen: { host: 'localhost', port: 0 },
      trustedProxies: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'],
      origins: ['https://signet.example.com', 'https://pages.example.com'],
      log: 'warn',
      // Users of several tenants sign in at the address of any organisation.
      pages: { SIGNET_LOCALE: 'de', SIGNET_AUTHORITY: 'https://login.microsoftonline.com/organizations' },
    })
  })

  it('let another provider have no tenants', () => {
    const { identity, pages } = settingsOf({
      SIGNET_AUTHORITY: 'https://login.example.com/realms/northwind/',
      SIGNET_TENANTS: '',
    })
    expect(identity).toMatchObject({ authority: 'https://login.example.com/realms/northwind', tenants: [] })
    expect(pages.SIGNET_AUTHORITY).toBe('https://login.example.com/realms/northwind')
  })

  it('let the service run on http on this machine alone, for trying', () => {
    const { publicUrl, pages } = settingsOf({ SIGNET_PUBLIC_URL: 'http://localhost:8080' })
    expect([publicUrl, pages.SIGNET_PRODUCTION]).toEqual(['http://localhost:8080', 'false'])
    expect(problemsOf({ SIGNET_PUBLIC_URL: 'http://signet.example.com' })).toEqual([
      'SIGNET_PUBLIC_URL does not begin with https://, as Outlook needs it.',
    ])
  })

  it.each([
    ['base64', SECRET],
    ['base64url without padding', Buffer.from(SECRET, 'base64').toString('base64url')],
    ['hex', Buffer.from(SECRET, 'base64').toString('hex')],
  ])('take the secret in %s', (_, text) => {
    expect(Buffer.from(settingsOf({ SIGNET_SECRET: text }).secret).toString('base64')).toBe(SECRET)
  })

  it('take each secret from a file', () => {
    const settings = settingsOf({
      DATABASE_URL: undefined,
      DATABASE_URL_FILE: '/run/secrets/database',
      SIGNET_SECRET: '',
      SIGNET_SECRET_FILE: '/run/secrets/secret',
    })
    expect(settings).toEqual(settingsOf())
  })
})

describe('what stops the start', () => {
  it.each([
    'SIGNET_PUBLIC_URL',
    'SIGNET_TENANTS',
    'SIGNET_CLIENT_ID',
    'SIGNET_SCOPE',
    'SIGNET_SECRET',
    'DATABASE_URL',
  ])('is a missing %s, which alone is named', (name) => {
    for (const nothing of [undefined, '', '  '])
      expect(problemsOf({ [name]: nothing })).toEqual([
        expect.stringMatching(new RegExp(`^${name} is missing; `)),
      ])
  })

  it.each([
    ['SIGNET_PUBLIC_URL', 'signet.example.com'],
    ['SIGNET_PUBLIC_URL', 'https://signet.example.com/signet'],
    ['SIGNET_PUBLIC_URL', 'https://user:password@signet.example.com'],
    ['SIGNET_PUBLIC_URL', 'http://localhost.example.com'],
    ['SIGNET_TENANTS', 'northwind.onmicrosoft.com'],
    ['SIGNET_AUTHORITY', 'http://login.example.com/{tenant}/v2.0'],
    ['SIGNET_AUTHORITY', 'login.example.com'],
    ['SIGNET_SCOPE', 'access_as_user'],
    ['SIGNET_SECRET', 'too short'],
    ['SIGNET_SECRET', `${SECRET}AAAA`],
    ['DATABASE_URL', 'mysql://db.example.com/signet'],
    ['DATABASE_URL', 'db.example.com'],
    ['SIGNET_LISTEN', '8080'],
    ['SIGNET_LISTEN', '0.0.0.0:99999'],
    ['SIGNET_LISTEN', ':::8080'],
    ['SIGNET_INTERNAL_LISTEN', 'a b:80'],
    ['SIGNET_TRUSTED_PROXIES', 'everyone'],
    ['SIGNET_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['SIGNET_ORIGINS', 'https://pages.example.com/path'],
    ['SIGNET_ORIGINS', '*'],
    ['SIGNET_LOG', 'loud'],
    ['SIGNET_LOCALE', 'sv'],
    ['SIGNET_IMAGE_ORIGINS', 'https://images.example.com; script-src *'],
    ['SIGNET_ANALYTICS_URL', 'http://analytics.example.com'],
  ])('is %s=%s, which alone is named', (name, text) => {
    expect(problemsOf({ [name]: text })).toEqual([expect.stringMatching(new RegExp(`^${name}\\b`))])
  })

  it('[SRV-26] is named at once, one a line, whatever else is wrong', () => {
    const result = readSettings({ SIGNET_LOG: 'loud', SIGNET_BETA: 'perhaps' }, readFile)
    const problems = 'problems' in result ? result.problems : []
    expect(problems.map((problem) => problem.split(/\W/, 1)[0])).toEqual([
      ...['SIGNET_PUBLIC_URL', 'DATABASE_URL', 'SIGNET_TENANTS', 'SIGNET_CLIENT_ID', 'SIGNET_SCOPE'],
      ...['SIGNET_SECRET', 'SIGNET_LOG', 'SIGNET_BETA'],
    ])
  })

  it.each([
    [{ SIGNET_SECRET_FILE: '/run/secrets/secret' }, 'SIGNET_SECRET and SIGNET_SECRET_FILE are both set'],
    [
      { SIGNET_SECRET: '', SIGNET_SECRET_FILE: '/nowhere' },
      'SIGNET_SECRET_FILE names /nowhere, which cannot be read (ENOENT)',
    ],
    [
      { DATABASE_URL: '', DATABASE_URL_FILE: '/run/secrets/empty' },
      'DATABASE_URL_FILE names /run/secrets/empty, which is empty',
    ],
  ])('is a secret in no file or in two places: %o', (over, problem) => {
    expect(problemsOf(over)).toEqual([expect.stringContaining(problem)])
  })

  it('never tells a secret', () => {
    const wrong = { DATABASE_URL: 'mysql://signet:hunter2@db/signet', SIGNET_SECRET: 'hunter2-is-too-short' }
    expect(problemsOf(wrong)).toHaveLength(2)
    expect(problemsOf(wrong).join()).not.toContain('hunter2')
  })
})

describe('the embedded database', () => {
  const without = { DATABASE_URL: '', SIGNET_DATA: '/var/lib/signet' }

  it('[SRV-26] is refused with the reason', () => {
    expect(problemsOf(without)).toEqual([
      expect.stringMatching(/^DATABASE_URL is missing; .*fsync off.*SIGNET_EMBEDDED=accept/),
    ])
  })

  it('[SRV-26] is taken when it is accepted, and has a folder', () => {
    expect(settingsOf({ ...without, SIGNET_EMBEDDED: 'accept' }).database).toEqual({
      kind: 'embedded',
      folder: '/var/lib/signet',
    })
    expect(problemsOf({ ...without, SIGNET_EMBEDDED: 'accept', SIGNET_DATA: '' })).toEqual([
      'SIGNET_DATA is missing; it has to be the folder of the embedded database.',
    ])
    expect(problemsOf({ ...without, SIGNET_EMBEDDED: 'yes' })).toEqual(['SIGNET_EMBEDDED is not accept.'])
  })
})

describe('the settings of a directory', () => {
  const graph: Environment = { SIGNET_DIRECTORY: 'graph', SIGNET_GRAPH_SECRET: 'graph-secret' }

  it('have a default where there is a good one', () => {
    expect(settingsOf().directory).toBeNull()
    expect(settingsOf(graph).directory).toEqual({
      kind: 'graph',
      url: 'https://graph.microsoft.com',
      pictures: false,
      attributes: [],
      intervalMs: 900_000,
      credential: { kind: 'secret', secret: 'graph-secret' },
    })
  })

  it('take a national cloud, pictures, another interval, and a secret or a token out of a file', () => {
    const over = {
      SIGNET_DIRECTORY: 'graph',
      SIGNET_GRAPH_SECRET_FILE: '/run/secrets/graph',
      SIGNET_SYNC_MINUTES: '60',
      SIGNET_GRAPH_URL: 'https://graph.microsoft.us/',
      SIGNET_GRAPH_PICTURES: 'true',
    }
    expect(settingsOf(over).directory).toEqual({
      kind: 'graph',
      url: 'https://graph.microsoft.us',
      pictures: true,
      attributes: [],
      intervalMs: 3_600_000,
      credential: { kind: 'secret', secret: 'graph-secret' },
    })
    for (const name of ['SIGNET_GRAPH_TOKEN_FILE', 'AZURE_FEDERATED_TOKEN_FILE'])
      expect(settingsOf({ SIGNET_DIRECTORY: 'graph', [name]: '/var/token' }).directory).toMatchObject({
        credential: { kind: 'federated', file: '/var/token' },
      })
    const both = { ...graph, AZURE_FEDERATED_TOKEN_FILE: '/var/token' }
    expect(settingsOf(both).directory).toMatchObject({ credential: { kind: 'secret' } })
  })

  it('[SRV-26] are named when they are missing or wrong, all of them at once, without a secret', () => {
    const wrong = {
      ...graph,
      SIGNET_GRAPH_TOKEN_FILE: '/var/token',
      SIGNET_GRAPH_PICTURES: 'yes',
      SIGNET_GRAPH_URL: 'http://graph.example.com',
      SIGNET_SYNC_MINUTES: '0',
      SIGNET_TENANTS: '',
      SIGNET_AUTHORITY: 'https://login.example.com',
    }
    const problems = problemsOf(wrong)
    expect(problems.map((problem) => problem.split(' ').slice(0, 2).join(' '))).toEqual([
      'SIGNET_AUTHORITY is',
      'SIGNET_SYNC_MINUTES is',
      'SIGNET_DIRECTORY=graph needs',
      'SIGNET_GRAPH_URL is',
      'SIGNET_GRAPH_PICTURES is',
      'SIGNET_GRAPH_SECRET and',
    ])
    expect(problems.join()).not.toContain('graph-secret')
    expect(problemsOf({ SIGNET_DIRECTORY: 'ldap' })).toEqual(['SIGNET_DIRECTORY is not graph or scim.'])
    expect(problemsOf({ SIGNET_DIRECTORY: 'graph' })).toHaveLength(1)
    expect(problemsOf({ ...graph, SIGNET_SYNC_MINUTES: '1441' })).toHaveLength(1)
  })

  it('take a token for SCIM, also out of a file, of 32 characters at least', () => {
    const scim = { SIGNET_DIRECTORY: 'scim' }
    const token = 'x'.repeat(32)
    expect(settingsOf({ ...scim, SIGNET_SCIM_TOKEN: token }).directory).toEqual({
      kind: 'scim',
      token,
      attributes: [],
    })
    const inFile = { ...scim, SIGNET_SCIM_TOKEN_FILE: '/run/secrets/scim' }
    expect(settingsOf(inFile).directory).toEqual({
      kind: 'scim',
      token: 'scim-token-0123456789-0123456789',
      attributes: [],
    })
    expect(problemsOf(scim)[0]).toMatch(/^SIGNET_SCIM_TOKEN is missing; it has to be a token of 32/)
    for (const wrong of [token.slice(1), `${token} x`, `${token}ä`, 'x'.repeat(4_097)]) {
      const problems = problemsOf({ ...scim, SIGNET_SCIM_TOKEN: wrong })
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatch(/^SIGNET_SCIM_TOKEN is not a token of 32 characters or more/)
      expect(problems[0]).not.toContain('xxxx')
    }
    expect(problemsOf({ ...inFile, SIGNET_SCIM_TOKEN: token })).toHaveLength(1)
  })
})

describe('what is wrong with a setting', () => {
  const DATABASE = 'the address of a PostgreSQL database, such as postgres://user:password@host:5432/signet'
  const PUBLIC = 'the origin that users reach, such as https://signet.example.com'
  const SCOPE = 'such as api://signet.example.com/<client id>/access_as_user'
  const BYTES = '32 bytes in base64; openssl rand -base64 32 makes them'
  const AUTHORITY =
    'SIGNET_AUTHORITY is not an address such as https://login.microsoftonline.com/{tenant}/v2.0.'
  const TENANTS = 'the ids of the tenants whose users may sign in, with a space between them'
  const graph: Environment = { SIGNET_DIRECTORY: 'graph', SIGNET_GRAPH_SECRET: 'x' }
  const scim: Environment = { SIGNET_DIRECTORY: 'scim' }
  const TOKEN = 'a token of 32 characters or more, without spaces; openssl rand -base64 48 makes one'

  it.each<[Environment, string]>([
    [{ SIGNET_PUBLIC_URL: '' }, `SIGNET_PUBLIC_URL is missing; it has to be ${PUBLIC}.`],
    [{ SIGNET_PUBLIC_URL: 'x' }, `SIGNET_PUBLIC_URL is not ${PUBLIC}.`],
    [{ SIGNET_PUBLIC_URL: 'https://a.example//' }, `SIGNET_PUBLIC_URL is not ${PUBLIC}.`],
    [
      { SIGNET_PUBLIC_URL: 'ftp://a.example' },
      'SIGNET_PUBLIC_URL does not begin with https://, as Outlook needs it.',
    ],
    [
      { DATABASE_URL: '' },
      `DATABASE_URL is missing; it has to be ${DATABASE}. There is an embedded database, but it runs with fsync off, so that a power cut may lose what was saved; SIGNET_EMBEDDED=accept takes it all the same, for a trial, in the folder SIGNET_DATA.`,
    ],
    [{ DATABASE_URL: 'postgresx://h/d' }, `DATABASE_URL is not ${DATABASE}.`],
    [{ DATABASE_URL: 'xpostgres://h/d' }, `DATABASE_URL is not ${DATABASE}.`],
    [{ SIGNET_SECRET: '' }, `SIGNET_SECRET is missing; it has to be ${BYTES}.`],
    [{ SIGNET_SECRET: 'a'.repeat(63) }, `SIGNET_SECRET is not ${BYTES}.`],
    [{ SIGNET_SECRET: `${'a'.repeat(42)}!=` }, `SIGNET_SECRET is not ${BYTES}.`],
    [{ SIGNET_SECRET: `x${SECRET}` }, `SIGNET_SECRET is not ${BYTES}.`],
    [{ SIGNET_AUTHORITY: 'http://login.example/{tenant}' }, AUTHORITY],
    [{ SIGNET_AUTHORITY: '{tenant}' }, AUTHORITY],
    [{ SIGNET_TENANTS: '' }, `SIGNET_TENANTS is missing; it has to be ${TENANTS}.`],
    ...[`${TENANT}0`, `0${TENANT}`, TENANT.replace('-', ''), TENANT.replace('0', 'g')].map(
      (tenant): [Environment, string] => [
        { SIGNET_TENANTS: tenant },
        `SIGNET_TENANTS: ${tenant} is not the id of a tenant: digits and a to f, as 8-4-4-4-12.`,
      ],
    ),
    [{ SIGNET_CLIENT_ID: '' }, 'SIGNET_CLIENT_ID is missing; it has to be the id of the app registration.'],
    [
      { SIGNET_SCOPE: '' },
      `SIGNET_SCOPE is missing; it has to be the permission of the app registration, ${SCOPE}.`,
    ],
    [{ SIGNET_SCOPE: 'api://a b/c' }, `SIGNET_SCOPE is not a permission ${SCOPE}.`],
    [{ SIGNET_SCOPE: 'api://a/' }, `SIGNET_SCOPE is not a permission ${SCOPE}.`],
    ...['8080', 'a:b', ':80', 'h:123456', 'h:65536', '::1:80', 'a_b:80', '[a]:80'].map(
      (listen): [Environment, string] => [
        { SIGNET_LISTEN: listen },
        'SIGNET_LISTEN is not an address and port such as 0.0.0.0:8080.',
      ],
    ),
    [
      { SIGNET_INTERNAL_LISTEN: 'x' },
      'SIGNET_INTERNAL_LISTEN is not an address and port such as 127.0.0.1:9090.',
    ],
    ...['x', '10.0.0.0/33', '10.0.0.0/8/8', '::1/129', '10.0.0.0/', '10.0.0.0/x', '1.2.3/8'].map(
      (proxy): [Environment, string] => [
        { SIGNET_TRUSTED_PROXIES: `10.0.0.1 ${proxy}` },
        `SIGNET_TRUSTED_PROXIES: ${proxy} is not an address or a range such as 10.0.0.0/8.`,
      ],
    ),
    ...['http://a.example', 'https://a.example/', 'x'].map((origin): [Environment, string] => [
      { SIGNET_ORIGINS: `https://b.example,${origin}` },
      `SIGNET_ORIGINS: ${origin} is not an origin such as https://pages.example.com.`,
    ]),
    [{ SIGNET_GUARD: 'false' }, 'SIGNET_GUARD is not on or off.'],
    [{ SIGNET_LOG: 'INFO' }, 'SIGNET_LOG is not one of trace, debug, info, warn, error, silent.'],
    [{ ...graph, SIGNET_SYNC_MINUTES: '0' }, 'SIGNET_SYNC_MINUTES is not a number from 1 to 1440.'],
    [{ ...graph, SIGNET_SYNC_MINUTES: '1441' }, 'SIGNET_SYNC_MINUTES is not a number from 1 to 1440.'],
    [{ ...graph, SIGNET_SYNC_MINUTES: '1.5' }, 'SIGNET_SYNC_MINUTES is not a number from 1 to 1440.'],
    [{ ...graph, SIGNET_SYNC_MINUTES: '00060' }, 'SIGNET_SYNC_MINUTES is not a number from 1 to 1440.'],
    [
      { ...graph, SIGNET_TENANTS: '', SIGNET_AUTHORITY: 'https://login.example/x' },
      'SIGNET_DIRECTORY=graph needs SIGNET_TENANTS, the ids of the tenants whose users it reads.',
    ],
    ...['http://graph.example', 'https://graph.example/v1', 'x'].map((url): [Environment, string] => [
      { ...graph, SIGNET_GRAPH_URL: url },
      'SIGNET_GRAPH_URL is not the origin of Microsoft Graph, such as https://graph.microsoft.com.',
    ]),
    [{ ...graph, SIGNET_GRAPH_PICTURES: 'yes' }, 'SIGNET_GRAPH_PICTURES is not true or false.'],
    [
      { ...graph, SIGNET_DIRECTORY_ATTRIBUTES: 'employeeType, urn:acme:a' },
      'SIGNET_DIRECTORY_ATTRIBUTES: urn:acme:a is not an attribute such as extension_<application id without hyphens>_costCentre.',
    ],
    [
      { ...graph, SIGNET_DIRECTORY_ATTRIBUTES: 'employeeType EmployeeType' },
      'SIGNET_DIRECTORY_ATTRIBUTES: employeeType and EmployeeType fill the same field.',
    ],
    [
      { ...graph, SIGNET_DIRECTORY_ATTRIBUTES: Array.from({ length: 51 }, (_, at) => `a${at}`).join(' ') },
      'SIGNET_DIRECTORY_ATTRIBUTES names more than 50 attributes.',
    ],
    [
      {
        SIGNET_DIRECTORY: 'scim',
        SIGNET_SCIM_TOKEN: 'x'.repeat(32),
        SIGNET_DIRECTORY_ATTRIBUTES: 'urn:acme:a urn:other:a',
      },
      'SIGNET_DIRECTORY_ATTRIBUTES: urn:acme:a and urn:other:a fill the same field.',
    ],
    [
      {
        SIGNET_DIRECTORY: 'scim',
        SIGNET_SCIM_TOKEN: 'x'.repeat(32),
        SIGNET_DIRECTORY_ATTRIBUTES: 'costCentre',
      },
      'SIGNET_DIRECTORY_ATTRIBUTES: costCentre is not an attribute with its schema such as urn:ietf:params:scim:schemas:extension:northwind:2.0:User:costCentre.',
    ],
    [
      { ...graph, SIGNET_GRAPH_TOKEN_FILE: '/t' },
      'SIGNET_GRAPH_SECRET and SIGNET_GRAPH_TOKEN_FILE are both set; keep one of them.',
    ],
    [
      { SIGNET_DIRECTORY: 'graph' },
      'SIGNET_GRAPH_SECRET is missing; it has to be a client secret of the app registration, or SIGNET_GRAPH_TOKEN_FILE the file with the token of a workload identity.',
    ],
    [
      { SIGNET_DIRECTORY: 'graph', SIGNET_GRAPH_SECRET_FILE: '/nowhere' },
      'SIGNET_GRAPH_SECRET_FILE names /nowhere, which cannot be read (ENOENT).',
    ],
    [{ SIGNET_DIRECTORY: 'Graph' }, 'SIGNET_DIRECTORY is not graph or scim.'],
    [scim, `SIGNET_SCIM_TOKEN is missing; it has to be ${TOKEN}.`],
    [{ ...scim, SIGNET_SCIM_TOKEN: 'short' }, `SIGNET_SCIM_TOKEN is not ${TOKEN}.`],
    [
      { SIGNET_SECRET_FILE: '/run/secrets/secret' },
      'SIGNET_SECRET and SIGNET_SECRET_FILE are both set; keep one of them.',
    ],
    [{ SIGNET_BETA: 'x' }, 'SIGNET_BETA is not true or false.'],
  ])('is said in a sentence, and alone: %j', (over, problem) => {
    expect(problemsOf(over)).toEqual([problem])
  })

  it('is said of a file that cannot be read for another reason', () => {
    const unreadable = (error: unknown) => () => {
      throw error
    }
    const problem = (code: string) => [`SIGNET_SECRET_FILE names /f, which cannot be read (${code}).`]
    const over = { ...valid, SIGNET_SECRET: '', SIGNET_SECRET_FILE: '/f' }
    for (const [error, code] of [
      [new Error('x'), 'unreadable'],
      ['x', 'unreadable'],
      [Object.assign(new Error('x'), { code: 'EACCES' }), 'EACCES'],
    ] as const)
      expect(readSettings(over, unreadable(error))).toEqual({ problems: problem(code) })
  })

  it.each<[Environment, unknown]>([
    [{ SIGNET_LISTEN: 'host-1.example:65535' }, { listen: { host: 'host-1.example', port: 65_535 } }],
    [{ SIGNET_LISTEN: '[::1]:0' }, { listen: { host: '::1', port: 0 } }],
    [
      { SIGNET_TRUSTED_PROXIES: '10.0.0.0/32 ::/128, 10.0.0.0/0' },
      { trustedProxies: ['10.0.0.0/32', '::/128', '10.0.0.0/0'] },
    ],
    [
      { SIGNET_ORIGINS: 'http://127.0.0.1:1 http://[::1]:2' },
      { origins: ['https://signet.example.com', 'http://127.0.0.1:1', 'http://[::1]:2'] },
    ],
    [{ ...graph, SIGNET_SYNC_MINUTES: '1440' }, { directory: { intervalMs: 86_400_000 } }],
    [{ ...graph, SIGNET_SYNC_MINUTES: '1' }, { directory: { intervalMs: 60_000 } }],
    [{ ...graph, SIGNET_GRAPH_PICTURES: 'false' }, { directory: { pictures: false } }],
    [
      { ...graph, SIGNET_DIRECTORY_ATTRIBUTES: 'extensionAttribute1, employeeType' },
      { directory: { attributes: ['extensionAttribute1', 'employeeType'] } },
    ],
    [
      { ...graph, SIGNET_DIRECTORY_ATTRIBUTES: Array.from({ length: 50 }, (_, at) => `a${at}`).join(' ') },
      { directory: { attributes: Array.from({ length: 50 }, (_, at) => `a${at}`) } },
    ],
    [
      {
        SIGNET_DIRECTORY: 'scim',
        SIGNET_SCIM_TOKEN: 'x'.repeat(32),
        SIGNET_DIRECTORY_ATTRIBUTES: 'urn:acme:a extensionAttribute2',
      },
      { directory: { attributes: ['urn:acme:a', 'extensionAttribute2'] } },
    ],
    [
      { ...graph, SIGNET_GRAPH_URL: 'http://localhost:4000/' },
      { directory: { url: 'http://localhost:4000' } },
    ],
    [{}, { isGuarding: true }],
    [{ SIGNET_GUARD: 'on' }, { isGuarding: true }],
    [{ SIGNET_GUARD: 'off' }, { isGuarding: false }],
    [{ DATABASE_URL: ' postgresql://h/d ' }, { database: { kind: 'postgres', url: 'postgresql://h/d' } }],
    [
      { SIGNET_AUTHORITY: 'http://localhost:1/x/v2.0/' },
      {
        identity: { authority: 'http://localhost:1/x/v2.0' },
        pages: { SIGNET_AUTHORITY: 'https://localhost:1/x' },
      },
    ],
    [
      { SIGNET_SCOPE: 'api://a/b/c' },
      { identity: { scope: 'c', tokenAudiences: ['the-client', 'api://a/b'] } },
    ],
    [{ SIGNET_LOG: 'silent' }, { log: 'silent' }],
    [{ SIGNET_PUBLIC_URL: 'http://127.0.0.1:8080' }, { pages: { SIGNET_PRODUCTION: 'false' } }],
    [{ SIGNET_BETA: 'true' }, { pages: { SIGNET_BETA: 'true', SIGNET_PRODUCTION: 'true' } }],
    [{ SIGNET_SECRET: 'AB'.repeat(32) }, { secret: Buffer.alloc(32, 0xab) }],
  ])('is nothing with %j', (over, expected) => {
    expect(settingsOf(over)).toMatchObject(expected as object)
  })
})
