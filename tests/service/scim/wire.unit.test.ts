import { describe, expect, it } from 'vitest'
import type { DomainError } from '../../../src/service/operations/domainError.ts'
import type { ScimError } from '../../../src/service/scim/scimError.ts'
import {
  providerConfig,
  resourceTypes,
  schemaResources,
  resourceWithId,
} from '../../../src/service/scim/discovery.ts'
import { parseFilter } from '../../../src/service/scim/filter.ts'
import { scimAccountOf, graphUserOf, reportedManagerOf } from '../../../src/service/scim/graphUser.ts'
import {
  checkNames,
  withOnePrimary,
  readResource,
  readAttributeValue,
} from '../../../src/service/scim/resource.ts'
import { storedResourceOf } from '../../../src/service/scim/entries.ts'
import {
  type ScimAttribute,
  CORE_GROUP_URN,
  CORE_USER_URN,
  ENTERPRISE_USER_URN,
  extensionOf,
  findAttribute,
  findExtension,
  GROUP_TYPE,
  type ResourceType,
  SIGNET_USER_URN,
  USER_TYPE,
} from '../../../src/service/scim/schemas.ts'
import {
  resourceAddressOf,
  errorBodyOf,
  filterNamesAttribute,
  isAttributeSelected,
  listResponseOf,
  readAttributeSelection,
  resourceOf,
  selectAttributes,
} from '../../../src/service/scim/wire.ts'

const BASE = 'https://signet.example/scim/v2'
const pathOf = (attribute: string, sub: string | null = null, schema: string | null = null) => ({
  schema,
  attribute,
  sub,
})

describe('an attribute', () => {
  const found = (type: ResourceType, path: ReturnType<typeof pathOf>) => {
    const is = findAttribute(type, path)
    return is === null ? null : [is.extension?.id ?? null, is.attribute.name, is.sub?.name ?? null]
  }
  it.each<[ResourceType, ReturnType<typeof pathOf>, readonly (string | null)[] | null]>([
    [USER_TYPE, pathOf('USERNAME'), [null, 'userName', null]],
    [USER_TYPE, pathOf('id'), [null, 'id', null]],
    [USER_TYPE, pathOf('name', 'GIVENNAME'), [null, 'name', 'givenName']],
    [USER_TYPE, pathOf('name', 'wings'), null],
    [USER_TYPE, pathOf('userName', 'value'), null],
    [USER_TYPE, pathOf('userName', null, CORE_USER_URN.toUpperCase()), [null, 'userName', null]],
    [USER_TYPE, pathOf('department', null, CORE_USER_URN), null],
    [USER_TYPE, pathOf('department'), [ENTERPRISE_USER_URN, 'department', null]],
    [USER_TYPE, pathOf('manager', 'displayName'), [ENTERPRISE_USER_URN, 'manager', 'displayName']],
    [USER_TYPE, pathOf('extensionAttribute15'), [SIGNET_USER_URN, 'extensionAttribute15', null]],
    [USER_TYPE, pathOf('extensionAttribute1'), [SIGNET_USER_URN, 'extensionAttribute1', null]],
    [USER_TYPE, pathOf('extensionAttribute0'), null],
    [USER_TYPE, pathOf('extensionAttribute16'), null],
    [
      USER_TYPE,
      pathOf('Department', null, ENTERPRISE_USER_URN.toLowerCase()),
      [ENTERPRISE_USER_URN, 'department', null],
    ],
    [USER_TYPE, pathOf('userName', null, ENTERPRISE_USER_URN), null],
    [USER_TYPE, pathOf('userName', null, 'urn:other'), null],
    [USER_TYPE, pathOf('members'), null],
    [GROUP_TYPE, pathOf('members', 'value'), [null, 'members', 'value']],
    [GROUP_TYPE, pathOf('displayName', null, CORE_GROUP_URN), [null, 'displayName', null]],
    [GROUP_TYPE, pathOf('department'), null],
    [GROUP_TYPE, pathOf('userName'), null],
  ])('of %o is named by %j', (type, path, expected) => {
    expect(found(type, path)).toEqual(expected)
  })

  it('is told apart from an extension as a whole', () => {
    const [urn, last] = [ENTERPRISE_USER_URN.replace(/:User$/, ''), 'User']
    expect(findExtension(USER_TYPE, pathOf(last, null, urn))?.id).toBe(ENTERPRISE_USER_URN)
    expect(findExtension(USER_TYPE, pathOf(last, 'x', urn))).toBeNull()
    expect(findExtension(USER_TYPE, pathOf(last))).toBeNull()
    expect(findExtension(GROUP_TYPE, pathOf(last, null, urn))).toBeNull()
    expect(extensionOf(USER_TYPE, SIGNET_USER_URN.toUpperCase())?.id).toBe(SIGNET_USER_URN)
  })
})

