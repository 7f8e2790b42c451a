import { describe, expect, it } from 'vitest'
import { readExpectations } from '../../src/folder/expectations.ts'
import type { Finding } from '../../src/folder/finding.ts'
import { readPeople } from '../../src/folder/people.ts'
import { readSignetYaml } from '../../src/folder/signetYaml.ts'
import { readYaml } from '../../src/folder/yaml.ts'
import { composingFiles } from '../../src/folder/writeFolder.ts'
import { runSteps } from '../../streams/kernel/steps.ts'
import type { ReleaseDocument, Signature, Variable } from '../../streams/organisation/release/release.ts'
import { variableOf } from '../support/variables.ts'

// What signet.yaml, expect.yaml and people.csv are read as, and how signet.yaml is written.

const APPROVAL =
  '"approval" names who approves: approval: { by: [Signet.Publish] }, a role or a group of the directory.'
const EDITORS = '"editors" names groups of the directory, whose members may change it.'
const HEAD = 'version: 1\norganisation: Northwind\n'

function read(yaml: string) {
  const problems: Finding[] = []
  const { document, places, readers, isDescribed } = readSignetYaml(HEAD + yaml, problems)
  return { document, places, readers, isDescribed, problems }
}

/** What is read of a text without a problem. */
function good(yaml: string) {
  const { problems, ...rest } = read(yaml)
  expect(problems).toEqual([])
  return rest
}
const everyone = { for: 'everyone', not: [] } as const

