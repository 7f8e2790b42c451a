import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runSteps } from '../../../streams/kernel/steps.ts'
import type { ScimError } from '../../../src/service/scim/scimError.ts'
import { applyingOperations, readPatchOperations, splittingMembers } from '../../../src/service/scim/patch.ts'
import { readResource, type ResourceValues } from '../../../src/service/scim/resource.ts'
import {
  CORE_USER_URN,
  ENTERPRISE_USER_URN,
  GROUP_TYPE,
  USER_TYPE,
} from '../../../src/service/scim/schemas.ts'

const SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const operationsOf = (...operations: readonly object[]) =>
  readPatchOperations({ schemas: [SCHEMA], Operations: operations })
const patched = (values: ResourceValues, ...operations: readonly object[]) =>
  runSteps(applyingOperations(USER_TYPE, values, operationsOf(...operations)))
const split = (...operations: readonly object[]) => {
  const { members, others } = runSteps(splittingMembers(GROUP_TYPE, operationsOf(...operations)))
  return { members, others: (values: ResourceValues) => runSteps(others(values)) }
}
const refused = (code: string) => expect.objectContaining({ code }) as ScimError

const work = { type: 'work', value: 'b@work.example' }
const home = { type: 'home', value: 'b@home.example', primary: true }
const jensen: ResourceValues = {
  userName: 'bjensen',
  name: { givenName: 'Barbara', familyName: 'Jensen' },
  active: true,
  emails: [work, home],
  [ENTERPRISE_USER_URN]: { department: 'Tours' },
}
const without = (values: ResourceValues, name: string): ResourceValues =>
  Object.fromEntries(Object.entries(values).filter(([each]) => each !== name))

describe('a resource', () => {
  it('has the names and the types of the schema, and nothing that the service does not know', () => {
    const body = {
      schemas: [CORE_USER_URN],
      id: 'mine',
      meta: { created: 'then' },
      USERNAME: 'bjensen',
      Active: 'False',
      password: 'secret',
      nickName: null,
      emails: { VALUE: 'b@work.example', Primary: 'True', unknown: 1 },
      phoneNumbers: [],
      name: {},
      [ENTERPRISE_USER_URN.toUpperCase()]: { EmployeeNumber: 701984, manager: 'm-1' },
      roles: [],
    }
    expect(readResource(USER_TYPE, body)).toEqual({
      userName: 'bjensen',
      active: false,
      emails: [{ value: 'b@work.example', primary: true }],
      [ENTERPRISE_USER_URN]: { employeeNumber: '701984', manager: { value: 'm-1' } },
    })
  })

  it.each([
    ['active', 'perhaps'],
    ['userName', true],
    ['userName', ['a']],
    ['userName', 'x'.repeat(4_001)],
    ['name', 'Barbara'],
    ['emails', [1]],
    ['emails', Array.from({ length: 101 }, () => work)],
    [ENTERPRISE_USER_URN, 'Tours'],
  ])('with another %s is refused', (name, value) => {
    expect(() => readResource(USER_TYPE, { [name]: value })).toThrow(refused('invalidValue'))
  })

  it('keeps one value as the primary one', () => {
    expect(readResource(USER_TYPE, { emails: [{ ...work, primary: true }, home] })).toEqual({
      emails: [{ ...work, primary: false }, home],
    })
  })
})

