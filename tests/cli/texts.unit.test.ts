import { describe, expect, it } from 'vitest'
import type { DirectoryRun } from '../../streams/organisation/directory/directory.ts'
import type { SlotCalendar } from '../../streams/organisation/plan/calendar.ts'
import type { Block } from '../../streams/organisation/release/release.ts'
import type { Plan } from '../../streams/wire/administration/publishing.ts'
import type {
  PeopleCount,
  Rendition,
  PlanSummary,
  SignatureGroup,
} from '../../streams/organisation/plan/plan.ts'
import type {
  AssignmentReason,
  ExplainedPerson,
  NoSignatureReason,
} from '../../streams/organisation/rules/why.ts'
import { blocksText } from '../../src/cli/blocksText.ts'
import { runCommand } from '../../src/cli/command.ts'
import { planPage, previewPage } from '../../src/cli/pages.ts'
import { blockRuleText, idleTexts, planText, stretchText, whyText } from '../../src/cli/planText.ts'
import { mailboxAsOwner } from '../../src/service/context/owners.ts'
import { block } from '../support/blocks.ts'
import { releases } from '../support/administration/answers.ts'
import { coverage } from '../support/administration/plans.ts'
import {
  answered,
  directoryOf,
  explained,
  mayStand,
  run as runOf,
  slotOf,
} from '../support/administration/people.ts'

// What the commands say, word by word: the service is a function here.

const AT = Date.parse('2026-10-01T12:00:00Z')
const during = { from: '2026-09-01', to: '2026-09-30', timeZone: 'UTC' }
const some = (people: number): PeopleCount => ({
  people,
  sample: { person: 'u-1', address: 'maria@northwind.example' },
})
const look = (over: Partial<Rendition> = {}): Rendition => ({
  signature: null,
  reply: null,
  mobile: null,
  ...over,
})
const group = (over: Partial<SignatureGroup> = {}): SignatureGroup => ({
  ...some(1),
  kind: 'changed',
  signature: 'corporate',
  name: 'Corporate',
  aspects: [],
  before: null,
  after: null,
  ...over,
})

const NOTHING: PlanSummary = {
  people: 1,
  unchanged: 1,
  signatures: [],
  defaults: [],
  losing: [],
  reordered: [],
  choosing: [],
  mailboxes: [],
  missing: [],
}
const SUMMARY: PlanSummary = {
  people: 2_400,
  unchanged: 1_234,
  defaults: [
    {
      ...some(1),
      from: 'Corporate',
      to: 'Fair',
      because: [
        { by: 'field', field: 'department', values: ['Sales'] },
        { by: 'field', field: 'country', values: ['DE', 'AT', 'CH'] },
      ],
    },
    { ...some(2), from: null, to: 'Fair', because: [{ by: 'group', values: ['a', 'b'] }] },
    { ...some(1), from: null, to: 'Fair', because: [{ by: 'person', values: ['x@y.example'] }] },
    { ...some(3), from: 'Fair', to: 'Corporate', because: 'everyone' },
    { ...some(1), from: 'Fair', to: 'Corporate', because: 'user' },
    { ...some(1), from: 'Fair', to: null, because: null },
    { ...some(2), from: null, to: null, because: null },
  ],
  losing: [some(1), some(2)],
  signatures: [
    group({ ...some(1_000), kind: 'added', name: 'Fair' }),
    group({ kind: 'removed', name: 'Spring' }),
    group({ aspects: ['signature'] }),
    group({ aspects: ['reply', 'mobile'] }),
    group({ aspects: ['linked', 'name', 'recipients', 'collection'] }),
  ],
  reordered: [some(1), some(2)],
  choosing: [
    { ...some(1), mayChoose: true },
    { ...some(2), mayChoose: false },
  ],
  asked: [
    { ...some(1), kind: 'added' },
    { ...some(2), kind: 'added' },
    { ...some(1), kind: 'removed' },
    { ...some(2), kind: 'removed' },
    { ...some(1), kind: 'changed' },
    { ...some(2), kind: 'changed' },
  ],
  mailboxes: [
    { ...some(1), address: 'sales@northwind.example', kind: 'added' },
    { ...some(2), address: 'info@northwind.example', kind: 'removed' },
  ],
  missing: [
    { ...some(1), signature: 'corporate', name: 'Corporate', variables: ['phone'] },
    { ...some(2), signature: 'corporate', name: 'Corporate', variables: ['phone', 'mobile'] },
    { ...some(3), signature: 'corporate', name: 'Corporate', variables: ['phone', 'mobile'], more: 1_480 },
  ],
  more: 12_000,
}
const planOf = (over: Partial<Plan> = {}): Plan => ({
  id: '0123456789abcdef0123456789abcdef',
  base: '7f3a91c0'.padEnd(32, '0'),
  release: '91c04b2e'.padEnd(32, '0'),
  at: AT,
  until: AT + 3_600_000,
  pictures: 'https://signet.example.com/images',
  summary: SUMMARY,
  variables: [
    { path: 'phone', kind: 'added' },
    { path: 'fax', kind: 'removed' },
  ],
  closed: [{ signature: 'spring', name: 'Spring', during }],
  ...over,
})

/** What both the text and the page say of a change, with the number of people. */
const CHANGES = [
  ['1', 'gets another default: Corporate → Fair, because department is Sales and country is DE, AT or CH'],
  ['2', 'get a default: Fair, because of group a or b'],
  ['1', 'gets a default: Fair, because an address is x@y.example'],
  ['3', 'get another default: Fair → Corporate, because it is for everyone'],
  ['1', 'gets another default: Fair → Corporate, because it is their own choice'],
  ['1', 'has no default any more; it was Fair'],
  ['2', 'have no default any more; it was none'],
  ['1', 'loses every signature'],
  ['2', 'lose every signature'],
  ['1,000', 'Fair is new'],
  ['1', 'Spring goes away'],
  ['1', 'Corporate changes in new messages'],
  ['1', 'Corporate changes in replies and mobile mail'],
  ['1', 'Corporate changes in its pictures (now linked), its name, its recipients and its collection'],
  ['1', 'gets another order of signatures'],
  ['2', 'get another order of signatures'],
  ['1', 'may choose the default from now on'],
  ['2', 'may no longer choose the default'],
  ['1', 'is asked before sending about what is missing'],
  ['2', 'are asked before sending about what is missing'],
  ['1', 'is no longer asked before sending'],
  ['2', 'are no longer asked before sending'],
  ['1', 'is asked before sending about something else'],
  ['2', 'are asked before sending about something else'],
  ['1', 'may write for sales@northwind.example'],
  ['2', 'may no longer write for info@northwind.example'],
  ['12,000', 'changes of people are not listed: there are too many kinds'],
  ['1,234', 'unchanged'],
] as const
const MISSING = [
  ['1', 'has no phone for Corporate'],
  ['2', 'have no phone or mobile for Corporate'],
  ['3', 'have no phone, mobile or 1,480 more for Corporate'],
] as const
const SAMPLE = 'for example maria@northwind.example'

