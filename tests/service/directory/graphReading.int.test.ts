import { createHash, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkGraph } from '../../../src/service/directory/checkGraph.ts'
import { createGraphSource, PICTURES_PER_SYNC } from '../../../src/service/directory/graph.ts'
import { createGraphClient, type GraphOptions } from '../../../src/service/directory/graphClient.ts'
import type { DirectoryError } from '../../../src/service/directory/runs.ts'
import type { DirectoryEntry } from '../../../src/service/sql/directoryEntries.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { anything, number, object } from '../../../streams/kernel/schema.ts'
import type { JsonObject } from '../../../streams/organisation/directory/directory.ts'
import { embeddedData } from '../../support/databases.ts'
import { JPEG, png } from '../../folder/pictures.ts'

// What is sent to Microsoft Graph, and what becomes of its answers, without a server.

const URL_OF_GRAPH = 'https://graph.example'
const AUTHORITY = 'https://login.example/t/v2.0'
const TOKEN_ENDPOINT = 'https://login.example/t/token'
const ANY = anything

type Answer = Response | Error
type Asked = Readonly<{ address: string; init: RequestInit }>

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers })
const failure = (code: string, status: number, headers: Record<string, string> = {}) =>
  json({ error: { code } }, status, headers)
const rawBody = (chunks: Iterable<Uint8Array>) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

/** Discovery, tokens `token-1`, `token-2`, … and what `graph` answers, each noted. */
function context(
  graph: (asked: Asked, at: number) => Answer,
  over: Readonly<Record<string, () => Answer>> = {},
) {
  const asked: Asked[] = []
  const tokens: URLSearchParams[] = []
  const waits: number[] = []
  const time = { now: 1_000_000 }
  const ask: typeof fetch = (address, init = {}) => {
    const text = String(address)
    const answer = ((): Answer => {
      if (over[text] !== undefined) return over[text]()
      if (text === `${AUTHORITY}/.well-known/openid-configuration`)
        return json({ token_endpoint: TOKEN_ENDPOINT })
      if (text === TOKEN_ENDPOINT) {
        tokens.push(init.body as URLSearchParams)
        return json({ access_token: `token-${String(tokens.length)}`, expires_in: 3600 })
      }
      asked.push({ address: text, init })
      return graph({ address: text, init }, asked.length)
    })()
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  }
  const options: GraphOptions = {
    tenant: 't',
    authority: AUTHORITY,
    url: URL_OF_GRAPH,
    clientId: 'the-add-in',
    newId: randomUUID,
    credential: { kind: 'secret', secret: 'a secret' },
    now: () => time.now,
    fetch: ask,
    wait: async (ms) => void waits.push(ms),
  }
  return { asked, tokens, waits, time, options }
}

const never = new AbortController().signal
const path = `${URL_OF_GRAPH}/v1.0/users`
const read = (options: GraphOptions, address = path, signal = never) =>
  createGraphClient(options).read(address, ANY, signal)
const errorOf = (promise: Promise<unknown>): Promise<DirectoryError & { location?: unknown }> =>
  promise.then(
    (value) => {
      throw new Error(`It answered ${JSON.stringify(value)}.`)
    },
    (error: unknown) => error as DirectoryError,
  )
const told = async (promise: Promise<unknown>) => {
  const { code, message } = await errorOf(promise)
  return [code, message]
}
const bearersIn = (asked: readonly Asked[]) =>
  asked.map(({ init }) => new Headers(init.headers).get('authorization'))

