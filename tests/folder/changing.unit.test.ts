import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { parseDocument, Scalar, visit } from 'yaml'
import { changingYaml } from '../../src/folder/changedYaml.ts'
import type { Finding } from '../../src/folder/finding.ts'
import { type DescribedDocument, readSignetYaml } from '../../src/folder/signetYaml.ts'
import { withoutListFiles } from '../../src/folder/recipientLists.ts'
import { writingYaml } from '../../src/folder/writtenYaml.ts'
import { runSteps } from '../../streams/kernel/steps.ts'
import {
  type Block,
  canonicalText,
  type ReleaseDocument,
  type Signature,
  type Variable,
} from '../../streams/organisation/release/release.ts'
import { cases } from '../support/cases.ts'
import { document, text as anyText } from './documents.ts'

// How the text of a signet.yaml changes with its document: what is asked for, and nothing else.

function described(text: string): DescribedDocument | null {
  const problems: Finding[] = []
  const { document: read } = readSignetYaml(text, problems)
  return problems.length === 0 ? read : null
}
const withoutFiles = ({ templates: _, pictures: __, ...rest }: ReleaseDocument): DescribedDocument => rest
const read = (text: string): ReleaseDocument => {
  const document = described(text)
  if (document === null) throw new Error(text)
  return { ...document, templates: {}, pictures: {} }
}
const changed = (text: string, to: ReleaseDocument): string => {
  const result = runSteps(changingYaml(text, to))
  expect(described(result)).toEqual(withoutListFiles(withoutFiles(to), described(text)))
  return result
}
const change = (text: string, to: (document: ReleaseDocument) => Partial<ReleaseDocument>): string => {
  const document = read(text)
  return changed(text, { ...document, ...to(document) })
}
const written = (of: ReleaseDocument): string => runSteps(writingYaml(of))

/** Writes a text in other styles, as a list of choices says: flow, quotes, comments, blank lines, and line ends. */
function restyled(text: string, choices: readonly number[]): string {
  let at = 0
  const choose = (count: number) => (choices[at++ % choices.length] ?? 0) % count
  const whole = parseDocument(text, { version: '1.2', schema: 'core' })
  let comments = 0
  visit(whole, {
    Scalar(key, node) {
      if (typeof node.value !== 'string') return
      const types = [node.type, Scalar.PLAIN, Scalar.QUOTE_SINGLE, Scalar.QUOTE_DOUBLE, Scalar.BLOCK_LITERAL]
      const type = types[choose(key === 'key' ? 4 : types.length)]
      if (type !== undefined && !/[^\x20-\x7e]/.test(node.value)) node.type = type as Scalar.Type
      if (key === 'key' && choose(3) === 0) node.commentBefore = ` about ${comments++}`
      if (key === 'key' && choose(4) === 0) node.spaceBefore = true
      if (key === 'value' && choose(4) === 0) node.comment = ` beside ${comments++}`
    },
    Collection(_, node) {
      if (node !== whole.contents && choose(3) === 0) node.flow = true
    },
  })
  const [indent, style, ending] = [choose(2) === 0 ? 2 : 4, choose(2) === 0, choose(4)]
  const styled = whole.toString({
    lineWidth: 0,
    indent,
    flowCollectionPadding: style,
    indentSeq: style,
    doubleQuotedMinMultiLineLength: 1_000_000,
  })
  const lines = ending === 0 ? styled.replaceAll('\n', '\r\n') : styled
  return ending === 1 ? lines.trimEnd() : lines
}
const choices = fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 })
const styled = fc.record({ from: document, choices }).map((one) => restyled(written(one.from), one.choices))

describe('the text of a signet.yaml', () => {
  property.prop([styled, document], cases(20))('describes the document that it is changed to', (text, to) => {
    changed(text, to)
  })

  property.prop([styled], cases(20))('stays the same for the same document', (text) => {
    const document = described(text)
    fc.pre(document !== null)
    expect(changed(text, { ...document, templates: {}, pictures: {} })).toBe(text)
  })

  it.each([
    ['nothing', ''],
    ['no YAML', 'version: [1'],
    ['an unknown key', 'version: 1\norganisation: X\nmore: 1\n'],
    ['an alias', 'version: 1\norganisation: &a X\ninternal: *a\n'],
    ['a tag', 'version: 1\norganisation: !!str X\n'],
    ['levels without end', '['.repeat(100_000)],
    ['more than a file may have', `version: 1\norganisation: X\n#${'x'.repeat(1_000_000)}`],
  ])('is written whole in the place of %s', (_, text) => {
    const to = read(NORTHWIND)
    expect(runSteps(changingYaml(text, to))).toBe(written(to))
  })
})