describe('the text of a plan', () => {
  it('[SRV-18] has a sentence for each change, in the singular and the plural', () => {
    const numbered = (people: string, text: string) => `${people.padStart(6)} ${text}`
    expect(planText(planOf(), 'signatures')).toBe(
      [
        'Release 7f3a91c0 (now) → 91c04b2e (signatures)   2,400 people',
        ...CHANGES.map(([people, text]) =>
          numbered(people, text.includes('every signature') ? `${text}  ! ${SAMPLE}` : text),
        ),
        'Variable phone: added',
        'Variable fax: removed',
        'Not open at that time: Spring, from 2026-09-01 to 2026-09-30 (UTC); see --on',
        'Problems:',
        ...MISSING.map(([people, text]) => numbered(people, `${text}, ${SAMPLE}`)),
        'Plan 0123456789abcdef0123456789abcdef, kept until 2026-10-01 13:00 UTC',
        '',
      ].join('\n'),
    )
  })

  it('says no more when nothing changes', () => {
    const nothing = planOf({ base: null, summary: NOTHING, variables: [], closed: [] })
    expect(planText(nothing, 'signatures')).toBe(
      [
        'Nothing published yet → 91c04b2e (signatures)   1 person',
        '     1 unchanged',
        'Plan 0123456789abcdef0123456789abcdef, kept until 2026-10-01 13:00 UTC',
        '',
      ].join('\n'),
    )
  })
})

const autumn = { from: '2026-10-03', to: '2026-10-31', timeZone: 'Europe/Berlin' }
const BLOCKS: Pick<PlanSummary, 'blocks' | 'reach'> = {
  blocks: [
    {
      ...some(1_000),
      kind: 'added',
      block: 'autumn',
      name: 'Autumn',
      slot: 'banner',
      aspects: [],
      before: null,
      after: { html: '<p>new</p>', during: autumn, recipients: 'external', replies: false },
    },
    {
      ...some(2),
      kind: 'changed',
      block: 'careers',
      name: 'Careers',
      slot: 'banner',
      aspects: ['html', 'name', 'people', 'days', 'recipients', 'replies', 'order', 'places', 'clicks'],
      before: { html: 'one', during: null, recipients: 'internal', replies: true },
      after: { html: 'two', during: null, recipients: ['a.example', 'b.example'], replies: true },
    },
    {
      ...some(1),
      kind: 'removed',
      block: 'spring',
      name: 'Spring',
      slot: 'banner',
      aspects: [],
      before: { html: 'old', during: null, recipients: 'everyone', replies: true },
      after: null,
    },
  ],
  reach: [
    {
      block: 'autumn',
      name: 'Autumn',
      slot: 'banner',
      people: 1_000,
      during: autumn,
      recipients: 'external',
      replies: false,
      share: 50,
    },
    {
      block: 'careers',
      name: 'Careers',
      slot: 'banner',
      people: 1,
      during: null,
      recipients: ['a.example', 'b.example'],
      replies: true,
      share: 30,
      turns: 'mail',
    },
  ],
}
const calendarBlock = (id: string, over: Partial<Block> = {}): Block => block({ id, name: id, ...over })
const CALENDAR: readonly SlotCalendar[] = [
  {
    slot: 'banner',
    stretches: [
      { from: '2026-10-01', to: '2026-10-02', days: 2, blocks: [] },
      {
        from: '2026-10-03',
        to: '2026-10-31',
        days: 29,
        blocks: [calendarBlock('Autumn'), calendarBlock('A & B')],
      },
      { from: '2026-11-01', to: '2026-11-01', days: 1, blocks: [calendarBlock('A & B')] },
    ],
  },
]
const REACH = [
  [
    '1,000',
    'get Autumn in the slot banner, from 2026-10-03 to 2026-10-31 (Europe/Berlin), for recipients outside, not in replies, a share of 50 %',
  ],
  [
    '1',
    'gets Careers in the slot banner, always, for recipients at a.example or b.example, in 30 % of the messages',
  ],
] as const
const BLOCK_CHANGES = [
  ['1,000', 'Autumn is new in the slot banner'],
  [
    '2',
    'Careers changes in its html, its name, for whom it is, its days, its recipients, replies, its order in the slot, the places where it stands and counting clicks',
  ],
  ['1', 'Spring goes away from the slot banner'],
] as const

