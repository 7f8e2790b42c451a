import { describe, expect, it } from 'vitest'
import { createWebServer } from '../../../src/server/webServer.ts'
import { refusalFor } from '../../../src/service/http/refusals.ts'
import { MAX_FILTER_CHARACTERS, parseFilter, parsePatchPath } from '../../../src/service/scim/filter.ts'
import type { ResourceValues } from '../../../src/service/scim/resource.ts'
import { createResources } from '../../../src/service/scim/resources.ts'
import { addScim } from '../../../src/service/scim/scim.ts'
import { GROUP_TYPE, USER_TYPE } from '../../../src/service/scim/schemas.ts'
import type { DirectoryEntry } from '../../../src/service/sql/directoryEntries.ts'
import type { DirectoryStore } from '../../../src/service/sql/directoryStore.ts'
import { VersionConflict } from '../../../src/service/sql/problems.ts'

/** Answers nothing, and notes what it is asked. */
function emptyStore() {
  const asked: (readonly [string, unknown])[] = []
  const store = {
    find: (_source: string, kind: string, by: unknown) => {
      asked.push([`find ${kind}`, by])
      return Promise.resolve([])
    },
    entries: (_source: string, kind: string, ids: unknown) => {
      asked.push([`entries ${kind}`, ids])
      return Promise.resolve([])
    },
    memberships: (_source: string, members: unknown) => {
      asked.push(['memberships', members])
      return Promise.resolve([{ member: 'u-1', group: 'g-1' }])
    },
    page: (_source: string, kind: string) => {
      asked.push([`page ${kind}`, null])
      return Promise.resolve([])
    },
  } as Partial<DirectoryStore> as DirectoryStore
  return { store, asked }
}