const NORTHWIND = `# The signatures of Northwind
version: 1
organisation: 'Northwind Trading' # as on the sign
internal: [Northwind.example]
readers: [gmail]

# What is known of people
variables:
  first_name: { from: givenName, group: null }
  job_title:  { from: jobTitle } # aligned
  phone:
    from: businessPhones.0
    edit: true

# The first that fits is the default.
signatures:
  # For the fair
  autumn:
    name: Autumn fair
    template: "templates/autumn.html"
    for: [{ department: Sales, country: [DE, AT] }, { group: sales-emea }]   # two
    not:
      - person: cfo@northwind.example # she said so
        # also
      - person: ceo@northwind.example
    during: 2026-09-01/2026-11-30
    recipients: external

  # For all
  corporate: { template: templates/corporate.html, for: everyone }
`

const signature =
  (id: string, over: Partial<Signature>) =>
  ({ signatures }: ReleaseDocument) => ({
    signatures: signatures.map((one) => (one.id === id ? { ...one, ...over } : one)),
  })
const variable =
  (path: string, over: Partial<Variable>) =>
  ({ variables }: ReleaseDocument) => ({
    variables: variables.map((one) => (one.path === path ? { ...one, ...over } : one)),
  })
const groups = (...values: readonly string[]) =>
  values.map((one) => [{ by: 'group', values: [one] }] as const)

