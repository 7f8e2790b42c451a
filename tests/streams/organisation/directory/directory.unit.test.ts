import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import {
  graphAddressesOf,
  appliesOtherChanges,
  flatFields,
  isActiveGraphUser,
  isGroupNamed,
  type Json,
  type JsonObject,
  mergeJson,
  ruleGroupNames,
  needsApproval,
  readGraphUser,
} from '../../../../streams/organisation/directory/directory.ts'
import type { Selection } from '../../../../streams/organisation/release/release.ts'

const key = fc.constantFrom('a', 'b', 'c', 'd')
const value = fc.letrec<{ any: Json; object: JsonObject }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('x', ' y ', '', 1, true, null),
    fc.array(fc.constantFrom('p', 'q'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(key, tie('any'), { maxKeys: 3, noNullPrototype: true }),
})).object

/** Without `null`, as an object is after changes. */
const pruned = (data: JsonObject): JsonObject => mergeJson({}, data)

describe('a change of an entry', () => {
  test.prop([value])('of everything gives what it tells', (told) => {
    expect(mergeJson(mergeJson({}, told), told)).toEqual(mergeJson({}, told))
  })
  test.prop([value, value])(
    'leaves what it does not tell, drops nulls and replaces lists',
    (before, change) => {
      const after = mergeJson(pruned(before), change)
      for (const [name, old] of Object.entries(pruned(before)))
        if (!(name in change)) expect(after[name]).toEqual(old)
      for (const [name, told] of Object.entries(change)) {
        if (told === null) expect(name in after).toBe(false)
        else if (Array.isArray(told) || typeof told !== 'object') expect(after[name]).toEqual(told)
      }
    },
  )
  it('reaches into what is nested', () => {
    const before = { attributes: { one: 'a', two: 'b' } }
    expect(mergeJson(before, { attributes: { two: null, three: 'c' } })).toEqual({
      attributes: { one: 'a', three: 'c' },
    })
  })
})