describe('a filter', () => {
  const askedBy = async (type: typeof USER_TYPE, filter: string) => {
    const { store, asked } = emptyStore()
    const resources = createResources({
      userType: USER_TYPE,
      store,
      apply: () => Promise.resolve(),
      base: () => 'https://signet.example.com/scim/v2',
      newId: () => 'new',
      now: () => 0,
    })
    const found = await resources.list(type, {
      filter: parseFilter(filter),
      startIndex: 1,
      count: 10,
      withMembers: false,
    })
    expect(found).toEqual({ resources: [], total: 0 })
    return asked
  }

  it.each([
    [USER_TYPE, 'userName eq " Ann "', ['find user', { name: 'ann' }]],
    [USER_TYPE, 'externalId eq "A-1"', ['find user', { externalId: 'a-1' }]],
    [USER_TYPE, 'id eq "U-1"', ['entries user', ['U-1']]],
    [USER_TYPE, 'emails eq "Ann@a.example"', ['find user', { address: 'ann@a.example' }]],
    [USER_TYPE, 'emails.value eq "ann@a.example"', ['find user', { address: 'ann@a.example' }]],
    [
      USER_TYPE,
      'emails[type eq "work" and value eq "ann@a.example"]',
      ['find user', { address: 'ann@a.example' }],
    ],
    [USER_TYPE, 'emails[value eq "ann@a.example"]', ['find user', { address: 'ann@a.example' }]],
    [USER_TYPE, 'title eq "x" and userName eq "ann"', ['find user', { name: 'ann' }]],
    [GROUP_TYPE, 'displayName eq "Sales"', ['find group', { name: 'sales' }]],
    [GROUP_TYPE, 'externalId eq "S"', ['find group', { externalId: 's' }]],
  ] as const)('of %o that says %s is found by an index', async (type, filter, call) => {
    expect(await askedBy(type, filter)).toEqual([call])
  })

  it('for a member is found by the groups of the member', async () => {
    expect(await askedBy(GROUP_TYPE, 'members[value eq "u-1"]')).toEqual([
      ['memberships', ['u-1']],
      ['entries group', ['g-1']],
    ])
  })

  it.each([
    'userName ne "ann"',
    'userName eq "ann" or title eq "x"',
    'not (userName eq "ann")',
    'userName eq true',
    'displayName eq "Ann"',
    'emails.type eq "work"',
    'emails[type eq "work"]',
    'emails[value co "ann"]',
    'emails eq "no address"',
    'title eq "x"',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "x"',
  ])('that says %s looks at all users', async (filter) => {
    expect(await askedBy(USER_TYPE, filter)).toEqual([['page user', null]])
  })

  it.each([
    ['(', 'title pr', ')'],
    ['not (', 'title pr', ')'],
    ['emails[', 'value pr', ']'],
  ])('may be 16 levels deep, each of them %s', (open, inner, close) => {
    const nested = (depth: number) => `${open.repeat(depth)}${inner}${close.repeat(depth)}`
    expect(() => parseFilter(nested(16))).not.toThrow()
    expect(() => parseFilter(nested(17))).toThrow('at most 16 levels')
    const inPath = (depth: number) => `emails[${nested(depth)}]`
    expect(() => parsePatchPath(inPath(15))).not.toThrow()
    expect(() => parsePatchPath(inPath(16))).toThrow('at most 16 levels')
  })

  it('may have 4,000 characters', () => {
    const long = `title eq "${'x'.repeat(MAX_FILTER_CHARACTERS - 'title eq ""'.length)}"`
    expect(() => parseFilter(long)).not.toThrow()
    expect(() => parseFilter(`${long} `)).toThrow('at most 4000 characters')
  })

  it.each([
    [
      'userName',
      'The filter is wrong at character 9: expected pr or one of eq, ne, co, sw, ew, gt, ge, lt, le.',
    ],
    ['a pr b', 'The filter is wrong at character 6: expected the end.'],
    ['(a pr', 'The filter is wrong at character 6: expected ).'],
    ['a.b.c pr', 'The filter is wrong at character 6: expected an attribute instead of a.b.c.'],
    ['=', 'The filter is wrong at character 1: expected an attribute.'],
    ['a.b[c pr]', 'The filter is wrong at character 5: expected a comparison.'],
    ['a[b pr]. eq 1', 'The filter is wrong at character 9: expected a sub-attribute.'],
    ['a eq 1e999', 'The filter is wrong at character 11: expected a text as JSON writes it.'],
    [
      'a eq x',
      'The filter is wrong at character 7: expected a value: a text in quotes, a number, true, false or null.',
    ],
    ['a gt true', 'The filter is wrong at character 10: expected a text or a number after gt.'],
  ])('%s is refused with what is expected', (filter, sentence) => {
    expect(() => parseFilter(filter)).toThrow(sentence)
  })
})

it('the path of a change is refused as a path', () => {
  expect(() => parsePatchPath('a b')).toThrow('The path is wrong at character 3: expected the end.')
})