describe('a change', () => {
  it.each<
    [string, (document: ReleaseDocument) => Partial<ReleaseDocument>, ...(readonly [string, string])[]]
  >([
    ['of a text in quotes', () => ({ organisation: "Alex's" }), ["'Northwind Trading'", "'Alex''s'"]],
    ['of a plain text', signature('autumn', { name: 'Fair, again' }), ['Autumn fair', 'Fair, again']],
    [
      'to a text that needs quotes',
      signature('autumn', { name: 'Fair: again' }),
      ['Autumn fair', '"Fair: again"'],
    ],
    [
      'of a template',
      signature('autumn', { template: 'templates/a.html' }),
      ['"templates/autumn.html"', '"templates/a.html"'],
    ],
    [
      'that adds pairs at their places',
      signature('autumn', { reply: 'templates/r.html', collection: 'Fairs' }),
      ['autumn.html"\n', 'autumn.html"\n    reply: templates/r.html\n'],
      ['recipients: external\n', 'recipients: external\n    collection: Fairs\n'],
    ],
    [
      'that adds a version for meetings',
      signature('autumn', { reply: 'templates/r.html', meeting: 'templates/m.html' }),
      ['autumn.html"\n', 'autumn.html"\n    reply: templates/r.html\n    meeting: templates/m.html\n'],
    ],
    [
      'that takes out a pair',
      signature('autumn', { recipients: 'everyone' }),
      ['    recipients: external\n', ''],
    ],
    [
      'of a flow map',
      signature('corporate', { name: 'Corporate', mobile: 'templates/m.html' }),
      [
        '{ template: templates/corporate.html,',
        '{ name: Corporate, template: templates/corporate.html, mobile: templates/m.html,',
      ],
    ],
    [
      'that takes out a pair of a flow map',
      variable('first_name', { group: 'mapped' }),
      [', group: null', ''],
    ],
    [
      'of a group of conditions',
      signature('autumn', { selection: { for: groups('sales-emea'), not: groups('board') } }),
      ['{ department: Sales, country: [DE, AT] }, ', ''],
      [
        '      - person: cfo@northwind.example # she said so\n        # also\n      - person: ceo@northwind.example\n',
        '      - group: board # she said so\n        # also\n',
      ],
    ],
    [
      'of a list to everyone',
      signature('autumn', { selection: { for: 'everyone', not: [] } }),
      ['[{ department: Sales, country: [DE, AT] }, { group: sales-emea }]', 'everyone'],
      [NORTHWIND.slice(NORTHWIND.indexOf('    not:'), NORTHWIND.indexOf('    during:')), ''],
    ],
    [
      'of everyone to a list',
      signature('corporate', { selection: { for: groups('a', 'b'), not: [] } }),
      ['for: everyone', 'for: [{ group: a }, { group: b }]'],
    ],
    ['of a name that is its id', variable('phone', { path: 'telephone' }), ['phone:\n', 'telephone:\n']],
    [
      'of the id of a signature without a name',
      ({ signatures }) => ({
        signatures: signatures.map((one) => (one.id === 'corporate' ? { ...one, id: 'all' } : one)),
      }),
      ['corporate: { template', 'all: { name: corporate, template'],
    ],
    [
      'that takes out the last signature',
      ({ signatures }) => ({ signatures: signatures.slice(0, 1) }),
      [NORTHWIND.slice(NORTHWIND.indexOf('\n  # For all')), ''],
    ],
    [
      'that adds a variable as the others are written',
      ({ variables }) => ({
        variables: [...variables, { ...variables[1]!, path: 'city', from: 'city', edit: true }],
      }),
      ['    edit: true\n', '    edit: true\n  city: { from: city, edit: true }\n'],
    ],
    [
      'of sections',
      () => ({ chooseDefault: { for: [], not: [] }, plan: { from: null, value: 'trial' } }),
      ['[Northwind.example]\n', '[Northwind.example]\nchoose-default: false\n\nplan:\n  value: trial\n'],
    ],
    [
      'of domains',
      () => ({ internal: ['northwind.example', 'b.example'] }),
      ['example]', 'example, b.example]'],
    ],
  ])('%s changes nothing else', (_, to, ...replaced) => {
    for (const [from] of replaced) expect(NORTHWIND.split(from)).toHaveLength(2)
    const expected = replaced.reduce((text, [from, by]) => text.replace(from, () => by), NORTHWIND)
    expect(change(NORTHWIND, to)).toBe(expected)
    const ends = (text: string) => text.replaceAll('\n', '\r\n')
    expect(change(ends(NORTHWIND), to)).toBe(ends(expected))
    expect(change(NORTHWIND.trimEnd(), to)).toBe(expected.trimEnd())
  })

  it('of an order moves signatures with their comments', () => {
    const at = NORTHWIND.indexOf('  # For the fair')
    const [autumn = '', corporate = ''] = NORTHWIND.slice(at).split('\n\n')
    expect(change(NORTHWIND, ({ signatures }) => ({ signatures: signatures.toReversed() }))).toBe(
      `${NORTHWIND.slice(0, at)}${corporate}\n${autumn}\n`,
    )
  })

  it.each([
    ['has a blank line above it where all variables have one', '\n', '\n', '\n'],
    ['has none where one variable has none', '\n', '', ''],
    ['has none where no variable has one', '', '', ''],
  ])('that adds a variable %s', (_, first, second, added) => {
    const pair = (name: string) => `  ${name}: { from: ${name} }\n`
    const text = `version: 1\norganisation: X\nvariables:\n${pair('one')}${first}${pair('two')}${second}${pair('three')}`
    const to = read(`${text}${pair('four')}`)
    expect(changed(text, to)).toBe(`${text}${added}${pair('four')}`)
  })

  it('that adds a second variable has no blank line above it', () => {
    const text = 'version: 1\norganisation: X\n\nvariables:\n  one: { from: one }\n'
    expect(changed(text, read(`${text}  two: { from: two }\n`))).toBe(`${text}  two: { from: two }\n`)
  })

  it.each(['\n', ''])('that adds a part has a blank line above it where another part has one: %j', (gap) => {
    const text = `version: 1\norganisation: X\n${gap}variables:\n  one: { from: one }\n`
    const part = 'signatures:\n  a:\n    name: a\n    template: templates/a.html\n    for: everyone\n'
    expect(changed(text, read(`${text}${part}`))).toBe(`${text}${gap}${part}`)
  })

  it('that takes out the last entry of a line in a flow list keeps the end of the line', () => {
    const text = 'version: 1\r\norganisation: N\r\ninternal: [a.example, b.example,\r\n  c.example]\r\n'
    const shorter = change(text, () => ({ internal: ['a.example', 'c.example'] }))
    expect(shorter.replaceAll('\r\n', '')).not.toContain('\n')
    expect(described(shorter)?.internal).toEqual(['a.example', 'c.example'])
  })

  it('of a text of lines keeps its style', () => {
    const text = 'version: 1\norganisation: |- # the name\n   Northwind\n   Trading\ninternal: []\n'
    expect(change(text, () => ({ organisation: 'Northwind\nTours' }))).toBe(text.replace('Trading', 'Tours'))
    expect(change(text, () => ({ organisation: ' Tours' }))).toBe(
      'version: 1\norganisation: " Tours"\ninternal: []\n',
    )
  })
})

