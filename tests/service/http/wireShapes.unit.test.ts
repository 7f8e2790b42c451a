import { isFailed } from '../../../streams/kernel/failure.ts'
import { orNull, type Schema } from '../../../streams/kernel/schema.ts'
import { describe, expect, it } from 'vitest'
import { documentSchema } from '../../../streams/wire/administration/document.ts'
import { auditQuery } from '../../../streams/wire/administration/insight.ts'
import {
  isAddress,
  isAddressPattern,
  isDay,
  isDomain,
  isFieldName,
  isStorableText,
  isTimeZone,
  isVariableName,
  SIGNATURE_ID_PATTERN,
} from '../../../streams/organisation/release/names.ts'
import {
  extensionOf,
  isFilePath,
  isPicturePath,
  isTemplatePath,
} from '../../../streams/organisation/release/paths.ts'
import { timeText } from '../../../streams/wire/administration/shapes.ts'
import { queryFlag } from '../../../streams/kernel/limits.ts'

// What the calls take of names, paths and documents.

const fits = (schema: Schema<unknown>, value: unknown) => orNull(schema).read(value, '') !== null

type Names = Readonly<{ is: (text: string) => boolean; good: readonly string[]; bad: readonly string[] }>
const x = (count: number) => 'x'.repeat(count)

describe.each<[string, Names]>([
  [
    'a variable',
    {
      is: isVariableName,
      good: ['a', 'A_1', x(100), 'elses'],
      bad: ['', '1a', '_a', 'a-b', 'a ', ' a', x(101), 'else', 'constructor', 'prototype', 'ä'],
    },
  ],
  [
    'the id of a signature',
    {
      is: (text) => SIGNATURE_ID_PATTERN.test(text),
      good: ['a', '0_9', x(60)],
      bad: ['', 'A', 'a-b', x(61), 'a '],
    },
  ],
  [
    'a field',
    {
      is: isFieldName,
      good: ['title', 'businessPhones.0', 'a b', 'ä', x(100)],
      bad: ['', ' a', 'a ', 'a\n', 'a\u0000b', x(101), '__proto__', 'constructor', 'prototype'],
    },
  ],
  [
    'a domain',
    {
      is: isDomain,
      good: ['x.example', 'ä.example', 'a-b.c.d', `${x(251)}.a`],
      bad: ['', 'localhost', 'X.example', 'a b.example', 'a@b.example', 'a/b.c', '*.example', `${x(252)}.a`],
    },
  ],
  [
    'an address',
    {
      is: isAddress,
      good: ['a@x.example', 'a+b@x.example', `${x(64)}@x.example`, "o'hara@x.example"],
      bad: [
        ...['', '@x.example', 'a@', 'a@x', 'A@x.example', 'a@X.example', 'a b@x.example', '*@x.example'],
        ...['a@*.example', 'a@b@x.example', `${x(65)}@x.example`, 'x.example'],
      ],
    },
  ],
  [
    'an address pattern',
    {
      is: isAddressPattern,
      good: ['a@x.example', '*@x.example', 'a*@*.example', '*@*.*'],
      bad: ['', '*', '@x.example', 'A*@x.example', '*@X.example', '*@x', 'a b@x.example', '*@'],
    },
  ],
  [
    'a day',
    {
      is: isDay,
      good: ['2026-09-01', '2024-02-29', '0001-01-01'],
      bad: [
        '',
        '2026-9-1',
        '2026-02-29',
        '2026-13-01',
        '2026-00-10',
        '2026-09-31',
        '2026-09-01T00',
        ' 2026-09-01',
      ],
    },
  ],
  ['a time zone', { is: isTimeZone, good: ['Europe/Berlin', 'UTC'], bad: ['', 'Europe/Nowhere', 'berlin'] }],
  ['a text', { is: isStorableText, good: ['', 'a\nb', '😀'], bad: ['\0', 'a\ud800', '\udc00'] }],
  [
    'a path below a folder',
    {
      is: isFilePath,
      good: ['a', 'a/b.png', '_a', 'A.b-c_d', 'a/b/c/d/e/f/g/h', `${x(198)}/a`, x(200)],
      bad: [
        '',
        '/a',
        'a/',
        'a//b',
        '../a',
        'a/../b',
        '.a',
        'a\\b',
        'a b',
        '-a',
        'a/b/c/d/e/f/g/h/i',
        x(201),
        'ä',
      ],
    },
  ],
  [
    'the path of a template',
    {
      is: isTemplatePath,
      good: ['templates/a.html', 'templates/b/a.part.html'],
      bad: [
        'templates/a.htm',
        'a.html',
        'xtemplates/a.html',
        'templates/.html',
        'templates/a.html.x',
        'templates/',
      ],
    },
  ],
  [
    'the path of a picture',
    {
      is: isPicturePath,
      good: ['a.png', 'b/a.jpg', 'a.gif', 'a.webp', 'a.jpeg', 'a.b.png'],
      bad: ['a', 'a.PNG', 'a.svg', '../a.png', '.png', `${x(190)}.png`, 'a/b/c/d/e/f/g/h.png'],
    },
  ],
])('%s', (_, { is, good, bad }) => {
  it.each(good)('may be %j', (text) => expect(is(text)).toBe(true))
  it.each(bad)('is not %j', (text) => expect(is(text)).toBe(false))
})