describe('resources in the mirror', () => {
  const BASE = 'https://signet.example.com/scim/v2'
  const entryOf = (id: string, values: object, more: Partial<DirectoryEntry> = {}): DirectoryEntry => ({
    id,
    data: { values, created: 'then', lastModified: 'then' } as DirectoryEntry['data'],
    name: id,
    externalId: null,
    addresses: [],
    manager: null,
    active: true,
    revision: 3,
    removed: false,
    erased: false,
    person: null,
    picture: null,
    ...more,
  })
  type Call = readonly [string, ...unknown[]]

  /** A mirror of these entries; `over` replaces some of its calls. */
  function mirrorOf(entries: readonly DirectoryEntry[], over: Partial<DirectoryStore> = {}) {
    const calls: Call[] = []
    const noted =
      <Answer>(name: string, answer: (...asked: readonly unknown[]) => Answer) =>
      (...asked: readonly unknown[]) => {
        calls.push([name, ...asked.slice(1)])
        return Promise.resolve(answer(...asked))
      }
    const store = {
      entries: async (_source, _kind, ids) => entries.filter(({ id }) => ids.includes(id)),
      find: async (_source, _kind, by) => entries.filter(({ name }) => 'name' in by && name === by.name),
      slice: noted('slice', (_source, _kind, skip, limit) =>
        entries.slice(Number(skip), Number(skip) + Number(limit)),
      ),
      page: noted('page', (_source, _kind, after, limit) => {
        const from = after === null ? 0 : entries.findIndex(({ id }) => id === after) + 1
        return entries.slice(from, from + Number(limit))
      }),
      count: async () => entries.length,
      members: async () => ['u-1', 'g-1'],
      subgroups: async () => ['g-1'],
      memberships: async () => [{ member: 'u-1', group: 'g-9' }],
      reports: async () => ['u-8', 'u-9'],
      within: async (_source, ids) => ids.map((id) => `in ${id}`),
      writeOver: noted('writeOver', () => undefined),
      changeMembers: noted('changeMembers', () => undefined),
      markMembers: noted('markMembers', () => undefined),
      remove: noted('remove', () => undefined),
      ...over,
    } as Partial<DirectoryStore> as DirectoryStore
    const applied: (readonly string[])[] = []
    const resources = createResources({
      userType: USER_TYPE,
      store,
      base: () => BASE,
      newId: () => 'new',
      now: () => Date.parse('2026-09-01T10:00:00Z'),
      apply: async (users) => void applied.push(users),
    })
    const written = () =>
      calls.flatMap(([name, kind, told, revision]) =>
        name === 'writeOver' ? [{ kind, told, revision }] : [],
      )
    return { ...resources, calls, applied, written }
  }
  const ann = entryOf('u-1', { userName: 'Ann', externalId: 'A-1' }, { name: 'ann', externalId: 'a-1' })
  const crew = entryOf('g-1', { displayName: 'Crew' }, { name: 'crew' })
  const NOW = '2026-09-01T10:00:00.000Z'
  const notFound = { code: 'not_found', message: 'There is no such resource.' }
  const conflict = {
    code: 'conflict',
    message: 'The resource changed at the same time. Try again.',
  }
  const moved = () => Promise.reject(new VersionConflict('moved'))

  it('are read with their members, users and groups, when these are wanted', async () => {
    const { read } = mirrorOf([ann, crew])
    expect(await read(GROUP_TYPE, 'g-1', false)).not.toHaveProperty('members')
    expect((await read(GROUP_TYPE, 'g-1', true))['members']).toEqual([
      { value: 'u-1', type: 'User', $ref: `${BASE}/Users/u-1` },
      { value: 'g-1', type: 'Group', $ref: `${BASE}/Groups/g-1` },
    ])
    expect(await read(USER_TYPE, 'u-1', true)).not.toHaveProperty('members')
  })

  it.each([{ removed: true }, { erased: true }])('are not there with %j', async (more) => {
    const { read, change, remove } = mirrorOf([entryOf('u-1', {}, more)])
    for (const call of [
      read(USER_TYPE, 'u-1', false),
      read(USER_TYPE, 'u-2', false),
      change(USER_TYPE, 'u-1', async (values) => values, null),
      remove(USER_TYPE, 'u-1'),
    ])
      await expect(call).rejects.toMatchObject(notFound)
  })

  const users = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const id = `u-${String(at).padStart(4, '0')}`
      return entryOf(id, { userName: id, title: at % 2 === 0 ? 'Pilot' : 'Guide' })
    })
  const listed = { filter: null, startIndex: 1, count: 10, withMembers: false }

  it.each([
    [1, 2, ['u-0000', 'u-0001']],
    [3, 2, ['u-0002']],
    [4, 2, []],
  ])('are listed from %i on, %i at once', async (startIndex, count, expected) => {
    const { resources, total } = await mirrorOf(users(3)).list(USER_TYPE, { ...listed, startIndex, count })
    expect([resources.map(({ id }) => id), total]).toEqual([expected, 3])
  })

  it('are only counted when none is wanted', async () => {
    const { list, calls } = mirrorOf(users(3))
    expect(await list(USER_TYPE, { ...listed, count: 0 })).toEqual({ resources: [], total: 3 })
    expect(calls).toEqual([])
  })

  it.each([
    [499, 1],
    [500, 2],
    [1_000, 3],
  ])('are all looked at, %i in %i pages', async (count, pages) => {
    const { list, calls } = mirrorOf(users(count))
    const filter = parseFilter('title eq "pilot"')
    const { resources, total } = await list(USER_TYPE, { ...listed, filter, startIndex: 2, count: 2 })
    expect([resources.map(({ id }) => id), total]).toEqual([['u-0002', 'u-0004'], Math.ceil(count / 2)])
    expect(calls.map(([name]) => name)).toEqual(Array.from({ length: pages }, () => 'page'))
    expect(calls.map(([, , after]) => after).slice(0, 2)).toEqual([null, 'u-0499'].slice(0, pages))
  })

  it('that are found by an index fit the whole filter', async () => {
    const { list, calls } = mirrorOf([ann, entryOf('gone', { userName: 'x' }, { removed: true })])
    const found = async (filter: string) =>
      (await list(USER_TYPE, { ...listed, filter: parseFilter(filter) })).resources.map(({ id }) => id)
    expect(await found('userName eq "ann" and externalId eq "A-1"')).toEqual(['u-1'])
    expect(await found('userName eq "ann" and externalId eq "a-1"')).toEqual([])
    expect(await found('id eq "u-1"')).toEqual(['u-1'])
    expect(await found('id eq "gone"')).toEqual([])
    expect(calls).toEqual([])
  })

  it('are told to the mirror by their names, in lower case', async () => {
    const { add, written, applied } = mirrorOf([])
    const values = {
      userName: ' Bob ',
      externalId: 'B-1',
      active: false,
      emails: [{ value: 'Bob@x.example' }],
    }
    expect(await add(USER_TYPE, values, null)).toBe('new')
    expect(written()).toEqual([
      {
        kind: 'user',
        revision: 0,
        told: {
          id: 'new',
          name: 'bob',
          externalId: 'b-1',
          addresses: ['bob@x.example'],
          manager: null,
          active: false,
          data: { values, created: NOW, lastModified: NOW },
        },
      },
    ])
    expect(applied).toEqual([['new']])
  })

  it('that are groups are told with their members', async () => {
    const { add, written, applied, calls } = mirrorOf([])
    const members = { only: false, added: ['u-1'], removed: ['u-2'] }
    await add(GROUP_TYPE, { displayName: 'Port' }, members)
    expect(written()[0]?.told).toMatchObject({ name: 'port', externalId: null, addresses: [], active: true })
    expect(calls.at(-1)).toEqual(['changeMembers', 'new', { added: ['u-1'], removed: ['u-2'] }, null])
    expect(applied).toEqual([['in u-1', 'in u-2']])
    const without = mirrorOf([])
    await without.add(GROUP_TYPE, { displayName: 'Port' }, null)
    expect(without.applied).toEqual([])
  })

  it('have names of their own', async () => {
    const { add, change, written } = mirrorOf([
      ann,
      entryOf('u-2', { userName: 'Bob' }, { name: 'bob' }),
      crew,
    ])
    const taken = (message: string) => ({ code: 'uniqueness', message })
    await expect(add(USER_TYPE, { userName: 'ANN' }, null)).rejects.toMatchObject(
      taken('Another user has this userName.'),
    )
    await expect(add(GROUP_TYPE, { displayName: 'crew' }, null)).rejects.toMatchObject(
      taken('Another group has this displayName.'),
    )
    const rename = (id: string) =>
      change(USER_TYPE, id, async (values) => ({ ...values, userName: 'aNN' }), null)
    await expect(rename('u-2')).rejects.toMatchObject(taken('Another user has this userName.'))
    expect(written()).toEqual([])
    await rename('u-1')
    expect(written()).toHaveLength(1)
  })

  it('that meet another writer are read again, eight times', async () => {
    let tries = 0
    const failing = (times: number) =>
      mirrorOf([ann], { writeOver: () => ((tries += 1) > times ? Promise.resolve() : moved()) })
    const title = async (values: ResourceValues) => ({ ...values, title: 'x' })
    const seven = failing(7)
    await seven.change(USER_TYPE, 'u-1', title, null)
    expect([tries, seven.applied]).toEqual([8, [['u-1', 'u-8', 'u-9']]])
    tries = 0
    await expect(failing(8).change(USER_TYPE, 'u-1', title, null)).rejects.toMatchObject(conflict)
    expect(tries).toBe(8)
    await expect(
      mirrorOf([], { writeOver: moved }).add(USER_TYPE, { userName: 'x' }, null),
    ).rejects.toMatchObject(conflict)
    const broken = mirrorOf([ann], { writeOver: () => Promise.reject(new Error('broken')) })
    await expect(broken.change(USER_TYPE, 'u-1', title, null)).rejects.toThrow('broken')
    await expect(broken.add(USER_TYPE, { userName: 'x' }, null)).rejects.toThrow('broken')
  })

  it('that meet one of the same name say so', async () => {
    const others: DirectoryEntry[] = []
    const over: Partial<DirectoryStore> = {
      find: async () => others,
      writeOver: () => {
        others.push(entryOf('other', { userName: 'x' }))
        return moved()
      },
    }
    await expect(mirrorOf([], over).add(USER_TYPE, { userName: 'x' }, null)).rejects.toMatchObject({
      code: 'uniqueness',
    })
    others.length = 0
    const change = mirrorOf([ann], over).change(
      USER_TYPE,
      'u-1',
      async (values) => ({ ...values, title: 'x' }),
      null,
    )
    await expect(change).rejects.toMatchObject({ code: 'uniqueness' })
  })

  it('keep when they were added, and say when they changed', async () => {
    const { change, written } = mirrorOf([ann])
    await change(USER_TYPE, 'u-1', async (values) => ({ ...values, title: 'x' }), null)
    expect(written()).toMatchObject([
      {
        kind: 'user',
        revision: 3,
        told: { data: { created: 'then', lastModified: NOW, values: { userName: 'Ann', title: 'x' } } },
      },
    ])
  })

  it('are not written without a change, but applied', async () => {
    const { change, calls, applied } = mirrorOf([ann, crew])
    await change(USER_TYPE, 'u-1', async (values) => ({ ...values }), null)
    await change(GROUP_TYPE, 'g-1', async (values) => ({ ...values }), null)
    expect([calls, applied]).toEqual([[], [['u-1', 'u-8', 'u-9']]])
    await change(GROUP_TYPE, 'g-1', async (values) => values, {
      only: true,
      added: ['g-1', 'u-7'],
      removed: [],
    })
    expect(calls).toEqual([['changeMembers', 'g-1', { added: ['g-1', 'u-7'], removed: ['u-1'] }, null]])
    expect(applied.at(-1)).toEqual(['in g-1', 'in u-7', 'in u-1'])
  })

  it.each<[object, boolean]>([
    [{ displayName: 'Port' }, true],
    [{ displayName: 'Crew', externalId: 'c' }, true],
    [{ displayName: 'CREW' }, false],
  ])('that are groups have members to be marked when they are named %j: %s', async (values, isRenamed) => {
    const { change, calls, applied } = mirrorOf([crew])
    await change(GROUP_TYPE, 'g-1', async () => ({ ...values }), null)
    expect(calls.map(([name]) => name)).toEqual(isRenamed ? ['markMembers', 'writeOver'] : ['writeOver'])
    expect(applied).toEqual(isRenamed ? [['in g-1']] : [])
  })

  it('that are removed leave their groups, and are applied with those who report to them', async () => {
    const { remove, calls, applied } = mirrorOf([ann, crew])
    await remove(USER_TYPE, 'u-1')
    expect(calls).toEqual([
      ['changeMembers', 'g-9', { added: [], removed: ['u-1'] }, null],
      ['remove', 'user', ['u-1']],
    ])
    expect(applied).toEqual([['in u-1', 'u-8', 'u-9']])
    await remove(GROUP_TYPE, 'g-1')
    expect(calls.at(-1)).toEqual(['remove', 'group', ['g-1']])
  })

  it.each<[typeof USER_TYPE, object]>([
    [USER_TYPE, { userName: ' ' }],
    [GROUP_TYPE, { displayName: '' }],
  ])('are refused without a name: %#', async (type, values) => {
    const { add, change, calls } = mirrorOf([ann, crew])
    const refused = { code: 'invalidValue' }
    await expect(add(type, { ...values }, null)).rejects.toMatchObject(refused)
    const id = type === USER_TYPE ? 'u-1' : 'g-1'
    await expect(change(type, id, async () => ({ ...values }), null)).rejects.toMatchObject(refused)
    expect(calls).toEqual([])
  })
})