describe('signet.yaml', () => {
  it('may be two lines', () => {
    const { document, readers, places, isDescribed } = good('')
    expect(document).toEqual({
      version: 1,
      organisation: 'Northwind',
      internal: [],
      chooseDefault: everyone,
      plan: { from: null, value: 'full' },
      variables: [],
      signatures: [],
      mailboxes: [],
    })
    expect(readers).toEqual(['outlook-windows', 'outlook-new', 'gmail', 'apple-mail'])
    expect([isDescribed, places.size]).toEqual([true, 0])
  })

  it.each([
    ['internal: Northwind.EXAMPLE', ['northwind.example']],
    ['internal: [A.example, b.example]', ['a.example', 'b.example']],
    ['internal: []', []],
  ])('%s are domains', (yaml, internal) => {
    expect(good(yaml).document.internal).toEqual(internal)
  })

  it.each([
    ['plan: {}', { from: null, value: 'full' }],
    ['plan: { from: extensionAttribute1 }', { from: 'extensionAttribute1', value: 'full' }],
    ['plan: { value: trial }', { from: null, value: 'trial' }],
  ])('%s is the plan of the subscription', (yaml, plan) => {
    expect(good(yaml).document.plan).toEqual(plan)
  })

  it('names the mail clients that it wants to be checked', () => {
    expect(good('readers: [gmail, yahoo]').readers).toEqual(['gmail', 'yahoo'])
    expect(good('readers: proton').readers).toEqual(['proton'])
  })

  it.each([
    ['choose-default: true', everyone],
    ['choose-default: false', { for: [], not: [] }],
    [
      'choose-default: { for: everyone, not: [{ group: a }] }',
      { for: 'everyone', not: [[{ by: 'group', values: ['a'] }]] },
    ],
    [
      'choose-default: { for: [{ group: [a, b] }] }',
      { for: [[{ by: 'group', values: ['a', 'b'] }]], not: [] },
    ],
  ])('%s says who may choose', (yaml, selection) => {
    expect(good(yaml).document.chooseDefault).toEqual(selection)
  })

  const variable = variableOf('a')
  it.each<readonly [yaml: string, variable: Partial<Variable>]>([
    ['', {}],
    ['{}', {}],
    ['null', {}],
    ['{ from: x.0 }', { from: 'x.0', group: 'mapped' }],
    ['{ value: 0420 }', { value: '0420' }],
    ['{ from: x, value: "" }', { from: 'x', value: '', group: 'mapped' }],
    ['{ edit: true, hidden: true }', { edit: true, hidden: true }],
    ['{ from: x, resync: true, edit: false, hidden: false }', { from: 'x', resync: true, group: 'mapped' }],
    ['{ label: Phone, group: Contact }', { label: 'Phone', group: 'Contact' }],
    ['{ group: null }', { group: null }],
    ['{ group: }', { group: null }],
    ['{ group: {} }', { group: null }],
  ])('declares the variable %s', (yaml, over) => {
    expect(good(`variables:\n  a: ${yaml}`).document.variables).toEqual([{ ...variable, ...over }])
  })

  const signature: Signature = {
    id: 'a',
    name: 'a',
    template: 'templates/a.html',
    reply: null,
    mobile: null,
    selection: everyone,
    during: null,
    recipients: 'everyone',
    collection: null,
  }
  it.each<readonly [yaml: string, signature: Partial<Signature>]>([
    ['for: everyone', {}],
    ['for: everyone, name: A b', { name: 'A b' }],
    [
      'for: everyone, reply: templates/r.html, mobile: templates/m/n.html',
      { reply: 'templates/r.html', mobile: 'templates/m/n.html' },
    ],
    ['for: everyone, meeting: templates/m.html', { meeting: 'templates/m.html' }],
    [
      'for: everyone, during: 2026-09-01/2026-11-30',
      { during: { from: '2026-09-01', to: '2026-11-30', timeZone: 'UTC' } },
    ],
    [
      'for: everyone, during: 2026-09-01/2026-09-01, time-zone: Europe/Berlin',
      { during: { from: '2026-09-01', to: '2026-09-01', timeZone: 'Europe/Berlin' } },
    ],
    ['for: everyone, recipients: internal', { recipients: 'internal' }],
    ['for: everyone, recipients: external', { recipients: 'external' }],
    ['for: everyone, recipients: everyone', {}],
    ['for: everyone, recipients: [A.example]', { recipients: ['a.example'] }],
    ['for: everyone, collection: Fairs', { collection: 'Fairs' }],
    [
      'for: [{ group: G, person: A@b.example, address: "*@B.example", City: [Kiel, 7] }], not: [{ x: "" }]',
      {
        selection: {
          for: [
            [
              { by: 'group', values: ['G'] },
              { by: 'person', values: ['a@b.example'] },
              { by: 'address', values: ['*@b.example'] },
              { by: 'field', field: 'City', values: ['Kiel', '7'] },
            ],
          ],
          not: [[{ by: 'field', field: 'x', values: [''] }]],
        },
      },
    ],
  ])('has a signature { %s }', (yaml, over) => {
    const { document } = good(`signatures:\n  a: { template: templates/a.html, ${yaml} }`)
    expect(document.signatures).toEqual([{ ...signature, ...over }])
  })

  it.each([
    ['a: { for: everyone }', { address: 'a@b.example', selection: everyone, values: {} }],
    [
      'a: { for: everyone, values: { phone: 7, x: "" } }',
      { address: 'a@b.example', selection: everyone, values: { phone: '7', x: '' } },
    ],
    [
      'a: { for: [{ group: g }], not: [{ group: h }] }',
      {
        address: 'a@b.example',
        values: {},
        selection: { for: [[{ by: 'group', values: ['g'] }]], not: [[{ by: 'group', values: ['h'] }]] },
      },
    ],
  ])('has a mailbox %s', (yaml, mailbox) => {
    expect(good(`mailboxes:\n  ${yaml.replace('a:', 'A@B.example:')}`).document.mailboxes).toEqual([mailbox])
  })

  it('keeps the place of what later findings are about', () => {
    const { places } = good(
      [
        'internal: [a.example, b.example]',
        'variables:',
        '  phone: { from: x, label: L, group: G }',
        'signatures:',
        '  a:',
        '    name: A',
        '    template: templates/a.html',
        '    reply: templates/r.html',
        '    mobile: templates/m.html',
        '    meeting: templates/x.html',
        '    for: [{ country: [DE, AT] }, { group: g }]',
        '    not: [{ person: a@b.example }]',
        '    during: 2026-09-01/2026-11-30',
        '    recipients: [a.example, b.example]',
        '    collection: C',
        'mailboxes:',
        '  A@b.example: { for: everyone, values: { phone: 1 } }',
        'choose-default: { for: everyone }',
      ].join('\n'),
    )
    expect(
      Object.fromEntries(
        [...places].map(([path, { line, column }]) => [path, `${String(line)}:${String(column)}`]),
      ),
    ).toEqual({
      'internal.0': '3:12',
      'internal.1': '3:23',
      'variables.phone': '5:3',
      'variables.phone.from': '5:18',
      'variables.phone.label': '5:28',
      'variables.phone.group': '5:38',
      'signatures.a': '7:3',
      'signatures.a.name': '8:11',
      'signatures.a.template': '9:15',
      'signatures.a.reply': '10:12',
      'signatures.a.mobile': '11:13',
      'signatures.a.meeting': '12:14',
      'signatures.a.for': '13:5',
      'signatures.a.for.0': '13:11',
      'signatures.a.for.0.country.0': '13:23',
      'signatures.a.for.0.country.1': '13:27',
      'signatures.a.for.1': '13:34',
      'signatures.a.for.1.group.0': '13:43',
      'signatures.a.not': '14:5',
      'signatures.a.not.0': '14:11',
      'signatures.a.not.0.person.0': '14:21',
      'signatures.a.during': '15:13',
      'signatures.a.recipients': '16:17',
      'signatures.a.recipients.0': '16:18',
      'signatures.a.recipients.1': '16:29',
      'signatures.a.collection': '17:17',
      'mailboxes.a@b.example': '19:3',
      'mailboxes.a@b.example.values.phone': '19:43',
      'mailboxes.a@b.example.for': '19:18',
      'choose-default.for': '20:19',
    })
  })

  it.each([
    ['signatures:\n  A: { template: templates/a.html, for: everyone }', 'signatures', []],
    ['signatures:\n  a: { for: everyone }', 'signatures', []],
    ['signatures:\n  a: { template: a.html, for: everyone }', 'signatures', []],
    ['variables:\n  a-b: {}\n  c: {}', 'variables', ['c']],
    ['mailboxes:\n  a: { for: everyone }\n  b@c.example: { for: everyone }', 'mailboxes', ['b@c.example']],
  ] as const)('leaves out what is wrong, with one problem: %j', (yaml, part, kept) => {
    const { document, problems } = read(yaml)
    expect(problems).toHaveLength(1)
    const ids = document[part].map((one) => ('path' in one ? one.path : 'id' in one ? one.id : one.address))
    expect(ids).toEqual(kept)
  })

  it.each<readonly [yaml: string, told: readonly string[]]>([
    [
      'version: [1]\norganisation: N',
      ['1:10 "version" is a text.', '1:1 The first line is "version: 1", the format of this folder.'],
    ],
    [
      'version: 1\norganisation: [x]',
      ['2:15 "organisation" is a text.', '2:1 "organisation" is the name of yours.'],
    ],
    ['version: 1\norganisation: " "', ['2:1 "organisation" is the name of yours.']],
    [`${HEAD}internal: [[x]]`, ['3:12 "internal" is a text.']],
    [`${HEAD}readers: [[x]]`, ['3:11 "readers" is a text.']],
    [
      `${HEAD}choose-default: { four: x, for: everyone }`,
      ['3:19 "four" is not known here. "choose-default" may have for and not.'],
    ],
    ...['101%', 'ten', '1.5%', '-1', '1000000000'].map((text): [string, string[]] => [
      `${HEAD}limits: { people: ${text} }`,
      [`3:11 "people" is a number of people, or a percentage of all such as 10%: "${text}" is neither.`],
    ]),
    [`${HEAD}limits: { signatures: 1 }`, ['3:11 "signatures" is not known here. "limits" may have people.']],
    [`${HEAD}limits: { people: [1] }`, ['3:19 "people" is a text.']],
    ...['approval: { by: [] }', 'approval: { by: "" }'].map((text): [string, string[]] => [
      `${HEAD}${text}`,
      [`3:17 ${APPROVAL}`],
    ]),
    [`${HEAD}approval: {}`, [`3:11 ${APPROVAL}`]],
    [
      `${HEAD}approval: { by: [Signet.Write, Signet.Publish] }`,
      [
        '3:17 "Signet.Write" is not a role; known are Signet.Read, Signet.Publish, Signet.People, Signet.Audit, Signet.Operate.',
      ],
    ],
    [`${HEAD}approval: yes`, ['3:11 "approval" is written as "key: value".', `3:11 ${APPROVAL}`]],
    [`${HEAD}editors: []`, [`3:10 ${EDITORS}`]],
    [`${HEAD}editors: { a: b }`, ['3:10 "editors" is a text.', `3:10 ${EDITORS}`]],
    [`${HEAD}limits: 5`, ['3:9 "limits" is written as "key: value".']],
    [`${HEAD}variables: { a: { from: [x] } }`, ['3:25 "from" is a text.']],
    [`${HEAD}variables: { a: { value: [x] } }`, ['3:26 "value" is a text.']],
    [`${HEAD}variables: { a: { label: [x] } }`, ['3:26 "label" is a text.']],
    [`${HEAD}variables: { a: { group: [x] } }`, ['3:26 "group" is a text.']],
    [
      `${HEAD}mailboxes: { a@b.example: { for: { x: y } } }`,
      ['3:34 "for" is a text.', '3:29 "for" is everyone, or a list of conditions.'],
    ],
    [
      `${HEAD}mailboxes: { a@b.example: { for: everyone }, A@b.example: { for: everyone } }`,
      ['3:46 "a@b.example" is here twice.'],
    ],
    ...(
      [
        ['name: [x]', '"name" is a text.'],
        ['during: [x]', '"during" is a text.'],
        ['during: 2026-09-01/2026-09-30, time-zone: [x]', '"time-zone" is a text.'],
        ['recipients: [[x], a.example]', '"recipients" is a text.'],
        ['collection: [x]', '"collection" is a text.'],
        ['during: 2026-09-01/2026-09-30/2026-10-01', '"during" is two days: 2026-09-01/2026-11-30.'],
        ['during: 2026-09-01', '"during" is two days: 2026-09-01/2026-11-30.'],
        ['during: 2026-09-31/2026-10-01', '2026-09-31 is not a day: 2026-09 has 30 days.'],
        ['during: 2026-09-01/2026-13-01', '2026-13-01 is not a day: there is no month 13.'],
      ] as const
    ).map(([yaml, message]) => {
      const text = `${HEAD}signatures: { a: { template: templates/a.html, for: everyone, ${yaml} } }`
      return [text, [`:${message}`]] as const
    }),
  ])('tells what is wrong in %j', (yaml, told) => {
    const problems: Finding[] = []
    readSignetYaml(yaml, problems)
    expect(
      problems.map(({ line, column, message }, index) =>
        told[index]?.startsWith(':') === true
          ? `:${message}`
          : `${String(line)}:${String(column)} ${message}`,
      ),
    ).toEqual(told)
  })

  it('takes a flag that is none as not set', () => {
    expect(read('variables: { a: { edit: perhaps, hidden: 1 } }').document.variables).toMatchObject([
      { edit: false, hidden: false },
    ])
  })

  it('keeps the places of mail clients', () => {
    expect([...good('readers: [gmail, yahoo]').places.keys()]).toEqual(['readers.0', 'readers.1'])
  })

  it('goes on with what is right of a selection, a list and a name', () => {
    const { document, problems, places } = read(
      'internal: [x, a.example]\nreaders: [pine, gmail]\nsignatures:\n  a: { template: templates/a.html, for: [{ person: [x, a@b.example] }, {}, { group: g }], name: [a] }',
    )
    expect(problems.map(({ code }) => code)).toEqual(['value', 'notText', 'value', 'noValue', 'value'])
    expect(document.internal).toEqual(['a.example'])
    expect(document.signatures).toMatchObject([
      { name: 'a', selection: { for: [[{ by: 'group', values: ['g'] }]], not: [] } },
    ])
    expect(places.has('signatures.a.for.1')).toBe(false)
  })

  it('is not described when it is missing, or is no YAML', () => {
    for (const text of [null, 'a: [']) {
      const problems: Finding[] = []
      const { document, isDescribed } = readSignetYaml(text, problems)
      expect([isDescribed, document.organisation, document.signatures]).toEqual([false, '', []])
      expect(problems).toHaveLength(1)
    }
    const told: Finding[] = [{ file: 'x', line: 1, column: 1, level: 'error', code: 'x', message: 'x' }]
    readSignetYaml(null, told)
    expect(told).toHaveLength(1)
  })
})