describe('the body of a change', () => {
  it.each([
    null,
    [],
    {},
    { schemas: [SCHEMA] },
    { schemas: [SCHEMA], Operations: [] },
    { schemas: [SCHEMA], Operations: Array.from({ length: 2_001 }, () => ({ op: 'add' })) },
    { schemas: [CORE_USER_URN], Operations: [{ op: 'add' }] },
    { Operations: [{ op: 'add' }] },
    { schemas: [SCHEMA], Operations: [{ op: 'copy' }] },
    { schemas: [SCHEMA], Operations: ['add'] },
  ])('%j is refused', (body) => {
    expect(() => readPatchOperations(body)).toThrow(refused('invalidSyntax'))
  })

  it.each<[unknown, string, string]>([
    [[], 'invalidSyntax', 'The body is not an object.'],
    [{ schemas: SCHEMA, Operations: [{ op: 'add' }] }, 'invalidSyntax', `schemas: expected ${SCHEMA}.`],
    [{ schemas: [7], Operations: [{ op: 'add' }] }, 'invalidSyntax', `schemas: expected ${SCHEMA}.`],
    [
      { schemas: [SCHEMA], Operations: { op: 'add' } },
      'invalidSyntax',
      'Operations: expected a list of 1 to 2000.',
    ],
    [{ schemas: [SCHEMA], Operations: [null] }, 'invalidSyntax', 'Operations: expected objects.'],
    [{ schemas: [SCHEMA], Operations: [{}] }, 'invalidSyntax', 'op: expected add, replace or remove.'],
    [{ schemas: [SCHEMA], Operations: [{ op: 1 }] }, 'invalidSyntax', 'op: expected add, replace or remove.'],
    [{ schemas: [SCHEMA], Operations: [{ op: 'add', path: 1 }] }, 'invalidPath', 'path: expected a text.'],
  ])('says what is wrong with it: %#', (body, code, message) => {
    expect(() => readPatchOperations(body)).toThrow(expect.objectContaining({ code, message }) as ScimError)
  })

  it('may name other schemas, have no path and no value, and 2,000 operations', () => {
    const many = Array.from({ length: 2_000 }, () => ({ op: 'REMOVE', path: '  ' }))
    const read = readPatchOperations({ schemas: [7, CORE_USER_URN, SCHEMA], Operations: many })
    expect(read).toHaveLength(2_000)
    expect(read[0]).toEqual({ verb: 'remove', path: null, value: null })
    expect(operationsOf({ op: 'add', path: null, value: false })).toEqual([
      { verb: 'add', path: null, value: false },
    ])
  })

  it('is read whatever the case of its names', () => {
    const body = {
      schemas: [SCHEMA.toUpperCase()],
      operations: [{ OP: 'Replace', Path: 'title', Value: 'x' }],
    }
    expect(readPatchOperations(body)).toEqual([{ verb: 'replace', path: 'title', value: 'x' }])
  })
})

