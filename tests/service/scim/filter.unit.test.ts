import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ScimError } from '../../../src/service/scim/scimError.ts'
import {
  type ComparisonOperator,
  type Filter,
  matchesFilter,
  MAX_FILTER_CHARACTERS,
  parseFilter,
  parsePatchPath,
  printPath,
} from '../../../src/service/scim/filter.ts'
import { type AttributePath, ENTERPRISE_USER_URN, USER_TYPE } from '../../../src/service/scim/schemas.ts'

/** The text that `parseFilter` reads as this filter. */
function printFilter(filter: Filter): string {
  switch (filter.type) {
    case 'compare':
      return `${printPath(filter.path)} ${filter.comparison} ${JSON.stringify(filter.value)}`
    case 'present':
      return `${printPath(filter.path)} pr`
    case 'and':
      return filter.all
        .map((each) => (each.type === 'or' ? `(${printFilter(each)})` : printFilter(each)))
        .join(' and ')
    case 'or':
      return filter.all.map(printFilter).join(' or ')
    case 'not':
      return `not (${printFilter(filter.filter)})`
    case 'some':
      return `${printPath(filter.path)}[${printFilter(filter.filter)}]`
  }
}

const bjensen = {
  id: '2819c223-7f76-453a-919d-413861904646',
  externalId: 'Bjensen',
  userName: 'bjensen@example.com',
  name: { familyName: "O'Malley", givenName: 'Barbara' },
  title: 'Tour Guide',
  profileUrl: '',
  userType: 'Employee',
  active: true,
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.example.org', type: 'home' },
  ],
  [ENTERPRISE_USER_URN]: { department: 'Tours', manager: { value: 'm-1' } },
  meta: { resourceType: 'User', lastModified: '2011-05-13T04:42:34.000Z' },
}
const finds = (filter: string) => matchesFilter(USER_TYPE, parseFilter(filter), bjensen)

const name = fc.constantFrom('userName', 'name', 'emails', 'x-1', 'A_b', 'notes', 'origin')
const plain: fc.Arbitrary<AttributePath> = fc.record({
  schema: fc.constantFrom(null, null, ENTERPRISE_USER_URN),
  attribute: name,
  sub: fc.option(name, { nil: null }),
})
const comparison: fc.Arbitrary<Filter> = fc
  .record({
    path: plain,
    comparison: fc.constantFrom<ComparisonOperator>('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'),
    value: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
  })
  .filter(
    ({ comparison, value }) => !/^[gl]/.test(comparison) || !(typeof value === 'boolean' || value === null),
  )
  .map((rest) => ({ type: 'compare', ...rest }))

/** Filters in their one form: no `and` in an `and`. */
const { filter: anyFilter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    comparison,
    plain.map((path): Filter => ({ type: 'present', path })),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('filter'), { minLength: 2, maxLength: 3 }))
      .filter(([type, all]) => all.every((each) => each.type !== type))
      .map(([type, all]): Filter => ({ type, all })),
    tie('filter').map((filter): Filter => ({ type: 'not', filter })),
    fc
      .tuple(plain, tie('filter'))
      .map(([path, filter]): Filter => ({ type: 'some', path: { ...path, sub: null }, filter })),
  ),
}))