describe('YAML', () => {
  const yaml = (text: string) => {
    const problems: Finding[] = []
    return { reader: readYaml('f.yaml', text, problems), problems }
  }
  const nothing = { key: 'This', place: { file: 'f.yaml', line: 9, column: 9 }, value: null }

  it.each<readonly [text: string, code: string, line: number, column: number]>([
    ['a: 1\n---\nb: 2', 'yaml', 2, 1],
    ['a:\n\tb: 1', 'yaml', 2, 1],
    ['a: "x', 'yaml', 1, 6],
    ['a: &x 1', 'yamlAnchor', 1, 7],
    ['a: !t 1', 'yamlTag', 1, 7],
    ['a: *x', 'yamlAlias', 1, 4],
    ['['.repeat(61), 'tooDeep', 1, 0],
  ])('of %j is refused with %s', (text, code, line, column) => {
    const { reader, problems } = yaml(text)
    expect(reader.root.value).toBeNull()
    expect(problems.map((each) => [each.code, each.line, ...(column === 0 ? [] : [each.column])])).toEqual([
      [code, line, ...(column === 0 ? [] : [column])],
    ])
  })

  it('may be nested, and is empty without a text', () => {
    expect(yaml(`${'['.repeat(50)}${']'.repeat(50)}`).problems).toEqual([])
    expect(yaml('').reader.root.value).toBeNull()
    expect(yaml('# only').problems).toEqual([])
  })

  it('tells a node that does not fit at its place, or where it should be', () => {
    const { reader, problems } = yaml('a: [1]\n')
    const { root, entries, items, text, flag, record } = reader
    const [entry] = entries(root)
    expect(entry).toMatchObject({ key: 'a', place: { line: 1, column: 1 } })
    expect(items(entry)).toHaveLength(1)
    expect(problems).toEqual([])
    expect(items(root)).toEqual([])
    expect(text(root)).toBeNull()
    expect(flag(nothing)).toBeNull()
    expect(entries(nothing)).toEqual([])
    expect(record(root, ['b'])).toEqual({})
    expect(problems.map(({ code, line, column }) => `${code} ${String(line)}:${String(column)}`)).toEqual([
      ...['notList 1:1', 'notText 1:1', 'notFlag 9:9', 'notMap 9:9', 'unknownKey 1:1'],
    ])
  })

  it.each([
    ['x', 'x'],
    ['"7"', '7'],
    ['007', '007'],
    ['1e3', '1e3'],
    ['true', 'true'],
    ['null', null],
    ['"a\\0b"', null],
    [`"${'x'.repeat(10_000)}"`, 'x'.repeat(10_000)],
    [`"${'x'.repeat(10_001)}"`, null],
  ])('reads %.40s as a text', (written, text) => {
    const { reader, problems } = yaml(written)
    expect(reader.text(reader.root)).toBe(text)
    expect(problems.map(({ code }) => code)).toEqual(text === null ? ['notText'] : [])
  })

  it.each([
    ['true', true],
    ['false', false],
    ['"true"', null],
    ['yes', null],
    ['1', null],
  ])('reads %s as a flag', (written, flag) => {
    const { reader } = yaml(written)
    expect(reader.flag(reader.root)).toBe(flag)
  })

  it('has keys that are texts, each once', () => {
    const { reader, problems } = yaml('1: a\ntrue: b\n? [x]\n: c\nnull: d\n1: e\n')
    expect(reader.entries(reader.root).map(({ key }) => key)).toEqual(['1', 'true'])
    expect(problems.map(({ code, line, message }) => `${code} ${String(line)} ${message}`)).toEqual([
      'key 3 A key is a text.',
      'key 5 A key is a text.',
      'twice 6 "1" is here twice.',
    ])
  })
})