describe('as Microsoft Entra writes it, a change', () => {
  it('disables with the text "False"', () => {
    expect(patched(jensen, { op: 'Replace', path: 'active', value: 'False' })).toEqual({
      ...jensen,
      active: false,
    })
  })

  it('replaces several attributes by their paths', () => {
    expect(
      patched(
        jensen,
        { op: 'Replace', path: 'displayName', value: 'Pvlo' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@work.example' },
        { op: 'Replace', path: 'name.familyName', value: 'Pkqf' },
        { op: 'Replace', path: 'externalId', value: 'Eqpj' },
        { op: 'Replace', path: `${ENTERPRISE_USER_URN}:employeeNumber`, value: 'Aklq' },
      ),
    ).toEqual({
      ...jensen,
      displayName: 'Pvlo',
      emails: [{ ...work, value: 'new@work.example' }, home],
      name: { givenName: 'Barbara', familyName: 'Pkqf' },
      externalId: 'Eqpj',
      [ENTERPRISE_USER_URN]: { department: 'Tours', employeeNumber: 'Aklq' },
    })
  })

  it('replaces several attributes without a path, with dots and URNs in the names', () => {
    expect(
      patched(jensen, {
        op: 'replace',
        value: {
          displayName: 'Bjfe',
          'name.givenName': 'Kkom',
          'NAME.familyName': 'Unua',
          [`${ENTERPRISE_USER_URN}:employeeNumber`]: 'Aklq',
          'emails[type eq "home"].value': 'new@home.example',
          id: 'not yours',
          schemas: [CORE_USER_URN],
          meta: { resourceType: 'User' },
        },
      }),
    ).toEqual({
      ...jensen,
      displayName: 'Bjfe',
      name: { givenName: 'Kkom', familyName: 'Unua' },
      emails: [work, { ...home, value: 'new@home.example' }],
      [ENTERPRISE_USER_URN]: { department: 'Tours', employeeNumber: 'Aklq' },
    })
  })

  it.each(['Add', 'Replace'])('makes the value that its filter describes where there is none: %s', (op) => {
    const path = (sub: string) => `addresses[type eq "work" and primary eq "True"].${sub}`
    expect(
      patched(
        jensen,
        { op, path: 'phoneNumbers[type eq "mobile"].value', value: '+49 1' },
        { op, path: path('locality'), value: 'Hamburg' },
        { op, path: path('region'), value: 'HH' },
        { op, path: `${ENTERPRISE_USER_URN}:manager`, value: 'm-1' },
      ),
    ).toEqual({
      ...jensen,
      phoneNumbers: [{ type: 'mobile', value: '+49 1' }],
      addresses: [{ type: 'work', primary: true, locality: 'Hamburg', region: 'HH' }],
      [ENTERPRISE_USER_URN]: { department: 'Tours', manager: { value: 'm-1' } },
    })
  })

  it('removes what it added, and leaves nothing empty behind', () => {
    const path = 'phoneNumbers[type eq "mobile"].value'
    const added = patched(jensen, { op: 'Add', path, value: '+49 1' })
    expect(patched(added, { op: 'Remove', path })).toEqual(jensen)
    const primary = patched(added, {
      op: 'Add',
      path: 'phoneNumbers[type eq "mobile"].primary',
      value: 'True',
    })
    expect(patched(primary, { op: 'Remove', path })).toEqual(jensen)
    expect(
      patched(
        jensen,
        { op: 'Remove', path: `${ENTERPRISE_USER_URN}:department` },
        { op: 'Remove', path: 'name.givenName' },
        { op: 'Remove', path: 'name.familyName' },
        { op: 'Replace', path: 'emails', value: null },
      ),
    ).toEqual({ userName: 'bjensen', active: true })
  })
})

describe('as RFC 7644 describes it, a change', () => {
  it.each<[string, object, ResourceValues]>([
    ['adds an attribute', { op: 'add', path: 'title', value: 'Guide' }, { ...jensen, title: 'Guide' }],
    [
      'adds to a list',
      { op: 'add', path: 'emails', value: [{ value: 'x' }] },
      { ...jensen, emails: [work, home, { value: 'x' }] },
    ],
    [
      'adds one to a list',
      { op: 'add', path: 'emails', value: { value: 'x' } },
      { ...jensen, emails: [work, home, { value: 'x' }] },
    ],
    ['adds nothing twice', { op: 'add', path: 'emails', value: [home] }, jensen],
    [
      'adds a primary value, and the other is none any more',
      { op: 'add', path: 'emails', value: [{ value: 'x', primary: true }] },
      { ...jensen, emails: [work, { ...home, primary: false }, { value: 'x', primary: true }] },
    ],
    [
      'makes another value the primary one',
      { op: 'replace', path: 'emails[type eq "work"].primary', value: true },
      {
        ...jensen,
        emails: [
          { ...work, primary: true },
          { ...home, primary: false },
        ],
      },
    ],
    [
      'adds parts of a name',
      { op: 'add', path: 'name', value: { middleName: 'J' } },
      { ...jensen, name: { givenName: 'Barbara', familyName: 'Jensen', middleName: 'J' } },
    ],
    [
      'replaces parts of a name',
      { op: 'replace', path: 'name', value: { givenName: 'Babs' } },
      { ...jensen, name: { givenName: 'Babs', familyName: 'Jensen' } },
    ],
    [
      'replaces a list',
      { op: 'replace', path: 'emails', value: [{ value: 'x' }] },
      { ...jensen, emails: [{ value: 'x' }] },
    ],
    [
      'replaces a value',
      { op: 'replace', path: 'emails[type eq "work"]', value: { value: 'x' } },
      { ...jensen, emails: [{ type: 'work', value: 'x' }, home] },
    ],
    [
      'changes all values',
      { op: 'replace', path: 'emails.type', value: 'x' },
      {
        ...jensen,
        emails: [
          { ...work, type: 'x' },
          { ...home, type: 'x' },
        ],
      },
    ],
    ['removes an attribute', { op: 'remove', path: 'name' }, without(jensen, 'name')],
    ['removes a list', { op: 'remove', path: 'emails' }, without(jensen, 'emails')],
    [
      'removes the values of a list',
      { op: 'remove', path: 'emails', value: [{ value: work.value }] },
      { ...jensen, emails: [home] },
    ],
    [
      'removes a value',
      { op: 'remove', path: 'emails[type eq "work" and value co "work"]' },
      { ...jensen, emails: [home] },
    ],
    ['removes the last value', { op: 'remove', path: 'emails[value pr]' }, without(jensen, 'emails')],
    ['removes nothing where nothing is', { op: 'remove', path: 'emails[type eq "other"]' }, jensen],
    [
      'removes an extension',
      { op: 'remove', path: ENTERPRISE_USER_URN },
      without(jensen, ENTERPRISE_USER_URN),
    ],
    [
      'replaces parts of an extension',
      { op: 'replace', path: ENTERPRISE_USER_URN, value: { division: 'x' } },
      { ...jensen, [ENTERPRISE_USER_URN]: { department: 'Tours', division: 'x' } },
    ],
    [
      'adds an extension without a path',
      { op: 'add', value: { [ENTERPRISE_USER_URN]: { division: 'x' } } },
      { ...jensen, [ENTERPRISE_USER_URN]: { department: 'Tours', division: 'x' } },
    ],
    ['takes a null as nothing', { op: 'replace', value: { name: null } }, without(jensen, 'name')],
    [
      'takes a path without anything as none',
      { op: 'replace', path: ' ', value: { title: 'x' } },
      { ...jensen, title: 'x' },
    ],
    [
      'leaves out what only the service may set, when no path names it',
      { op: 'add', value: { id: 'x', 'meta.created': 'x', title: 'x' } },
      { ...jensen, title: 'x' },
    ],
    [
      'removes a part of one value',
      { op: 'remove', path: 'emails[type eq "home"].primary' },
      { ...jensen, emails: [work, { type: 'home', value: home.value }] },
    ],
    [
      'removes a part of all values',
      { op: 'remove', path: 'emails.type' },
      { ...jensen, emails: [{ value: work.value }, { value: home.value, primary: true }] },
    ],
    [
      'removes a value with its last part',
      { op: 'remove', path: 'emails[type eq "work"].value' },
      { ...jensen, emails: [home] },
    ],
    [
      'removes a value that says only what it was for',
      { op: 'remove', path: 'emails.value' },
      without(jensen, 'emails'),
    ],
    [
      'removes nothing with an empty list',
      { op: 'remove', path: 'emails', value: [] },
      without(jensen, 'emails'),
    ],
    ['removes a part that is not there', { op: 'remove', path: 'name.middleName' }, jensen],
    [
      'makes the value that is changed the primary one alone',
      { op: 'replace', path: 'emails[type eq "work"]', value: { primary: true } },
      {
        ...jensen,
        emails: [
          { ...work, primary: true },
          { ...home, primary: false },
        ],
      },
    ],
    [
      'leaves the primary one when another is changed',
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'x' },
      { ...jensen, emails: [{ ...work, value: 'x' }, home] },
    ],
    [
      'makes a value of all that its filter says',
      { op: 'add', path: 'emails[type eq "other" and primary eq true].value', value: 'x' },
      {
        ...jensen,
        emails: [work, { ...home, primary: false }, { type: 'other', primary: true, value: 'x' }],
      },
    ],
    [
      'makes no value of what says only what it is for',
      { op: 'add', path: 'emails[type eq "other"].primary', value: true },
      jensen,
    ],
    [
      'makes a value of a whole one',
      { op: 'add', path: 'emails[type eq "other"]', value: { value: 'x' } },
      { ...jensen, emails: [work, home, { type: 'other', value: 'x' }] },
    ],
    [
      'makes a first value where no filter says which',
      { op: 'add', path: 'phoneNumbers.value', value: '1' },
      { ...jensen, phoneNumbers: [{ value: '1' }] },
    ],
    [
      'removes all of an extension that is left empty',
      { op: 'replace', path: ENTERPRISE_USER_URN, value: { department: null } },
      without(jensen, ENTERPRISE_USER_URN),
    ],
    [
      'changes a part of what an extension has',
      { op: 'replace', path: `${ENTERPRISE_USER_URN}:manager.displayName`, value: 'Max' },
      { ...jensen, [ENTERPRISE_USER_URN]: { department: 'Tours', manager: { displayName: 'Max' } } },
    ],
    [
      'replaces a whole with nothing',
      { op: 'replace', path: 'emails', value: [] },
      without(jensen, 'emails'),
    ],
    ['adds nothing of an empty list', { op: 'add', path: 'emails', value: [] }, jensen],
    [
      'adds several values of which the last primary one counts',
      {
        op: 'add',
        path: 'emails',
        value: [{ value: 'x', primary: true }, { value: 'y', primary: true }, { value: 'z' }],
      },
      {
        ...jensen,
        emails: [
          ...[work, { ...home, primary: false }, { value: 'x', primary: false }],
          ...[{ value: 'y', primary: true }, { value: 'z' }],
        ],
      },
    ],
  ])('%s', (_, operation, expected) => {
    expect(patched(jensen, operation)).toEqual(expected)
  })

  it.each<[string, object]>([
    ['invalidPath', { op: 'add', path: '__proto__', value: 'x' }],
    ['invalidPath', { op: 'add', path: 1, value: 'x' }],
    ['invalidPath', { op: 'remove', path: 'name[givenName eq "x"]' }],
    ['invalidPath', { op: 'remove', path: 'emails[type eq' }],
    ['invalidValue', { op: 'add', path: 'title' }],
    ['invalidValue', { op: 'add', value: 'x' }],
    ['invalidValue', { op: 'add', path: ENTERPRISE_USER_URN, value: 'x' }],
    ['invalidValue', { op: 'replace', path: 'active', value: 'x' }],
    [
      'invalidValue',
      {
        op: 'add',
        path: 'emails',
        value: Array.from({ length: 99 }, (_each, at) => ({ value: String(at) })),
      },
    ],
    ['noTarget', { op: 'remove' }],
    ['noTarget', { op: 'replace', path: 'emails[type sw "o"].value', value: 'x' }],
    ['noTarget', { op: 'replace', path: 'emails[wings eq "o"].value', value: 'x' }],
    ['mutability', { op: 'replace', path: 'id', value: 'x' }],
    ['mutability', { op: 'replace', path: 'meta.created', value: 'x' }],
    ['mutability', { op: 'remove', path: 'userName' }],
    ['mutability', { op: 'replace', path: 'userName', value: null }],
  ])('is refused with %s: %j', (code, operation) => {
    expect(() => patched(jensen, { op: 'add', path: 'title', value: 'x' }, operation)).toThrow(refused(code))
  })
})