describe('what SCIM says of itself', () => {
  const all = schemaResources(BASE, [USER_TYPE, GROUP_TYPE])
  const attributesOf = (id: string) => resourceWithId(all, id)['attributes'] as readonly ScimAttribute[]

  it('has each schema with its address, found whatever the case', () => {
    expect(all.map((schema) => [schema['id'], schema['name']])).toEqual([
      ...[
        [CORE_USER_URN, 'User'],
        [ENTERPRISE_USER_URN, 'EnterpriseUser'],
        [SIGNET_USER_URN, 'SignetUser'],
      ],
      [CORE_GROUP_URN, 'Group'],
    ])
    expect(resourceWithId(all, CORE_GROUP_URN.toUpperCase())).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
      meta: { resourceType: 'Schema', location: `${BASE}/Schemas/${CORE_GROUP_URN}` },
    })
    expect(() => resourceWithId(all, 'urn:other')).toThrow(
      expect.objectContaining({
        code: 'not_found',
        message: 'There is no such resource.',
      }) as DomainError,
    )
  })

  it('describes each attribute in the words of RFC 7643', () => {
    const walk = (attributes: readonly ScimAttribute[]): readonly ScimAttribute[] =>
      attributes.flatMap((each) => [each, ...walk(each.subAttributes ?? [])])
    for (const { id } of all as readonly { id: string }[])
      for (const attribute of walk(attributesOf(id))) {
        expect(attribute.description).not.toBe('')
        expect(attribute.type === 'complex').toBe((attribute.subAttributes?.length ?? 0) > 0)
        expect(attribute).toMatchObject({ mutability: 'readWrite', returned: 'default' })
      }
  })

  it('says which names are required and unique, and which values are compared exactly', () => {
    const wanted = (id: string, is: (attribute: ScimAttribute) => boolean) =>
      attributesOf(id).flatMap((attribute) => (is(attribute) ? [attribute.name] : []))
    expect(wanted(CORE_USER_URN, ({ required }) => required)).toEqual(['userName'])
    expect(wanted(CORE_USER_URN, ({ uniqueness }) => uniqueness === 'server')).toEqual(['userName'])
    expect(wanted(CORE_USER_URN, ({ caseExact }) => caseExact)).toEqual(['profileUrl'])
    expect(wanted(CORE_USER_URN, ({ multiValued }) => multiValued)).toEqual([
      ...['emails', 'phoneNumbers', 'addresses'],
    ])
    expect(wanted(CORE_USER_URN, ({ type }) => type === 'boolean')).toEqual(['active'])
    expect(wanted(CORE_GROUP_URN, ({ required }) => required)).toEqual(['displayName'])
    expect(wanted(CORE_GROUP_URN, ({ uniqueness }) => uniqueness === 'server')).toEqual(['displayName'])
    expect(wanted(CORE_GROUP_URN, ({ multiValued }) => multiValued)).toEqual(['members'])
    const partsOf = (id: string, name: string) =>
      attributesOf(id)
        .find((each) => each.name === name)
        ?.subAttributes?.map((part) => `${part.name} ${part.type}${part.caseExact ? ' exact' : ''}`)
    expect(partsOf(CORE_USER_URN, 'emails')).toEqual([
      ...['value string', 'display string', 'type string', 'primary boolean'],
    ])
    expect(partsOf(CORE_GROUP_URN, 'members')).toEqual([
      ...['value string exact', '$ref reference exact', 'display string', 'type string'],
    ])
    expect(partsOf(ENTERPRISE_USER_URN, 'manager')).toEqual([
      ...['value string exact', '$ref reference exact', 'displayName string'],
    ])
  })

  it('has both types with their extensions, and what it supports', () => {
    expect(resourceTypes(BASE, [USER_TYPE, GROUP_TYPE])).toEqual([
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
        id: 'User',
        name: 'User',
        endpoint: '/Users',
        description: 'A person of the organisation.',
        schema: CORE_USER_URN,
        schemaExtensions: [
          { schema: ENTERPRISE_USER_URN, required: false },
          { schema: SIGNET_USER_URN, required: false },
        ],
        meta: { resourceType: 'ResourceType', location: `${BASE}/ResourceTypes/User` },
      },
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
        id: 'Group',
        name: 'Group',
        endpoint: '/Groups',
        description: 'A group of people, by which signatures are assigned.',
        schema: CORE_GROUP_URN,
        schemaExtensions: [],
        meta: { resourceType: 'ResourceType', location: `${BASE}/ResourceTypes/Group` },
      },
    ])
    expect(providerConfig(BASE)).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      filter: { supported: true, maxResults: 200 },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: false },
      authenticationSchemes: [{ type: 'oauthbearertoken', primary: true }],
      meta: { resourceType: 'ServiceProviderConfig', location: `${BASE}/ServiceProviderConfig` },
    })
  })
})

