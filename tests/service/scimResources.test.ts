import { describe, expect, it } from 'vitest'
import { MAX_FILTER_CHARACTERS, parseFilter, parsePath } from '../../src/service/scim/filter.ts'
import { createResources } from '../../src/service/scim/resources.ts'
import { GROUP, USER } from '../../src/service/scim/schemas.ts'
import type { DirectoryStore } from '../../src/service/sql/directoryStore.ts'

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
  const askedBy = async (type: typeof USER, filter: string) => {
    const { store, asked } = emptyStore()
    const resources = createResources({
      ...{ store, apply: () => Promise.resolve(), base: () => 'https://signet.example.com/scim/v2' },
      ...{ newId: () => 'new', now: () => 0 },
    })
    const found = await resources.list(type, {
      ...{ filter: parseFilter(filter), startIndex: 1, count: 10, withMembers: false },
    })
    expect(found).toEqual({ resources: [], total: 0 })
    return asked
  }

  it.each([
    [USER, 'userName eq " Ann "', ['find user', { name: 'ann' }]],
    [USER, 'externalId eq "A-1"', ['find user', { externalId: 'a-1' }]],
    [USER, 'id eq "U-1"', ['entries user', ['U-1']]],
    [USER, 'emails eq "Ann@a.example"', ['find user', { address: 'ann@a.example' }]],
    [USER, 'emails.value eq "ann@a.example"', ['find user', { address: 'ann@a.example' }]],
    [
      USER,
      'emails[type eq "work" and value eq "ann@a.example"]',
      ['find user', { address: 'ann@a.example' }],
    ],
    [USER, 'emails[value eq "ann@a.example"]', ['find user', { address: 'ann@a.example' }]],
    [USER, 'title eq "x" and userName eq "ann"', ['find user', { name: 'ann' }]],
    [GROUP, 'displayName eq "Sales"', ['find group', { name: 'sales' }]],
    [GROUP, 'externalId eq "S"', ['find group', { externalId: 's' }]],
  ] as const)('of %o that says %s is found by an index', async (type, filter, call) => {
    expect(await askedBy(type, filter)).toEqual([call])
  })

  it('for a member is found by the groups of the member', async () => {
    expect(await askedBy(GROUP, 'members[value eq "u-1"]')).toEqual([
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
    expect(await askedBy(USER, filter)).toEqual([['page user', null]])
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
    expect(() => parsePath(inPath(15))).not.toThrow()
    expect(() => parsePath(inPath(16))).toThrow('at most 16 levels')
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
  expect(() => parsePath('a b')).toThrow('The path is wrong at character 3: expected the end.')
})