describe('a request to Microsoft Graph', () => {
  it('has an address below its version, with a query if there is one', () => {
    const { addressOf } = createGraphClient(context(() => json({})).options)
    expect(addressOf('users')).toBe('https://graph.example/v1.0/users')
    expect(addressOf('users', { $top: '1', $filter: "id eq 'a b'" })).toBe(
      'https://graph.example/v1.0/users?%24top=1&%24filter=id+eq+%27a+b%27',
    )
  })

  it('carries a token, follows no redirection, and ends with the sync', async () => {
    const stop = new AbortController()
    const { options, asked, tokens } = context(() => json({ value: 1 }))
    expect(await read(options, path, stop.signal)).toEqual({ value: 1 })
    expect(bearersIn(asked)).toEqual(['Bearer token-1'])
    expect(asked[0]?.init.redirect).toBe('error')
    expect(asked[0]?.init.signal?.aborted).toBe(false)
    stop.abort()
    expect(asked[0]?.init.signal?.aborted).toBe(true)
    expect(Object.fromEntries(tokens[0] ?? [])).toEqual({
      grant_type: 'client_credentials',
      client_id: 'the-add-in',
      client_secret: 'a secret',
      scope: 'https://graph.example/.default',
    })
  })

  it('signs in by POST, with the assertion of a workload identity', async () => {
    const { options, tokens } = context(() => json({}))
    let method: string | undefined
    const ask: typeof fetch = (address, init = {}) => {
      if (address === TOKEN_ENDPOINT) method = init.method
      return (options.fetch ?? fetch)(address, init)
    }
    await read({ ...options, fetch: ask, credential: { kind: 'federated', readToken: async () => 'proof' } })
    expect(method).toBe('POST')
    expect(Object.fromEntries(tokens[0] ?? [])).toEqual({
      grant_type: 'client_credentials',
      client_id: 'the-add-in',
      client_assertion: 'proof',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      scope: 'https://graph.example/.default',
    })
  })

  it('takes the token again until five minutes before its end', async () => {
    const { options, asked, tokens, time } = context(() => json({}))
    const client = createGraphClient(options)
    await client.read(path, ANY, never)
    time.now += 3_300_000 - 1
    await client.read(path, ANY, never)
    expect(tokens).toHaveLength(1)
    time.now += 1
    await client.read(path, ANY, never)
    expect(bearersIn(asked)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2'])
  })

  it('asks for one other token when its own is refused', async () => {
    const { options, asked } = context((_, at) => (at === 1 ? failure('Expired', 401) : json({})))
    await read(options)
    expect(bearersIn(asked)).toEqual(['Bearer token-1', 'Bearer token-2'])
    const refusing = context(() => failure('Expired', 401))
    expect(await told(read(refusing.options))).toEqual([
      'forbidden',
      'Microsoft Graph refuses tenant t (401 Expired): give the app registration the application permissions User.Read.All and GroupMember.Read.All, and consent to them as an administrator.',
    ])
    expect(refusing.asked).toHaveLength(2)
  })

  it.each(['https://elsewhere.example/v1.0/users', 'http://graph.example/v1.0/users', '/v1.0/users'])(
    'does not go to %s',
    async (address) => {
      const { options, asked, tokens } = context(() => json({}))
      expect(await told(read(options, address))).toEqual([
        'malformed',
        'Microsoft Graph gave a link to another address.',
      ])
      expect([asked, tokens]).toEqual([[], []])
    },
  )

  it('says which address cannot be reached', async () => {
    const cause = new Error('no route')
    const error = await errorOf(read(context(() => cause).options))
    expect([error.code, error.message, error.cause]).toEqual([
      'unreachable',
      'https://graph.example cannot be reached.',
      cause,
    ])
    const over = { [`${AUTHORITY}/.well-known/openid-configuration`]: () => cause }
    expect(await told(read(context(() => json({}), over).options))).toEqual([
      'unreachable',
      'https://login.example cannot be reached.',
    ])
  })

  it('tells an end of the sync as such', async () => {
    const stop = new AbortController()
    const reason = new Error('The service ends.')
    const { options } = context(() => {
      stop.abort(reason)
      return new Error('aborted')
    })
    expect(await errorOf(read(options, path, stop.signal))).toBe(reason)
  })
})

describe('a token for Microsoft Graph', () => {
  const refusal = (code: string) => [
    'token_refused',
    `The identity provider gives tenant t no token for the directory (${code}): check SIGNET_CLIENT_ID and SIGNET_GRAPH_SECRET or the federated token, and that the tenant has consented.`,
  ]
  it.each<[unknown, string]>([
    [{ error: 'invalid_client', error_description: 'AADSTS7000215: Invalid. Trace 12' }, 'AADSTS7000215'],
    [{ error: 'invalid_client', error_description: 'no code' }, 'invalid_client'],
    [{ error: 'unauthorized_client' }, 'unauthorized_client'],
    [{ message: 'x' }, 'status 401'],
    [null, 'status 401'],
  ])('is refused with %j', async (answer, code) => {
    const { options } = context(() => json({}), { [TOKEN_ENDPOINT]: () => json(answer, 401) })
    expect(await told(read(options))).toEqual(refusal(code))
  })

  it.each<[string, string, unknown]>([
    [AUTHORITY, `${AUTHORITY}/.well-known/openid-configuration`, { token_endpoint: 'no address' }],
    [AUTHORITY, `${AUTHORITY}/.well-known/openid-configuration`, {}],
    [TOKEN_ENDPOINT, TOKEN_ENDPOINT, { access_token: '', expires_in: 1 }],
    [TOKEN_ENDPOINT, TOKEN_ENDPOINT, { access_token: 'x' }],
  ])('is not understood from %s', async (whose, address, answer) => {
    const { options } = context(() => json({}), { [address]: () => json(answer) })
    expect(await told(read(options))).toEqual([
      'malformed',
      `The answer of ${whose} is not what its documentation says.`,
    ])
  })
})

describe('an answer of Microsoft Graph', () => {
  const retry = (value: string) => ({ 'retry-after': value })
  const now = 1_000_000
  it.each<[string, Record<string, string>, number]>([
    ['nothing', {}, 1_000],
    ['nothing that can be read', retry('soon'), 1_000],
    ['no time', retry('0'), 1_000],
    ['two seconds', retry('2'), 2_000],
    ['two seconds, padded', retry('  2 '), 2_000],
    ['300 seconds', retry('300'), 300_000],
    ['301 seconds', retry('301'), 300_000],
    ['999,999 seconds', retry('999999'), 300_000],
    ['a date', retry(new Date(now + 5_000).toUTCString()), 5_000],
    ['a date that is over', retry(new Date(now - 5_000).toUTCString()), 1_000],
  ])('that says %s is waited for', async (_, headers, ms) => {
    const { options, waits } = context((__, at) => (at === 1 ? failure('Busy', 429, headers) : json({})))
    await read(options)
    expect(waits).toEqual([ms])
  })

  it.each([429, 502, 503, 504])('of status %i is asked for eight times', async (status) => {
    const { options, asked, waits } = context(() => failure('Busy', status))
    expect(await told(read(options))).toEqual([
      'throttled',
      `Microsoft Graph accepts no more requests (status ${String(status)}).`,
    ])
    expect(asked).toHaveLength(8)
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000])
  })

  it('that is not for now is waited for until the sync ends', async () => {
    const stop = new AbortController()
    const { options, asked } = context((_, at) => {
      stop.abort()
      return at === 1 ? failure('Busy', 503) : json({})
    })
    const { wait: _, ...own } = options
    const error = await errorOf(read(own, path, stop.signal))
    expect([error.name, asked.length]).toEqual(['AbortError', 1])
  })

  it.each([401, 429, 404])('of status %i is not read', async (status) => {
    let cancelled = 0
    const body = () => new ReadableStream({ cancel: () => void (cancelled += 1) })
    const { options } = context((_, at) => (at === 1 ? new Response(body(), { status }) : json({})))
    const client = createGraphClient(options)
    await (status === 404 ? client.readPicture('a', never) : client.read(path, ANY, never))
    expect(cancelled).toBe(1)
  })

  it.each<[number, string | null, string, string]>([
    [500, 'InternalServerError', 'refused', '500 InternalServerError'],
    [400, 'Request_BadRequest', 'refused', '400 Request_BadRequest'],
    [400, null, 'refused', '400'],
    [404, null, 'refused', '404'],
    [409, 'syncStateNotFound', 'refused', '409 syncStateNotFound'],
  ])('of status %i with %j fails', async (status, code, kind, named) => {
    const { options } = context(() =>
      code === null ? new Response('<p>', { status }) : failure(code, status),
    )
    expect(await told(read(options))).toEqual([
      kind,
      `Microsoft Graph answers tenant t with status ${named}.`,
    ])
  })

  it.each<[number, string]>([
    [401, 'no token'],
    [403, 'no right'],
  ])('of status %i says which permissions to give', async (status) => {
    const { options } = context(() => new Response(null, { status }))
    const [code, message] = await told(read(options))
    expect(code).toBe('forbidden')
    expect(message).toContain(`refuses tenant t (${String(status)}): give`)
  })

  it.each<[number, string | null]>([
    [410, null],
    [410, 'any'],
    [400, 'syncStateNotFound'],
    [400, 'SyncStateInvalid'],
    [400, 'resyncRequired'],
    [400, 'BadToken'],
  ])('of status %i with %j says that the link is too old', async (status, code) => {
    const body = code === null ? null : JSON.stringify({ error: { code } })
    const { options } = context(() => new Response(body, { status, headers: { location: 'there' } }))
    const error = await errorOf(read(options))
    expect([error.message, error.location]).toEqual(['The delta link is too old.', 'there'])
  })

  it('is read by its schema, and must be JSON', async () => {
    const malformed = ['malformed', 'The answer of Microsoft Graph is not what its documentation says.']
    const client = (answer: Response) => createGraphClient(context(() => answer).options)
    const schema = object({ a: number })
    expect(await client(json({ a: 1, b: 2 })).read(path, schema, never)).toEqual({ a: 1 })
    expect(await told(client(json({ a: '1' })).read(path, schema, never))).toEqual(malformed)
    expect(await told(client(new Response('{')).read(path, schema, never))).toEqual(malformed)
    expect(await told(client(new Response(null)).read(path, schema, never))).toEqual(malformed)
  })

  it('has at most 20 MB', async () => {
    const limit = 20 * 1024 * 1024
    const blank = (size: number) => [Buffer.alloc(size - 1, ' '), Buffer.from('7')]
    expect(await read(context(() => new Response(rawBody(blank(limit)))).options)).toBe(7)
    expect(await told(read(context(() => new Response(rawBody(blank(limit + 1)))).options))).toEqual([
      'malformed',
      'An answer of the directory is too large.',
    ])
  })

  it('may break off, by itself or as the sync ends', async () => {
    const cause = new Error('reset')
    const broken = (before: () => void) =>
      new Response(
        new ReadableStream({
          pull(controller) {
            before()
            controller.error(cause)
          },
        }),
      )
    const error = await errorOf(read(context(() => broken(() => undefined)).options))
    expect([error.code, error.message, error.cause]).toEqual([
      'unreachable',
      'An answer of the directory ended too early.',
      cause,
    ])
    const stop = new AbortController()
    const reason = new Error('The service ends.')
    const ending = context(() => broken(() => stop.abort(reason)))
    expect(await errorOf(read(ending.options, path, stop.signal))).toBe(reason)
  })
})