describe('a change that is refused', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => ({ value: String(at) }))
  it.each<[object, string, string]>([
    [{ op: 'remove' }, 'noTarget', 'An operation that removes needs a path.'],
    [{ op: 'add' }, 'invalidValue', 'value: expected an object with attributes.'],
    [{ op: 'add', path: 'title' }, 'invalidValue', 'title: expected a value to add.'],
    [{ op: 'add', path: 'name.givenName' }, 'invalidValue', 'name.givenName: expected a value to add.'],
    [{ op: 'remove', path: 'schemas' }, 'mutability', 'schemas cannot be changed.'],
    [{ op: 'replace', path: 'meta.location', value: 'x' }, 'mutability', 'meta.location cannot be changed.'],
    [{ op: 'remove', path: 'userName' }, 'mutability', 'userName is required and cannot be removed.'],
    [{ op: 'remove', path: 'name[givenName pr]' }, 'invalidPath', 'name has no values to choose from.'],
    [{ op: 'remove', path: 'title[a pr]' }, 'invalidPath', 'title has no values to choose from.'],
    [
      { op: 'add', path: ENTERPRISE_USER_URN, value: 'x' },
      'invalidValue',
      `${ENTERPRISE_USER_URN}: expected an object.`,
    ],
    [
      { op: 'add', path: 'emails[type ne "x" and type ne "work" and type ne "home"].value', value: 'x' },
      'noTarget',
      'No value of emails is one that the path names.',
    ],
    [
      { op: 'add', path: 'emails[type eq "x" and value pr].display', value: 'x' },
      'noTarget',
      'No value of emails is one that the path names.',
    ],
    [
      { op: 'add', path: 'emails', value: hundred.slice(1) },
      'invalidValue',
      'emails: expected at most 100 values.',
    ],
  ])('says why: %j', (operation, code, message) => {
    expect(() => patched(jensen, operation)).toThrow(expect.objectContaining({ code, message }) as ScimError)
  })

  it('may have 100 values, and not one more', () => {
    const full = patched(jensen, { op: 'add', path: 'emails', value: hundred.slice(2) })
    expect(full['emails']).toHaveLength(100)
    const make = { op: 'add', path: 'emails[type eq "fax"].value', value: 'x' }
    expect(() => patched(full, make)).toThrow(refused('invalidValue'))
  })
})