describe('expect.yaml', () => {
  const expectations = (text: string | null) => {
    const problems: Finding[] = []
    const found = readExpectations(text, problems)
    return {
      found,
      problems: problems.map(({ line, column, message }) => `${String(line)}:${String(column)} ${message}`),
    }
  }
  const place = { file: 'expect.yaml', line: 1, column: 3 }

  it.each([
    [
      '- { person: A@b.example }',
      {
        kind: 'person',
        place,
        person: 'a@b.example',
        on: null,
        default: null,
        reply: null,
        recipients: null,
        blocks: null,
        contains: [],
      },
    ],
    [
      '- { person: a@b.example, on: 2026-10-01, default: x, reply: y, recipients: B.example, blocks: [c, 8], contains: [a, 7] }',
      {
        kind: 'person',
        place,
        person: 'a@b.example',
        on: '2026-10-01',
        default: 'x',
        reply: 'y',
        recipients: 'b.example',
        blocks: ['c', '8'],
        contains: ['a', '7'],
      },
    ],
    ['- everyone: {}', { kind: 'everyone', place, on: null, hasDefault: null, maxCharacters: null }],
    [
      '- { everyone: { has-default: false, at-most: { characters: 7 } }, on: 2026-10-01 }',
      { kind: 'everyone', place, on: '2026-10-01', hasDefault: false, maxCharacters: 7 },
    ],
    [
      '- everyone: { at-most: { characters: 9999999 } }',
      { kind: 'everyone', place, on: null, hasDefault: null, maxCharacters: 9_999_999 },
    ],
  ])('%s is an expectation', (text, expectation) => {
    expect(expectations(text)).toEqual({ found: [expectation], problems: [] })
  })

  it.each([
    ['- everyone: { at-most: { characters: 0 } }', '1:26 "characters" is a number.'],
    ['- everyone: { at-most: { characters: 10000000 } }', '1:26 "characters" is a number.'],
    ['- { person: a@b.example, on: 2026-02-30 }', '1:26 "2026-02-30" is not a day: 2026-10-01.'],
    ['- { person: a@b.example, on: [x] }', '1:30 "on" is a text.'],
    ['- everyone: { at-most: { characters: a7 } }', '1:26 "characters" is a number.'],
    ['- { everyone: { has-default: x } }', '1:30 "has-default" is true or false.'],
  ])('%s is told', (text, problem) => {
    expect(expectations(text).problems).toEqual([problem])
  })

  it('says what does not go with everyone', () => {
    const told = expectations('- { everyone: {}, person: a, default: b, reply: c, contains: d }').problems
    expect(told).toEqual([
      '1:19 "person" does not go with "everyone".',
      '1:30 "default" does not go with "everyone".',
      '1:42 "reply" does not go with "everyone".',
      '1:52 "contains" does not go with "everyone".',
    ])
  })

  it('names a person by the address', () => {
    for (const text of ['- { person: maria }', '- { default: x }'])
      expect(expectations(text)).toMatchObject({
        found: [],
        problems: [
          expect.stringContaining('An expectation names a person by the mail address, or everyone.'),
        ],
      })
  })

  it('may be missing, and expects nothing then', () => {
    expect(expectations(null)).toEqual({ found: [], problems: [] })
    expect(expectations('')).toEqual({ found: [], problems: [] })
    expect(expectations('[]')).toEqual({ found: [], problems: [] })
  })
})