describe('a filter', () => {
  it('that is written is read as the same filter', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        expect(parseFilter(printFilter(filter))).toEqual(filter)
      }),
    )
  })

  it('is true or false of a resource as its parts say', () => {
    fc.assert(
      fc.property(anyFilter, anyFilter, (one, other) => {
        const isTrue = (filter: Filter) => matchesFilter(USER_TYPE, filter, bjensen)
        const join = (type: 'and' | 'or') =>
          parseFilter(`(${printFilter(one)}) ${type} (${printFilter(other)})`)
        expect(isTrue(join('and'))).toBe(isTrue(one) && isTrue(other))
        expect(isTrue(join('or'))).toBe(isTrue(one) || isTrue(other))
        expect(isTrue(parseFilter(`NOT (${printFilter(one)})`))).toBe(!isTrue(one))
      }),
    )
  })

  it.each([
    'userName eq "bjensen@example.com"',
    'USERNAME Eq "BJENSEN@example.com"',
    'name.familyName co "O\'Malley"',
    'userName sw "B"',
    'userName ew "example.com"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "b"',
    'title pr',
    'meta.lastModified gt "2011-05-13T04:42:33Z"',
    'meta.lastModified ge "2011-05-13T05:42:34+01:00"',
    'meta.lastModified lt "2011-05-13T04:42:35Z"',
    'meta.lastModified le "2011-05-13T04:42:34Z"',
    'title pr and userType eq "Employee"',
    'title pr or userType eq "Intern"',
    'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")',
    'userType ne "Intern" and not (emails co "example.net")',
    'userType eq "Employee" and (emails.type eq "work")',
    'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]',
    'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]',
    'emails[type eq "home"].value eq "babs@jensen.example.org"',
    'emails[type eq "work"].primary eq true',
    'emails eq "BABS@jensen.example.org"',
    `${ENTERPRISE_USER_URN}:department eq "tours"`,
    `${ENTERPRISE_USER_URN}:manager eq "m-1"`,
    `${ENTERPRISE_USER_URN}:manager.value pr`,
    'active eq true',
    'active eq "True"',
    'nickName eq null',
    'nickName ne "x"',
    'userName gt "a" and userName lt "c" and userName ge "bjensen@example.com"',
    'title pr and title pr or userName eq "x"',
    'userName eq "x" and userName eq "x" or title pr',
    'userName eq "bjensen\\u0040example.com"',
    '  title  pr  ',
    'emails[ type eq "work" ] and ( title pr ) and not( nickName pr )',
    'emails[type eq "home"].value co "babs" and title pr',
    'externalId co "jen"',
    'externalId sw "Bj"',
    'externalId ew "sen"',
    'userName le "bjensen@example.com"',
    'userName gt "BJENSEN@example.co"',
    'userName lt "BJENSEN@example.con"',
    'meta.lastModified eq "2011-05-13T04:42:34.000Z"',
    'meta.lastModified ne "2011-05-13T04:42:34Z"',
    'meta.resourceType eq "User"',
    'active eq "TRUE" and active ne "x"',
    'emails[primary eq true and type eq "work"]',
    'emails[value sw "babs" or type eq "x"]',
    'emails[not (type eq "work")]',
    'emails[display eq null]',
    'emails.display eq null',
    'wings eq null',
    'title ne null',
    'manager.value eq "m-1"',
  ])('%s finds the person', (filter) => {
    expect(finds(filter)).toBe(true)
  })

  it.each([
    'userName eq "bjensen"',
    'externalId eq "bjensen"',
    'id eq "2819C223-7F76-453A-919D-413861904646"',
    'emails[type eq "work" and value co "jensen.example.org"]',
    'emails[type eq "home"].value eq "bjensen@example.com"',
    'nickName pr',
    'profileUrl pr',
    'emails[type.value eq "work"]',
    'unknown pr',
    'constructor pr',
    'toString pr or emails[valueOf pr]',
    'userName eq 1',
    'userName eq null',
    'active eq false',
    'name eq "Barbara"',
    'meta.lastModified gt "2011-05-13T04:42:34Z"',
    'meta.lastModified lt "2011-05-13T04:42:34Z"',
    'userName gt "c" or userName le "b"',
    'title pr and (userName eq "x" or userName eq "y")',
    `${ENTERPRISE_USER_URN}:userName pr`,
    'urn:other:User:userName pr',
    'urn:ietf:params:scim:schemas:extension:signet:2.0:User:extensionAttribute1 pr',
    'userName gt "bjensen@example.com"',
    'userName lt "bjensen@example.com"',
    'userName ge "bjensen@example.comm"',
    'externalId co "JEN"',
    'externalId sw "bj"',
    'externalId ew "SEN"',
    'active co true',
    'active sw "true"',
    'active eq "tru"',
    'meta.lastModified gt "tomorrow"',
    'meta.lastModified eq "2011-05-13T04:42:34Z"',
    'title eq null',
    'emails eq null',
    'emails[value eq null]',
    'wings[value pr]',
    'emails[wings pr]',
    'emails[type eq "home" and primary eq true]',
    'userName ew "Example"',
    'name pr and emails.display pr',
  ])('%s does not find the person', (filter) => {
    expect(finds(filter)).toBe(false)
  })

  it.each([
    ['', 1],
    ['userName', 9],
    ['userName eq', 12],
    ['userName eq bjensen', 20],
    ['userName is "x"', 10],
    ['userName eq "x', 13],
    ['userName eq "\\x"', 17],
    ['userName eq 01', 13],
    ['userName eq 1e999', 18],
    ['userName eq "x" and', 20],
    ['userName eq "x" title pr', 17],
    ['(title pr', 10],
    ['title pr)', 9],
    ['not title pr', 5],
    ['emails[type eq "work"', 22],
    ['emails[type eq "work"].', 24],
    ['emails.value[type eq "work"]', 14],
    ['a.b.c pr', 6],
    ['1a pr', 1],
    ['__proto__ pr', 1],
    ['active gt true', 15],
    ['title lt null', 14],
    ['title ge false', 15],
    ['title le true', 14],
    ['emails[type eq "work"] .value eq "x"', 24],
    ['emails[type eq "work"].a.b eq "x"', 27],
    ['emails[type eq "work")', 22],
    ['not title pr', 5],
    ['title eq -', 10],
    ['title eq 1.', 10],
    ['title eq "a\tb"', 15],
    ['title.2 pr', 8],
    ['urn:x: pr', 7],
  ])('%s is refused with its place', (filter, place) => {
    expect(() => parseFilter(filter)).toThrow(
      expect.objectContaining({
        code: 'invalidFilter',
        message: expect.stringContaining(`at character ${String(place)}: expected`) as unknown,
      }) as ScimError,
    )
  })

  it.each([
    ['"x"', 'x'],
    ['""', ''],
    ['"a \\"b\\" \\n"', 'a "b" \n'],
    ['0', 0],
    ['-1.5e2', -150],
    ['12E+1', 120],
    ['true', true],
    ['FALSE', false],
    ['Null', null],
  ])('may compare with %s', (text, value) => {
    const path = { schema: null, attribute: 'title', sub: null }
    expect(parseFilter(`title eq ${text}`)).toEqual({ type: 'compare', path, comparison: 'eq', value })
  })

  it.each(['not.sub', 'urn:x:not', 'urn:x:NOT.sub', 'nots', 'or', 'and', 'pr'])(
    'may be about an attribute whose name is %s',
    (path) => {
      const filter = parseFilter(`${path} pr`)
      expect(filter.type).toBe('present')
      expect(printFilter(filter)).toBe(`${path} pr`)
    },
  )

  it.each([
    ['(a pr or b pr) and c pr', '(a pr or b pr) and c pr'],
    ['(a pr and b pr) or c pr', 'a pr and b pr or c pr'],
    ['(a pr or (b pr or c pr))', 'a pr or b pr or c pr'],
    ['NOT (a pr and b pr)', 'not (a pr and b pr)'],
    ['a[b eq "x" or c pr].d ne 1', 'a[(b eq "x" or c pr) and d ne 1]'],
    ['a[b eq "x" and c pr].d ne null', 'a[b eq "x" and c pr and d ne null]'],
  ])('that says %s is %s', (text, same) => {
    expect(printFilter(parseFilter(text))).toBe(same)
  })

  it('is read to its limits', () => {
    expect(() => parseFilter(`title eq "${'x'.repeat(MAX_FILTER_CHARACTERS)}"`)).toThrow(
      'at most 4000 characters',
    )
    const nested = (depth: number) => `${'('.repeat(depth)}title pr${')'.repeat(depth)}`
    expect(parseFilter(nested(16))).toEqual(parseFilter('title pr'))
    expect(() => parseFilter(nested(17))).toThrow('at most 16 levels')
    expect(() => parseFilter('emails['.repeat(500))).toThrow('at most 16 levels')
    expect(() => parseFilter('not ('.repeat(500))).toThrow('at most 16 levels')
  })
})