describe('what the service does not keep', () => {
  const certificate = { value: 'MIIDQzCCAqygAwIBAgICEAAwDQYJKoZIhvcNAQEFBQAw' }
  it.each<[object]>([
    [{ op: 'Add', path: 'roles[primary eq "True"].value', value: 'Administrator' }],
    [{ op: 'Replace', path: 'roles[primary eq "True" and type eq "x"].display', value: null }],
    [{ op: 'Add', path: 'roles', value: [{ value: '{"id":"1","value":"x"}', primary: 'True' }] }],
    [{ op: 'Remove', path: 'roles' }],
    [{ op: 'Remove', path: 'entitlements[value ne "x"]' }],
    [{ op: 'Replace', path: 'x509Certificates', value: [certificate] }],
    [{ op: 'Add', path: 'photos[type eq "photo"].value', value: 'https://x.example/1' }],
    [{ op: 'Replace', path: 'password', value: 'secret' }],
    [{ op: 'Replace', path: 'addresses[type eq "work"].building', value: 'x' }],
    [{ op: 'Add', path: 'emails.verified', value: 'True' }],
    [{ op: 'Add', path: 'name.phonetic', value: 'x' }],
    [{ op: 'Add', path: `${ENTERPRISE_USER_URN}:wings`, value: 'x' }],
    [{ op: 'Add', path: ENTERPRISE_USER_URN, value: { wings: 'x' } }],
    [{ op: 'Add', path: 'urn:other:User:title', value: 'x' }],
    [{ op: 'Add', path: 'wings' }],
    [{ op: 'Add', path: 'constructor.prototype', value: 'x' }],
    [{ op: 'Replace', value: { roles: [], wings: 'x', 'entitlements[type eq "x"].value': 'x' } }],
    [{ op: 'Replace', value: { 'urn:other:2.0:User': { title: 'x' } } }],
  ])('changes nothing, and keeps no other change from being applied: %j', (operation) => {
    const title = (value: string) => ({ op: 'Replace', path: 'title', value })
    expect(patched(jensen, operation)).toEqual(jensen)
    expect(patched(jensen, title('before'), operation, { op: 'Add', path: 'nickName', value: 'B' })).toEqual({
      ...jensen,
      title: 'before',
      nickName: 'B',
    })
  })

  it('is left out of a group’s changes, too', () => {
    const { members, others } = split(
      { op: 'Add', path: 'owners', value: [{ value: 'm-1' }] },
      { op: 'Add', path: 'members', value: [{ value: 'm-2' }] },
    )
    expect([members?.added, others({ displayName: 'Crew' })]).toEqual([['m-2'], { displayName: 'Crew' }])
  })
})