describe('the fields of an entry', () => {
  test.prop([value])('are texts that are not empty, by paths that lead to them', (data) => {
    for (const [path, text] of Object.entries(flatFields(data))) {
      let at: Json | undefined = data
      for (const part of path.split('.')) at = (at as Readonly<Record<string, Json>>)[part]
      expect([text, text === '']).toEqual([String(at).trim(), false])
    }
  })
  it('are those of Graph, nested ones with dots, without what is no value for a signature', () => {
    const data = {
      id: 'i',
      accountEnabled: true,
      userType: 'Member',
      proxyAddresses: ['smtp:a@x.example'],
      jobTitle: ' Pilot ',
      department: '',
      city: null,
      businessPhones: ['1', '2'],
      state: '\u00A0',
      officeLocation: ' \u200B\uFEFF',
      onPremisesExtensionAttributes: { extensionAttribute1: 'one', extensionAttribute2: null },
    }
    expect(flatFields(data)).toEqual({
      jobTitle: 'Pilot',
      'businessPhones.0': '1',
      'businessPhones.1': '2',
      'onPremisesExtensionAttributes.extensionAttribute1': 'one',
    })
  })
  it('leave out what is too long, too deep, too many, or no name of a field', () => {
    const hostile = JSON.parse(
      '{"__proto__":"x","constructor":"x","a":{"__proto__":"x","prototype":"y"}}',
    ) as JsonObject
    expect(flatFields(hostile)).toEqual({})
    const text = (length: number) => 'x'.repeat(length)
    expect(flatFields({ long: text(4001), fits: text(4000), [text(101)]: 'x', 'a\nb': 'x' })).toEqual({
      fits: text(4000),
    })
    expect(flatFields({ a: { b: { c: { d: 'fits' } } } })).toEqual({ 'a.b.c.d': 'fits' })
    expect(flatFields({ a: { b: { c: { d: { e: 'deep' } } } } })).toEqual({})
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${String(at)}`, 'x']))
    expect(Object.keys(flatFields(many))).toHaveLength(200)
  })
})

describe('the addresses of an entry', () => {
  const address = fc.constantFrom(
    'a@x.example',
    'B@x.example',
    'c@y.example',
    'no address',
    '@x.example',
    'a@x',
    '',
  )
  test.prop([
    fc.option(address),
    fc.array(fc.tuple(fc.constantFrom('SMTP:', 'smtp:', 'x500:', 'sip:'), address)),
    fc.option(address),
  ])(
    'are addresses in lower case, each once, the mail address first and the sign-in name last',
    (mail, proxies, userPrincipalName) => {
      const proxyAddresses = proxies.map(([type, text]) => type + text)
      const addresses = graphAddressesOf({ mail, proxyAddresses, userPrincipalName })
      expect(new Set(addresses).size).toBe(addresses.length)
      for (const each of addresses) expect(each).toMatch(/^[abc]@[xy]\.example$/)
      if (mail !== null && /^\w@\w\.example$/.test(mail)) expect(addresses[0]).toBe(mail.toLowerCase())
      const mails = proxies.filter(([type]) => /smtp/i.test(type)).map(([, text]) => text.toLowerCase())
      for (const each of addresses)
        expect([...mails, mail?.toLowerCase(), userPrincipalName?.toLowerCase()]).toContain(each)
      if (userPrincipalName !== null && addresses.at(-1) !== userPrincipalName.toLowerCase())
        expect(
          [...mails, mail?.toLowerCase()].includes(userPrincipalName.toLowerCase()) ||
            !/^\w@\w\.example$/.test(userPrincipalName),
        ).toBe(true)
    },
  )
  it('are at most 100', () => {
    const proxyAddresses = Array.from({ length: 300 }, (_, at) => `smtp:${String(at)}@x.example`)
    expect(graphAddressesOf({ proxyAddresses })).toHaveLength(100)
  })
})

describe('a user', () => {
  it.each([
    [' Mia Boss ', { 'manager.displayName': 'Mia Boss' }],
    ['', {}],
    ['  ', {}],
    [null, {}],
  ])('has the name %j of the manager as a field, and not the id', (name, fields) => {
    expect(readGraphUser({ manager: 'm-1' }, null, { displayName: name }).fields).toEqual(fields)
  })
  it('has every field of the manager as one of its own, but the manager of the manager', () => {
    const manager = {
      mail: 'm@x.example',
      businessPhones: ['1'],
      id: 'm-1',
      manager: 'm-2',
      accountEnabled: true,
    }
    expect(readGraphUser({ mail: 'a@x.example' }, null, manager).fields).toEqual({
      mail: 'a@x.example',
      'manager.mail': 'm@x.example',
      'manager.businessPhones.0': '1',
    })
  })
  it('has the account that is given, and a language only if it is one', () => {
    const account = { tenant: 't', oid: 'o' }
    expect(
      readGraphUser({ preferredLanguage: 'de-DE', mail: 'A@x.example', manager: 'm-1' }, account, null),
    ).toEqual({
      account,
      addresses: ['a@x.example'],
      language: 'de-DE',
      fields: { preferredLanguage: 'de-DE', mail: 'A@x.example' },
    })
    expect(readGraphUser({ preferredLanguage: 'German!' }, null, null)).toMatchObject({
      account: null,
      language: null,
    })
  })
  it.each([
    [{}, true],
    [{ accountEnabled: true, userType: 'Member' }, true],
    [{ accountEnabled: null, userType: null }, true],
    [{ accountEnabled: false }, false],
    [{ accountEnabled: true, userType: 'Guest' }, false],
  ])('%j is employed: %s', (data, expected) => expect(isActiveGraphUser(data)).toBe(expected))
})

describe('a sync', () => {
  test.prop([fc.nat(1000), fc.nat(1000)])(
    'needs leave to retire more than one in twenty',
    (retiring, active) => {
      expect(needsApproval(retiring, active)).toBe(retiring * 20 > active)
    },
  )
})

describe('what a directory tells', () => {
  it.each([
    [5, 100, false],
    [6, 100, true],
    [1, 20, false],
    [1, 19, true],
    [0, 0, false],
  ])('retires %i of %i only with leave: %s', (retiring, active, needs) => {
    expect(needsApproval(retiring, active)).toBe(needs)
  })

  it.each([
    [{ source: 'scim', outcome: 'needsLeave', isTrial: false }, true],
    [{ source: 'graph', outcome: 'needsLeave', isTrial: false }, false],
    [{ source: 'scim', outcome: 'done', isTrial: false }, false],
    [{ source: 'scim', outcome: 'needsLeave', isTrial: true }, false],
  ] as const)('%j applies the rest: %s', (run, applies) => {
    expect(appliesOtherChanges(run)).toBe(applies)
  })

  it.each<readonly [data: JsonObject, addresses: readonly string[]]>([
    [{}, []],
    [{ mail: ' A@x.example ', userPrincipalName: 'U@x.example' }, ['a@x.example', 'u@x.example']],
    [{ mail: 7, proxyAddresses: 'smtp:a@x.example', userPrincipalName: null }, []],
    [{ proxyAddresses: ['SMTP:a@x.example', 7, 'x-smtp:b@x.example', 'sip:c@x.example'] }, ['a@x.example']],
    [{ mail: 'a.b@x', userPrincipalName: 'a@x.example' }, ['a@x.example']],
  ])('of %j the addresses are %j', (data, addresses) => {
    expect(graphAddressesOf(data)).toEqual(addresses)
  })

  it.each<readonly [data: JsonObject, fields: Readonly<Record<string, string>>]>([
    [{ a: { '': 'x' } }, { 'a.': 'x' }],
    [{ '': { b: 'x' } }, { b: 'x' }],
    [{ 'a ': 'x', ' a': 'y' }, {}],
    [
      { a: false, b: 0 },
      { a: 'false', b: '0' },
    ],
    [{ a: [null, '', 'x'] }, { 'a.2': 'x' }],
  ])('of %j the fields are %j', (data, fields) => {
    expect(flatFields(data)).toEqual(fields)
  })

  it('names a manager by 4,000 characters at most', () => {
    const { fields } = readGraphUser({}, null, { displayName: 'x'.repeat(4_001) })
    expect(fields['manager.displayName']).toHaveLength(4_000)
  })

  it.each<readonly [before: JsonObject, change: JsonObject, after: JsonObject]>([
    [{ a: null }, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: 'x' }, { a: { b: null } }, { a: {} }],
    [{ a: { b: 1 } }, { a: [2] }, { a: [2] }],
  ])('%j changed by %j is %j', (before, change, after) => {
    expect(mergeJson(before, change)).toEqual(after)
  })
})

describe('the groups that a release names', () => {
  it('are those of signatures, blocks, questions, mailboxes and of choosing, each once', () => {
    const group = (...values: readonly string[]) => [{ by: 'group', values }] as const
    const selection = (chosen: Selection['for'], not: Selection['not'] = []): Selection => ({
      for: chosen,
      not,
    })
    const document = {
      chooseDefault: selection('everyone', [group('a')]),
      signatures: [
        { selection: selection([group('b', 'a'), [{ by: 'person', values: ['x'] }]]) },
        { selection: selection([[{ by: 'field', field: 'f', values: ['y'] }, ...group('C')]]) },
      ] as never,
      blocks: [{ selection: selection([group('f', 'b')]) }] as never,
      guard: [
        { missing: 'signature', selection: selection([group('g')]), recipients: 'everyone' },
        { missing: 'block', block: 'fair' },
      ] as const,
      mailboxes: [{ selection: selection([group('d')], [group('e')]) }] as never,
    }
    expect(ruleGroupNames({ document })).toEqual(['a', 'b', 'C', 'f', 'g', 'd', 'e'])
    const edited = {
      ...document,
      approval: { by: ['Signet.Publish', 'h', 'a'] },
      editors: ['i'],
      signatures: [{ selection: selection('everyone'), editors: ['j', 'b'] }] as never,
      blocks: [{ selection: selection('everyone'), editors: ['k'] }] as never,
    }
    expect(ruleGroupNames({ document: edited })).toEqual(['a', 'g', 'd', 'e', 'h', 'i', 'j', 'b', 'k'])
    expect(ruleGroupNames(null)).toEqual([])
  })
  it('are found by id, name or external id, whatever their case', () => {
    const group = { id: 'Id-1', name: 'sales', externalId: 'nick' }
    for (const named of ['ID-1', 'Sales', 'NICK']) expect(isGroupNamed(named, group)).toBe(true)
    for (const named of ['id', '', 'null']) expect(isGroupNamed(named, { ...group, name: null })).toBe(false)
  })
})