describe('the blocks of a plan', () => {
  const plan = planOf({ summary: { ...NOTHING, ...BLOCKS }, variables: [], closed: [] })

  it('[BLOCK-8] are told with the people who get them, and with the days of each slot', () => {
    const numbered = ([people, text]: readonly [string, string]) => `${people.padStart(6)} ${text}`
    expect(planText(plan, 'signatures', CALENDAR).split('\n').slice(1, -2)).toEqual([
      ...BLOCK_CHANGES.map(numbered),
      numbered(['1', 'unchanged']),
      'Blocks:',
      ...REACH.map(numbered),
      'Slot banner, the next 90 days:',
      '  2026-10-01 to 2026-10-02  nothing',
      '  2026-10-03 to 2026-10-31  Autumn, then A & B',
      '  2026-11-01                A & B',
    ])
  })

  it('name at most ten of those that may stand at a time', () => {
    const names = (length: number) => Array.from({ length }, (_, index) => `B${String(index)}`)
    const textOf = (length: number) =>
      stretchText({ from: '', to: '', days: 1, blocks: names(length).map((name) => calendarBlock(name)) })
    expect(textOf(10)).toBe(names(10).join(', then '))
    expect(textOf(1_011)).toBe(`${names(10).join(', then ')}, then 1,001 more`)
  })

  it('[BLOCK-8] are in the page, with a calendar and side by side', () => {
    const page = planPage(plan, 'signatures', (html) => `outlook:${html}`, CALENDAR)
    const text = shownIn(page)
    for (const [people, said] of [...BLOCK_CHANGES, ...REACH]) expect(text).toContain(`${people}|${said}`)
    expect(text).toEqual(
      expect.arrayContaining([
        'Slot banner, the next 90 days',
        '1|2026-10-01 to 2026-10-02|nothing',
        '2|2026-10-03 to 2026-10-31|Autumn, then A &amp; B',
        '3|2026-11-01|A &amp; B',
        'Careers changes in its html, its name, for whom it is, its days, its recipients, replies, its order in the slot, the places where it stands and counting clicks',
        'After, from 2026-10-03 to 2026-10-31 (Europe/Berlin), for recipients outside, not in replies',
        'Before, always, for recipients inside',
      ]),
    )
    expect(
      [...page.matchAll(/<span([^>]*)>(\d)<\/span>/g)].map(([, style, number]) => [style, number]),
    ).toEqual([
      [' class="gap" style="flex-grow: 2"', '1'],
      [' style="flex-grow: 29"', '2'],
      [' style="flex-grow: 1"', '3'],
    ])
    expect(frameTitles(page)).toEqual([
      ...['Autumn, after', 'Autumn, after, as classic Outlook shows it'],
      ...['Careers, before', 'Careers, after'],
      ...['Careers, before, as classic Outlook shows it', 'Careers, after, as classic Outlook shows it'],
      ...['Spring, before', 'Spring, before, as classic Outlook shows it'],
    ])
    for (const html of ['&lt;body&gt;&lt;p&gt;new', '&gt;outlook:one', '&gt;outlook:two', '&gt;old'])
      expect(page).toContain(html)
  })
})

describe('the coverage of a plan', () => {
  const NOT_NAMED = 13
  const plan = planOf({ summary: { ...NOTHING, coverage }, variables: [], closed: [] })
  const newcomers = coverage.none[0]?.first.map(({ address }) => address) ?? []
  const WITHOUT = [
    [
      '61',
      'have no signature: nothing that a signature is for fits; the signatures ask for department and manager',
    ],
    ['1', 'has no signature: Sales leaves out people of whom this is true: of group trainees'],
    [
      '1',
      'has no signature: Board leaves out people of whom this is true: an address is cfo@northwind.example',
    ],
    [
      '1',
      'has no signature: Harbour days is for them, but not open, from 2026-11-20 to 2026-12-24 (Europe/Berlin)',
    ],
  ] as const
  const NAMED = [
    [...newcomers, `and ${String(NOT_NAMED)} more`],
    ['tess.edge@northwind.example'],
    ['cfo@northwind.example'],
    ['jonas.weber@northwind.example'],
  ]
  const IDLE = [
    'Press never decides: none of the people fits its rules',
    'The block Award never stands in its slot: none of the people gets it',
    'The block Careers never stands in its slot: Autumn stands before it in every message',
    'Corporate stands before these for all of their people: Service, Harbour days',
    'Others stand before this one for all of its people: Board',
    'What stands behind another one decides for people who choose it, where choose-default lets them',
    'Corporate and Service show the same: only their order differs',
  ]

  it('[ADOPT-14] names who has no signature and why, and what never decides', () => {
    const lines = planText(plan, 'signatures').split('\n')
    expect(lines.slice(lines.indexOf('Coverage:'), -2)).toEqual([
      'Coverage:',
      ...WITHOUT.flatMap(([people, text], index) => [
        `${people.padStart(6)} ${text}`,
        ...(NAMED[index] ?? []).map((name) => `         ${name}`),
      ]),
      ...IDLE.map((text) => `  ${text}`),
    ])
  })

  it('[ADOPT-14] is in the page', () => {
    const text = shownIn(planPage(plan, 'signatures', (html) => html).replaceAll('<br>', ', '))
    for (const [index, [people, said]] of WITHOUT.entries())
      expect(text).toContain(`${people}|${said}|${NAMED[index]?.join(', ') ?? ''}`)
    expect(text.slice(text.indexOf('Rules that never decide'))).toEqual(['Rules that never decide', ...IDLE])
  })

  it('says when everyone has a signature, and nothing from an earlier service', () => {
    const full = { none: [], idle: [], alike: [] }
    const covered = planOf({ summary: { ...NOTHING, coverage: full }, variables: [], closed: [] })
    expect(planText(covered, 'signatures')).toContain('\nCoverage: everyone has a signature\nPlan ')
    expect(shownIn(planPage(covered, 'signatures', (html) => html)).slice(-2)).toEqual([
      'Coverage',
      'Everyone has a signature.',
    ])
    const earlier = planOf({ summary: NOTHING, variables: [], closed: [] })
    expect(planText(earlier, 'signatures')).not.toContain('Coverage')
    expect(shownIn(planPage(earlier, 'signatures', (html) => html))).not.toContain('Coverage')
  })

  it('says of one signature what it says of several, and nothing of a choice without one', () => {
    const one = { kind: 'signature', id: 'a', name: 'A', people: 1 } as const
    const block = { kind: 'block', id: 'x', name: 'X', people: 0, behind: 'Y' } as const
    const several = [
      { ...one, behind: null },
      { ...one, name: 'C', behind: 'B' },
      { ...one, name: 'D', behind: null },
    ]
    expect(idleTexts({ none: [], idle: several, alike: [] }).slice(0, 2)).toEqual([
      'Others stand before these for all of their people: A, D',
      'B stands before this one for all of its people: C',
    ])
    expect(idleTexts({ none: [], idle: [{ ...one, people: 0, behind: null }, block], alike: [] })).toEqual([
      'A never decides: none of the people fits its rules',
      'The block X never stands in its slot: Y stands before it in every message',
    ])
  })
})

/** The text between tags, one line for each row, heading and entry of a list. */
const shownIn = (page: string): readonly string[] =>
  [...page.matchAll(/<(?:h1|h2|h3|tr|li|p|figcaption)\b[^>]*>.*?<\/(?:h1|h2|h3|tr|li|p|figcaption)>/g)].map(
    ([text]) => text.replace(/<\/td><td>/g, '|').replace(/<[^>]+>/g, ''),
  )
const frameTitles = (page: string) =>
  [...page.matchAll(/<iframe sandbox title="([^"]*)"/g)].map(([, title]) => title)