describe('a picture of Microsoft Graph', () => {
  const limit = 1024 * 1024
  const full = png(1, 1, limit - png().length)
  const pictureOf = (answer: Response) => {
    const { options, asked } = context(() => answer)
    return createGraphClient(options)
      .readPicture('a/b', never)
      .then((picture) => ({ picture, address: asked[0]?.address }))
  }
  it.each([
    ['png', 'image/png', png(3, 2)],
    ['jpg', 'image/jpeg', JPEG],
    ['png', 'image/png', full],
  ])('that is a %s has a name by its content', async (extension, mediaType, bytes) => {
    const { picture, address } = await pictureOf(new Response(new Uint8Array(bytes)))
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
    expect(address).toBe('https://graph.example/v1.0/users/a%2Fb/photos/240x240/$value')
    expect({ ...picture, bytes: null }).toEqual({ name: `${hash}.${extension}`, mediaType, bytes: null })
    expect(picture !== null && Buffer.from(picture.bytes).equals(bytes)).toBe(true)
  })

  it.each<[string, () => Response]>([
    ['is not there', () => new Response('none', { status: 404 })],
    ['is none', () => new Response('text')],
    ['is empty', () => new Response(null)],
    ['is larger than can be drawn', () => new Response(new Uint8Array(png(4097, 1)))],
    ['is larger than 1 MB', () => new Response(new Uint8Array(png(1, 1, limit - png().length + 1)))],
  ])('that %s is left out', async (_, answer) => {
    expect((await pictureOf(answer())).picture).toBeNull()
  })

  it('that is answered with an error is none', async () => {
    expect(await told(pictureOf(failure('UnknownError', 500)))).toEqual([
      'refused',
      'Microsoft Graph answers tenant t with status 500 UnknownError.',
    ])
  })
})