it('the ending of a path stands after its last dot', () => {
  expect(['a.png', 'a.b.jpg', 'a'].map(extensionOf)).toEqual(['png', 'jpg', 'a'])
})

it('a query has flags and times as texts', () => {
  expect([undefined, 'false', 'true'].map((given) => queryFlag.read(given, ''))).toEqual([false, false, true])
  expect(timeText.read('8640000000000000'.slice(0, 15), '')).toBe(864_000_000_000_000)
  for (const text of ['', '-1', '1.5', '9999999999999999']) expect(fits(timeText, text)).toBe(false)
})

describe('the place of a fact', () => {
  it.each([
    ['0.0.organisation', { at: 0, version: 0, stream: 'organisation' }],
    ['12.-3.person/a.b\nc', { at: 12, version: -3, stream: 'person/a.b\nc' }],
  ])('is read from %j', (after, expected) => {
    expect(auditQuery.read({ after }, '')).toEqual({ after: expected })
  })

  it.each([
    '',
    '1.2',
    '1.2.other',
    '1.2.person/',
    '-1.2.organisation',
    '1.--2.organisation',
    'x1.2.organisation',
    '1.2.organisations',
    `1.2.person/${x(321)}`,
  ])('is not %j', (after) => expect(fits(auditQuery, { after })).toBe(false))
})