describe('the page of a plan', () => {
  const outlook = (html: string) => `outlook:${html}`

  it('[SRV-18] says what the text says', () => {
    const page = planPage(planOf(), '<signatures>', outlook)
    expect(page).toContain('<title>Plan: Release 7f3a91c0 (now) → 91c04b2e (&lt;signatures&gt;)</title>')
    expect(shownIn(page).slice(0, 3 + CHANGES.length + 7)).toEqual([
      'Plan: Release 7f3a91c0 (now) → 91c04b2e (&lt;signatures&gt;)',
      '2,400 people, as of 2026-10-01 12:00 UTC. Plan 0123456789abcdef0123456789abcdef.',
      'What changes',
      'PeopleWhat',
      ...CHANGES.map(([people, text]) =>
        text.includes('every signature') ? `${people}|${text}, ${SAMPLE}` : `${people}|${text}`,
      ),
      'Variables',
      'phone: added',
      'fax: removed',
      'Not open at that time',
      'Spring, from 2026-09-01 to 2026-09-30 (UTC)',
      'Problems',
    ])
    for (const [people, text] of MISSING) expect(shownIn(page)).toContain(`${people}|${text}, ${SAMPLE}`)
  })

  it('says that the values of a mailbox’s writer are a sample', () => {
    const sampled = (sampleWriter: boolean) =>
      shownIn(
        planPage(
          planOf({ summary: { ...NOTHING, signatures: [group({ ...(sampleWriter && { sampleWriter }) })] } }),
          'signatures',
          outlook,
        ),
      )
    const sentence = 'Values in ‹ › are those of the person who writes. Each writer sees their own.'
    expect(sampled(true)).toContain(sentence)
    expect(sampled(false)).not.toContain(sentence)
  })

  it('has no heading without anything below it', () => {
    const page = planPage(planOf({ summary: NOTHING, variables: [], closed: [] }), 'signatures', outlook)
    expect(shownIn(page).slice(2)).toEqual(['What changes', 'PeopleWhat', '1|unchanged'])
    expect(frameTitles(page)).toEqual([])
  })

  it.each([
    [
      'new',
      group({ kind: 'added', after: look({ signature: '<p>new</p>' }) }),
      ['New message, new'],
      ['New message, after', 'New message, after, as classic Outlook shows it'],
      ['<p>new</p>', 'outlook:<p>new</p>'],
    ],
    [
      'going away',
      group({ kind: 'removed', before: look({ mobile: '<p>old</p>' }) }),
      ['Mobile, which goes away'],
      ['Mobile, before', 'Mobile, before, as classic Outlook shows it'],
      ['<p>old</p>', 'outlook:<p>old</p>'],
    ],
    [
      'changed',
      group({ aspects: ['reply'], before: look({ reply: 'one' }), after: look({ reply: 'two' }) }),
      ['Reply'],
      [
        'Reply, before',
        'Reply, after',
        'Reply, before, as classic Outlook shows it',
        'Reply, after, as classic Outlook shows it',
      ],
      ['one', 'two', 'outlook:one', 'outlook:two'],
    ],
    ['the same to look at', group({ aspects: ['name'], before: look(), after: look() }), [], [], []],
  ])('[SRV-29] shows a signature that is %s', (_, signature, headings, titles, contents) => {
    const page = planPage(
      planOf({ summary: { ...NOTHING, signatures: [signature] }, variables: [], closed: [] }),
      'signatures',
      outlook,
    )
    const section = shownIn(page.slice(page.indexOf('For 1 person; here')))
    expect(page).toContain('<p>For 1 person; here as maria@northwind.example sees it.</p>')
    expect(section.filter((line) => /^(New message|Reply|Mobile)/.test(line))).toEqual(headings)
    expect(frameTitles(page)).toEqual(titles.map((title) => `Corporate, ${title}`))
    expect([...page.matchAll(/&lt;body&gt;(.*?)"><\/iframe>/g)].map(([, html]) => html)).toEqual(
      contents.map((html) => html.replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
    )
  })
})

it.each([
  ['nothing', '', 40],
  ['one row', 'Maria', 40 + 22],
  ['a paragraph with its margins', '<p>Maria</p>', 40 + 32 + 22],
  ['two rows of a table', '<table><tr><td>a</td></tr><tr><td>b</td></tr></table>', 40 + 44],
  ['a line break', 'a<br>b', 40 + 44],
  ['a row of 80 letters', 'x'.repeat(80), 40 + 22],
  ['a row of 81', 'x'.repeat(81), 40 + 44],
  ['letters on both sides of an element', `${'x'.repeat(41)}<b>${'y'.repeat(40)}</b>`, 40 + 44],
  ['no row for spaces', `a<br>${' '.repeat(90)}`, 40 + 22],
  ['the highest picture of a row', '<img height="100"><img height="20">a', 40 + 111],
  ['a picture without a number', '<img height="auto">', 40 + 11],
  ['a picture without a height', '<img alt="">', 40],
  ['no row for a style sheet', `<style>${'x'.repeat(200)}</style>`, 40],
  ['no more than a screen', '<br>x'.repeat(100), 640],
])('a frame is as high as %s', (_, html, height) => {
  const page = previewPage('A title', [
    { name: 'Corporate', notes: ['A <note>.'], shown: [{ title: 'Reply', html, asClassicOutlook: '' }] },
  ])
  expect(/--height: (\d+)px/.exec(page)?.[1]).toBe(String(height))
  expect(shownIn(page)).toEqual([
    'A title',
    'Corporate',
    'A &lt;note&gt;.',
    'Reply',
    'As it is',
    'About as classic Outlook shows it (an approximation)',
  ])
  expect(frameTitles(page)).toEqual([
    'Corporate, Reply, as it is',
    'Corporate, Reply, as classic Outlook shows it',
  ])
})

describe('why a person has a signature', () => {
  const sales = [{ by: 'field', field: 'department', values: ['Sales'] }] as const
  const signature = (over: Partial<AssignmentReason>): AssignmentReason => ({
    signature: 'fair',
    name: 'Fair',
    isAssigned: true,
    isDefault: false,
    because: sales,
    leftOut: null,
    during: null,
    isOpen: true,
    ...over,
  })
  const explained = (over: Partial<ExplainedPerson> = {}): ExplainedPerson => ({
    person: {
      ...mailboxAsOwner('maria@northwind.example'),
      id: 'u-1',
      revision: 1,
      addresses: ['maria@northwind.example', 'm@northwind.example'],
    },
    name: 'Maria Silva',
    release: '91c04b2e'.padEnd(32, '0'),
    at: AT,
    signatures: [],
    default: null,
    mayChooseDefault: true,
    mailboxes: [],
    details: [],
    ...over,
  })
  const by = (who: 'user' | 'organisation') => ({ choice: { master: 'fair-u-1' }, by: who })

  it('[SRV-33] is one sentence for each reason', () => {
    const head = 'Maria Silva (maria@northwind.example, m@northwind.example), release 91c04b2e:'
    const chosen = signature({ isDefault: true, during })
    for (const [over, sentences] of [
      [{}, []],
      [
        {
          default: by('organisation'),
          signatures: [signature({ because: null }), signature({ isDefault: true })],
        },
        [
          'does not have Fair: nothing that it is for fits.',
          'has Fair as the default, because department is Sales and no signature above it applies.',
        ],
      ],
      [
        { default: by('organisation'), signatures: [signature({ isDefault: true, because: 'everyone' })] },
        ['has Fair as the default, because it is for everyone and it stands first.'],
      ],
      [
        { default: by('user'), signatures: [chosen] },
        [
          'has Fair as the default, because it is their own choice and department is Sales, from 2026-09-01 to 2026-09-30 (UTC).',
        ],
      ],
      [
        { default: by('user'), signatures: [signature({ during })] },
        [
          'has Fair, because department is Sales, from 2026-09-01 to 2026-09-30 (UTC).',
          'chose a signature of a mailbox as the default.',
        ],
      ],
      [
        {
          default: by('organisation'),
          signatures: [
            signature({ senders: ['m@brand-b.example', 'm@brand-c.example'] }),
            signature({ isDefault: true, because: 'everyone' }),
          ],
        },
        [
          'has Fair for mail from m@brand-b.example or m@brand-c.example, because department is Sales.',
          'has Fair as the default, because it is for everyone and no signature above it is for the main address.',
        ],
      ],
      [
        {
          default: by('organisation'),
          signatures: [
            signature({ isDefault: true, thread: 'first' }),
            signature({ during, thread: 'later' }),
          ],
        },
        [
          'has Fair as the default, because department is Sales and it stands first, only in the first message of a thread.',
          'has Fair, because department is Sales, from 2026-09-01 to 2026-09-30 (UTC), only in later messages of a thread.',
        ],
      ],
      [
        { signatures: [signature({ during, isOpen: false }), signature({ leftOut: sales })] },
        [
          'does not have Fair: it is not open, from 2026-09-01 to 2026-09-30 (UTC).',
          'does not have Fair: it is not for people of whom this is true: department is Sales.',
        ],
      ],
      [
        {
          default: by('organisation'),
          signatures: [
            signature({ isPinned: true, isDefault: true, because: null, during }),
            signature({ because: 'everyone' }),
          ],
        },
        [
          'has Fair as the default, because an administrator gave it to the person, from 2026-09-01 to 2026-09-30 (UTC).',
          'has Fair, because it is for everyone.',
        ],
      ],
      [
        { default: by('user'), signatures: [signature({ isPinned: true, because: null })] },
        [
          'has Fair, because an administrator gave it to the person.',
          'chose a signature of a mailbox as the default.',
        ],
      ],
      [
        { signatures: [signature({ isExcluded: true }), signature({ isExcluded: true, because: null })] },
        [
          'does not have Fair: an administrator keeps the person without a signature.',
          'does not have Fair: nothing that it is for fits.',
        ],
      ],
      [{ mailboxes: ['sales@northwind.example'] }, ['may write for sales@northwind.example.']],
      [
        {
          namesLeft: [
            { path: 'assistant', label: 'Assistant', address: 'ben@northwind.example' },
            { path: 'deputy', label: null, address: 'eva@northwind.example' },
          ],
        },
        [
          'Assistant names ben@northwind.example, who has left.',
          'deputy names eva@northwind.example, who has left.',
        ],
      ],
    ] satisfies [Partial<ExplainedPerson>, string[]][])
      expect(whyText(explained(over))).toBe(
        [head, ...sentences.map((sentence) => `  ${sentence}`), ''].join('\n'),
      )
  })

  it('says where the rule stands that decides about a signature, a mailbox and a block', () => {
    const places = {
      'signatures.fair': { path: 'signatures.fair.for.0', line: 7 },
      'mailboxes.desk@x.example': { path: 'mailboxes.desk@x.example.for.0', line: 30 },
    }
    const said = whyText(
      explained({ places, signatures: [signature({})], mailboxes: ['desk@x.example', 'other@x.example'] }),
    )
    expect(said).toContain('  has Fair, because department is Sales (signet.yaml:7).\n')
    expect(said).toContain(
      '  may write for desk@x.example (signet.yaml:30).\n  may write for other@x.example.\n',
    )
    const slots = [
      { slot: 'banner', blocks: [{ block: 'b', name: 'B', reason: { kind: 'nothingFits' } }] },
    ] as const
    expect(blocksText(slots, (item) => ` <${item}>`)).toContain(
      '  not B: nothing that it is for fits <blocks.b>.\n',
    )
  })

  it('says first why a person has no signature', () => {
    for (const [none, sentence] of [
      [{ kind: 'hasLeft' }, 'the person left the organisation'],
      [{ kind: 'nothingPublished' }, 'nothing is published yet'],
      [{ kind: 'excluded' }, 'an administrator keeps the person without one'],
      [{ kind: 'noneInRelease' }, 'the release has no signatures'],
      [
        { kind: 'notOpen', name: 'Fair', during },
        'Fair is for them, but not open, from 2026-09-01 to 2026-09-30 (UTC)',
      ],
      [
        { kind: 'leftOut', name: 'Fair', by: [{ by: 'field', field: 'department', values: ['Sales'] }] },
        'Fair leaves out people of whom this is true: department is Sales',
      ],
      [
        { kind: 'nothingFits', asked: ['department', 'group'] },
        'nothing that a signature is for fits; the signatures ask for department and group',
      ],
    ] satisfies [NoSignatureReason, string][])
      expect(whyText(explained({ none }))).toContain(`91c04b2e:\n  has no signature: ${sentence}.\n`)
    expect(whyText(explained({ none: null }))).not.toContain('has no signature')
  })

  it('names who has no name by the id, and says who left', () => {
    const { person } = explained()
    expect(whyText(explained({ name: '', person: { ...person, active: false } }))).toBe(
      'u-1 (maria@northwind.example, m@northwind.example), who left, release 91c04b2e:\n',
    )
  })
})

/** Runs a command of which the service answers what `answers` has, by method and path. */
async function signet(words: readonly string[], answers: Readonly<Record<string, unknown>>) {
  const written: string[] = []
  const asked: Readonly<{ what: string; body: unknown }>[] = []
  const code = await runCommand([...words, '--service', 'https://signet.example.com/somewhere'], {
    write: (text) => written.push(text),
    complain: (text) => written.push(`! ${text}`),
    confirm: null,
    environment: { SIGNET_TOKEN: ' a-token\n' },
    fetch: (address, request) => {
      expect(request).toMatchObject({ redirect: 'manual', headers: { Authorization: 'Bearer a-token' } })
      const what = `${request?.method ?? ''} ${String(address).replace('https://signet.example.com/api/administration/v1', '')}`
      asked.push({ what, body: typeof request?.body === 'string' ? JSON.parse(request.body) : null })
      const answer = answers[what]
      return Promise.resolve(
        answer === undefined
          ? Response.json({ code: 'not_found', message: what }, { status: 404 })
          : Response.json(answer),
      )
    },
    open: () => undefined,
    now: () => AT,
    wait: () => Promise.resolve(),
  })
  return { code, out: written.join(''), asked }
}

describe('signet sync', () => {
  const syncing = async (words: readonly string[], over: Partial<DirectoryRun>) => {
    const run: DirectoryRun = {
      id: 'one',
      source: 'graph',
      at: AT,
      until: AT,
      isTrial: false,
      by: 'alex',
      outcome: 'done',
      read: 5,
      added: 1,
      changed: 2,
      retired: 3,
      returned: 4,
      refused: 0,
      samples: [],
      failure: null,
      ...over,
    }
    const { code, out, asked } = await signet(['sync', ...words], {
      'POST /directory/sync': run,
      'GET /directory': directoryOf({ runs: [{ ...run, id: 'another', added: 100 }, run] }),
    })
    return { code, out, wanted: asked[0]?.body }
  }
  const line = '1 added, 2 changed, 3 retired, 4 returned, 0 problems\n'
  const samples = [
    { person: 'maria', change: 'changed', fields: ['country', 'groups'], reason: null },
    { person: 'tom', change: 'retired', fields: [], reason: null },
    { person: 'x', change: 'refused', fields: [], reason: 'no address' },
  ] as const

  it.each([
    ['done', [], {}, { code: 0, out: line, wanted: { try: false, retire: false } }],
    [
      'with leave to retire',
      ['--retire'],
      { samples },
      {
        code: 0,
        out: `tom: retired\n! x: refused: no address\n${line}`,
        wanted: { try: false, retire: true },
      },
    ],
    [
      'without attributes that the directory does not have',
      [],
      {
        unknownAttributes: [
          { source: 'graph:t', names: ['a', 'b'] },
          { source: 'scim', names: ['urn:acme:a'] },
        ],
      },
      {
        code: 0,
        out: `! graph:t does not have a or b, which SIGNET_DIRECTORY_ATTRIBUTES names. The sync goes on without.\n! Nobody from the directory has urn:acme:a, which SIGNET_DIRECTORY_ATTRIBUTES names. The sync goes on without.\n${line}`,
        wanted: { try: false, retire: false },
      },
    ],
    [
      'a try',
      ['--try'],
      { samples },
      {
        code: 0,
        out: `maria: changed (country, groups)\ntom: retired\n! x: refused: no address\nWould be: ${line}`,
        wanted: { try: true, retire: false },
      },
    ],
    [
      'with a problem',
      [],
      { refused: 1 },
      { code: 1, out: '1 added, 2 changed, 3 retired, 4 returned, 1 problem\n' },
    ],
    [
      'failed',
      [],
      { outcome: 'failed', failure: { code: 'directory_refused', message: 'No.' } },
      { code: 1, out: `! directory_refused: No.\n${line}` },
    ],
    [
      'interrupted',
      [],
      { outcome: 'interrupted' },
      { code: 1, out: `! The service stopped during the sync; the next sync continues.\n${line}` },
    ],
    [
      'in need of leave',
      [],
      { outcome: 'needsLeave' },
      {
        code: 1,
        out: `Would be: ${line}! More than 5 % of the people would retire, so nothing was changed. To allow it, run the command with --retire.\n`,
      },
    ],
  ] satisfies [string, string[], Partial<DirectoryRun>, object][])(
    '[SRV-31] says how it ended: %s',
    async (_, words, over, said) => {
      expect(await syncing(words, over)).toMatchObject(said)
    },
  )

  it('says that a service without the run does not tell', async () => {
    const { code, out } = await signet(['sync'], {
      'POST /directory/sync': runOf({ id: 'one' }),
      'GET /directory': directoryOf({ runs: [] }),
    })
    expect([code, out]).toEqual([1, '! The service does not say how the sync continues.\n'])
  })
})

describe('signet approve', () => {
  const id = '9'.repeat(32)
  const approval = { hash: 'a'.repeat(32), by: ['Signet.Publish', 'Directors'] }
  const plan = planOf({ id, approval, summary: { ...NOTHING, people: 5, unchanged: 3 } })
  const told = {
    ...{ plan: id, base: plan.base, release: plan.release, hash: approval.hash, author: 'alex' },
    ...{ until: AT, people: 2, groups: 1, by: approval.by, asked: null, given: [], refused: null },
    mayApprove: true,
  }
  const answers = {
    [`GET /plans/${id}`]: plan,
    [`POST /plans/${id}/approval`]: told,
    [`POST /plans/${id}/approval/request`]: told,
  }

  it.each([
    [[], 'approve', '', 'Approved'],
    [['--refuse', '--note', 'Too green'], 'refuse', 'Too green', 'Refused'],
  ] as const)('[PERSON-10] answers for the plan that it read: %j', async (words, answer, note, said) => {
    const { code, out, asked } = await signet(['approve', id, ...words], answers)
    expect([code, out]).toEqual([
      0,
      `${said} the plan of alex: it changes 2 people, over release ${plan.base ? plan.base.slice(0, 8) : ''}.\n`,
    ])
    expect(asked.at(-1)).toMatchObject({
      what: `POST /plans/${id}/approval`,
      body: { answer, hash: approval.hash, note },
    })
    const first = { ...answers, [`GET /plans/${id}`]: { ...plan, base: null } }
    expect((await signet(['approve', id, ...words], first)).out).toContain('over nothing published.')
  })

  it('asks for the approval', async () => {
    const { code, out, asked } = await signet(['approve', id, '--ask', '--note', 'Please'], answers)
    expect([code, out]).toEqual([
      0,
      'Asked for the approval of Signet.Publish, Directors, until 2026-10-01T12:00:00.000Z. Then publish the plan.\n',
    ])
    expect(asked).toMatchObject([{ what: `POST /plans/${id}/approval/request`, body: { note: 'Please' } }])
    expect((await signet(['approve', id, '--ask', '--refuse'], answers)).code).toBe(64)
  })

  it('says why a plan cannot be approved', async () => {
    const { approval: _, ...without } = plan
    const other = { ...plan, approval: { ...approval, hash: null } }
    for (const [read, message] of [
      [without, 'This plan needs no approval.'],
      [other, 'The plan is for another moment, so nobody can approve it: plan once more, for now.'],
    ] as const)
      expect(await signet(['approve', id], { [`GET /plans/${id}`]: read })).toMatchObject({
        code: 1,
        out: `! ${message}\n`,
      })
  })

  it('is the next command that a plan names, with whose approval it needs and who may publish what', () => {
    const edited = [
      { kind: 'signature', id: 'one', name: 'One', editors: ['Portugal', 'Spain'] },
      { kind: 'rest', id: '', name: '', editors: ['Brand team'] },
    ] as const
    expect(planText({ ...plan, edited }, 'signatures').split('\n')).toEqual(
      expect.arrayContaining([
        'Only Portugal or Spain may publish the signature One',
        'Only Brand team may publish what all signatures share',
        'Needs the approval of a second person with one of: Signet.Publish, Directors',
        `Ask for it: signet approve ${id} --ask; the other person: signet approve ${id}`,
      ]),
    )
    expect(planText({ ...plan, approval: { ...approval, hash: null } }, 'signatures')).toContain(
      'Directors; a plan for another moment cannot be approved\n',
    )
  })
})

describe('signet releases and rollback', () => {
  const published = (release: string, over: object = {}) => ({
    release,
    at: AT,
    by: 'alex',
    note: '',
    rolledBack: false,
    ...over,
  })

  it('lists what is published', async () => {
    const history = [published('c', { rolledBack: true, note: 'Oops' }), published('b'), published('c')]
    expect((await signet(['releases'], { 'GET /releases': releases({ history }) })).out).toBe(
      [
        '* 3  c  2026-10-01T12:00:00.000Z  alex  back to release 1  Oops',
        '  2  b  2026-10-01T12:00:00.000Z  alex',
        '  1  c  2026-10-01T12:00:00.000Z  alex',
        '',
      ].join('\n'),
    )
    expect((await signet(['releases'], { 'GET /releases': releases({ history: [] }) })).out).toBe(
      'Nothing is published yet.\n',
    )
  })

  it('goes back to the last release that is another one', async () => {
    const history = [published('c'), published('c'), published('b'), published('a')]
    const answers = {
      'GET /releases': releases({ current: 'c', history }),
      'POST /releases/b/rollback': { release: 'b', history },
    }
    const { code, out, asked } = await signet(['rollback', '--note', 'Too early'], answers)
    expect([code, out]).toEqual([0, 'Release b is published again.\n'])
    expect(asked.at(-1)?.body).toEqual({ note: 'Too early' })
    expect((await signet(['rollback', 'b'], answers)).asked).toEqual([
      { what: 'POST /releases/b/rollback', body: { note: '' } },
    ])
    const long = Array.from({ length: 10 }, (_, index) => published(`r-${index}`))
    const { out: listed } = await signet(['releases'], { 'GET /releases': releases({ history: long }) })
    expect(listed).toMatch(/^\* 10 {2}r-0 [^]*\n {3}9 {2}r-1 /)
    const only = await signet(['rollback'], {
      'GET /releases': releases({ current: 'c', history: [published('c')] }),
    })
    expect([only.code, only.out]).toEqual([1, '! There is no release before this one.\n'])
  })
})

it('takes a number in the place of an id, and says why it cannot', async () => {
  const digits = '12345678'.repeat(4)
  const history = ['c', 'b', digits].map((release) => ({
    release,
    at: AT,
    by: 'alex',
    note: '',
    rolledBack: false,
  }))
  const answers = {
    'GET /releases': releases({ current: 'c', history }),
    'POST /releases/b/rollback': { release: 'b', history },
    [`POST /releases/${digits}/rollback`]: { release: digits, history },
  }
  expect((await signet(['rollback', '2'], answers)).out).toBe('Release 2 is published again.\n')
  for (const name of ['1', digits]) {
    const { code, asked } = await signet(['rollback', name], answers)
    expect([code, asked.at(-1)?.what]).toEqual([0, `POST /releases/${digits}/rollback`])
  }
  for (const [name, message] of [
    ['4', 'There is no release 4; the last is 3.'],
    ['0', 'There is no release 0; the last is 3.'],
    ['1234567', 'There is no release 1234567; the last is 3.'],
    [
      '12345678',
      `12345678 may be a number or the beginning of an id. If you mean the release ${digits}, give its whole id.`,
    ],
  ] as const)
    expect(await signet(['rollback', name], answers)).toMatchObject({ code: 1, out: `! ${message}\n` })
  expect((await signet(['rollback', '1'], { 'GET /releases': releases({ history: [] }) })).out).toBe(
    '! There is no release 1; nothing is published yet.\n',
  )
  const exported = await signet(['export', 'folder', '--release', '2'], answers)
  expect(exported.asked.map(({ what }) => what)).toEqual(['GET /releases', 'GET /export?release=b'])
})

const HOURS = { spans: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }], timeZone: 'Europe/Berlin' }

it('[PERSON-8] writes the hours and own days of a block with its rule, and its hours in a calendar', () => {
  const rule = { during: null, recipients: 'everyone', replies: true } as const
  const ownDays = { from: 'away_from', to: 'away_to', before: 1, timeZone: 'UTC' }
  expect(blockRuleText({ ...rule, hours: HOURS })).toBe('Mon-Fri 08:00-18:00 (Europe/Berlin)')
  expect(blockRuleText({ ...rule, during, hours: HOURS, replies: false })).toBe(
    'from 2026-09-01 to 2026-09-30 (UTC), Mon-Fri 08:00-18:00 (Europe/Berlin), not in replies',
  )
  const own = 'on the days in away_from and away_to'
  expect(blockRuleText({ ...rule, ownDays })).toBe(`${own}, from 1 day before`)
  expect(blockRuleText({ ...rule, ownDays: { ...ownDays, before: 14 } })).toBe(`${own}, from 14 days before`)
  expect(blockRuleText({ ...rule, ownDays: { ...ownDays, before: 0 } })).toBe(own)
  const blocks = [{ ...calendarBlock('Desk'), hours: HOURS }, calendarBlock('Careers')]
  expect(stretchText({ from: '', to: '', days: 1, blocks })).toBe('Desk (Mon-Fri 08:00-18:00), then Careers')
})

it('[BLOCK-11] says of each block whether it may stand, and why, in one sentence', () => {
  const sales = [{ by: 'field', field: 'department', values: ['Sales'] }] as const
  const slots = [
    slotOf('banner', {
      Autumn: mayStand({ during, recipients: 'external' }),
      Sales: mayStand({ because: sales, recipients: 'internal', replies: false, thread: 'first' }),
      Quayside: mayStand({ because: sales, share: 50, recipients: ['a.example', 'b.example', 'c.example'] }),
      Careers: mayStand({ share: 50 }),
      Fair: mayStand({ share: 30, turns: 'mail' }),
      Deals: mayStand({ because: sales, share: 30, turns: 'mail', thread: 'later' }),
      Most: mayStand({ everyone: false }),
      All: mayStand(),
      Award: { kind: 'always', by: 'All' },
    }),
    slotOf('notice', {
      Winter: { kind: 'notYet', during },
      Spring: { kind: 'over', during },
      Desk: mayStand({ hours: HOURS }),
      Open: { kind: 'notNow', hours: HOURS, next: Date.UTC(2026, 9, 5, 6) },
      Closed: { kind: 'notNow', hours: HOURS, next: null },
      Away: {
        kind: 'noOwnDays',
        from: { variable: 'away_from', value: '' },
        to: { variable: 'away_to', value: 'soon' },
      },
      Board: { kind: 'leftOut', by: sales },
      Half: { kind: 'notInShare', share: 50 },
      None: { kind: 'nothingFits' },
    }),
  ]
  expect(blocksText(slots).split('\n')).toEqual([
    'In the slot banner stands the first that fits the message:',
    '  Autumn: for everyone, until 2026-09-30 (UTC), when a recipient is outside.',
    '  Sales: because department is Sales, when all recipients are inside, only in new messages, only in the first message of a thread.',
    '  Quayside: because department is Sales, among the 50 % who get it, when all recipients are at a.example, b.example or c.example.',
    '  Careers: among the 50 % who get it.',
    '  Fair: for everyone, in 30 % of the messages.',
    '  Deals: because department is Sales, in 30 % of the messages, only in later messages of a thread.',
    '  Most: for everyone who is not left out.',
    '  All: for everyone.',
    '  not Award: All stands above it and fits every message.',
    'In the slot notice stands the first that fits the message:',
    '  not Winter yet: it begins on 2026-09-01 and ends on 2026-09-30 (UTC).',
    '  not Spring any more: it ended on 2026-09-30 (UTC).',
    '  Desk: for everyone, Mon-Fri 08:00-18:00 (Europe/Berlin).',
    '  not Open now: it is shown Mon-Fri 08:00-18:00 (Europe/Berlin), next at 2026-10-05 06:00 UTC.',
    '  not Closed now: it is shown Mon-Fri 08:00-18:00 (Europe/Berlin).',
    '  not Away: it is shown on days that people enter, and away_from is empty and away_to is "soon".',
    '  not Board: it is not for people of whom this is true: department is Sales.',
    '  not Half: 50 % of these people get it, and this person is not among them.',
    '  not None: nothing that it is for fits.',
    '',
  ])
})

describe('which blocks a person has', () => {
  const one = (name: string, blocks?: readonly string[]) => ({
    signature: name.toLowerCase(),
    name,
    isDefault: false,
    html: null,
    ...(blocks && { blocks }),
  })
  const answers = (query: string) => ({
    'GET /people/u-1': explained({ blocks: [slotOf('banner', { Autumn: mayStand() })] }),
    [`GET /people/u-1/signatures?${query}`]: answered({
      signatures: [one('Corporate', ['Autumn', 'Notice']), one('Sales', []), one('Board')],
    }),
  })

  it.each([
    [['--recipients', 'external'], 'reply=false&recipients=external', 'new message to someone outside'],
    [['--recipients', 'internal', '--reply'], 'reply=true&recipients=internal', 'reply to recipients inside'],
    [['--reply'], 'reply=true', 'reply without recipients'],
  ])('is said of a message with %j', async (options, query, message) => {
    const { code, out } = await signet(['why', 'u-1', ...options], answers(query))
    expect(code).toBe(0)
    expect(out.split('\n').slice(-7)).toEqual([
      'In the slot banner stands the first that fits the message:',
      '  Autumn: for everyone.',
      `In a ${message}:`,
      '  Corporate, with Autumn and Notice.',
      '  Sales, without a block.',
      '  Board, without a block.',
      '',
    ])
  })

  it('is said of no message unless one is asked for, nor of one with other recipients', async () => {
    const { out, asked } = await signet(['why', 'u-1'], answers(''))
    expect([out.endsWith('  Autumn: for everyone.\n'), asked.length]).toEqual([true, 1])
    expect(await signet(['why', 'u-1', '--recipients', 'all'], answers(''))).toMatchObject({
      code: 64,
      out: '! --recipients takes internal or external.\n',
    })
  })
})

it('asks why for a person at a day, or now', async () => {
  const day = Date.parse('2026-12-24T12:00:00Z')
  expect(
    (await signet(['why', 'a/b@x.example', '--on', '2026-12-24'], {})).asked.map(({ what }) => what),
  ).toEqual([`GET /people/a%2Fb%40x.example?at=${day}`])
  expect((await signet(['why', 'u-1'], {})).asked.map(({ what }) => what)).toEqual(['GET /people/u-1'])
})

it.each([
  ['planned', 'planned'],
  ['active', 'active'],
  ['off', null],
])('tells the service that maintenance is %s', async (word, status) => {
  const { code, out, asked } = await signet(['maintenance', word], { 'PUT /maintenance': { status } })
  expect([code, out]).toEqual([0, `Maintenance is ${word}.\n`])
  expect(asked[0]?.body).toEqual({ status })
})