describe('what Microsoft Graph allows', () => {
  const permissions = ['User.Read.All', 'GroupMember.Read.All', 'ProfilePhoto.Read.All']
  const pathOf = ({ address }: Asked) => address.slice(`${URL_OF_GRAPH}/v1.0/`.length)
  const checked = (refused: readonly RegExp[], users: readonly JsonObject[], pictures: boolean) => {
    const { options, asked } = context((request) => {
      if (refused.some((each) => each.test(pathOf(request)))) return failure('Authorization', 403)
      return request.address.includes('photos') ? new Response(null, { status: 404 }) : json({ value: users })
    })
    return checkGraph(options, { pictures, attributes: [] }).then((findings) => ({
      findings,
      paths: asked.map(pathOf),
    }))
  }
  const lacking = (permission: string) => ({
    finding: `Microsoft Graph does not let the service use ${permission} in tenant t.`,
    advice: `Add ${permission} in Entra, App registrations, API permissions, as an application permission of Microsoft Graph, and let an administrator consent to it.`,
  })
  const USER = { id: 'u' }
  const paths = ['users?%24select=id&%24top=1', 'groups?%24select=id&%24top=1']
  const photo = 'users/u/photos/240x240/$value'

  it.each<[readonly JsonObject[], boolean, readonly string[], string]>([
    [[USER], false, paths, permissions.slice(0, 2).join(', ')],
    [[], true, paths, permissions.slice(0, 2).join(', ')],
    [[USER], true, [...paths, photo], permissions.join(', ')],
  ])('with the users %j, and pictures %s', async (users, pictures, expected, allowed) => {
    expect(await checked([], users, pictures)).toEqual({
      findings: [{ finding: `Microsoft Graph lets the service use ${allowed} in tenant t.`, advice: null }],
      paths: expected,
    })
  })

  it.each<[string, readonly RegExp[], readonly (string | undefined)[]]>([
    ['users', [/^users\?/], permissions.slice(0, 1)],
    ['groups', [/^groups/], permissions.slice(1, 2)],
    ['pictures', [/photos/], permissions.slice(2)],
    ['users and groups', [/^users\?/, /^groups/], permissions.slice(0, 2)],
  ])('but not %s', async (_, refused, expected) => {
    const { findings } = await checked(refused, [USER], true)
    expect(findings).toEqual(expected.map((permission) => lacking(permission ?? '')))
  })

  it('but not an attribute of the settings', async () => {
    const { options } = context(({ address }) =>
      address.includes('unknown') ? failure('BadRequest', 400) : json({ value: [USER] }),
    )
    expect(await checkGraph(options, { pictures: false, attributes: ['known', 'unknown'] })).toEqual([
      {
        finding: 'Microsoft Graph does not give the service the attribute unknown of users in tenant t.',
        advice: 'Correct unknown in SIGNET_DIRECTORY_ATTRIBUTES, or remove it. Syncs leave it out.',
      },
    ])
    const refusing = context(() => failure('Authorization', 403))
    const findings = await checkGraph(refusing.options, { pictures: false, attributes: ['known'] })
    expect(findings).toEqual(permissions.slice(0, 2).map(lacking))
  })

  const advice =
    'Fix that first: check SIGNET_GRAPH_URL, the secret or the federated token, and that this machine may reach Microsoft Graph over https.'
  it.each<[string, () => Answer, string]>([
    ['throttles', () => failure('Busy', 503), 'Microsoft Graph accepts no more requests now.'],
    ['is far', () => new Error('no route'), 'https://graph.example cannot be reached.'],
    [
      'is strange',
      () => json({ value: [{}] }),
      'The answer of Microsoft Graph is not what its documentation says.',
    ],
  ])('is not known while it %s', async (_, answer, finding) => {
    const { options } = context(answer)
    expect(await checkGraph(options, { pictures: true, attributes: [] })).toEqual([{ finding, advice }])
  })
})