describe('an answer', () => {
  const kept = { created: 'then', lastModified: 'now' }

  it('names the schemas that it has values of', () => {
    const schemasOf = (type: ResourceType, values: object) =>
      resourceOf(type, 'a b', { ...kept, values: { ...values } }, BASE)['schemas']
    expect(schemasOf(USER_TYPE, {})).toEqual([CORE_USER_URN])
    expect(schemasOf(USER_TYPE, { [ENTERPRISE_USER_URN]: {} })).toEqual([CORE_USER_URN, ENTERPRISE_USER_URN])
    expect(schemasOf(USER_TYPE, { [SIGNET_USER_URN]: {} })).toEqual([CORE_USER_URN, SIGNET_USER_URN])
    expect(schemasOf(GROUP_TYPE, { [ENTERPRISE_USER_URN]: {} })).toEqual([CORE_GROUP_URN])
    expect(resourceAddressOf(BASE, USER_TYPE, 'a b/c')).toBe(`${BASE}/Users/a%20b%2Fc`)
    expect(resourceOf(GROUP_TYPE, 'g', { ...kept, values: { displayName: 'x' } }, BASE)).toEqual({
      schemas: [CORE_GROUP_URN],
      id: 'g',
      displayName: 'x',
      meta: { resourceType: 'Group', created: 'then', lastModified: 'now', location: `${BASE}/Groups/g` },
    })
  })

  it('counts what it lists', () => {
    expect(listResponseOf([{ id: 1 }, { id: 2 }], 7, 3)).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 7,
      startIndex: 3,
      itemsPerPage: 2,
      Resources: [{ id: 1 }, { id: 2 }],
    })
  })

  it.each([
    ['invalidFilter', 'invalidFilter'],
    ['invalidPath', 'invalidPath'],
    ['invalidValue', 'invalidValue'],
    ['invalidSyntax', 'invalidSyntax'],
    ['noTarget', 'noTarget'],
    ['mutability', 'mutability'],
    ['uniqueness', 'uniqueness'],
    ['tooMany', 'tooMany'],
    ['invalid_json', 'invalidSyntax'],
    ['invalid_body', 'invalidSyntax'],
    ['invalid_query', 'invalidValue'],
    ['not_found', undefined],
    ['toString', undefined],
  ])('that refuses with %s says so as %s', (code, scimType) => {
    expect(errorBodyOf(400, code, 'No.')).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '400',
      detail: 'No.',
      ...(scimType === undefined ? {} : { scimType }),
    })
  })

  const resource = {
    schemas: [CORE_USER_URN, ENTERPRISE_USER_URN],
    id: 'u',
    userName: 'ann',
    title: 'Sailor',
    name: { givenName: 'Ann', familyName: 'Lee' },
    emails: [{ value: 'a@x.example', type: 'work' }, { value: 'b@x.example' }, 'odd'],
    [ENTERPRISE_USER_URN]: { department: 'Sea', manager: { value: 'm', displayName: 'Max' } },
    meta: { resourceType: 'User', created: 'then' },
  }
  const always = { schemas: resource.schemas, id: 'u' }
  const { title: _title, ...untitled } = resource
  const { [ENTERPRISE_USER_URN]: _enterprise, ...plain } = resource
  const shown = (query: Parameters<typeof readAttributeSelection>[0]) =>
    selectAttributes(USER_TYPE, resource, readAttributeSelection(query))

  it.each<[string, object]>([
    ['title', { ...always, title: 'Sailor' }],
    ['TITLE', { ...always, title: 'Sailor' }],
    [' title , userName', { ...always, title: 'Sailor', userName: 'ann' }],
    ['wings', always],
    ['id', always],
    ['name.givenName', { ...always, name: { givenName: 'Ann' } }],
    ['name.givenName,name', { ...always, name: resource.name }],
    ['name.middleName', always],
    ['emails.value', { ...always, emails: [{ value: 'a@x.example' }, { value: 'b@x.example' }, 'odd'] }],
    ['meta.created', { ...always, meta: { created: 'then' } }],
    [`${ENTERPRISE_USER_URN}:department`, { ...always, [ENTERPRISE_USER_URN]: { department: 'Sea' } }],
    ['manager.value', { ...always, [ENTERPRISE_USER_URN]: { manager: { value: 'm' } } }],
    [`${SIGNET_USER_URN}:extensionAttribute1`, always],
  ])('has %s when that alone is wanted', (attributes, expected) => {
    expect(shown({ attributes })).toEqual(expected)
    expect(shown({ attributes, excludedAttributes: 'id,title' })).toEqual(expected)
  })

  it.each<[string, object]>([
    ['', resource],
    [' , ', resource],
    ['wings', resource],
    ['id,schemas', resource],
    ['title', untitled],
    ['name.givenName', { ...resource, name: { familyName: 'Lee' } }],
    [
      'name.givenName,name.familyName',
      Object.fromEntries(Object.entries(resource).filter(([name]) => name !== 'name')),
    ],
    ['emails.type', { ...resource, emails: [{ value: 'a@x.example' }, { value: 'b@x.example' }, 'odd'] }],
    ['manager', { ...resource, [ENTERPRISE_USER_URN]: { department: 'Sea' } }],
    ['manager,department', plain],
    [
      'manager.value',
      { ...resource, [ENTERPRISE_USER_URN]: { department: 'Sea', manager: { displayName: 'Max' } } },
    ],
  ])('leaves %j out', (excludedAttributes, expected) => {
    expect(shown({ excludedAttributes })).toEqual(expected)
  })

  it('is chosen by at most 100 paths', () => {
    const paths = (count: number) => Array.from({ length: count }, () => 'title').join(',')
    expect(readAttributeSelection({ attributes: paths(100) }).paths).toHaveLength(100)
    expect(readAttributeSelection({ attributes: `${paths(100)},userName` }).paths).toHaveLength(100)
    expect(readAttributeSelection({}).paths).toEqual([])
  })

  it.each<[Parameters<typeof readAttributeSelection>[0], boolean]>([
    [{}, true],
    [{ attributes: 'members' }, true],
    [{ attributes: 'members.value' }, true],
    [{ attributes: 'displayName,MEMBERS' }, true],
    [{ attributes: 'displayName' }, false],
    [{ excludedAttributes: 'members' }, false],
    [{ excludedAttributes: 'members.display' }, true],
    [{ excludedAttributes: 'displayName' }, true],
  ])('with %j has members: %s', (query, expected) => {
    expect(isAttributeSelected(GROUP_TYPE, readAttributeSelection(query), 'members')).toBe(expected)
  })

  it.each([
    ['members pr', true],
    ['members[value eq "1"]', true],
    ['displayName eq "x" and members.value eq "1"', true],
    ['displayName eq "x" or not (members eq "1")', true],
    ['displayName eq "members"', false],
    ['not (displayName pr) and externalId pr', false],
    [`${ENTERPRISE_USER_URN}:members pr`, false],
  ])('to %s is about members: %s', (filter, expected) => {
    expect(filterNamesAttribute(GROUP_TYPE, parseFilter(filter), 'members')).toBe(expected)
  })

  it('is about an attribute of the resource alone, not of an extension', () => {
    expect(filterNamesAttribute(USER_TYPE, parseFilter('department pr'), 'department')).toBe(false)
  })
})