const BLOCKS = `version: 1
organisation: Northwind
signatures:
  standard: { template: templates/standard.html, for: everyone }

# What changes with the season
blocks:
  # Until the fair
  autumn:
    slot: banner
    template: templates/autumn.html # wide
    for: [{ department: Sales }]
    during: 2026-09-01/2026-11-30
    recipients: external

  careers: { slot: banner, template: templates/careers.html, share: 50 }   # half
`
const withoutThem = BLOCKS.slice(0, BLOCKS.indexOf('\n# What'))
const block =
  (id: string, over: Partial<Block>) =>
  ({ blocks = [] }: ReleaseDocument) => ({
    blocks: blocks.map((one) => (one.id === id ? { ...one, ...over } : one)),
  })

describe('a change of blocks', () => {
  it.each<
    [string, (document: ReleaseDocument) => Partial<ReleaseDocument>, ...(readonly [string, string])[]]
  >([
    ['of a share', block('careers', { share: 30 }), ['share: 50', 'share: 30']],
    ['to all people', block('careers', { share: 100 }), [', share: 50', '']],
    [
      'to everyone',
      block('autumn', { selection: { for: 'everyone', not: [] } }),
      ['    for: [{ department: Sales }]\n', ''],
    ],
    [
      'to some',
      block('careers', { selection: { for: groups('a'), not: groups('b') } }),
      ['careers.html, share', 'careers.html, for: [{ group: a }], not: [{ group: b }], share'],
    ],
    [
      'of replies',
      block('autumn', { replies: false }),
      ['recipients: external\n', 'recipients: external\n    replies: false\n'],
    ],
    [
      'of a period',
      block('autumn', { during: { from: '2026-09-01', to: '2026-12-01', timeZone: 'Europe/Berlin' } }),
      ['2026-09-01/2026-11-30\n', '2026-09-01/2026-12-01\n    time-zone: Europe/Berlin\n'],
    ],
    [
      'of hours',
      block('autumn', {
        hours: { spans: [{ days: [1, 2, 5], from: '08:00', to: '18:00' }], timeZone: 'UTC' },
      }),
      ['2026-09-01/2026-11-30\n', '2026-09-01/2026-11-30 Mon-Tue, Fri 08:00-18:00\n'],
    ],
    [
      'to the days that people enter',
      block('autumn', {
        during: null,
        ownDays: { from: 'away_from', to: 'away_to', before: 7, timeZone: 'Europe/Berlin' },
      }),
      [
        '    during: 2026-09-01/2026-11-30\n',
        '    during:\n      from: away_from\n      to: away_to\n      days-before: 7\n    time-zone: Europe/Berlin\n',
      ],
    ],
    [
      'of a name',
      block('autumn', { name: 'Autumn fair' }),
      ['  autumn:\n', '  autumn:\n    name: Autumn fair\n'],
    ],
    ['of a slot', block('careers', { slot: 'foot' }), ['careers: { slot: banner', 'careers: { slot: foot']],
    [
      'that counts',
      () => ({ counting: true }),
      ['organisation: Northwind\n', 'organisation: Northwind\ncounting: true\n'],
    ],
    [
      'with linked pictures',
      () => ({ linked: true }),
      ['organisation: Northwind\n', 'organisation: Northwind\npictures: linked\n'],
    ],
    [
      'with a limit',
      () => ({ limits: { people: { most: 10, of: 'percent' } } }),
      ['organisation: Northwind\n', 'organisation: Northwind\n\nlimits:\n  people: 10%\n'],
    ],
    [
      'that takes out the last one',
      ({ blocks = [] }) => ({ blocks: blocks.slice(0, 1) }),
      [BLOCKS.slice(BLOCKS.indexOf('\n  careers')), ''],
    ],
  ])('%s changes nothing else', (_, to, ...replaced) => {
    for (const [from] of replaced) expect(BLOCKS.split(from)).toHaveLength(2)
    const expected = replaced.reduce((text, [from, by]) => text.replace(from, () => by), BLOCKS)
    expect(change(BLOCKS, to)).toBe(expected)
  })

  it('moves them with their comments', () => {
    const at = BLOCKS.indexOf('  # Until the fair')
    const [autumn = '', careers = ''] = BLOCKS.slice(at).split('\n\n')
    expect(change(BLOCKS, ({ blocks = [] }) => ({ blocks: blocks.toReversed() }))).toBe(
      `${BLOCKS.slice(0, at)}${careers}\n${autumn}\n`,
    )
  })

  it.each(['blocks:\n', 'blocks: {}\n', ''])('writes the first one into %j', (nothing) => {
    const text = `${withoutThem}${nothing}`
    const { blocks = [] } = read(BLOCKS)
    const document = read(text)
    const result = changed(text, { ...document, blocks })
    expect(result.startsWith(withoutThem)).toBe(true)
    expect(changed(result, document).trimEnd()).toBe(withoutThem.trimEnd())
  })
})