describe('a call of SCIM', () => {
  const TOKEN = 'the-token-of-the-directory-0123456789'
  const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
  type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  const ids = Array.from({ length: 300 }, (_, at) => `u-${String(at).padStart(3, '0')}`)
  const entryOf = (id: string): DirectoryEntry => ({
    id,
    data: { values: { userName: id, displayName: id }, created: 'then', lastModified: 'then' },
    name: id,
    externalId: null,
    addresses: [],
    manager: null,
    active: true,
    revision: 1,
    removed: false,
    erased: false,
    person: null,
    picture: null,
  })

  async function ask(method: Method, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const told: unknown[] = []
    const members: unknown[] = []
    const { app } = await createWebServer([], null, {
      refusalFor,
      onFailure: (error) => void told.push(error),
    })
    const base = () => 'https://s.example/scim/v2'
    const resources = createResources({
      userType: USER_TYPE,
      base,
      newId: () => 'new',
      now: () => 0,
      apply: async () => undefined,
      store: {
        entries: async (_source, _kind, asked) =>
          ['u-000', 'new'].filter((id) => asked.includes(id)).map(entryOf),
        slice: async (_source, _kind, skip, limit) => ids.slice(skip, skip + limit).map(entryOf),
        count: async () => ids.length,
        find: async () => [],
        members: async () => [],
        subgroups: async () => [],
        reports: async () => [],
        within: async () => [],
        markMembers: async () => undefined,
        writeOver: async (_source, _kind, { data, active }) => void told.push([data['values'], active]),
        changeMembers: async (_source, _group, change) => void members.push(change),
      } as Partial<DirectoryStore> as DirectoryStore,
    })
    await addScim(app, { base, resourcesOf: async (token) => (token === TOKEN ? resources : null) })
    const sent = await app.inject({
      method,
      url: `/scim/v2${path}`,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = sent.body
    return {
      status: sent.statusCode,
      headers: sent.headers,
      told,
      members,
      body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> & {
        Resources?: { id: string }[]
      },
    }
  }

  it.each([
    ['', 1, 100, 'u-000'],
    ['?count=200', 1, 200, 'u-000'],
    ['?count=201', 1, 200, 'u-000'],
    ['?count=0', 1, 0, undefined],
    ['?count=-1', 1, 0, undefined],
    ['?startIndex=2&count=1', 2, 1, 'u-001'],
    ['?startIndex=0&count=1', 1, 1, 'u-000'],
    ['?startIndex=-5&count=1', 1, 1, 'u-000'],
    ['?startIndex=301', 301, 0, undefined],
    ['?filter=%20&count=1', 1, 1, 'u-000'],
  ])('for users%s begins at %i and has %i', async (query, startIndex, itemsPerPage, first) => {
    const { body } = await ask('GET', `/Users${query}`)
    expect(body).toMatchObject({ totalResults: 300, startIndex, itemsPerPage })
    expect(body.Resources?.[0]?.id).toBe(first)
  })

  it.each<[string, string]>([
    ['', 'The secret token is missing.'],
    ['Basic x', 'The secret token is missing.'],
    [`Bearer ${TOKEN} x`, 'The secret token is missing.'],
    [`Bearer ${'x'.repeat(4_097)}`, 'The secret token is missing.'],
    [`Bearer ${'x'.repeat(4_096)}`, 'The secret token is wrong.'],
    [`Bearer ${TOKEN}x`, 'The secret token is wrong.'],
  ])('needs the token: %#', async (authorization, detail) => {
    const { status, headers, body } = await ask('GET', '/Users', undefined, { authorization })
    expect([status, headers['www-authenticate'], body['detail']]).toEqual([401, 'Bearer', detail])
    expect((await ask('GET', '/Schemas', undefined, { authorization: `bearer ${TOKEN}` })).status).toBe(200)
  })

  it('that is none is answered as such', async () => {
    expect(await ask('GET', '/Nothing')).toMatchObject({
      status: 404,
      body: { status: '404', detail: 'There is nothing at this address, or not with this method.' },
    })
    expect((await ask('GET', `/Users/${'x'.repeat(100)}`)).status).toBe(404)
    expect((await ask('GET', `/Users/${'x'.repeat(101)}`)).status).toBe(414)
  })

  it('adds a user who is active unless it says otherwise', async () => {
    const { status, headers, told } = await ask('POST', '/Users', { userName: 'ann' })
    expect([status, headers['location'], told]).toEqual([
      ...[201, 'https://s.example/scim/v2/Users/new', [[{ active: true, userName: 'ann' }, true]]],
    ])
    expect((await ask('POST', '/Users', { userName: 'ann', active: false })).told).toEqual([
      [{ active: false, userName: 'ann' }, false],
    ])
    expect((await ask('PUT', '/Users/u-000', { userName: 'ann' })).told).toEqual([
      [{ active: true, userName: 'ann' }, true],
    ])
  })

  it('adds and replaces a group with its members alone', async () => {
    const group = { displayName: 'Crew', members: [{ value: 'u-1' }] }
    const added = await ask('POST', '/Groups', group)
    expect([added.told, added.members]).toEqual([
      [[{ displayName: 'Crew' }, true]],
      [{ added: ['u-1'], removed: [] }],
    ])
    const replaced = await ask('PUT', '/Groups/u-000', group)
    expect([replaced.status, replaced.told, replaced.members]).toEqual([200, ...[added.told, added.members]])
  })

  it('changes a group without an answer, unless attributes are asked for', async () => {
    const body = { schemas: [PATCH_OP], Operations: [{ op: 'replace', path: 'displayName', value: 'x' }] }
    expect(await ask('PATCH', '/Groups/u-000', body)).toMatchObject({ status: 204, body: {} })
    expect(await ask('PATCH', '/Groups/u-000?attributes=id', body)).toMatchObject({
      status: 200,
      body: { id: 'u-000' },
    })
    const user = { ...body, Operations: [{ op: 'replace', path: 'title', value: 'x' }] }
    expect(await ask('PATCH', '/Users/u-000', user)).toMatchObject({ status: 200, body: { id: 'u-000' } })
  })

  it.each([
    ['{', 'The body is not JSON.'],
    ['[]', 'The body is not an object.'],
    ['', 'The body is not an object.'],
    ['{"__proto__":{}}', 'The body is not JSON.'],
  ])('with the body %s is refused', async (body, detail) => {
    expect(await ask('POST', '/Users', body)).toMatchObject({
      status: 400,
      body: { scimType: 'invalidSyntax', detail },
    })
  })

  it('is refused in the form of SCIM by every part of the server', async () => {
    const type = await ask('POST', '/Users', 'x', { 'content-type': 'text/plain' })
    expect([type.status, type.headers['content-type'], type.body['status']]).toEqual([
      ...[415, 'application/scim+json', '415'],
    ])
    expect((await ask('POST', '/Users', '{}', { 'content-type': 'application/json' })).status).toBe(400)
  })
})