describe('a document', () => {
  const EVERYONE = { for: 'everyone', not: [] }
  const variable = {
    path: 'title',
    from: 'jobTitle',
    value: null,
    edit: true,
    resync: true,
    hidden: false,
    label: null,
    group: null,
  }
  const signature = {
    id: 'one',
    name: 'One',
    template: 'templates/a.html',
    reply: null,
    mobile: null,
    selection: EVERYONE,
    during: null,
    recipients: 'everyone',
    collection: null,
  }
  const mailbox = { address: 'desk@x.example', selection: EVERYONE, values: { title: 'x' } }
  const document = {
    version: 1,
    organisation: 'Northwind',
    internal: ['x.example'],
    plan: { from: null, value: 'full' },
    chooseDefault: { for: [], not: [] },
    variables: [variable],
    signatures: [signature],
    mailboxes: [mailbox],
    templates: { 'templates/a.html': '<p>' },
    pictures: { 'a.png': 'a'.repeat(32) },
  }
  const issue = (change: object) => {
    try {
      documentSchema.read({ ...document, ...change }, '')
      return null
    } catch (error) {
      if (!isFailed(error)) throw error
      return error.cause
    }
  }
  const selected = (selection: unknown) => ({ signatures: [{ ...signature, selection }] })
  const conditions = (...all: readonly object[]) => selected({ for: 'everyone', not: [all] })

  it('is taken as it is', () => {
    expect(documentSchema.read(document, '')).toEqual(document)
  })

  it.each<[object, string]>([
    [{ organisation: ' ' }, 'a name'],
    [{ organisation: 'a\0' }, 'a name'],
    [{ internal: ['X.example'] }, 'a domain'],
    [{ variables: [variable, variable] }, 'a list without the same twice'],
    [{ variables: [{ ...variable, from: null }] }, 'a variable with "from", for "resync"'],
    [{ variables: [{ ...variable, path: 'else' }] }, 'the name of a variable'],
    [{ variables: [{ ...variable, from: ' x' }] }, 'a field of the directory'],
    [{ variables: [{ ...variable, label: '\0' }] }, 'a text of whole characters'],
    [{ signatures: [signature, signature] }, 'a list without the same twice'],
    [{ signatures: [{ ...signature, template: 'a.html' }] }, 'the path of a template'],
    [{ signatures: [{ ...signature, reply: 'a.html' }] }, 'the path of a template'],
    [{ signatures: [{ ...signature, during: { from: 'x', to: '2026-09-01', timeZone: 'UTC' } }] }, 'a day'],
    [
      { signatures: [{ ...signature, during: { from: '2026-09-01', to: '2026-09-01', timeZone: 'x' } }] },
      'a time zone',
    ],
    [{ mailboxes: [mailbox, { ...mailbox, values: {} }] }, 'a list without the same twice'],
    [{ mailboxes: [{ ...mailbox, address: 'desk' }] }, 'an address'],
    [{ mailboxes: [{ ...mailbox, values: { else: 'x' } }] }, 'the name of a variable'],
    [conditions({ by: 'person', values: ['x'] }), 'an address'],
    [conditions({ by: 'address', values: ['x'] }), 'an address pattern'],
    [conditions({ by: 'field', field: 'group', values: ['x'] }), 'a field of the directory'],
    [conditions({ by: 'field', field: 'a ', values: ['x'] }), 'a field of the directory'],
    [
      conditions({ by: 'group', values: ['a'] }, { by: 'group', values: ['b'] }),
      'a list without the same twice',
    ],
    [{ templates: { 'a.html': '' } }, 'a path'],
    [{ templates: { 'templates/a.html': '\uFEFF<p>' } }, 'a text of whole characters'],
    [{ templates: { 'templates/a.html': '\0' } }, 'a text of whole characters'],
    [
      { templates: { 'templates/a.html': '', 'templates/a.html/b.html': '' } },
      'files that are not folders, too',
    ],
    [{ pictures: { 'a.svg': 'a'.repeat(32) } }, 'a path'],
    [
      { pictures: { 'a.png': 'a'.repeat(32), 'a.png/b/c.png': 'a'.repeat(32) } },
      'files that are not folders, too',
    ],
    [
      {
        templates: Object.fromEntries(
          Array.from({ length: 26 }, (_, at) => [`templates/${String(at)}.html`, x(200_000)]),
        ),
      },
      'templates of at most 5000000 characters together',
    ],
  ])('is refused with what is wrong: %#', (change, message) => {
    expect(issue(change)).toBe(message)
  })

  it.each<[object]>([
    [{ version: 2 }],
    [{ more: 1 }],
    [{ plan: { from: null, value: null } }],
    [{ chooseDefault: { for: [], not: [[]] } }],
    [selected({ for: [], not: [] })],
    [selected({ for: [[]], not: [] })],
    [conditions({ by: 'group', values: [] })],
    [conditions({ by: 'group', values: [''] })],
    [conditions({ by: 'other', values: ['x'] })],
    [{ signatures: [{ ...signature, id: 'One' }] }],
    [{ signatures: [{ ...signature, recipients: [] }] }],
    [{ signatures: [{ ...signature, recipients: 'nowhere' }] }],
    [{ pictures: { 'a.png': 'A'.repeat(32) } }],
    [{ pictures: { 'a.png': 'a'.repeat(33) } }],
    [{ templates: { 'templates/a.html': x(200_001) } }],
  ])('is refused: %#', (change) => {
    expect(issue(change)).not.toBeNull()
  })

  it.each<[object]>([
    [{ chooseDefault: EVERYONE }],
    [{ variables: [{ ...variable, from: null, resync: false }] }],
    [
      {
        signatures: [{ ...signature, recipients: ['a.example'], reply: 'templates/b.html', collection: 'x' }],
      },
    ],
    [
      selected({
        for: [[{ by: 'group', values: ['a'] }], [{ by: 'group', values: ['b'] }]],
        not: [[{ by: 'person', values: ['a@x.example'] }]],
      }),
    ],
    [
      conditions(
        { by: 'field', field: 'a', values: [''] },
        { by: 'field', field: 'b', values: ['x'] },
        { by: 'address', values: ['*@x.example'] },
      ),
    ],
    [{ templates: { 'templates/a.html': x(200_000), 'templates/ab/c.html': '', 'templates/ab.html': '' } }],
    [
      {
        templates: Object.fromEntries(
          Array.from({ length: 25 }, (_, at) => [`templates/${String(at)}.html`, x(200_000)]),
        ),
      },
    ],
  ])('may be another one: %#', (change) => {
    expect(issue(change)).toBeNull()
  })
})