const GUARD = `${BLOCKS}
# Before a message leaves
guard:
  - signature: missing   # to customers
    for: [{ group: Sales }]
    recipients: external

  # by law
  - block: autumn
`

describe('a change of what is asked before a message leaves', () => {
  const asked =
    (over: object) =>
    ({ guard = [] }: ReleaseDocument) => ({
      guard: guard.map((rule) => (rule.missing === 'signature' ? { ...rule, ...over } : rule)),
    })
  it.each<[string, (document: ReleaseDocument) => Partial<ReleaseDocument>, string, string]>([
    ['of recipients', asked({ recipients: 'internal' }), 'external\n\n  # by law', 'internal\n\n  # by law'],
    [
      'to all recipients',
      asked({ recipients: 'everyone' }),
      '    recipients: external\n\n  # by law',
      '\n  # by law',
    ],
    [
      'to everyone but some',
      asked({ selection: { for: 'everyone', not: groups('a') } }),
      '    for: [{ group: Sales }]\n',
      '    not: [{ group: a }]\n',
    ],
    [
      'to another block',
      ({ guard = [] }) => ({ guard: [...guard.slice(0, 1), { missing: 'block', block: 'careers' }] }),
      '- block: autumn',
      '- block: careers',
    ],
    [
      'that takes out the last rule',
      ({ guard = [] }) => ({ guard: guard.slice(0, 1) }),
      '\n  # by law\n  - block: autumn\n',
      '',
    ],
  ])('%s changes nothing else', (_, to, from, by) => {
    expect(GUARD.split(from)).toHaveLength(2)
    expect(change(GUARD, to)).toBe(GUARD.replace(from, () => by))
  })

  it('takes out all of it', () => {
    const { guard: _, ...others } = read(GUARD)
    expect(changed(GUARD, others)).not.toContain('guard')
  })

  it.each(['guard:\n', 'guard: []\n', ''])('writes the first rule into %j', (nothing) => {
    const text = `${BLOCKS}${nothing}`
    const { guard = [] } = read(GUARD)
    expect(changed(text, { ...read(text), guard }).startsWith(BLOCKS)).toBe(true)
  })
})

