import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWebServer, listen, type RunningServer } from '../../../src/server/webServer.ts'
import { refusalFor } from '../../../src/service/http/refusals.ts'
import {
  CORE_GROUP_URN,
  CORE_USER_URN,
  ENTERPRISE_USER_URN,
  GROUP_TYPE,
  USER_TYPE,
} from '../../../src/service/scim/schemas.ts'
import { createResources } from '../../../src/service/scim/resources.ts'
import { addScim, SCIM_PATH } from '../../../src/service/scim/scim.ts'
import type { DirectoryStore } from '../../../src/service/sql/directoryStore.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { VersionConflict } from '../../../src/service/sql/problems.ts'
import { overPostgres } from '../../support/databases.ts'

// SCIM as it goes over the wire: what Microsoft documents of its provisioning, the cases of its validator, and RFC 7644.

const TOKEN = 'the-token-of-the-directory-0123456789'
const PUBLIC = 'https://signet.northwind.example'
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

type Body = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly totalResults: number
  readonly Resources: readonly Body[]
  readonly meta: Readonly<Record<string, string>>
}
type Answer = Readonly<{ status: number; headers: Headers; text: string; body: Body }>

overPostgres('SCIM', (open) => {
  let store: Store
  let server: RunningServer
  let clock = Date.parse('2026-09-01T10:00:00Z')
  let made = 0
  let applied: (readonly string[])[] = []

  beforeAll(async () => {
    store = await open()
    const { app } = await createWebServer([], null, { refusalFor })
    const base = () => `${PUBLIC}${SCIM_PATH}`
    const resources = createResources({
      base,
      userType: USER_TYPE,
      now: () => clock,
      store: store.directory,
      newId: () => `id-${String((made += 1)).padStart(4, '0')}`,
      apply: async (users) => {
        applied = [...applied, users]
      },
    })
    await addScim(app, { base, resourcesOf: async (token) => (token === TOKEN ? resources : null) })
    server = await listen(app, 0)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await store.clear()
    applied = []
  })

  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const answer = await fetch(`${server.url}/scim/v2${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/scim+json; charset=utf-8' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const read = (text === '' ? {} : JSON.parse(text)) as Body
    return { status: answer.status, headers: answer.headers, text, body: read }
  }
  const resourcesOver = (change: Partial<DirectoryStore>) =>
    createResources({
      userType: USER_TYPE,
      store: { ...store.directory, ...change },
      base: () => PUBLIC,
      now: () => clock,
      apply: () => Promise.resolve(),
      newId: () => 'new',
    })
  const get = (path: string, query: Readonly<Record<string, string>> = {}) =>
    ask('GET', `${path}?${new URLSearchParams(query).toString()}`)
  const patch = (path: string, ...Operations: readonly object[]) =>
    ask('PATCH', path, { schemas: [PATCH_OP], Operations })
  const refusal = ({ status, body }: Answer) => [status, body['scimType'] ?? null]
  const idsOf = ({ body }: Answer) => body.Resources.map(({ id }) => id)

  const user = (userName: string, more: object = {}) => ({
    schemas: [CORE_USER_URN, ENTERPRISE_USER_URN],
    externalId: `0a21f0f2-8d2a-4f8e-bf98-${userName.padEnd(12, '0').slice(0, 12)}`,
    userName,
    active: true,
    emails: [{ primary: true, type: 'work', value: `${userName}@testuser.example` }],
    meta: { resourceType: 'User' },
    name: { formatted: 'given family', familyName: 'family', givenName: 'given' },
    roles: [],
    ...more,
  })
  const addUser = async (userName: string, more: object = {}) =>
    (await ask('POST', '/Users', user(userName, more))).body.id
  const group = (displayName: string, more: object = {}) => ({
    schemas: [CORE_GROUP_URN, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: `8aa1a0c0-${displayName}`,
    displayName,
    meta: { resourceType: 'Group' },
    ...more,
  })
  const addGroup = async (displayName: string, more: object = {}) =>
    (await ask('POST', '/Groups', group(displayName, more))).body.id
  const membersOf = async (id: string) => {
    const { body } = await get(`/Groups/${id}`)
    return (body['members'] as readonly { value: string }[]).map(({ value }) => value)
  }

  describe('a user', () => {
    it('is created with an address, and answered as it was sent', async () => {
      const { status, headers, body } = await ask('POST', '/Users', user('ann'))
      expect(status).toBe(201)
      expect(headers.get('content-type')).toMatch(/^application\/scim\+json/)
      expect(headers.get('location')).toBe(`${PUBLIC}/scim/v2/Users/${body.id}`)
      const { meta: _meta, roles: _roles, ...sent } = user('ann')
      expect(body).toEqual({
        ...sent,
        schemas: [CORE_USER_URN],
        id: expect.stringMatching(/^id-/) as string,
        meta: {
          resourceType: 'User',
          created: '2026-09-01T10:00:00.000Z',
          lastModified: '2026-09-01T10:00:00.000Z',
          location: `${PUBLIC}/scim/v2/Users/${body.id}`,
        },
      })
      expect((await get(`/Users/${body.id}`)).body).toEqual(body)
      expect(applied).toEqual([[body.id]])
    })

    it('is refused when another has the name, whatever its case', async () => {
      const ann = await addUser('ann')
      const bob = await addUser('bob')
      expect(refusal(await ask('POST', '/Users', user('ANN')))).toEqual([409, 'uniqueness'])
      const rename = { op: 'Replace', path: 'userName', value: 'Ann' }
      expect(refusal(await patch(`/Users/${bob}`, rename))).toEqual([409, 'uniqueness'])
      expect(refusal(await ask('PUT', `/Users/${bob}`, user('ann')))).toEqual([409, 'uniqueness'])
      expect((await patch(`/Users/${ann}`, rename)).status).toBe(200)
      expect((await get('/Users')).body.totalResults).toBe(2)
    })

    it('of two created at once with one name is one', async () => {
      const answers = await Promise.all(Array.from({ length: 4 }, () => ask('POST', '/Users', user('ann'))))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    })

    it.each<[object, string]>([
      [{ userName: undefined }, 'invalidValue'],
      [{ userName: ' ' }, 'invalidValue'],
      [{ userName: {} }, 'invalidValue'],
      [{ active: 'perhaps' }, 'invalidValue'],
      [{ emails: 'none', phoneNumbers: [7] }, 'invalidValue'],
    ])('with %j is refused', async (more, code) => {
      expect(refusal(await ask('POST', '/Users', user('ann', more)))).toEqual([400, code])
      expect((await get('/Users')).body.totalResults).toBe(0)
    })

    it.each(['/Users', '/Groups'])(
      'or a group with a name that no index takes is refused: %s',
      async (path) => {
        const name = randomBytes(3_000).toString('base64').slice(0, 3_900)
        const body = path === '/Users' ? user('ann') : group('Sales')
        for (const long of [
          { [path === '/Users' ? 'userName' : 'displayName']: name },
          { externalId: name },
        ]) {
          expect(refusal(await ask('POST', path, { ...body, ...long }))).toEqual([400, 'invalidValue'])
          const { id } = (await ask('POST', path, body)).body
          const operation = { op: 'Replace', value: long }
          expect(refusal(await patch(`${path}/${id}`, operation))).toEqual([400, 'invalidValue'])
          await ask('DELETE', `${path}/${id}`)
        }
        const fits = {
          userName: `a${'é'.repeat(499)}`,
          displayName: '€'.repeat(500),
          externalId: '😀'.repeat(250),
        }
        expect((await ask('POST', path, { ...body, ...fits })).status).toBe(201)
      },
    )

    it('that the database could not write for another one is told to be tried again', async () => {
      const { add } = resourcesOver({ writeOver: () => Promise.reject(new VersionConflict('40001')) })
      await expect(add(USER_TYPE, { userName: 'ann' }, null)).rejects.toMatchObject({
        code: 'conflict',
      })
    })

    it('that is not there is answered with 404, in the shape of SCIM', async () => {
      const gone = await addUser('ann')
      expect((await ask('DELETE', `/Users/${gone}`)).status).toBe(204)
      for (const id of ['5171a35d82074e068ce2', gone, 'x'.repeat(100), 'a%00b'])
        for (const answer of [
          await get(`/Users/${id}`),
          await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: false }),
          await ask('PUT', `/Users/${id}`, user('ann')),
          await ask('DELETE', `/Users/${id}`),
        ]) {
          expect([answer.status, answer.body['status'], answer.body['schemas']]).toEqual([
            404,
            '404',
            [ERROR],
          ])
          expect(answer.headers.get('content-type')).toMatch(/^application\/scim\+json/)
        }
      expect(await addUser('ann')).not.toBe(gone)
    })

    it('is changed as Microsoft Entra changes it', async () => {
      const id = await addUser('ann')
      clock += 60_000
      const { status, body } = await patch(
        `/Users/${id}`,
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@testuser.example' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: `${ENTERPRISE_USER_URN}:manager`, value: 'm-1' },
      )
      expect(status).toBe(200)
      expect(body).toMatchObject({
        schemas: [CORE_USER_URN, ENTERPRISE_USER_URN],
        emails: [{ type: 'work', primary: true, value: 'updated@testuser.example' }],
        name: { familyName: 'updatedFamilyName', givenName: 'given' },
        [ENTERPRISE_USER_URN]: { manager: { value: 'm-1' } },
      })
      expect(body.meta['lastModified']).toBe(new Date(clock).toISOString())
      expect(body.meta['created']).not.toBe(body.meta['lastModified'])
      const removed = await patch(`/Users/${id}`, { op: 'Remove', path: `${ENTERPRISE_USER_URN}:manager` })
      expect(removed.body['schemas']).toEqual([CORE_USER_URN])
      expect(applied).toEqual([[id], [id], [id]])
    })

    it.each([false, 'False'])('that is disabled by %j is still found, and enabled again', async (off) => {
      const id = await addUser('ann')
      expect(
        (await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: off })).body['active'],
      ).toBe(false)
      const { body } = await get('/Users', { filter: 'userName eq "ann"' })
      expect(body.Resources.map(({ active }) => active)).toEqual([false])
      expect((await patch(`/Users/${id}`, { op: 'Replace', value: { active: 'True' } })).body['active']).toBe(
        true,
      )
      expect(applied).toEqual([[id], [id], [id]])
    })

    it('whose change says nothing new is not written', async () => {
      const id = await addUser('ann')
      clock += 60_000
      const before = (await get(`/Users/${id}`)).body
      const { body } = await patch(`/Users/${id}`, { op: 'Replace', path: 'userName', value: 'ann' })
      expect(body).toEqual(before)
      // A killed process may have left it unapplied.
      expect(applied).toEqual([[id], [id]])
    })

    it('whose change is refused is as before', async () => {
      const id = await addUser('ann')
      const before = (await get(`/Users/${id}`)).body
      const title = { op: 'Add', path: 'title', value: 'Guide' }
      for (const [code, operation] of [
        ['invalidPath', { op: 'Add', path: 'emails[type eq', value: '2' }],
        ['noTarget', { op: 'Remove' }],
        ['mutability', { op: 'Remove', path: 'userName' }],
        ['mutability', { op: 'Replace', path: 'id', value: 'x' }],
        ['invalidValue', { op: 'Replace', path: 'userName', value: '' }],
        ['invalidSyntax', { op: 'Move', path: 'title' }],
      ] as const)
        expect(refusal(await patch(`/Users/${id}`, title, operation))).toEqual([400, code])
      expect((await get(`/Users/${id}`)).body).toEqual(before)
    })

    it('is added, changed and replaced without what the service does not keep', async () => {
      const unkept = {
        roles: [{ value: 'Administrator', primary: 'True' }],
        entitlements: [{ value: 'all' }],
        x509Certificates: [{ value: 'MIIDQzCCAqygAwIBAgICEAAw' }],
        photos: 'https://x.example/1',
      }
      const unkeptNames = Object.keys(unkept)
      const kept = ({ body }: Answer) => Object.keys(body).filter((name) => unkeptNames.includes(name))
      const added = await ask('POST', '/Users', user('ann', unkept))
      expect([added.status, kept(added)]).toEqual([201, []])
      const path = `/Users/${added.body.id}`
      const changed = await patch(
        path,
        { op: 'Add', path: 'title', value: 'Guide' },
        { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Reader' },
        { op: 'Replace', value: { ...unkept, nickName: 'Annie' } },
        { op: 'Remove', path: 'x509Certificates' },
      )
      expect([changed.status, kept(changed)]).toEqual([200, []])
      expect(changed.body).toMatchObject({ title: 'Guide', nickName: 'Annie' })
      const replaced = await ask('PUT', path, user('ann', { ...unkept, title: 'Pilot' }))
      expect([replaced.status, kept(replaced), replaced.body['title']]).toEqual([200, [], 'Pilot'])
    })

    it('is replaced as a whole', async () => {
      const id = await addUser('ann', { title: 'Guide', active: false })
      const { emails: _emails, active: _active, ...rest } = user('ann')
      const { status, body } = await ask('PUT', `/Users/${id}`, { ...rest, id: 'another', nickName: 'A' })
      expect(status).toBe(200)
      expect(body).toMatchObject({ id, nickName: 'A', active: true })
      expect(Object.keys(body)).not.toContain('title')
      expect(Object.keys(body)).not.toContain('emails')
    })

    it('changed from many sides at once has every change', async () => {
      const id = await addUser('ann')
      const attributes = ['title', 'nickName', 'userType']
      const answers = await Promise.all(
        attributes.map((path) => patch(`/Users/${id}`, { op: 'Add', path, value: path })),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect((await get(`/Users/${id}`)).body).toMatchObject({
        title: 'title',
        nickName: 'nickName',
        userType: 'userType',
      })
    })
  })

  describe('a query', () => {
    beforeEach(async () => {
      for (const name of ['ann', 'bob', 'cid', 'dan', 'eve'])
        await addUser(name, { title: name === 'eve' ? 'Captain' : 'Sailor' })
    })

    it.each<[string, readonly string[]]>([
      ['userName eq "ann"', ['ann']],
      ['userName eq "ANN"', ['ann']],
      ['USERNAME EQ "bob" and active eq true', ['bob']],
      ['userName eq "non-existent user"', []],
      ['externalId eq "0a21f0f2-8d2a-4f8e-bf98-cid000000000"', ['cid']],
      ['externalId eq "0A21F0F2-8D2A-4F8E-BF98-CID000000000"', []],
      ['emails[type eq "work"].value eq "Dan@testuser.example"', ['dan']],
      ['emails[type eq "home"].value eq "dan@testuser.example"', []],
      ['emails[type eq "work" and value eq "dan@testuser.example"]', ['dan']],
      ['emails.value eq "dan@testuser.example"', ['dan']],
      ['emails eq "no address"', []],
      ['title eq "sailor" and userName gt "b"', ['bob', 'cid', 'dan']],
      ['title eq "captain" or userName eq "ann"', ['ann', 'eve']],
      ['not (title eq "sailor")', ['eve']],
      ['not (userName eq "ann")', ['bob', 'cid', 'dan', 'eve']],
      ['userName eq "ann" and userName eq "bob"', []],
      ['userName co "n"', ['ann', 'dan']],
      ['id eq "unknown"', []],
    ])('%s finds %j', async (filter, names) => {
      const { status, body } = await get('/Users', { filter })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        schemas: [LIST],
        totalResults: names.length,
        startIndex: 1,
        itemsPerPage: names.length,
      })
      expect(body.Resources.map(({ userName }) => userName)).toEqual(names)
    })

    it('by the id finds the user', async () => {
      const [first] = idsOf(await get('/Users'))
      expect(idsOf(await get('/Users', { filter: `id eq "${String(first)}"` }))).toEqual([first])
    })

    it.each<[Record<string, string>, readonly string[], number, number]>([
      [{ startIndex: '2', count: '2' }, ['bob', 'cid'], 5, 2],
      [{ startIndex: '4', count: '9' }, ['dan', 'eve'], 5, 4],
      [{ startIndex: '9' }, [], 5, 9],
      [{ startIndex: '0', count: '1' }, ['ann'], 5, 1],
      [{ startIndex: '-3', count: '1' }, ['ann'], 5, 1],
      [{ count: '0' }, [], 5, 1],
      [{ count: '-1' }, [], 5, 1],
      [{ filter: 'title eq "sailor"', startIndex: '2', count: '2' }, ['bob', 'cid'], 4, 2],
      [{ filter: 'title eq "sailor"', count: '0' }, [], 4, 1],
      [{ filter: '' }, ['ann', 'bob', 'cid', 'dan', 'eve'], 5, 1],
    ])('%j is a page', async (query, names, total, startIndex) => {
      const { body } = await get('/Users', query)
      expect(body.Resources.map(({ userName }) => userName)).toEqual(names)
      expect(body).toMatchObject({ totalResults: total, startIndex, itemsPerPage: names.length })
    })

    it('answers the attributes that are asked for', async () => {
      const filter = 'userName eq "ann"'
      const shown = async (query: Readonly<Record<string, string>>) =>
        (await get('/Users', { filter, ...query })).body.Resources[0]
      const [{ id }] = (await get('/Users', { filter })).body.Resources as [Body]
      expect(await shown({ attributes: 'userName, NAME.givenName,emails.value,wings' })).toEqual({
        schemas: [CORE_USER_URN],
        id,
        userName: 'ann',
        name: { givenName: 'given' },
        emails: [{ value: 'ann@testuser.example' }],
      })
      expect(
        Object.keys((await shown({ excludedAttributes: 'id,emails,name.formatted,meta' })) ?? {}).sort(),
      ).toEqual(['active', 'externalId', 'id', 'name', 'schemas', 'title', 'userName'])
      expect((await shown({ excludedAttributes: 'name.formatted' }))?.['name']).toEqual({
        familyName: 'family',
        givenName: 'given',
      })
      expect((await get(`/Users/${id}`, { attributes: 'title' })).body).toEqual({
        schemas: [CORE_USER_URN],
        id,
        title: 'Sailor',
      })
    })

    it.each<[Record<string, string>, string, string]>([
      [{ filter: 'userName' }, 'invalidFilter', 'expected pr or one of'],
      [{ filter: `userName eq "${'x'.repeat(4_000)}"` }, 'invalidFilter', 'at most 4000 characters'],
      [{ filter: `${'('.repeat(1_000)}a pr` }, 'invalidFilter', 'at most 16 levels'],
      [{ count: 'all' }, 'invalidValue', 'count: must be a whole number'],
      [{ startIndex: '1e9' }, 'invalidValue', 'startIndex: must be a whole number'],
      [{ attributes: 'a b' }, 'invalidPath', 'The path is wrong at character 3'],
    ])('with %j is refused', async (query, code, reason) => {
      const answer = await get('/Users', query)
      expect(refusal(answer)).toEqual([400, code])
      expect(answer.body['detail']).toContain(reason)
    })
  })

  describe('a group', () => {
    it('is created without members, and found by its name, whatever the case', async () => {
      const { status, body } = await ask('POST', '/Groups', group('Sales'))
      expect([status, body['members'], body['displayName']]).toEqual([201, [], 'Sales'])
      const query = { excludedAttributes: 'members', filter: 'displayName eq "SALES"' }
      const found = await get('/Groups', query)
      expect(idsOf(found)).toEqual([body.id])
      expect(found.body.Resources[0]).not.toHaveProperty('members')
      expect((await get(`/Groups/${body.id}`, { excludedAttributes: 'members' })).body).not.toHaveProperty(
        'members',
      )
      expect((await get('/Groups', { filter: 'displayName eq "other"' })).body.totalResults).toBe(0)
      expect((await get('/Groups', { filter: `externalId eq "8aa1a0c0-Sales"` })).body.totalResults).toBe(1)
      expect(refusal(await ask('POST', '/Groups', group('sales')))).toEqual([409, 'uniqueness'])
      expect(refusal(await ask('POST', '/Groups', group('')))).toEqual([400, 'invalidValue'])
    })

    it('gets and loses members, as with the compliance flag of Microsoft Entra and without', async () => {
      const [ann, bob, cid] = [await addUser('ann'), await addUser('bob'), await addUser('cid')]
      const id = await addGroup('Sales', { members: [{ value: ann }] })
      applied = []
      const add = await patch(`/Groups/${id}`, {
        op: 'Add',
        path: 'members',
        value: [
          { $ref: null, value: bob },
          { $ref: null, value: cid },
        ],
      })
      expect([add.status, add.text]).toEqual([204, ''])
      expect(await membersOf(id)).toEqual([ann, bob, cid])
      await patch(`/Groups/${id}`, { op: 'Remove', path: 'members', value: [{ $ref: null, value: ann }] })
      await patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${cid}"]` })
      expect(await membersOf(id)).toEqual([bob])
      await patch(`/Groups/${id}`, { op: 'Replace', path: 'members', value: [{ value: ann }] })
      expect(await membersOf(id)).toEqual([ann])
      await patch(`/Groups/${id}`, { op: 'remove', path: 'members' })
      expect(await membersOf(id)).toEqual([])
      expect(applied).toEqual([[bob, cid], [ann], [cid], [ann, bob], [ann]])
      expect(await store.directory.memberships('scim', [ann, bob, cid])).toEqual([])
    })

    it('is asked whether it has a member', async () => {
      const [ann, bob] = [await addUser('ann'), await addUser('bob')]
      const sales = await addGroup('Sales', { members: [{ value: ann }] })
      const crew = await addGroup('Crew', { members: [{ value: ann }, { value: bob }] })
      const asked = async (filter: string) => idsOf(await get('/Groups', { filter, attributes: 'id' }))
      expect(await asked(`id eq "${sales}" and members eq "${ann}"`)).toEqual([sales])
      expect(await asked(`id eq "${sales}" and members eq "${bob}"`)).toEqual([])
      expect(await asked(`members[value eq "${ann}"]`)).toEqual([sales, crew])
      expect(await asked(`members eq "${bob}"`)).toEqual([crew])
      expect(await asked(`not (members eq "${bob}")`)).toEqual([sales])
      expect((await get(`/Groups/${crew}`)).body['members']).toEqual(
        [ann, bob].map((value) => ({ value, type: 'User', $ref: `${PUBLIC}/scim/v2/Users/${value}` })),
      )
    })

    it('is renamed, and its members with it', async () => {
      const ann = await addUser('ann')
      const id = await addGroup('Sales', { members: [{ value: ann }] })
      applied = []
      const answer = await patch(`/Groups/${id}`, { op: 'Replace', path: 'displayName', value: 'Harbour' })
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect((await get('/Groups', { filter: 'displayName eq "harbour"' })).body.totalResults).toBe(1)
      expect(applied).toEqual([[ann]])
      const { body } = await ask('PATCH', `/Groups/${id}?attributes=displayName`, {
        schemas: [PATCH_OP],
        Operations: [{ op: 'Replace', path: 'displayName', value: 'Port' }],
      })
      expect(body).toEqual({ schemas: [CORE_GROUP_URN], id, displayName: 'Port' })
    })

    it('whose process is killed as it is renamed has members to be applied', async () => {
      const ann = await addUser('ann')
      const id = await addGroup('Sales', { members: [{ value: ann }] })
      const settle = async () => {
        const entries = await store.directory.entries('scim', 'user', [ann])
        await store.directory.settle(
          'scim',
          entries.map((entry) => ({ ...entry, person: null })),
        )
      }
      const marked = async () =>
        (await store.directory.changedUsers('scim', true, null, 10)).map((entry) => entry.id)
      await settle()
      expect(await marked()).toEqual([])
      const { change } = resourcesOver({
        async writeOver(...written) {
          await store.directory.writeOver(...written)
          throw new Error('killed')
        },
      })
      const renamed = change(GROUP_TYPE, id, async (values) => ({ ...values, displayName: 'Harbour' }), null)
      await expect(renamed).rejects.toThrow('killed')
      expect((await get('/Groups', { filter: 'displayName eq "harbour"' })).body.totalResults).toBe(1)
      expect(await marked()).toEqual([ann])
    })

    it('is replaced with its members', async () => {
      const [ann, bob] = [await addUser('ann'), await addUser('bob')]
      const id = await addGroup('Sales', { members: [{ value: ann }] })
      const { body } = await ask('PUT', `/Groups/${id}`, group('Sales', { members: [{ value: bob }] }))
      expect(body['members']).toMatchObject([{ value: bob }])
      expect((await ask('PUT', `/Groups/${id}`, group('Sales'))).body['members']).toEqual([])
    })

    it('loses a user who is deleted, and its members when it is', async () => {
      const [ann, bob] = [await addUser('ann'), await addUser('bob')]
      const id = await addGroup('Sales', { members: [{ value: ann }, { value: bob }] })
      await ask('DELETE', `/Users/${ann}`)
      expect(await membersOf(id)).toEqual([bob])
      applied = []
      const type = { 'Content-Type': 'application/scim+json' }
      expect((await ask('DELETE', `/Groups/${id}`, undefined, type)).status).toBe(204)
      expect((await ask('DELETE', `/Groups/${id}`)).status).toBe(404)
      expect((await get(`/Groups/${id}`)).status).toBe(404)
      expect(applied).toEqual([[bob]])
      expect((await ask('POST', '/Groups', group('Sales'))).status).toBe(201)
    })

    it('takes thousands of members in one request', async () => {
      const id = await addGroup('Sales')
      const value = Array.from({ length: 5_000 }, (_, index) => ({ value: `u-${String(index)}` }))
      expect((await patch(`/Groups/${id}`, { op: 'Add', path: 'members', value })).status).toBe(204)
      expect(await membersOf(id)).toHaveLength(5_000)
    })
  })

  describe('discovery', () => {
    it('tells what the service can do', async () => {
      const { body, headers } = await get('/ServiceProviderConfig')
      expect(body).toMatchObject({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
        patch: { supported: true },
        bulk: { supported: false },
        filter: { supported: true, maxResults: 200 },
        changePassword: { supported: false },
        sort: { supported: false },
        etag: { supported: false },
        authenticationSchemes: [{ type: 'oauthbearertoken' }],
      })
      expect(headers.get('content-type')).toMatch(/^application\/scim\+json/)
    })

    it.each([
      ['/ResourceTypes', ['User', 'Group']],
      [
        '/Schemas',
        [
          CORE_USER_URN,
          ENTERPRISE_USER_URN,
          'urn:ietf:params:scim:schemas:extension:signet:2.0:User',
          CORE_GROUP_URN,
        ],
      ],
    ])('%s is a list of what can be asked for alone', async (path, ids) => {
      const { body } = await get(path)
      expect(body).toMatchObject({ schemas: [LIST], totalResults: ids.length, startIndex: 1 })
      expect(body.Resources.map(({ id }) => id)).toEqual(ids)
      for (const resource of body.Resources) {
        expect((await get(`${path}/${resource.id}`)).body).toEqual(resource)
        expect(resource.meta['location']).toBe(`${PUBLIC}/scim/v2${path}/${resource.id}`)
      }
      expect((await get(`${path}/other`)).status).toBe(404)
      expect(JSON.stringify(body)).not.toContain('null')
    })
  })

  describe('a stranger', () => {
    it.each([
      {},
      { Authorization: 'Bearer' },
      { Authorization: `Basic ${TOKEN}` },
      { Authorization: `Bearer ${TOKEN}x` },
    ])('with %j is refused everything, and told in the shape of SCIM', async (headers) => {
      for (const [method, path] of [
        ['GET', '/Users'],
        ['POST', '/Users'],
        ['DELETE', '/Groups/1'],
        ['GET', '/Schemas'],
      ] as const) {
        const answer = await ask(method, path, method === 'POST' ? user('ann') : undefined, {
          Authorization: '',
          ...headers,
        })
        expect([answer.status, answer.body['status'], answer.body['schemas']]).toEqual([401, '401', [ERROR]])
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
        expect(answer.text).not.toContain(TOKEN)
      }
      expect((await get('/Users')).body.totalResults).toBe(0)
    })

    it('is not told by an address that is none whether a token is good', async () => {
      const guess = { Authorization: 'Bearer x' }
      const [guessed, good] = [await ask('GET', '/nothing', undefined, guess), await get('/nothing')]
      expect([guessed.status, guessed.text]).toEqual([404, good.text])
    })
  })

  describe('a hostile body', () => {
    const nested = (depth: number): object => (depth === 0 ? {} : { name: nested(depth - 1) })
    it.each<[string, string, number, string | null]>([
      ['that is no JSON', '{"userName":', 400, 'invalidSyntax'],
      ['with __proto__', '{"userName":"x","__proto__":{"active":false}}', 400, 'invalidSyntax'],
      [
        'with constructor.prototype',
        '{"userName":"x","constructor":{"prototype":{"a":1}}}',
        400,
        'invalidSyntax',
      ],
      ['that is too deep', JSON.stringify(nested(40)), 400, 'invalidSyntax'],
      ['that is empty', '', 400, 'invalidSyntax'],
      ['that is a list', '[]', 400, 'invalidSyntax'],
      ['that is a text', '"x"', 400, 'invalidSyntax'],
      ['that is too long', JSON.stringify({ userName: 'x'.repeat(2 * 1024 * 1024) }), 413, null],
    ])('%s is refused', async (_, body, status, code) => {
      const answer = await ask('POST', '/Users', body)
      expect(refusal(answer)).toEqual([status, code])
      expect(answer.body['schemas']).toEqual([ERROR])
      expect((await get('/Users')).body.totalResults).toBe(0)
    })

    it('of another type is refused, and application/json is taken', async () => {
      const type = (value: string) => ({ 'Content-Type': value })
      expect((await ask('POST', '/Users', user('ann'), type('text/plain'))).status).toBe(415)
      expect((await ask('POST', '/Users', user('ann'), type('application/json'))).status).toBe(201)
    })

    it('with the names of prototypes leaves objects as they are', async () => {
      const id = await addUser('ann', {
        constructor: 'x',
        toString: 'y',
        [ENTERPRISE_USER_URN]: { valueOf: 'z' },
      })
      const { body } = await get(`/Users/${id}`)
      expect(Object.keys(body)).not.toContain('constructor')
      for (const path of [
        '__proto__.x',
        'constructor.prototype.x',
        'name.__proto__',
        'emails[__proto__ eq "x"].value',
      ])
        expect((await patch(`/Users/${id}`, { op: 'Add', path, value: 'x' })).status).toBe(400)
      expect(({} as Record<string, unknown>)['x']).toBeUndefined()
    })

    it('at an address that is none is not found', async () => {
      for (const path of ['/nothing', '/Users/1/2', '/Bulk', '/Me'])
        expect((await get(path)).body).toMatchObject({ schemas: [ERROR], status: '404' })
    })
  })
})
