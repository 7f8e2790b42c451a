import { beforeEach, describe, expect, it } from 'vitest'
import type { Organisation } from '../../../src/service/organisation/organisation.ts'
import { createWebServer } from '../../../src/server/webServer.ts'
import { refusalFor } from '../../../src/service/http/refusals.ts'
import { DomainError } from '../../../src/service/operations/domainError.ts'
import { addAddinCalls } from '../../../src/service/http/calls.ts'
import { createImages, createPictureCache } from '../../../src/service/answers/images.ts'
import type { BearerContent, Bearers } from '../../../src/service/identity/bearers.ts'
import { createDelegatedOwners, mailboxAsOwner } from '../../../src/service/context/owners.ts'
import { createSharedCache, type OrganisationCache } from '../../../src/service/answers/sharedCache.ts'
import { createSignatureAnswers } from '../../../src/service/answers/signatures.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import type { ServiceContext } from '../../../src/service/context/serviceContext.ts'
import { sealList } from '../../../streams/html/sealedList.ts'
import { compileRelease, type ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { png } from '../../folder/pictures.ts'
import { variableOf } from '../../support/variables.ts'

// The calls of the add-in over a context that a test makes up.

const EVERYONE = { for: 'everyone', not: [] } as const
const NO_ONE = { for: [], not: [] }
const ACCOUNT = { tenant: 't', oid: 'o' }
const NOW = Date.parse('2026-09-01T10:00:00Z')
const HEADERS = {
  'x-api-version': '1',
  'x-addin-version': '1',
  'x-lsi-version': '1',
  'x-addin-trigger': 'taskpane',
  authorization: 'Bearer good',
}
const USER = '/api/addin/user'
const LIST = '/signatures-cache/api/v1/signatures'
const DEFAULT = '/signatures-cache/api/v1/signature/addin'
const during = { from: '2026-09-02', to: '2026-09-02', timeZone: 'UTC' }
const signature = (id: string, more: object = {}) => ({
  id,
  name: id,
  template: 'templates/a.html',
  reply: null,
  mobile: null,
  selection: EVERYONE,
  during: null,
  recipients: 'everyone',
  collection: null,
  ...more,
})
const document = {
  version: 1,
  organisation: 'Northwind',
  internal: [],
  plan: { from: null, value: 'full' },
  chooseDefault: EVERYONE,
  pictures: {},
  templates: { 'templates/a.html': '<p>{{title}}</p>' },
  variables: [variableOf('title', { value: 'Sailor', edit: true, group: null })],
  signatures: [signature('one'), signature('two'), signature('autumn', { during })],
  mailboxes: [{ address: 'desk@x.example', selection: EVERYONE, values: {} }],
} as ReleaseDocument

type State = {
  person: PersonState | null
  bearer: BearerContent
  document: ReleaseDocument | null
  release: string
  roles: readonly string[]
  now: number
  sendsDefault: boolean
  publicUrl: string
  isGuarding: boolean
  /** What the store has of each picture, and what is cached of answers. */
  picture: { mediaType: string; bytes: Uint8Array } | null
  answers: OrganisationCache<Buffer>
}
let state: State
let noted: unknown[]
/** How many answers with one signature were rendered. */
let rendered = 0

const ann = (more: Partial<PersonState> = {}): PersonState => ({
  ...mailboxAsOwner('ann@x.example'),
  id: 'ann',
  revision: 1,
  account: ACCOUNT,
  ...more,
})
beforeEach(() => {
  noted = []
  rendered = 0
  const bearer = {
    organisation: 'default',
    person: 'ann',
    account: ACCOUNT,
    email: 'ann@x.example',
    isAdmin: false,
    authTime: 1,
  }
  state = {
    person: ann(),
    bearer,
    document,
    release: 'r-1',
    roles: [],
    now: NOW,
    sendsDefault: true,
    publicUrl: 'https://s.example',
    isGuarding: true,
    picture: null,
    answers: createSharedCache(1_000_000, (answer: Buffer) => answer.length).of('default'),
  }
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
async function ask(method: Method, url: string, payload?: object, headers: Record<string, string> = HEADERS) {
  const { app } = await createWebServer([], null, {
    refusalFor,
    onFailure: (error) => void noted.push(error),
  })
  const store = {
    person: async () => state.person,
    personsByAddress: async () => [],
    keepReported: async (...told: unknown[]) => void noted.push(['told', ...told]),
    keepPicture: async (hash: string, { mediaType }: { mediaType: string }) =>
      void noted.push(['kept', hash, mediaType]),
    dropPicture: async (hash: string) => void noted.push(['dropped', hash]),
    picture: async () => state.picture,
  } as unknown as Store
  const context = {
    store,
    releases: {
      current: () => (state.document === null ? null : compileRelease(state.release, state.document)),
      state: () => ({ maintenance: 'planned' }),
    },
    people: {
      write: async (id: string, command: { type: string; picture?: string }, actor: string) => {
        noted.push(['write', id, command, actor])
        const picture = command.type === 'changePicture' ? (command.picture ?? null) : null
        return { ...ann(), ...(command.type.endsWith('Picture') ? { picture } : {}) }
      },
    },
    publicUrl: () => state.publicUrl,
    now: () => state.now,
  } as unknown as ServiceContext
  const bearers: Bearers = {
    issue: async (bearer) => {
      noted.push(['issue', bearer])
      return 'issued'
    },
    read: async (authorization) => {
      if (authorization !== 'Bearer good') throw new DomainError('invalid_token', 'No bearer.')
      return state.bearer
    },
    renewable: (authTime) => void noted.push(['renewable', authTime]),
  }
  const images = createImages(context, { codeAt: () => null }, createPictureCache().of('default'))
  const owners = createDelegatedOwners(store)
  const signatures = createSignatureAnswers(
    owners,
    images,
    (_, __, address) => address,
    () => undefined,
  )
  const organisation = {
    id: 'default',
    context,
    owners,
    images,
    accountLinking: { signIn: async () => ann() },
    answers: state.answers,
    signatures: {
      ...signatures,
      cache: (...of: Parameters<typeof signatures.cache>) => {
        rendered += 1
        return signatures.cache(...of)
      },
    },
  } as unknown as Organisation
  app.decorateRequest('organisation')
  await addAddinCalls(app, {
    bearers,
    organisations: { of: () => organisation, ofTenant: async () => organisation },
    isGuarding: () => state.isGuarding,
    tokens: {
      verifyAccessToken: async (token: string) => {
        if (token !== 'token') throw new DomainError('invalid_token', 'No token.')
        return { account: ACCOUNT, signInName: 'ann', isGuest: false, roles: state.roles }
      },
      applicationToken: () => Promise.reject(new Error('not asked')),
    },
    sendsDefault: () => state.sendsDefault,
  })
  const {
    statusCode,
    headers: got,
    body,
  } = await app.inject({
    method,
    url,
    headers,
    ...(payload === undefined ? {} : { payload }),
  })
  return {
    status: statusCode,
    headers: got,
    body: (body === '' ? null : JSON.parse(body)) as Record<string, unknown> | null,
  }
}
const refusal = async (...asked: Parameters<typeof ask>) => {
  const { status, body } = await ask(...asked)
  return [status, body?.['code'], body?.['message']]
}

describe('[PERSON-6] a list of recipients', () => {
  it('is in no answer to the add-in, but its name and its sealed entries are in each', async () => {
    const entries = ['anna@customer.example', 'Partner.example'].map((one) => one.toLowerCase())
    const recipients = ['Customers']
    const shown = {
      id: 'b',
      name: 'B',
      slot: 'banner',
      template: 'templates/b.html',
      share: 100,
      replies: true,
    }
    state.document = {
      ...document,
      lists: { Customers: entries },
      templates: { 'templates/a.html': '<p>A</p>{{block banner}}', 'templates/b.html': '<p>B</p>' },
      signatures: [signature('one', { recipients })],
      blocks: [{ ...shown, selection: EVERYONE, during: null, recipients }],
      guard: [{ missing: 'signature', selection: EVERYONE, recipients }],
    } as ReleaseDocument
    const sealed = sealList('Customers', entries)
    for (const url of [USER, LIST, DEFAULT]) {
      const { status, body } = await ask('GET', url)
      const text = JSON.stringify(body)
      expect([url, status]).toEqual([url, 200])
      for (const secret of ['customer.example', 'partner.example', 'anna'])
        expect([url, text.toLowerCase().includes(secret)]).toEqual([url, false])
      if (url !== USER) expect(text).toContain(sealed)
    }
  })
})

describe('a call', () => {
  it.each(['X-Api-Version', 'X-Addin-Version', 'X-LSI-Version', 'X-Addin-Trigger'])(
    'needs the header %s',
    async (name) => {
      const { [name.toLowerCase()]: _, ...others } = HEADERS as Record<string, string>
      for (const headers of [others, { ...others, [name]: '' }])
        expect(await refusal('GET', USER, undefined, headers)).toEqual([
          ...[400, 'header_missing', `The header ${name} is missing.`],
        ])
    },
  )

  it.each<[string, () => unknown, number, string, string]>([
    [
      'has left',
      () => (state.person = ann({ active: false })),
      ...([401, 'invalid_token', 'The token belongs to a person who has left the organisation.'] as const),
    ],
    [
      'is gone',
      () => (state.person = null),
      ...([401, 'invalid_token', 'The token belongs to a person who has left the organisation.'] as const),
    ],
    ...[null, { ...ACCOUNT, tenant: 'u' }, { ...ACCOUNT, oid: 'p' }].map(
      (account): [string, () => unknown, number, string, string] => [
        `has the account ${JSON.stringify(account)}`,
        () => (state.person = ann({ account })),
        ...([
          401,
          'invalid_token',
          'The token belongs to an account that the person no longer has.',
        ] as const),
      ],
    ),
    [
      'is of an organisation without a release',
      () => (state.document = null),
      ...([503, 'unavailable', 'The organisation has not published anything.'] as const),
    ],
  ])('of one who %s is refused', async (_, change, ...expected) => {
    change()
    expect(await refusal('GET', USER)).toEqual(expected)
  })

  it('needs a bearer, also for the maintenance', async () => {
    const { authorization: _, ...others } = HEADERS
    for (const path of ['/api/addin/maintenance', USER])
      expect(await refusal('GET', path, undefined, others)).toEqual([401, 'invalid_token', 'No bearer.'])
    state.person = null
    expect((await ask('GET', '/api/addin/maintenance')).body).toEqual({ data: { status: 'planned' } })
  })

  it('names the release that it is answered from', async () => {
    expect((await ask('GET', USER)).headers['x-signet-release']).toBe('r-1')
  })
})

describe('a sign-in', () => {
  const path = '/authentication/addin/azure'
  const body = { accessToken: 'token', email: 'Ann@x.example' }

  it.each([
    [['Signet.Publish'], true],
    [['Signet.Read'], false],
    [[], false],
  ])('with the roles %j is of an administrator: %s', async (roles, isAdmin) => {
    state.roles = roles
    const answer = await ask('POST', path, body)
    expect(answer.body).toMatchObject({
      data: { access_token: 'issued', signature: { combined_ids: 'one-ann', signature: '<p>Sailor</p>' } },
    })
    expect(noted).toEqual([
      [
        'issue',
        {
          organisation: 'default',
          person: 'ann',
          account: ACCOUNT,
          email: 'Ann@x.example',
          isAdmin,
          authTime: NOW,
        },
      ],
    ])
  })

  it('brings no default when none is to be sent', async () => {
    state.sendsDefault = false
    expect((await ask('POST', path, body)).body).toEqual({ data: { access_token: 'issued' } })
  })

  it.each([
    { accessToken: '' },
    { email: 'none' },
    { email: `${'x'.repeat(320)}@x.example` },
    { accessToken: 7 },
  ])('with %j is refused', async (change) => {
    expect((await ask('POST', path, { ...body, ...change })).body).toMatchObject({ code: 'invalid_body' })
    expect(noted).toEqual([])
  })

  it('is renewed as it was', async () => {
    expect((await ask('GET', '/authentication/access-token')).body).toEqual({
      data: { access_token: 'issued' },
    })
    expect(noted).toEqual([
      ['renewable', 1],
      ['issue', state.bearer],
    ])
  })
})

describe('the tag of an answer', () => {
  const tagOf = async (url = USER) => String((await ask('GET', url)).headers.etag)
  it('is the same for the same, and makes it unnecessary', async () => {
    const tag = await tagOf()
    expect(tag).toMatch(/^"[\w-]{22}"$/)
    expect(await tagOf()).toBe(tag)
    for (const header of [tag, `W/${tag}`, `"x", ${tag}`, '*', ` ${tag} `]) {
      const { status, body, headers } = await ask('GET', USER, undefined, {
        ...HEADERS,
        'if-none-match': header,
      })
      expect([status, body, headers.etag, headers['cache-control']]).toEqual([
        ...[304, null, tag, 'private, no-cache'],
      ])
    }
    for (const header of ['"x"', tag.slice(1, -1), `x${tag}`, ''])
      expect((await ask('GET', USER, undefined, { ...HEADERS, 'if-none-match': header })).status).toBe(200)
  })

  it.each<[string, () => unknown]>([
    ['the address of the service', () => (state.publicUrl = 'https://other.example')],
    ['the release', () => (state.release = 'r-2')],
    ['[MEET-6] SIGNET_GUARD', () => (state.isGuarding = false)],
    ['a period that opens', () => (state.now = Date.parse('2026-09-02T00:00:00Z'))],
    ['the rights', () => (state.bearer = { ...state.bearer, isAdmin: true })],
    ['the person', () => (state.person = ann({ language: 'de' }))],
  ])('is another one with %s', async (_, change) => {
    const before = await tagOf(LIST)
    change()
    expect(await tagOf(LIST)).not.toBe(before)
  })

  it.each([
    ['a period that opens', USER, () => (state.now = Date.parse('2026-09-02T00:00:00Z'))],
    ['another person', '/api/addin/variables', () => (state.person = ann({ language: 'de' }))],
    ['another release', '/api/addin/user/photo', () => (state.release = 'r-2')],
  ])('is the same with %s, on which the answer does not depend', async (_, url, change) => {
    const before = await tagOf(url)
    change()
    expect(await tagOf(url)).toBe(before)
  })

  it('is another one for another question, and none of the time that passes', async () => {
    const before = await tagOf(LIST)
    expect(await tagOf(`${LIST}?page=2`)).not.toBe(before)
    state.now += 3_600_000
    expect(await tagOf(LIST)).toBe(before)
  })
})

describe('the answers about a user', () => {
  it('tell who that is', async () => {
    state.person = ann({ language: 'de', picture: `${'a'.repeat(32)}.png` })
    expect((await ask('GET', USER)).body).toEqual({
      id: 'ann',
      email: 'ann@x.example',
      is_admin: false,
      auth_type: 'azure',
      language: 'de',
      picture_url: `https://s.example/images/${'a'.repeat(32)}/portrait.png`,
      client_name: 'Northwind',
      computed_variables: { display_name: '' },
      delegations: ['desk@x.example'],
      metadata: {},
      changed_fields: [],
      original_data: expect.any(Object) as object,
    })
    state.person = ann({ addresses: [] })
    const { body } = await ask('GET', USER)
    expect([body?.['email'], body?.['picture_url'], Object.hasOwn(body ?? {}, 'language')]).toEqual([
      '',
      '',
      false,
    ])
  })

  it.each<[string, unknown]>([
    ['/api/addin/subscription', { plan_id: 'full' }],
    ['/api/addin/configs', { config: { addin: { signature_by_default: true } } }],
    ['/api/addin/user/variables', { values: expect.objectContaining({ title: 'Sailor' }) as object }],
    ['/api/addin/user/photo', { data: { url: null } }],
    ['/api/addin/variables', { objects: expect.any(Array) as object }],
  ])('of %s are in their shape', async (path, expected) => {
    expect((await ask('GET', path)).body).toEqual(expected)
  })

  it('keep what the add-in tells', async () => {
    const info = { package: 'x', context: [], settings: {}, beta: false, navigator: { a: 1 } }
    const path = '/api/addin/user/addin-info'
    expect((await ask('PUT', path, info)).status).toBe(204)
    expect(noted).toEqual([['told', 'ann', info, NOW]])
    expect((await ask('PUT', path, { ...info, context: Array.from({ length: 50 }, () => 1) })).status).toBe(
      204,
    )
    expect((await ask('PUT', path, { ...info, context: Array.from({ length: 51 }, () => 1) })).status).toBe(
      400,
    )
  })
})

describe('the picture of a user', () => {
  const path = '/api/addin/user/photo'
  it('is kept by its owner and its content, and the one before is dropped', async () => {
    state.person = ann({ picture: 'before.png' })
    const photo = png(2).toString('base64')
    const { body } = await ask('PUT', path, { photo })
    const [, hash] = noted[0] as [string, string, string]
    expect(body).toEqual({ data: { url: `https://s.example/images/${hash}/portrait.png` } })
    expect(noted).toEqual([
      ['kept', hash, 'image/png'],
      ['write', 'ann', { type: 'changePicture', picture: `${hash}.png` }, 'ann'],
      ['dropped', 'before'],
    ])
    noted = []
    state.person = ann({ picture: `${hash}.png` })
    await ask('PUT', path, { photo })
    expect(noted.map((each) => (each as unknown[])[0])).toEqual(['kept', 'write'])
    noted = []
    state.person = ann({ id: 'bob' })
    await ask('PUT', path, { photo })
    expect((noted[0] as unknown[])[1]).not.toBe(hash)
  })

  it('is removed', async () => {
    state.person = ann({ picture: 'before.png' })
    expect((await ask('DELETE', path)).status).toBe(204)
    expect(noted).toEqual([
      ['write', 'ann', { type: 'removePicture' }, 'ann'],
      ['dropped', 'before'],
    ])
    noted = []
    state.person = ann()
    await ask('DELETE', path)
    expect(noted).toHaveLength(1)
  })
})

describe('the default', () => {
  const WITH_PICTURES = `${DEFAULT}?build_base64=true`
  const signIn = () =>
    ask('POST', '/authentication/addin/azure', { accessToken: 'token', email: 'ann@x.example' })

  it('is rendered once for the same tag, and is what the sign-in brings', async () => {
    const first = await ask('GET', WITH_PICTURES)
    expect((await ask('GET', WITH_PICTURES)).body).toEqual(first.body)
    expect((await signIn()).body).toEqual({ data: { access_token: 'issued', signature: first.body } })
    expect(rendered).toBe(1)
    state.person = ann({ values: { title: 'Captain' } })
    expect((await ask('GET', WITH_PICTURES)).body).toMatchObject({ signature: '<p>Captain</p>' })
    expect(rendered).toBe(2)
    // The sign-in of the fixture is by the person as before.
    expect((await signIn()).body).toEqual({ data: { access_token: 'issued', signature: first.body } })
    expect(rendered).toBe(2)
  })

  it('is rendered again while a picture of it is missing', async () => {
    const hash = 'a'.repeat(32)
    const templates = { 'templates/a.html': `<p><img src="https://s.example/images/${hash}/logo.png"></p>` }
    state.document = { ...document, templates }
    const pictures = async () => (await ask('GET', WITH_PICTURES)).body?.['base64_embedded_images']
    expect(await pictures()).toMatchObject([{ status: 404, content: '' }])
    state.picture = { mediaType: 'image/png', bytes: new Uint8Array([1, 2, 3]) }
    expect(await pictures()).toMatchObject([{ status: 200, content: 'AQID' }])
    expect(rendered).toBe(2)
    expect(await pictures()).toMatchObject([{ status: 200, content: 'AQID' }])
    expect(rendered).toBe(2)
  })
})

describe('signatures', () => {
  it.each([
    ['page=0', false],
    ['page=1', true],
    ['page=100000', true],
    ['page=100001', false],
    ['page=x', false],
    ['page=1.5', false],
    ['per_page=0', false],
    ['per_page=50', true],
    ['per_page=51', false],
    ['build_base64=true', true],
    ['build_base64=1', false],
    ['combined_ids=', false],
    [`combined_ids=${'x'.repeat(500)}`, true],
    [`combined_ids=${'x'.repeat(501)}`, false],
  ])('are listed with %s: %s', async (query, isTaken) => {
    expect((await ask('GET', `${LIST}?${query}`)).status).toBe(isTaken ? 200 : 400)
  })

  it('are five to a page, without addresses', async () => {
    const { body } = await ask('GET', LIST)
    expect(body).toMatchObject({ total: 2, page: 1, objects: [{ name: 'one' }, { name: 'two' }] })
    expect((body?.['objects'] as readonly object[])[0]).not.toHaveProperty('email')
    expect((await ask('GET', DEFAULT)).body).toMatchObject({ combined_ids: 'one-ann' })
    expect((await ask('GET', `${DEFAULT}?combined_ids=two-ann`)).body).toMatchObject({
      combined_ids: 'two-ann',
    })
  })

  it('of mailboxes are listed with their addresses, each mailbox once', async () => {
    const batch = (...user_ids: readonly string[]) => ask('POST', `${LIST}/get/batch`, { user_ids })
    const { body } = await batch('desk@x.example', 'desk@x.example')
    expect(body).toMatchObject({ total: 2, objects: [{ email: 'desk@x.example' }, { name: 'two' }] })
    expect((await batch()).body).toEqual({ objects: [], total: 0, page: 1 })
    for (const ids of [['ann'], ['desk@x.example', 'other']])
      expect(await batch(...ids)).toMatchObject({
        status: 403,
        body: {
          code: 'not_delegated',
          message: 'Not all of these people share their signatures with you.',
        },
      })
    expect((await batch(...Array.from({ length: 201 }, () => 'x'))).status).toBe(400)
  })
})

describe('a choice', () => {
  const path = '/signatures-cache/api/v2/signature/default'
  const SAVE = '/api/addin/user/variables_with_options'
  const save = (defaultSignature: object) =>
    ask('PUT', SAVE, { data: { metadata: { defaultSignature } }, reset_fields: [] })

  it('is written for a signature that the user sees', async () => {
    expect((await ask('PUT', path, { combined_ids: 'two-ann' })).status).toBe(204)
    expect(noted).toEqual([['write', 'ann', { type: 'chooseDefault', combinedIds: 'two-ann' }, 'ann']])
    noted = []
    expect((await ask('PUT', path, { combined_ids: 'gone-ann' })).status).toBe(404)
    expect(noted).toEqual([])
  })

  it('is left to the write where the user may not choose', async () => {
    state.document = { ...document, chooseDefault: NO_ONE }
    expect((await ask('PUT', path, { combined_ids: 'gone-ann' })).status).toBe(204)
    expect(noted).toHaveLength(1)
  })

  it.each<[object, number]>([
    [{ master: 'two-ann' }, 200],
    [{ master: 'gone-ann' }, 404],
    [{ master: 'two-ann', reply: 'gone-ann' }, 404],
    [{ master: 'two-ann', bySender: { 'a@x.example': 'gone-ann' } }, 404],
    [{ bySender: { 'a@x.example': 'one-ann' } }, 200],
    [{ master: null, bySender: {} }, 200],
    [{ master: null }, 400],
    [{}, 400],
    [{ reply: 'one-ann', bySender: {} }, 400],
    [{ master: '' }, 400],
    [{ bySender: { ['x'.repeat(321)]: 'one-ann' } }, 400],
  ])('that is saved as %j gets %i', async (choice, status) => {
    expect((await save(choice)).status).toBe(status)
    expect(noted).toHaveLength(status === 200 ? 1 : 0)
  })

  it('that was there before may be saved again, though it is gone', async () => {
    const defaultSignature = { master: 'gone-ann', reply: 'old-ann', bySender: { a: 'third-ann' } }
    state.person = ann({ metadata: { defaultSignature } })
    expect((await save(defaultSignature)).status).toBe(200)
    expect((await save({ ...defaultSignature, reply: 'new-ann' })).status).toBe(404)
  })

  it('is saved with values, over what the sender had', async () => {
    const data = { title: 'Captain', metadata: { theme: 'dark' } }
    const base = { title: 'Sailor', metadata: { theme: 'light' } }
    const { body } = await ask('PUT', SAVE, { data, reset_fields: ['phone'], base })
    expect(noted).toEqual([
      [
        'write',
        'ann',
        {
          type: 'saveValues',
          values: { title: 'Captain' },
          resetFields: ['phone'],
          metadata: { theme: 'dark' },
          base: { values: { title: 'Sailor' }, metadata: { theme: 'light' } },
        },
        'ann',
      ],
    ])
    expect(body).toMatchObject({ data: { title: 'Sailor' }, changed_fields: [] })
    noted = []
    await ask('PUT', SAVE, { data: { title: 'x' }, reset_fields: [] })
    expect(noted).toEqual([
      ['write', 'ann', { type: 'saveValues', values: { title: 'x' }, resetFields: [] }, 'ann'],
    ])
    expect((await ask('PUT', SAVE, { data: { title: 'x'.repeat(4_001) }, reset_fields: [] })).status).toBe(
      400,
    )
    expect((await ask('PUT', SAVE, { data: { title: 'x'.repeat(4_000) }, reset_fields: [] })).status).toBe(
      200,
    )
  })
})