describe.each(['signatures', 'blocks'] as const)('%s that are moved, added and taken out', (section) => {
  const slot = section === 'blocks' ? ' slot: banner,' : ''
  const slotLine = section === 'blocks' ? '    slot: banner\n' : ''
  const comment = fc.integer({ min: 0, max: 2 })
  const entry = fc.record({ above: comment, isFlow: fc.boolean(), beside: fc.boolean(), below: fc.boolean() })
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'] as const
  type Entry = typeof entry extends fc.Arbitrary<infer Of> ? Of : never
  const pieceOf = (id: string, { above, isFlow, beside, below }: Entry) =>
    [
      ...Array.from({ length: above }, (_, index) => `  # ${id} above ${index}\n`),
      isFlow
        ? `  ${id}: { for: everyone, ${slot} template: 'templates/${id}.html' }${beside ? ` # ${id} beside` : ''}\n`
        : `  ${id}:${beside ? ` # ${id} beside` : ''}\n    for: everyone\n${slotLine}\n    template: "templates/${id}.html"\n`,
      below ? `    # ${id} below\n` : '',
    ].join('')

  property.prop(
    [
      fc.array(entry, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      fc.shuffledSubarray([...ids]),
      fc.boolean(),
    ],
    cases(20),
  )('leave the lines of all others as they are', (entries, isSpaced, wanted, isWindows) => {
    const pieces = new Map(entries.map((each, index) => [ids[index] ?? '', pieceOf(ids[index] ?? '', each)]))
    const head = '# The head\nversion: 1\norganisation: Northwind # beside\n\n# All\n' + `${section}:\n`
    const tail = '# The end\nmailboxes:\n  a@b.example: { for: everyone } # mine\n# The last word'
    const ends = (text: string) => (isWindows ? text.replaceAll('\n', '\r\n') : text)
    const text = ends(head + [...pieces.values()].join(isSpaced ? '\n' : '') + tail)
    const document = read(text)
    const before: readonly (Signature | Block)[] = document[section] ?? []
    const after = wanted.map(
      (id) =>
        before.find((one) => one.id === id) ?? {
          ...before[0]!,
          id,
          name: `New ${id}`,
          template: `templates/${id}.html`,
        },
    )
    // If none stays, the list is written as a whole.
    fc.pre(wanted.some((id) => pieces.has(id)))
    const result = changed(text, { ...document, [section]: after })
    expect(result.startsWith(ends(head))).toBe(true)
    expect(result.endsWith(ends(tail))).toBe(true)
    let at = 0
    for (const id of wanted) {
      const piece = pieces.get(id)
      if (piece === undefined) continue
      const found = result.indexOf(ends(piece), at)
      expect([id, found >= at]).toEqual([id, true])
      at = found + piece.length
    }
    for (const [id] of pieces)
      if (!(wanted as string[]).includes(id)) expect(result).not.toContain(`# ${id} `)
    if (isSpaced && entries.length > 1) expect(result).not.toMatch(/\n\r?\n\r?\n/)
  })
})

describe.each(['signatures', 'blocks'] as const)('a change of one field of %s', (section) => {
  const shared: Readonly<Record<string, fc.Arbitrary<Partial<Signature & Block>>>> = {
    name: anyText.map((name) => ({ name })),
    template: fc.constant({ template: 'templates/zz.html' }),
    recipients: fc
      .constantFrom<Signature['recipients']>('everyone', 'internal', ['a.example', 'b.example'])
      .map((recipients) => ({ recipients })),
    thread: fc.constantFrom('first' as const, 'later' as const).map((thread) => ({ thread })),
  }
  const ofBlocks: typeof shared = {
    slot: fc.constant({ slot: 'zz' }),
    replies: fc.boolean().map((replies) => ({ replies })),
    share: fc.integer({ min: 1, max: 99 }).map((share) => ({ share })),
  }
  const ofSignatures: typeof shared = {
    reply: fc.option(fc.constant('templates/zz.html'), { nil: null }).map((reply) => ({ reply })),
    collection: fc.option(anyText, { nil: null }).map((collection) => ({ collection })),
  }
  const fields = { ...shared, ...(section === 'blocks' ? ofBlocks : ofSignatures) }
  const entriesOf = (from: ReleaseDocument): readonly (Signature | Block)[] => from[section] ?? []
  property.prop(
    [document.filter((from) => entriesOf(from).length > 0), fc.nat(), fc.oneof(...Object.values(fields))],
    cases(20),
  )('leaves all lines but those of the field', (from, which, over) => {
    const text = written(from)
      .split('\n')
      .map((line) =>
        /^(?:\S| {4}\w)/.test(line) ? `${/^ */.exec(line)?.[0] ?? ''}# a comment\n${line}` : line,
      )
      .join('\n')
    // A comment may have come between the lines of a text.
    fc.pre(canonicalText(described(text)) === canonicalText(withoutFiles(from)))
    const index = which % entriesOf(from).length
    const entries = entriesOf(from).map((one, at) => (at === index ? { ...one, ...over } : one))
    const result = changed(text, { ...from, [section]: entries })
    const [lines, after] = [text.split('\n'), result.split('\n')]
    let start = 0
    while (start < lines.length && lines[start] === after[start]) start++
    let end = 0
    while (
      end < lines.length - start &&
      end < after.length - start &&
      lines.at(-1 - end) === after.at(-1 - end)
    )
      end++
    const [field = ''] = Object.keys(over)
    const isOfField = (line: string) =>
      line.trimStart().startsWith(`${field}:`) || /^ {4}(?: {2}|#)|^$/.test(line)
    expect(
      [...lines.slice(start, lines.length - end), ...after.slice(start, after.length - end)].filter(
        (line) => !isOfField(line),
      ),
    ).toEqual([])
    expect(lines.slice(start, lines.length - end).length).toBeLessThan(6)
  })
})