describe('a user in the fields of Microsoft Graph', () => {
  const full = {
    userName: 'Ann@x.example',
    displayName: 'Ann Lee',
    title: 'Sailor',
    active: true,
    name: { formatted: 'Ann M. Lee', givenName: 'Ann', familyName: 'Lee' },
    preferredLanguage: ' de-DE ,en;q=0.7',
    emails: [
      ...[
        { value: 'home@x.example', type: 'home' },
        { value: 'work@x.example', type: 'WORK' },
      ],
      ...[{ value: 'main@x.example', type: 'other', primary: true }, { type: 'fax' }],
    ],
    phoneNumbers: [
      ...[
        { value: '1', type: 'work' },
        { value: '2', type: 'mobile' },
        { value: '3', type: 'fax' },
      ],
      ...[{ value: '4', type: 'mobile', primary: true }],
    ],
    addresses: [
      { type: 'other', formatted: 'B 12' },
      {
        type: 'work',
        formatted: 'C 3',
        streetAddress: '1 Quay',
        locality: 'Oslo',
        region: 'O',
        postalCode: '0001',
        country: 'NO',
      },
    ],
    [ENTERPRISE_USER_URN]: { department: 'Sea', organization: 'Northwind', employeeNumber: '7' },
    [SIGNET_USER_URN]: { extensionAttribute1: 'x' },
  }

  it('has each that was told', () => {
    expect(graphUserOf(full)).toEqual({
      displayName: 'Ann Lee',
      givenName: 'Ann',
      surname: 'Lee',
      jobTitle: 'Sailor',
      department: 'Sea',
      companyName: 'Northwind',
      employeeId: '7',
      officeLocation: 'B 12',
      businessPhones: ['1'],
      mobilePhone: '4',
      faxNumber: '3',
      mail: 'work@x.example',
      userPrincipalName: 'Ann@x.example',
      streetAddress: '1 Quay',
      city: 'Oslo',
      state: 'O',
      postalCode: '0001',
      country: 'NO',
      preferredLanguage: 'de-DE',
      onPremisesExtensionAttributes: { extensionAttribute1: 'x' },
      proxyAddresses: ['smtp:main@x.example', 'smtp:home@x.example', 'smtp:work@x.example'],
    })
  })

  it('has none that was not told', () => {
    expect(graphUserOf({})).toEqual({ businessPhones: [], proxyAddresses: [] })
    const odd = { displayName: 7, name: 'x', emails: 'x', phoneNumbers: [7], [SIGNET_USER_URN]: 'x' }
    expect(graphUserOf(odd)).toEqual({ businessPhones: [], proxyAddresses: [] })
  })

  const field = (values: object, name: string) => graphUserOf({ ...values })[name]
  it.each<[string, object, unknown]>([
    ['displayName', { name: { formatted: 'Ann M. Lee' } }, 'Ann M. Lee'],
    ['mail', { emails: [{ value: 'a' }, { value: 'b', primary: true }] }, 'b'],
    ['mail', { emails: [{ value: 'a' }, { value: 'b' }] }, 'a'],
    [
      'mail',
      {
        emails: [
          { value: 'a', primary: 'yes' },
          { value: 'b', type: 'home' },
        ],
      },
      'a',
    ],
    ['officeLocation', { addresses: [{ type: 'work', formatted: 'C 3' }] }, 'C 3'],
    ['officeLocation', { addresses: [{ type: 'work', formatted: '1 Quay\nOslo' }] }, undefined],
    ['officeLocation', { addresses: [{ formatted: 'C 3' }] }, undefined],
    ['preferredLanguage', { preferredLanguage: 'pt-BR' }, 'pt-BR'],
    ['preferredLanguage', { preferredLanguage: 'de;q=1' }, 'de'],
  ])('has its %s: %j', (name, values, expected) => {
    expect(field(values, name)).toBe(expected)
  })

  it.each<[unknown, string | null, string | null]>([
    [undefined, null, null],
    [{ manager: 'm' }, null, null],
    [{ manager: { value: ' m ', displayName: 'Max' } }, 'm', 'Max'],
    [{ manager: { value: '  ' } }, null, null],
    [{ manager: { displayName: 'Max' } }, null, 'Max'],
  ])('has the manager of %j', (enterprise, id, name) => {
    expect(reportedManagerOf({ [ENTERPRISE_USER_URN]: enterprise })).toEqual({ id, name })
  })

  const OID = '0A21F0F2-8D2A-4F8E-BF98-7363C4AED4EF'
  it.each<[unknown, readonly string[], boolean]>([
    [OID, ['t'], true],
    [` ${OID} `, ['t'], true],
    [OID, [], false],
    [OID, ['t', 'u'], false],
    [`${OID}0`, ['t'], false],
    [`0${OID}`, ['t'], false],
    ['ann', ['t'], false],
    [undefined, ['t'], false],
  ])('has the account of %j with the tenants %j: %s', (externalId, tenants, isOne) => {
    const account = { tenant: 't', oid: OID.toLowerCase() }
    expect(scimAccountOf({ externalId }, tenants)).toEqual(isOne ? account : null)
  })
})