describe('the path of a change', () => {
  it.each([
    ['userName', null, 'userName', null, null],
    [' name.givenName ', null, 'name', 'givenName', null],
    [`${ENTERPRISE_USER_URN}:manager.value`, ENTERPRISE_USER_URN, 'manager', 'value', null],
    ['members[value eq "1"]', null, 'members', null, 'value eq "1"'],
    ['emails[type eq "work"].value', null, 'emails', 'value', 'type eq "work"'],
    [' emails[ type eq "work" ] ', null, 'emails', null, 'type eq "work"'],
    ['emails[type eq "work"].value ', null, 'emails', 'value', 'type eq "work"'],
    ['$ref', null, '$ref', null, null],
    ['urn:a.b:c.d', 'urn:a.b', 'c', 'd', null],
    [
      'addresses[type eq "work" or (primary eq true)].region',
      null,
      'addresses',
      'region',
      'type eq "work" or primary eq true',
    ],
  ])('%s names an attribute', (text, schema, attribute, sub, some) => {
    expect(parsePatchPath(text)).toEqual({
      path: { schema, attribute, sub },
      some: some === null ? null : parseFilter(some),
    })
  })

  it.each([
    '',
    '.',
    'a..b',
    'emails[',
    'emails[]',
    'emails[type eq "work"]value',
    'emails[a pr].b.c',
    'a b',
    'a.b[c pr]',
    'a[b pr] .c',
    'a[b pr].',
    'a[b pr].1',
    'a[b pr]]',
    'a[b pr)',
    'a]',
    'a[ b pr ] c',
  ])('%s is refused', (text) => {
    expect(() => parsePatchPath(text)).toThrow(expect.objectContaining({ code: 'invalidPath' }) as ScimError)
  })
})