describe('the writing of a document', () => {
  const document: ReleaseDocument = {
    version: 1,
    organisation: 'Northwind',
    internal: [],
    chooseDefault: everyone,
    plan: { from: null, value: 'full' },
    variables: [],
    signatures: [],
    mailboxes: [],
    templates: {},
    pictures: {},
  }
  const written = (over: Partial<ReleaseDocument>) =>
    Buffer.from(
      runSteps(composingFiles({ ...document, ...over }, new Map())).get('signet.yaml') ?? new Uint8Array(),
    ).toString()
  const variable = variableOf('a')
  const signature: Signature = {
    id: 'a',
    name: 'A',
    template: 'templates/a.html',
    reply: null,
    mobile: null,
    selection: everyone,
    during: null,
    recipients: 'everyone',
    collection: null,
  }
  const groups = [
    [{ by: 'group', values: ['g'] }],
    [{ by: 'field', field: 'city', values: ['a', 'b'] }],
  ] as const

  it.each<readonly [what: string, over: Partial<ReleaseDocument>, yaml: string]>([
    ['nothing', {}, ''],
    ['domains', { internal: ['a.example', 'b.example'] }, ''],
    ['a choice', { chooseDefault: { for: [], not: [] } }, ''],
    [
      'variables',
      { variables: [variable, { ...variable, path: 'b', from: 'x', group: 'mapped' }] },
      'variables:\n  a: {}\n  b:\n    from: x\n',
    ],
    ['one variable', { variables: [variable] }, 'variables:\n  a: {}\n'],
    [
      'all of a variable',
      {
        variables: [
          {
            path: 'a',
            from: 'x',
            value: 'v',
            edit: true,
            resync: true,
            hidden: true,
            label: 'L',
            group: null,
          },
        ],
      },
      'variables:\n  a:\n    from: x\n    value: v\n    edit: true\n    resync: true\n    hidden: true\n    label: L\n    group: null\n',
    ],
    [
      'a group like another default',
      {
        variables: [
          { ...variable, group: 'mapped' },
          { ...variable, path: 'b', from: 'x' },
        ],
      },
      'variables:\n  a:\n    group: mapped\n  b:\n    from: x\n    group: rest\n',
    ],
    [
      'a signature',
      { signatures: [signature] },
      'signatures:\n  a:\n    name: A\n    template: templates/a.html\n    for: everyone\n',
    ],
    [
      'all of a signature',
      {
        signatures: [
          {
            ...signature,
            reply: 'templates/r.html',
            mobile: 'templates/m.html',
            selection: { for: groups, not: groups },
            during: { from: '2026-09-01', to: '2026-09-30', timeZone: 'UTC' },
            recipients: ['a.example'],
            collection: 'C',
          },
        ],
      },
      'signatures:\n  a:\n    name: A\n    template: templates/a.html\n    reply: templates/r.html\n    mobile: templates/m.html\n' +
        '    for:\n      - group: g\n      - city:\n          - a\n          - b\n    not:\n      - group: g\n      - city:\n          - a\n          - b\n' +
        '    during: 2026-09-01/2026-09-30\n    time-zone: UTC\n    recipients:\n      - a.example\n    collection: C\n',
    ],
    [
      'a mailbox',
      { mailboxes: [{ address: 'a@b.example', selection: everyone, values: {} }] },
      'mailboxes:\n  a@b.example:\n    for: everyone\n',
    ],
    [
      'all of a mailbox',
      { mailboxes: [{ address: 'a@b.example', selection: { for: groups, not: [] }, values: { x: '1' } }] },
      'mailboxes:\n  a@b.example:\n    for:\n      - group: g\n      - city:\n          - a\n          - b\n    values:\n      x: "1"\n',
    ],
  ])('has %s', (_, over, yaml) => {
    const head = 'version: 1\norganisation: Northwind\n'
    const internal =
      (over.internal ?? []).length === 0 ? 'internal: []\n' : 'internal:\n  - a.example\n  - b.example\n'
    const choice = `choose-default: ${String(over.chooseDefault === undefined)}\n`
    expect(written(over)).toBe(`${head}${internal}${choice}plan:\n  value: full\n${yaml}`)
  })

  it.each<readonly [selection: ReleaseDocument['chooseDefault'], yaml: string]>([
    [{ for: 'everyone', not: [] }, 'choose-default: true\n'],
    [{ for: [], not: [] }, 'choose-default: false\n'],
    [{ for: [[{ by: 'group', values: ['g'] }]], not: [] }, 'choose-default:\n  for:\n    - group: g\n'],
    [
      { for: 'everyone', not: [[{ by: 'group', values: ['g'] }]] },
      'choose-default:\n  for: everyone\n  not:\n    - group: g\n',
    ],
  ])('says of %j who may choose', (chooseDefault, yaml) => {
    expect(written({ chooseDefault })).toContain(yaml)
  })

  it('says where the plan comes from', () => {
    expect(written({ plan: { from: 'x', value: 'y' } })).toContain('plan:\n  from: x\n  value: y\n')
  })
})