describe('an attribute of an extension without its schema', () => {
  it.each<[object]>([
    [{ op: 'Add', path: 'manager', value: 'm-1' }],
    [{ op: 'Add', path: 'manager', value: [{ $ref: 'https://x.example/Users/m-1', value: 'm-1' }] }],
    [{ op: 'Replace', path: 'manager.value', value: 'm-1' }],
    [{ op: 'Replace', value: { manager: { value: 'm-1' } } }],
  ])('is the one of that name: %j', (operation) => {
    const after = patched(jensen, operation)[ENTERPRISE_USER_URN] as { manager: { value: string } }
    expect(after.manager.value).toBe('m-1')
    const manager = { op: 'Remove', path: 'manager' }
    expect(patched(patched(jensen, operation), manager)).toEqual(jensen)
    expect(patched(patched(jensen, operation), { ...manager, op: 'Replace', value: [] })).toEqual(jensen)
  })
})

const value = fc.constantFrom<unknown>(
  'x',
  'True',
  '',
  1,
  null,
  { value: 'x', type: 'work' },
  [home, work],
  [],
)
const path = fc.constantFrom(
  ...['active', 'title', 'name', 'name.givenName', 'emails', 'emails[type eq "work"]', 'wings'],
  ...['emails[type eq "other"].value', 'emails[primary eq true].primary', `${ENTERPRISE_USER_URN}:manager`],
  ...['phoneNumbers[type eq "fax"].value', 'emails.display', ENTERPRISE_USER_URN, 'userName'],
)
const verb = fc.constantFrom('add', 'Replace', 'Remove')
const change = fc.record({ op: verb, path, value })