describe('a resource that arrives', () => {
  const refused = (code: string, message: string) => expect.objectContaining({ code, message }) as ScimError
  const attribute = (name: string): ScimAttribute => {
    const found = findAttribute(USER_TYPE, pathOf(name))
    if (found === null) throw new Error(name)
    return found.attribute
  }

  it.each([
    ['invalidSyntax', [], 'The body is not an object.'],
    ['invalidSyntax', null, 'The body is not an object.'],
    ['invalidValue', { active: 'perhaps' }, 'active: expected true or false.'],
    ['invalidValue', { active: 1 }, 'active: expected true or false.'],
    ['invalidValue', { name: 'x' }, 'name: expected an object.'],
    ['invalidValue', { name: { givenName: true } }, 'name.givenName: expected a text.'],
    ['invalidValue', { name: [{}, {}] }, 'name: expected an object.'],
    ['invalidValue', { title: ['x'] }, 'title: expected a text.'],
    ['invalidValue', { title: 'x'.repeat(4_001) }, 'title: expected at most 4000 characters.'],
    [
      'invalidValue',
      { emails: Array.from({ length: 101 }, () => 'x') },
      'emails: expected at most 100 values.',
    ],
    ['invalidValue', { [ENTERPRISE_USER_URN]: 'x' }, `${ENTERPRISE_USER_URN}: expected an object.`],
    [
      'invalidValue',
      { [ENTERPRISE_USER_URN]: { department: {} } },
      `${ENTERPRISE_USER_URN}:department: expected a text.`,
    ],
    [
      'invalidValue',
      { [ENTERPRISE_USER_URN]: { manager: { value: {} } } },
      `${ENTERPRISE_USER_URN}:manager.value: expected a text.`,
    ],
  ])('is refused with %s: %#', (code, body, message) => {
    expect(() => readResource(USER_TYPE, body)).toThrow(refused(code, message))
  })

  it('may have texts of 4,000 characters and lists of 100 values', () => {
    const title = 'x'.repeat(4_000)
    expect(readResource(USER_TYPE, { title })).toEqual({ title })
    const emails = Array.from({ length: 100 }, (_, at) => String(at))
    expect(readResource(USER_TYPE, { emails })).toEqual({ emails: emails.map((value) => ({ value })) })
  })

  it('leaves out what is unassigned', () => {
    const empty = { [ENTERPRISE_USER_URN]: null, [SIGNET_USER_URN]: { extensionAttribute1: null } }
    expect(
      readResource(USER_TYPE, { ...empty, emails: [null, {}, { value: null }], name: { givenName: null } }),
    ).toEqual({})
  })

  it.each<[string, unknown, unknown]>([
    ['active', true, true],
    ['active', 'TRUE', true],
    ['active', false, false],
    ['active', 'fALSE', false],
    ['title', 7, '7'],
    ['title', undefined, null],
    ['name', [{ givenName: 'A' }], { givenName: 'A' }],
    ['name', [], null],
    ['name', [null], null],
    ['name', {}, null],
    ['emails', 'a', [{ value: 'a' }]],
    ['emails', [], null],
    ['addresses', { locality: 'Oslo' }, [{ locality: 'Oslo' }]],
  ])('has the value of %s as the schema gives it: %j', (name, value, expected) => {
    expect(readAttributeValue(attribute(name), value)).toEqual(expected)
  })

  it('takes no text for a complex attribute without a value', () => {
    expect(() => readAttributeValue(attribute('addresses'), 'Oslo')).toThrow(
      refused('invalidValue', 'addresses: expected an object.'),
    )
  })

  it('has one primary value, the last that says so', () => {
    const [one, two] = [
      { value: '1', primary: true },
      { value: '2', primary: true },
    ]
    const none = { value: '3', primary: false }
    expect(withOnePrimary([one, none])).toEqual([one, none])
    expect(withOnePrimary([one, two, none])).toEqual([{ ...one, primary: false }, two, none])
    expect(withOnePrimary([none, 'x'])).toEqual([none, 'x'])
  })

  it.each<[ResourceType, object, string]>([
    [USER_TYPE, {}, 'userName: expected a text: the attribute is required.'],
    [USER_TYPE, { userName: ' ' }, 'userName: expected a text: the attribute is required.'],
    [USER_TYPE, { userName: 7 }, 'userName: expected a text: the attribute is required.'],
    [GROUP_TYPE, { userName: 'x' }, 'displayName: expected a text: the attribute is required.'],
    [USER_TYPE, { userName: 'x'.repeat(501) }, 'userName: expected at most 500 characters.'],
    [
      USER_TYPE,
      { userName: 'x', externalId: 'x'.repeat(501) },
      'externalId: expected at most 500 characters.',
    ],
    [GROUP_TYPE, { displayName: 'x'.repeat(501) }, 'displayName: expected at most 500 characters.'],
  ])('must have its names: %#', (type, values, message) => {
    expect(() => checkNames(type, { ...values })).toThrow(refused('invalidValue', message))
  })

  it.each<[ResourceType, object]>([
    [USER_TYPE, { userName: 'x'.repeat(500), externalId: 'x'.repeat(500), displayName: 'x'.repeat(501) }],
    [GROUP_TYPE, { displayName: 'x'.repeat(500) }],
  ])('may have names of 500 characters: %#', (type, values) => {
    expect(() => checkNames(type, { ...values })).not.toThrow()
  })

  it('is read from the mirror as it was kept, and as nothing where it was not', () => {
    const kept = { values: { userName: 'ann' }, created: 'then', lastModified: 'now' }
    expect(storedResourceOf({ data: kept })).toEqual(kept)
    expect(storedResourceOf({ data: {} })).toEqual({ values: {}, created: '', lastModified: '' })
    expect(storedResourceOf({ data: { values: ['x'], created: 1, lastModified: 2 } })).toEqual({
      values: {},
      created: '',
      lastModified: '',
    })
    expect(readResource(GROUP_TYPE, { displayName: 'x', members: ['1'] })).toEqual({ displayName: 'x' })
  })
})