describe('a reading of Microsoft Graph', () => {
  const open = embeddedData()
  const SOURCE = 'graph:t'
  const USERS = 'users with hire dates'
  const GROUP = 'group with groups:'
  const delta = (name: string) => `${URL_OF_GRAPH}/v1.0/${name}?$deltatoken=1`
  let store: Store
  beforeEach(async () => {
    store = await open()
    await store.clear()
  })

  type Page = Readonly<Record<string, unknown>> & Readonly<{ value: readonly unknown[] }>
  const last = (value: readonly unknown[], link = delta('users/delta')): Page => ({
    value,
    '@odata.deltaLink': link,
  })
  const next = (value: readonly unknown[], link: string): Page => ({ value, '@odata.nextLink': link })

  /** Answers each path and query, decoded, with its pages in order; without some, an empty end. */
  type Pages = Readonly<Record<string, readonly (Page | Response)[]>>
  async function sync(
    pages: Pages = {},
    named: readonly string[] = [],
    over: Partial<GraphOptions & { pictures: boolean; attributes: readonly string[] }> = {},
  ) {
    const left = new Map(Object.entries(pages).map(([start, answers]) => [start, [...answers]]))
    const asked: string[] = []
    const { options } = context(({ address }) => {
      const text = decodeURIComponent(address.slice(`${URL_OF_GRAPH}/v1.0/`.length)).replaceAll('+', ' ')
      asked.push(text)
      const found = [...left].find(([start, answers]) => text.startsWith(start) && answers.length > 0)
      const answer = found?.[1].shift()
      if (answer instanceof Response) return answer
      if (answer !== undefined) return json(answer)
      if (text.includes('photos/')) return new Response(null, { status: 404 })
      return text.includes('delta') ? json(last([])) : json({ value: [] })
    })
    const counts: number[] = []
    const source = createGraphSource({ ...options, store, pictures: false, ...over })
    const unknown = await source.unknownAttributes(never)
    await source.read?.(named, (entries) => void counts.push(entries), never, unknown)
    return { asked, counts, source, unknown }
  }
  const entry = async (id: string, kind: 'user' | 'group' = 'user'): Promise<DirectoryEntry | undefined> =>
    (await store.directory.entries(SOURCE, kind, [id]))[0]
  const failed = async (promise: Promise<unknown>) => (await told(promise)).join(': ')

  it('asks for what becomes a field, and counts what each page tells', async () => {
    const link = `${URL_OF_GRAPH}/v1.0/users/delta?$skiptoken=2`
    const { asked, counts } = await sync({
      'users/delta?$skiptoken': [last([{ id: 'c' }])],
      'users/delta': [next([{ id: 'a' }, { id: 'b' }], link)],
    })
    expect(asked).toEqual([
      'users/delta?$select=accountEnabled,userType,displayName,givenName,surname,jobTitle,department,companyName,officeLocation,businessPhones,mobilePhone,faxNumber,mail,proxyAddresses,userPrincipalName,streetAddress,city,state,postalCode,country,employeeId,employeeHireDate,preferredLanguage,onPremisesExtensionAttributes,manager',
      'users/delta?$skiptoken=2',
    ])
    expect(counts).toEqual([2, 1])
    expect([...(await store.directory.cursors(SOURCE))]).toEqual([[USERS, delta('users/delta')]])
    expect(await store.directory.count(SOURCE, 'user')).toBe(3)
  })

  it('asks for further attributes by the name in the settings, in a reading of its own', async () => {
    const link = delta('users/delta')
    const attributes = [
      'extensionAttribute1',
      'City',
      'employeeType',
      'extension_x_costCentre',
      'employeeType',
    ]
    const users = last([{ id: 'a', EmployeeType: 'Crew', city: 'Oslo', extension_x_other: '1' }])
    await sync({ 'users/delta': [last([{ id: 'a' }])] })
    const { asked, unknown } = await sync({ 'users/delta': [users] }, [], { attributes })
    expect(asked[0]).toBe('users?$select=id,employeeType,extension_x_costCentre&$top=1')
    expect(asked[1]).toMatch(/^users\/delta\?\$select=.*,employeeType,extension_x_costCentre,manager$/)
    expect([unknown, asked.length]).toEqual([[], 2])
    expect((await entry('a'))?.data).toEqual({ employeeType: 'Crew', city: 'Oslo' })
    const [first, ...others] = [...(await store.directory.cursors(SOURCE))]
    expect([first?.[0], first?.[1], others]).toEqual([
      expect.stringMatching(/^users with hire dates and [0-9a-f]{16}$/),
      link,
      [],
    ])
    // In another order they are the same, and go on from the link.
    const again = await sync({}, [], { attributes: [...attributes].reverse() })
    expect(again.asked.slice(1)).toEqual(['users/delta?$deltatoken=1'])
    await sync({ 'users/delta': [last([{ id: 'a' }])] })
    expect([...(await store.directory.cursors(SOURCE)).keys()]).toEqual([USERS])
    expect((await entry('a'))?.data).toEqual({})
  })

  it.each([400, 403, 501])('finds out one by one which attributes are answered with %i', async (status) => {
    const attributes = ['known', 'unknown', 'other']
    const { asked, unknown } = await sync(
      {
        'users?$select=id,known,': [failure('BadRequest', status)],
        'users?$select=id,unknown&': [failure('BadRequest', status)],
      },
      [],
      { attributes },
    )
    expect(unknown).toEqual(['unknown'])
    expect(asked.slice(0, 4)).toEqual([
      'users?$select=id,known,unknown,other&$top=1',
      ...attributes.map((name) => `users?$select=id,${name}&$top=1`),
    ])
    expect(asked[4]).toContain(',known,other,manager')
  })

  it('fails when Graph cannot say which attributes it has', async () => {
    const pages = { 'users?': [failure('x', 500)] }
    expect(await failed(sync(pages, [], { attributes: ['a'] }))).toBe(
      'refused: Microsoft Graph answers tenant t with status 500 x.',
    )
    expect((await sync({}, [], { attributes: ['extensionAttribute1', 'jobTitle'] })).asked[0]).toMatch(
      /^users\/delta/,
    )
  })

  it('keeps of a user what was asked for, the name in lower case, and the manager by the id', async () => {
    await sync({
      'users/delta': [
        last([
          {
            id: 'a',
            userPrincipalName: 'Ann@X.example',
            jobTitle: 'Pilot',
            aboutMe: 'secret',
            '@odata.type': '#user',
            mail: 'Ann@x.example',
            accountEnabled: true,
            'manager@delta': [{ id: 'old', '@removed': { reason: 'deleted' } }, { id: 'm' }],
          },
          { id: 'b', 'manager@delta': [{ id: 'm', '@removed': {} }], accountEnabled: false },
          { id: 'c', userPrincipalName: 7 },
        ]),
      ],
    })
    expect(await entry('a')).toMatchObject({
      name: 'ann@x.example',
      externalId: null,
      manager: 'm',
      active: true,
      addresses: ['ann@x.example'],
      data: {
        userPrincipalName: 'Ann@X.example',
        jobTitle: 'Pilot',
        mail: 'Ann@x.example',
        accountEnabled: true,
        manager: 'm',
      },
    })
    expect((await entry('a'))?.data).not.toHaveProperty('aboutMe')
    expect(await entry('b')).toMatchObject({ manager: null, active: false, name: null })
    expect(await entry('c')).toMatchObject({ name: null, manager: null })
  })

  it('merges what changed into what it knew, and takes whole what is told with everything', async () => {
    await sync({
      'users/delta': [last([{ id: 'a', jobTitle: 'Pilot', city: 'Oslo', 'manager@delta': [{ id: 'm' }] }])],
    })
    await sync({ 'users/delta': [last([{ id: 'a', city: 'Bergen' }, { id: 'n' }])] })
    expect((await entry('a'))?.data).toEqual({ jobTitle: 'Pilot', city: 'Bergen', manager: 'm' })
    await sync({ 'users/delta': [failure('x', 410), last([{ id: 'a', city: 'Oslo' }])] })
    expect((await entry('a'))?.data).toEqual({ city: 'Oslo' })
    expect(await entry('n')).toMatchObject({ removed: true })
  })

  describe('that reports a user on two pages', () => {
    const link = `${URL_OF_GRAPH}/v1.0/users/delta?$skiptoken=2`
    const ANN = {
      accountEnabled: true,
      displayName: 'Ann Report',
      givenName: 'Ann',
      surname: 'Report',
      jobTitle: 'Pilot',
      mail: 'ann@northwind.example',
      userPrincipalName: 'ann@northwind.example',
    }
    const onPages = (
      first: readonly unknown[],
      second: readonly unknown[],
      before: readonly Response[] = [],
    ) =>
      sync({
        'users/delta?$skiptoken': [last(second)],
        'users/delta': [...before, next(first, link)],
      })
    const [whole, part] = [
      { id: 'a', ...ANN },
      { id: 'a', 'manager@delta': [{ id: 'm' }] },
    ]

    it.each([
      ['its fields first', whole, part],
      ['its manager first', part, whole],
    ])('keeps the parts of both, with %s', async (_, first, second) => {
      await onPages([first], [second])
      expect(await entry('a')).toMatchObject({ addresses: [ANN.mail], manager: 'm', active: true })
      expect((await entry('a'))?.data).toEqual({ ...ANN, manager: 'm' })
    })

    it('keeps both parts in a later reading of everything, and nothing of before', async () => {
      await sync({ 'users/delta': [last([{ ...whole, city: 'Oslo', 'manager@delta': [{ id: 'old' }] }])] })
      await onPages([part], [whole], [failure('x', 410)])
      expect((await entry('a'))?.data).toEqual({ ...ANN, manager: 'm' })
    })

    it('keeps the last value of a property, and no property that was emptied', async () => {
      await onPages([{ ...whole, city: 'Oslo' }], [{ id: 'a', jobTitle: 'Captain', city: null }])
      expect((await entry('a'))?.data).toEqual({ ...ANN, jobTitle: 'Captain' })
    })

    it('ends without the user when the last page removes it', async () => {
      await onPages([whole], [{ id: 'a', '@removed': { reason: 'deleted' } }])
      expect(await entry('a')).toMatchObject({ removed: true, data: {}, active: false })
    })

    it('begins again with a user that the first page removes', async () => {
      await onPages([whole, { id: 'a', '@removed': { reason: 'changed' } }], [part])
      expect(await entry('a')).toMatchObject({ removed: false, data: { manager: 'm' } })
    })
  })

  it.each<[string, readonly unknown[], string | null]>([
    ['becomes another one', [{ id: 'm', '@removed': {} }, { id: 'n' }], 'n'],
    ['becomes another one before the former leaves', [{ id: 'n' }, { id: 'm', '@removed': {} }], 'n'],
    ['leaves', [{ id: 'm', '@removed': {} }], null],
    ['comes and leaves', [{ id: 'n' }, { id: 'n', '@removed': {} }], null],
    ['stays while a former one leaves', [{ id: 'l', '@removed': {} }], 'm'],
    ['stays without a change', [], 'm'],
  ])('follows a manager who %s', async (_, managers, manager) => {
    await sync({ 'users/delta': [last([{ id: 'a', city: 'Oslo', 'manager@delta': [{ id: 'm' }] }])] })
    await sync({ 'users/delta': [last([{ id: 'a', 'manager@delta': managers }])] })
    expect((await entry('a'))?.manager).toBe(manager)
    expect((await entry('a'))?.data).toEqual({ city: 'Oslo', ...(manager === null ? {} : { manager }) })
  })

  it('takes the last of what one page tells of a user', async () => {
    await sync({
      'users/delta': [
        last([
          ...[
            { id: 'a', city: 'Oslo' },
            { id: 'a', state: 'x' },
            { id: 'b', city: 'Oslo' },
          ],
          ...[
            { id: 'b', '@removed': { reason: 'deleted' } },
            { id: 'unknown', '@removed': {} },
          ],
        ]),
      ],
    })
    expect((await entry('a'))?.data).toEqual({ city: 'Oslo', state: 'x' })
    expect([await entry('b'), await entry('unknown')]).toEqual([undefined, undefined])
    await sync({ 'users/delta': [last([{ id: 'a', '@removed': { reason: 'changed' } }])] })
    expect(await entry('a')).toMatchObject({ removed: true, data: {} })
    await sync({
      'users/delta': [
        last([
          { id: 'a', '@removed': {} },
          { id: 'a', city: 'Rome' },
        ]),
      ],
    })
    expect(await entry('a')).toMatchObject({ removed: false, data: { city: 'Rome' } })
  })

  it.each<[string, Pages, string]>([
    ['has no link', { 'users/delta': [{ value: [] }] }, 'gives no usable link to its next page.'],
    [
      'has both links',
      { 'users/delta': [{ ...last([]), '@odata.nextLink': delta('x') }] },
      'gives no usable link to its next page.',
    ],
    [
      'leads to itself',
      { 'users/delta': [next([], delta('users/delta')), next([], delta('users/delta'))] },
      'gives no usable link to its next page.',
    ],
    [
      'is refused from its beginning',
      { 'users/delta': [failure('x', 410), failure('x', 410)] },
      'refuses a reading of everything.',
    ],
  ])('fails when an answer %s', async (_, pages, message) => {
    expect(await failed(sync(pages))).toBe(`malformed: Microsoft Graph ${message}`)
    expect([...(await store.directory.cursors(SOURCE))]).toEqual([])
  })

  it('says why a reading of everything is refused', async () => {
    const { cause } = await errorOf(sync({ 'users/delta': [failure('x', 410)] }))
    expect(cause).toMatchObject({ message: 'The delta link is too old.' })
  })

  it('begins again where Graph says, or at the beginning', async () => {
    await sync({ 'users/delta': [last([{ id: 'a' }])] })
    const there = `${URL_OF_GRAPH}/v1.0/users/delta?there`
    const moved = await sync({ 'users/delta': [failure('x', 410, { location: there })] })
    expect(moved.asked).toEqual(['users/delta?$deltatoken=1', 'users/delta?there'])
    const { asked } = await sync({ 'users/delta': [failure('syncStateNotFound', 400)] })
    expect(asked.map((each) => each.slice(0, 20))).toEqual(['users/delta?$deltato', 'users/delta?$select='])
    expect(await failed(sync({ 'users/delta': [failure('x', 500)] }))).toBe(
      'refused: Microsoft Graph answers tenant t with status 500 x.',
    )
  })

  it('looks for groups by name, and by id where it is one, five names at once', async () => {
    const id = '6F1C0A52-0000-4000-8000-00000000000A'
    const { asked } = await sync({}, ["O'Hara", id, 'c', 'd', 'e', 'f'])
    const clause = (name: string) => `displayName eq '${name}' or mailNickname eq '${name}'`
    const select = '&$select=id,displayName,mailNickname'
    expect(asked.slice(1)).toEqual([
      `groups?$filter=${[clause("O''Hara"), clause(id), `id eq '${id}'`, clause('c'), clause('d'), clause('e')].join(' or ')}${select}`,
      `groups?$filter=${clause('f')}${select}`,
    ])
    for (const none of [`${id}0`, `0${id}`]) expect((await sync({}, [none])).asked[1]).not.toContain('id eq')
  })

  const members = (...ids: readonly string[]) =>
    ids.map((id) => ({ id, '@odata.type': `#microsoft.graph.${id.startsWith('g') ? 'group' : 'user'}` }))
  const found = (...ids: readonly string[]) => ({ value: ids.map((id) => ({ id, displayName: id })) })
  const groupDelta = (id: string, part = 1) => `${URL_OF_GRAPH}/v1.0/groups/delta?${id}=${String(part)}`
  const endOf = (id: string, value: readonly unknown[]) => last(value, groupDelta(id))

  it('reads each group that is named, and those inside it, page by page', async () => {
    const { asked, counts } = await sync(
      {
        'groups?$filter': [{ ...found('g'), '@odata.nextLink': `${URL_OF_GRAPH}/v1.0/groups?more` }],
        'groups?more': [found('h')],
        "groups/delta?$filter=id eq 'g'&": [
          next(
            [{ id: 'g', displayName: 'Sales', mailNickname: 'SL', 'members@delta': members('a', 'gi') }],
            groupDelta('g', 2),
          ),
        ],
        'groups/delta?g=2': [endOf('g', [{ id: 'g', displayName: 'Sales', 'members@delta': members('b') }])],
        "groups/delta?$filter=id eq 'gi'&": [
          endOf('gi', [{ id: 'gi', displayName: null, 'members@delta': members('c', 'g') }]),
        ],
        "groups/delta?$filter=id eq 'h'&": [endOf('h', [{ id: 'h' }, { id: 'other', displayName: 'Other' }])],
      },
      ['Sales'],
    )
    expect(asked.slice(2)).toEqual([
      'groups?more',
      "groups/delta?$filter=id eq 'g'&$select=displayName,mailNickname,members",
      'groups/delta?g=2',
      "groups/delta?$filter=id eq 'h'&$select=displayName,mailNickname,members",
      "groups/delta?$filter=id eq 'gi'&$select=displayName,mailNickname,members",
    ])
    expect(counts).toEqual([0, 1, 1, 2, 1])
    expect(await store.directory.members(SOURCE, 'g')).toEqual(['a', 'b', 'gi'])
    expect(await store.directory.members(SOURCE, 'gi')).toEqual(['c', 'g'])
    expect(await entry('g', 'group')).toMatchObject({
      name: 'sales',
      externalId: 'sl',
      active: true,
      addresses: [],
      manager: null,
      data: { displayName: 'Sales', mailNickname: 'SL' },
    })
    expect(await entry('gi', 'group')).toMatchObject({ name: null, externalId: null })
    expect(await entry('other', 'group')).toBeUndefined()
    expect([...(await store.directory.cursors(SOURCE)).keys()].sort()).toEqual([
      ...[`${GROUP}g`, `${GROUP}gi`, `${GROUP}h`, USERS],
    ])
  })

  const one = (item: Page | Response): Pages => ({ 'groups?': [found('g')], 'groups/delta': [item] })

  it('changes of a group what is told, and takes users and groups as members alone', async () => {
    await sync(one(endOf('g', [{ id: 'g', displayName: 'Sales', mailNickname: 'sl' }])), ['x'])
    const typed = [
      ...[{ id: 'untyped' }, { id: 'u', '@odata.type': '#microsoft.graph.USER' }],
      ...[
        { id: 'd', '@odata.type': '#microsoft.graph.device' },
        { id: 's', '@odata.type': '#x.usergroups' },
      ],
    ]
    const change = { id: 'g', mailNickname: 'NEW', 'members@delta': typed }
    await sync(one(endOf('g', [change])), ['x'])
    expect(await store.directory.members(SOURCE, 'g')).toEqual(['u', 'untyped'])
    expect(await entry('g', 'group')).toMatchObject({
      name: 'sales',
      externalId: 'new',
      data: { displayName: 'Sales', mailNickname: 'NEW' },
    })
    const left = [{ id: 'u', '@removed': { reason: 'deleted' } }, { id: 'w' }]
    await sync(one(endOf('g', [{ id: 'g', displayName: 'Selling', 'members@delta': left }])), ['x'])
    expect(await store.directory.members(SOURCE, 'g')).toEqual(['untyped', 'w'])
    expect(await entry('g', 'group')).toMatchObject({ name: 'selling', externalId: 'new' })
  })

  it('keeps what it knows of a group that is found inside another, and no group that left', async () => {
    const inner = [{ id: 'gi', '@odata.type': '#microsoft.graph.group' }]
    await sync(
      {
        'groups?': [found('g')],
        "groups/delta?$filter=id eq 'g'": [endOf('g', [{ id: 'g', 'members@delta': inner }])],
        "groups/delta?$filter=id eq 'gi'": [endOf('gi', [{ id: 'gi', displayName: 'Inner' }])],
      },
      ['x'],
    )
    await sync(
      { 'groups?': [found('g')], 'groups/delta?g=': [endOf('g', [{ id: 'g', 'members@delta': inner }])] },
      ['x'],
    )
    expect(await entry('gi', 'group')).toMatchObject({ name: 'inner', removed: false })
    const gone = [
      { ...inner[0], '@removed': {} },
      { id: 'gone', '@odata.type': '#microsoft.graph.group', '@removed': {} },
    ]
    await sync(
      { 'groups?': [found('g')], 'groups/delta?g=': [endOf('g', [{ id: 'g', 'members@delta': gone }])] },
      ['x'],
    )
    expect(await store.directory.members(SOURCE, 'g')).toEqual([])
    expect(await entry('gi', 'group')).toMatchObject({ removed: true })
    expect(await entry('gone', 'group')).toBeUndefined()
  })

  it('removes a group that is gone, and one that no rule names any more', async () => {
    const full = endOf('g', [{ id: 'g', 'members@delta': members('a') }])
    await sync(one(full), ['x'])
    await sync(one(endOf('g', [{ id: 'g', '@removed': { reason: 'deleted' } }])), ['x'])
    expect(await entry('g', 'group')).toMatchObject({ removed: true })
    await sync(one(full), ['x'])
    await sync({}, ['x'])
    expect(await entry('g', 'group')).toMatchObject({ removed: true })
    expect([...(await store.directory.cursors(SOURCE)).keys()]).toEqual([USERS])
  })

  it('fails when a group that Graph has is not told, and takes one inside as gone', async () => {
    expect(await failed(sync(one(endOf('g', [])), ['x']))).toBe(
      'malformed: Microsoft Graph did not send a group that it has.',
    )
    await sync(
      {
        'groups?': [found('g')],
        "groups/delta?$filter=id eq 'g'": [
          next([], groupDelta('g', 2)),
          endOf('g', [{ id: 'g', 'members@delta': members('gi') }]),
        ],
        'groups/delta?g=2': [endOf('g', [{ id: 'g', 'members@delta': members('gi') }])],
        "groups/delta?$filter=id eq 'gi'": [endOf('gi', [])],
      },
      ['x'],
    )
    expect(await entry('gi', 'group')).toMatchObject({ removed: true })
    // Later only what changed is told.
    await sync({ 'groups?': [found('g')], 'groups/delta?g=': [endOf('g', [])] }, ['x'])
    expect(await entry('g', 'group')).toMatchObject({ removed: false })
  })

  it('takes those out of a group whom a reading of everything does not tell', async () => {
    await sync(one(endOf('g', [{ id: 'g', 'members@delta': members('a', 'b') }])), ['x'])
    await sync(
      {
        'groups?': [found('g')],
        'groups/delta?g=': [failure('x', 410)],
        'groups/delta?$filter': [endOf('g', [{ id: 'g', 'members@delta': members('b') }])],
      },
      ['x'],
    )
    expect(await store.directory.members(SOURCE, 'g')).toEqual(['b'])
  })

  it('begins again where links were kept that told less', async () => {
    const cursors = [
      'users',
      'users with managers',
      'group:old',
      `group:new\nline`,
      'named, with groups inside',
      `${GROUP}stale`,
    ]
    for (const cursor of cursors) await store.directory.keepCursor(SOURCE, cursor, 'link')
    await sync(
      {
        'groups?': [found('old')],
        'groups/delta': [endOf('old', [{ id: 'old', 'members@delta': members('a') }])],
      },
      ['x'],
    )
    expect([...(await store.directory.cursors(SOURCE)).keys()].sort()).toEqual([
      ...[`${GROUP}old`, 'named, with groups inside', USERS],
    ])
    expect(await store.directory.members(SOURCE, 'old')).toEqual(['a'])
  })

  it('fails when a link of groups is too old that Graph just gave', async () => {
    const pages = { 'groups?': [failure('x', 410)] }
    const { code, message, cause } = await errorOf(sync(pages, ['x']))
    expect([code, message]).toEqual(['refused', 'Microsoft Graph refuses a link that it gave.'])
    expect(cause).toMatchObject({ message: 'The delta link is too old.' })
  })

  it('asks for pictures of active users, and keeps what it has of whom Graph answers with an error', async () => {
    const bytes = new Uint8Array(png(5))
    const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.png`
    const users = last([{ id: 'a' }, { id: 'b' }, { id: 'c', accountEnabled: false }])
    const { asked } = await sync(
      { 'users/delta': [users], 'users/a/': [new Response(bytes)], 'users/b/': [new Response(bytes)] },
      [],
      { pictures: true },
    )
    const photo = (id: string) => `users/${id}/photos/240x240/$value`
    expect(asked.slice(1)).toEqual([photo('a'), photo('b')])
    expect((await entry('a'))?.picture).toBe(name)
    expect((await store.picture(name.slice(0, 32)))?.mediaType).toBe('image/png')
    await sync({ 'users/a/': [failure('x', 500)] }, [], { pictures: true })
    expect([(await entry('a'))?.picture, (await entry('b'))?.picture]).toEqual([name, null])
    expect(await failed(sync({ 'users/a/': [failure('x', 403)] }, [], { pictures: true }))).toMatch(
      /^forbidden: /,
    )
    expect((await sync()).asked).toHaveLength(1)
  })

  it('asks in each sync for the pictures of so many users, in turn', async () => {
    const ids = Array.from({ length: PICTURES_PER_SYNC + 1 }, (_, at) => `u${String(at).padStart(3, '0')}`)
    const photos = async (pages: Pages = {}) => {
      const { asked } = await sync(pages, [], { pictures: true })
      return asked.flatMap((each) => /^users\/(u\d+)\/photos/.exec(each)?.[1] ?? [])
    }
    expect(await photos({ 'users/delta': [last(ids.slice(1).map((id) => ({ id })))] })).toEqual(ids.slice(1))
    expect(await store.directory.cursor(SOURCE, 'pictures')).toBe(ids.at(-1))
    // So many, and no more: the next turn has none, and the one after it begins again.
    expect(await photos()).toEqual([])
    expect(await photos({ 'users/delta': [last([{ id: ids[0] }])] })).toEqual(ids.slice(0, -1))
    expect(await photos()).toEqual(ids.slice(-1))
    expect(await store.directory.cursor(SOURCE, 'pictures')).toBeNull()
  })

  it('makes a user of an entry, with the manager by name while that one is active', async () => {
    const { source } = await sync({
      'users/delta': [last([{ id: 'A', mail: 'a@x.example' }, { id: 'm', displayName: 'Max' }, { id: 'n' }])],
    })
    const [user, manager, nameless] = [await entry('A'), await entry('m'), await entry('n')]
    if (user === undefined || manager === undefined || nameless === undefined) throw new Error('Not kept')
    expect(source.source).toBe(SOURCE)
    const made = source.userOf(user, manager)
    expect(made.account).toEqual({ tenant: 't', oid: 'a' })
    const nameIn = (of: DirectoryEntry | null) => Object.values(source.userOf(user, of).fields)
    expect(nameIn(manager)).toContain('Max')
    for (const none of [{ ...manager, active: false }, nameless, null])
      expect(nameIn(none)).not.toContain('Max')
  })
})