describe('people', () => {
  const people = (
    text: string,
    pictures: ReadonlyMap<string, string> | null = new Map([['m.png', 'abc.png']]),
  ) => readPeople(text, 'p.csv', pictures)

  it.each([
    ['email\na@b.example', ['a@b.example']],
    [' email , x \na@b.example,1', ['a@b.example']],
    ['x,email\n1,a@b.example', ['a@b.example']],
    [' email ,a;b;c\na@b.example,1', ['a@b.example']],
    ['email;x\na@b.example;1', ['a@b.example']],
    ['email,x;y;z\na@b.example,1', ['a@b.example']],
    ['\n\nemail\na@b.example', ['a@b.example']],
  ])('are read by the headings of %j', (text, addresses) => {
    const { rows, problems } = people(text)
    expect(problems).toEqual([])
    expect(rows.map(({ record }) => record.addresses[0])).toEqual(addresses)
  })

  it.each([
    ['email,id\na@b.example,', [null]],
    ['email,id\na@b.example,A_1.b-c', ['A_1.b-c']],
    [`email,id\na@b.example,${'x'.repeat(100)}`, ['x'.repeat(100)]],
    [`email,id\na@b.example,${'x'.repeat(101)}`, []],
    ['email,id\na@b.example,-a', []],
  ])('have ids up to 100 characters: %.60s', (text, ids) => {
    expect(people(text).rows.map(({ id }) => id)).toEqual(ids)
  })

  it.each([
    ['de', true],
    ['pt-BR', true],
    ['sgn-BE-FR', true],
    ['a', false],
    ['abcd', false],
    ['de-', false],
    ['de-123456789', false],
    ['de-a-b-c-d', true],
    ['de-a-b-c-d-e', false],
  ])('have the language %s: %s', (language, isOne) => {
    const { rows } = people(`email,language\na@b.example,${language}`)
    expect(rows.map(({ record }) => record.language)).toEqual(isOne ? [language] : [])
  })

  it.each([
    ['surname', 'silva', true],
    ['surname', 'Silva 123', false],
    ['displayName', 'maria-silva', true],
    ['givenName', 'maria', false],
    ['other', 'silva', false],
  ])('whose column %s makes the id %s a name: %s', (column, id, isName) => {
    const { problems } = people(
      `email,id,${column}\nx@b.example,${id.replace(' ', '_')},${column === 'displayName' ? 'Maria Silva' : column === 'givenName' ? 'Maria' : 'Silva'}`,
    )
    expect(problems.map(({ code }) => code)).toEqual(isName ? ['csv.idNames'] : [])
  })

  it('have the picture, the groups and the fields of their row', () => {
    const { rows, fields, problems } = people(
      'email,picture,groups,city,tenant,oid\na@b.example,m.png, x ; ;y;x, Kiel ,T,O\nb@b.example,,,,,\n',
    )
    expect(problems).toEqual([])
    expect(fields).toEqual(['city'])
    expect(rows.map(({ record }) => record)).toEqual([
      {
        addresses: ['a@b.example'],
        account: { tenant: 't', oid: 'o' },
        language: null,
        fields: { city: 'Kiel' },
        groups: ['x', 'y'],
        picture: 'abc.png',
      },
      { addresses: ['b@b.example'], account: null, language: null, fields: {}, groups: [], picture: null },
    ])
  })

  it('before a row that ends the reading are those that were read', () => {
    const { rows, problems } = people('email,x\na@b.example,1\nb@b.example,"2')
    expect(rows).toHaveLength(1)
    expect(problems.map(({ line, column, code }) => [line, column, code])).toEqual([[3, 13, 'csv.unclosed']])
    expect(people('email,email\na@b.example,"').rows).toHaveLength(0)
  })
})