describe('any change', () => {
  it('applied twice is as once, and a refused one changes nothing', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 1 }), fc.array(change), (last, before) => {
        let values = jensen
        const tryAll = (operations: readonly object[]) => {
          const kept = structuredClone(values)
          const original = values
          try {
            values = patched(values, ...operations)
          } catch {
            values = original
          }
          expect(original).toEqual(kept)
        }
        for (const each of before) tryAll([each])
        tryAll(last)
        const once = values
        tryAll(last)
        expect(values).toEqual(once)
      }),
    )
  })

  it('leaves values as the service reads them', () => {
    fc.assert(
      fc.property(fc.array(change), (operations) => {
        let values = jensen
        for (const each of operations)
          try {
            values = patched(values, each)
          } catch {
            // Refused.
          }
        expect(readResource(USER_TYPE, values)).toEqual(values)
      }),
    )
  })
})

describe('a change of members', () => {
  const ids = (...all: readonly string[]) => all.map((id) => ({ $ref: null, value: id }))

  it.each<[string, readonly object[], object | null]>([
    ['is none', [{ op: 'Replace', path: 'displayName', value: 'x' }], null],
    [
      'adds',
      [{ op: 'Add', path: 'members', value: ids('1', '2') }],
      { only: false, added: ['1', '2'], removed: [] },
    ],
    [
      'adds without a path',
      [{ op: 'add', value: { members: ids('1') } }],
      { only: false, added: ['1'], removed: [] },
    ],
    [
      'removes the values of a list',
      [{ op: 'Remove', path: 'members', value: ids('1') }],
      { only: false, added: [], removed: ['1'] },
    ],
    [
      'removes by a filter',
      [{ op: 'remove', path: 'members[value eq "1"]' }],
      { only: false, added: [], removed: ['1'] },
    ],
    [
      'removes by a filter of two',
      [{ op: 'remove', path: 'members[value eq "1" or value eq "2"]' }],
      { only: false, added: [], removed: ['1', '2'] },
    ],
    ['removes all', [{ op: 'remove', path: 'members' }], { only: true, added: [], removed: [] }],
    [
      'removes none of an empty list',
      [{ op: 'remove', path: 'members', value: [] }],
      { only: false, added: [], removed: [] },
    ],
    [
      'replaces all',
      [
        { op: 'add', path: 'members', value: ids('0') },
        { op: 'replace', path: 'members', value: ids('1') },
      ],
      { only: true, added: ['1'], removed: [] },
    ],
    [
      'removes what it added',
      [
        { op: 'add', path: 'members', value: ids('1') },
        { op: 'remove', path: 'members', value: ids('1') },
      ],
      { only: false, added: [], removed: ['1'] },
    ],
    [
      'adds what it removed',
      [
        { op: 'remove', path: 'members', value: ids('1') },
        { op: 'add', path: 'members', value: ids('1') },
      ],
      { only: false, added: ['1'], removed: [] },
    ],
    [
      'forgets what was removed before all were replaced',
      [
        { op: 'remove', path: 'members', value: ids('1') },
        { op: 'replace', path: 'members', value: ids('2') },
      ],
      { only: true, added: ['2'], removed: [] },
    ],
    [
      'removes all, and adds one',
      [
        { op: 'add', path: 'members', value: ids('1') },
        { op: 'remove', path: 'members' },
        { op: 'add', path: 'members', value: '2' },
      ],
      { only: true, added: ['2'], removed: [] },
    ],
    [
      'replaces with none',
      [{ op: 'replace', path: 'members', value: [] }],
      { only: true, added: [], removed: [] },
    ],
  ])('%s', (_, operations, expected) => {
    expect(split(...operations).members).toEqual(expected)
  })

  it('leaves the rest to the group itself', () => {
    const { others } = split(
      { op: 'Add', path: 'members', value: ids('1') },
      { op: 'Replace', path: 'displayName', value: 'Sales' },
    )
    expect(others({ displayName: 'x' })).toEqual({ displayName: 'Sales' })
  })

  it.each<[string, object]>([
    ['invalidPath', { op: 'remove', path: 'members[display eq "x"]' }],
    ['invalidPath', { op: 'remove', path: 'members[value ne "x"]' }],
    ['invalidValue', { op: 'add', path: 'members', value: [{ display: 'x' }] }],
    ['invalidValue', { op: 'add', path: 'members', value: [''] }],
    ['invalidValue', { op: 'add', path: 'members', value: ['x'.repeat(101)] }],
    ['mutability', { op: 'replace', path: 'members[value eq "1"].display', value: 'x' }],
    ['mutability', { op: 'replace', path: 'members[value eq "1"]', value: { value: '2' } }],
    ['mutability', { op: 'remove', path: 'displayName' }],
  ])('is refused with %s: %j', (code, operation) => {
    expect(() => split(operation).others({ displayName: 'x' })).toThrow(refused(code))
  })

  it.each<[object, string]>([
    [
      { op: 'replace', path: 'members[value eq "1"]', value: { value: '2' } },
      'A member is added or removed, not changed.',
    ],
    [{ op: 'remove', path: 'members.value' }, 'A member is added or removed, not changed.'],
    [
      { op: 'add', path: 'members', value: [''] },
      'members: expected a value of 1 to 100 characters for each.',
    ],
    [
      { op: 'remove', path: 'members[value eq "1" or value eq true]' },
      'members: expected a filter such as members[value eq "id"].',
    ],
    [
      { op: 'remove', path: 'members[value eq "1" and value eq "2"]' },
      'members: expected a filter such as members[value eq "id"].',
    ],
  ])('says why it is refused: %j', (operation, message) => {
    expect(() => split(operation)).toThrow(message)
  })

  it('takes ids of 100 characters, and their name in any case', () => {
    const id = 'x'.repeat(100)
    expect(split({ op: 'add', path: 'members', value: ids(id) }).members?.added).toEqual([id])
    const remove = { op: 'remove', path: `MEMBERS[VALUE eq "${id}"]` }
    expect(split(remove).members?.removed).toEqual([id])
  })

  it('takes thousands of members at once', () => {
    const many = ids(...Array.from({ length: 20_000 }, (_, index) => String(index)))
    expect(split({ op: 'Add', path: 'members', value: many }).members?.added).toHaveLength(20_000)
  })
})
