import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitsAudience } from '../../../../streams/html/slots.ts'
import {
  compileRelease,
  type Condition,
  type ManagerCondition,
  type Period,
  type ReleaseDocument,
  type Signature,
  type FieldTest,
} from '../../../../streams/organisation/release/release.ts'
import { dayIn } from '../../../../streams/organisation/release/names.ts'
import {
  assignedSignatures,
  recipientAudiences,
  combinedIds,
  defaultChoice,
  delegatedAddresses,
  matchesSelection,
  sendersFor,
  matchesAddressPattern,
  isPeriodOpen,
  mayChooseDefault,
  parseCombinedIds,
  visibleSignature,
  fittingConditions,
  windowOf,
} from '../../../../streams/organisation/rules/rules.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { document, EVERYONE, person, release, selection, signature } from '../arbitraries.ts'

const NOW = Date.parse('2026-01-15T12:00:00Z')
const MINUTE_MS = 60_000

const [sample] = fc.sample(document, { seed: 1, numRuns: 1 }) as [ReleaseDocument]
const [some] = fc.sample(signature, { seed: 1, numRuns: 1 }) as [Signature]

const maria: PersonState = {
  id: 'p-1',
  revision: 1,
  account: null,
  active: true,
  groups: ['sales'],
  addresses: ['maria@in.example', 'm.silva@sales.in.example'],
  picture: null,
  directoryPicture: null,
  directory: {
    department: 'Sales',
    country: 'DE',
    hired: '2026-01-15T08:00:00+02:00',
    badge: ' ',
    'manager.department': 'Harbour',
    'manager.jobTitle': 'Head of Sales',
    'manager.mail': 'Bo@in.example',
  },
  values: {},
  metadata: {},
  language: 'de-AT',
}
const field = (name: string, ...values: readonly string[]): Condition => ({
  by: 'field',
  field: name,
  values,
})
const tests = (name: string, ...of: readonly FieldTest[]) => ({ by: 'test' as const, field: name, tests: of })
const ofManager = (...conditions: readonly ManagerCondition[]): Condition => ({ by: 'manager', conditions })

describe('a condition', () => {
  test.each<[Condition, boolean]>([
    [{ by: 'group', values: ['press', 'sales'] }, true],
    [{ by: 'group', values: ['Sales'] }, false],
    [{ by: 'person', values: ['M.Silva@sales.in.example'] }, true],
    [{ by: 'person', values: ['p-1'] }, false],
    [{ by: 'person', values: ['*@in.example'] }, false],
    [{ by: 'person', values: ['x@in.example', 'maria@in.example'] }, true],
    [{ by: 'address', values: ['x*', 'm*'] }, true],
    [{ by: 'address', values: [] }, false],
    [{ by: 'address', values: ['*@SALES.in.example'] }, true],
    [{ by: 'address', values: ['*@press.in.example'] }, false],
    [field('department', 'Press', 'Sales'), true],
    [field('department', 'sales'), false],
    [field('city', ''), false],
    [field('constructor', ''), false],
    [tests('department', { is: 'starts', values: ['x', 'sAL'] }), true],
    [tests('department', { is: 'starts', values: ['ales'] }), false],
    [tests('department', { is: 'ends', values: ['LES'] }), true],
    [tests('department', { is: 'ends', values: ['Sale'] }), false],
    [tests('department', { is: 'contains', values: ['x', 'AL'] }), true],
    [tests('department', { is: 'contains', values: ['sl'] }), false],
    [tests('city', { is: 'contains', values: [''] }), false],
    [tests('department', { is: 'any' }), true],
    [tests('badge', { is: 'any' }), false],
    [tests('city', { is: 'any' }), false],
    [tests('hired', { is: 'before', day: '2026-01-16' }), true],
    [tests('hired', { is: 'before', day: '2026-01-15' }), false],
    [tests('hired', { is: 'after', day: '2026-01-14' }), true],
    [tests('hired', { is: 'after', day: '2026-01-15' }), false],
    [tests('hired', { is: 'after', day: '2026-01-01' }, { is: 'before', day: '2026-01-31' }), true],
    [tests('hired', { is: 'after', day: '2026-01-01' }, { is: 'before', day: '2026-01-02' }), false],
    [tests('department', { is: 'before', day: '9999-12-31' }), false],
    [tests('department', { is: 'after', day: '1000-01-01' }), false],
    [tests('department'), false],
    [{ by: 'language', values: ['fr', 'DE'] }, true],
    [{ by: 'language', values: ['de-at'] }, true],
    [{ by: 'language', values: ['de-CH'] }, false],
    [{ by: 'language', values: ['d'] }, false],
    [ofManager(field('department', 'Harbour') as ManagerCondition), true],
    [ofManager(field('department', 'Sales') as ManagerCondition), false],
    [ofManager(field('manager.department', 'Harbour') as ManagerCondition), false],
    [ofManager(tests('jobTitle', { is: 'starts', values: ['head of'] })), true],
    [ofManager(tests('city', { is: 'any' })), false],
    [ofManager({ by: 'person', values: ['bo@in.example'] }), true],
    [ofManager({ by: 'person', values: ['maria@in.example'] }), false],
    [ofManager({ by: 'address', values: ['*@in.example'] }), true],
    [
      ofManager({ by: 'address', values: ['*@in.example'] }, { by: 'person', values: ['cleo@in.example'] }),
      false,
    ],
    [ofManager(), false],
    [field('manager.department', 'Harbour'), true],
  ])('%j: %s', (condition, holds) => {
    expect(matchesSelection({ for: [[condition]], not: [] }, maria)).toBe(holds)
  })

  test.each([
    ['2026-01-15', '2026-01-15'],
    ['2026-01-15T08:00:00Z', '2026-01-15'],
    ['2026-01-15 08:00', '2026-01-15'],
    ['2026-01-151', null],
    ['2026-02-30', null],
    ['15.01.2026', null],
    ['20260115', null],
    ['', null],
  ])('the date of the value %j is %j', (value, day) => {
    expect(dayIn(value)).toBe(day)
  })

  test('on the language holds for no person without one', () => {
    const selection = { for: [[{ by: 'language' as const, values: ['de'] }]], not: [] }
    expect(matchesSelection(selection, { ...maria, language: null })).toBe(false)
  })

  test('on the address of the manager holds for no person whose manager has none', () => {
    const everyAddress = ofManager({ by: 'address', values: ['*'] })
    for (const mail of [{}, { 'manager.mail': ' ' }])
      expect(matchesSelection({ for: [[everyAddress]], not: [] }, { ...maria, directory: mail })).toBe(false)
  })

  test.each([
    ['*', true],
    ['maria@in.example', true],
    ['maria@in.exampl', false],
    ['aria@in.example', false],
    ['m*@in.example', true],
    ['m*a*@*e', true],
    ['maria@*in.example', true],
    ['maria@in.example*maria@in.example', false],
    ['maria@i*in.example', false],
    ['m*z*e', false],
    ['*ia*ar*', false],
    ['*ia@*@in*', false],
    ['m*ra*e', false],
    ['*m*a*r*i*a*', true],
    ['*maria@in.example*', true],
    ['.*', false],
  ])('the pattern %s: %s', (pattern, is) => {
    expect(matchesAddressPattern('maria@in.example', pattern)).toBe(is)
  })
})

describe('a selection', () => {
  test('selects by one group of which all hold, and tells which', () => {
    const both = [field('department', 'Sales'), field('country', 'AT', 'DE')]
    const one = [field('department', 'Sales'), field('country', 'AT')]
    expect(fittingConditions({ for: [one, both], not: [] }, maria)).toBe(both)
    expect(fittingConditions({ for: [one], not: [] }, maria)).toBeNull()
    expect(fittingConditions(EVERYONE, maria)).toBe('everyone')
    expect(matchesSelection({ for: [], not: [] }, maria)).toBe(false)
    expect(matchesSelection({ for: [[]], not: [] }, maria)).toBe(false)
    expect(matchesSelection({ for: 'everyone', not: [[]] }, maria)).toBe(true)
    expect(matchesSelection({ for: 'everyone', not: [one] }, maria)).toBe(true)
  })

  test('[SRV-17] `not` wins over `for`', () => {
    fc.assert(
      fc.property(selection, person, (given, someone) => {
        const isExcluded = given.not.some((conditions) =>
          matchesSelection({ for: [conditions], not: [] }, someone),
        )
        const isMeant = matchesSelection({ ...given, not: [] }, someone)
        expect(matchesSelection(given, someone)).toBe(isMeant && !isExcluded)
      }),
    )
  })
})

describe('the signatures of a person', () => {
  test('[SRV-17] the first that fits the main address is the default, in the order of the folder, unless the user chose', () => {
    fc.assert(
      fc.property(release, person, (given, someone) => {
        const fitting = given.document.signatures.filter(
          (each) => isPeriodOpen(each.during, NOW) && matchesSelection(each.selection, someone),
        )
        expect(assignedSignatures(given, someone, NOW)).toEqual(fitting)
        const { defaultSignature: own } = someone.metadata
        const due = defaultChoice(given, someone, NOW)
        const isSeen = (ids: string | undefined) =>
          mayChooseDefault(given, someone) && fitting.some(({ id }) => ids === combinedIds(id, 'p-1'))
        const reply = isSeen(own?.reply) ? { reply: own?.reply } : {}
        const [main = ''] = someone.addresses
        const ofMain = fitting.find((each) => sendersFor(each, someone)?.includes(main.toLowerCase()) ?? true)
        const master = ofMain ?? fitting[0]
        const first = master && {
          choice: { master: combinedIds(master.id, 'p-1'), ...reply },
          by: 'organisation',
        }
        const chosen = { choice: { master: own?.master, ...reply }, by: 'user' }
        expect(due).toEqual(isSeen(own?.master) ? chosen : (first ?? null))
      }),
      { numRuns: 300 },
    )
  })

  test('are also those of the mailboxes that they write for', () => {
    fc.assert(
      fc.property(release, person, person, (given, someone, other) => {
        const owner = { ...other, id: 'desk', addresses: ['other@in.example', 'desk@in.example'] }
        const others = new Map([['desk', owner]])
        fc.pre(!someone.addresses.includes('desk@in.example'))
        const [mailbox] = given.document.mailboxes
        const isDelegated = mailbox !== undefined && matchesSelection(mailbox.selection, someone)
        expect(delegatedAddresses(given, someone)).toEqual(isDelegated ? ['desk@in.example'] : [])
        const [first] = assignedSignatures(given, owner, NOW)
        fc.pre(first !== undefined)
        const seen = visibleSignature(given, someone, combinedIds(first.id, 'desk'), NOW, others)
        expect(seen).toEqual(isDelegated && owner.active ? { signature: first, owner } : null)
        expect(visibleSignature(given, someone, combinedIds(first.id, 'desk'), NOW, new Map())).toBeNull()
      }),
      { numRuns: 200 },
    )
  })

  test('are not those of their own mailboxes again', () => {
    const mailboxes = [{ address: 'maria@in.example', selection: EVERYONE, values: {} }]
    expect(delegatedAddresses(compileRelease('r', { ...sample, mailboxes }), maria)).toEqual([])
  })
})

describe('recipients', () => {
  test.each([
    ['everyone', [], [['x.example'], ['a.example']]],
    ['internal', ['a.example', 'b.example'], [['a.example'], ['a.example', 'b.example']]],
    ['external', ['!a.example', '!b.example'], [['x.example'], ['a.example', 'x.example']]],
    [['x.example'], ['x.example'], [['x.example']]],
  ] as const)('%j are the audiences %j', (recipients, audiences, fitting) => {
    const given = compileRelease('r', { ...sample, internal: ['a.example', 'b.example'] })
    const told = recipientAudiences(given, { recipients })
    expect(told).toEqual(audiences)
    // As the pane reads them.
    const all = [['a.example'], ['a.example', 'b.example'], ['a.example', 'x.example'], ['x.example']]
    const meant = all.filter((domains) => fitsAudience({ audiences: told }, domains))
    expect(meant).toEqual(recipients === 'everyone' ? all : expect.arrayContaining([...fitting]))
    expect(meant).toHaveLength(recipients === 'everyone' ? all.length : fitting.length)
  })
})

describe('a signature that a combined id names', () => {
  const corporate = { ...some, id: 'corporate', selection: EVERYONE, during: null }
  const given = compileRelease('r', {
    ...sample,
    signatures: [corporate],
    mailboxes: [{ address: 'desk@in.example', selection: EVERYONE, values: {} }],
  })
  const desk: PersonState = { ...maria, id: 'desk', addresses: ['x@in.example', 'desk@in.example'] }
  const other: PersonState = { ...maria, id: 'other', addresses: ['other@in.example'] }
  const owners = (...all: readonly PersonState[]) => new Map(all.map((each) => [each.id, each]))

  test.each<readonly [what: string, ids: string, owners: readonly PersonState[], owner: PersonState | null]>([
    ['is their own', 'corporate-p-1', [], maria],
    ['is that of a mailbox', 'corporate-desk', [desk], desk],
    ['is none of a mailbox that is gone', 'corporate-desk', [{ ...desk, active: false }], null],
    ['is none of a person who is no mailbox', 'corporate-other', [other], null],
    ['is none that is not there', 'fair-p-1', [], null],
    ['is none of an unknown owner', 'corporate-desk', [], null],
    ['is none without an owner', 'corporate', [desk], null],
  ])('%s', (_, ids, known, owner) => {
    expect(visibleSignature(given, maria, ids, NOW, owners(...known))).toEqual(
      owner && { signature: corporate, owner },
    )
  })

  test('is their own also after they left', () => {
    const left = { ...maria, active: false }
    expect(visibleSignature(given, left, 'corporate-p-1', NOW, new Map())?.owner).toBe(left)
  })
})

test('combined ids name signature and owner, whatever the owner’s id', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9_]+$/), fc.string({ minLength: 1 }), (id, owner) => {
      expect(parseCombinedIds(combinedIds(id, owner))).toEqual({ signature: id, owner })
    }),
  )
  for (const text of ['', 'a', 'a-', '-b', 'A-b', 'a.b-c']) expect(parseCombinedIds(text)).toBeNull()
})

describe('a period', () => {
  const day = (from: string, to: string, timeZone: string): Period => ({ from, to, timeZone })

  test.each([
    // Winter to summer and back: the days of the change have 23 and 25 hours.
    ['2026-03-29', '2026-03-29', 'Europe/Berlin', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    ['2026-10-25', '2026-10-25', 'Europe/Berlin', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
    ['2026-09-01', '2026-11-30', 'Europe/Berlin', '2026-08-31T22:00Z', '2026-11-30T23:00Z'],
    ['2026-03-08', '2026-11-01', 'America/New_York', '2026-03-08T05:00Z', '2026-11-02T05:00Z'],
    ['2026-01-01', '2026-12-31', 'Asia/Kolkata', '2025-12-31T18:30Z', '2026-12-31T18:30Z'],
    ['2026-01-01', '2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00Z', '2026-01-01T10:00Z'],
    ['2026-01-01', '2026-01-01', 'Pacific/Pago_Pago', '2026-01-01T11:00Z', '2026-01-02T11:00Z'],
    ['2024-02-29', '2024-02-29', 'UTC', '2024-02-29T00:00Z', '2024-03-01T00:00Z'],
    // Samoa left out the 30th, when it moved across the date line.
    ['2011-12-29', '2011-12-29', 'Pacific/Apia', '2011-12-29T10:00Z', '2011-12-30T10:00Z'],
    ['2011-12-31', '2011-12-31', 'Pacific/Apia', '2011-12-30T10:00Z', '2011-12-31T10:00Z'],
    ['2011-12-30', '2011-12-31', 'Pacific/Apia', '2011-12-30T10:00Z', '2011-12-31T10:00Z'],
    // The clock goes from 0:00 to 1:00: the day begins at 1:00.
    ['2026-04-24', '2026-04-24', 'Africa/Cairo', '2026-04-23T22:00Z', '2026-04-24T21:00Z'],
    ['2018-11-04', '2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00Z', '2018-11-05T02:00Z'],
  ])('[SRV-21] %s to %s in %s is open from %s to before %s', (from, to, timeZone, opens, closes) => {
    const period = day(from, to, timeZone)
    const [first, end] = [Date.parse(opens), Date.parse(closes)]
    expect(windowOf(period)).toEqual({ opens: first, closes: end })
    const instants = [first - MINUTE_MS, first - 1, first, first + MINUTE_MS, end - 1, end, end + MINUTE_MS]
    expect(instants.map((at) => isPeriodOpen(period, at))).toEqual([
      false,
      false,
      true,
      true,
      true,
      false,
      false,
    ])
  })

  test('[SRV-21] is open exactly while the calendar of its time zone shows one of its days', () => {
    const zones = [
      ...['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'Australia/Lord_Howe'],
      ...['Africa/Cairo', 'America/Havana', 'Asia/Kathmandu', 'Pacific/Chatham', 'America/St_Johns', 'UTC'],
    ]
    const date = fc
      .date({ min: new Date('2012-01-02'), max: new Date('2030-01-01'), noInvalidDate: true })
      .map((at) => at.toISOString().slice(0, 10))
    const around = fc.integer({ min: -36 * 60, max: 36 * 60 })
    fc.assert(
      fc.property(
        date,
        fc.nat(400),
        fc.constantFrom(...zones),
        around,
        fc.boolean(),
        (from, days, ...rest) => {
          const [timeZone, minutes, isAtEnd] = rest
          const to = new Date(Date.parse(from) + days * 24 * 60 * MINUTE_MS).toISOString().slice(0, 10)
          const at = Date.parse(isAtEnd ? to : from) + minutes * MINUTE_MS
          // Sweden writes dates as the folder does.
          const today = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)
          expect(isPeriodOpen(day(from, to, timeZone), at)).toBe(from <= today && today <= to)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('that never opens is never open: a day that a calendar left out, or the end before the start', () => {
    const left = day('2011-12-30', '2011-12-30', 'Pacific/Apia')
    const back = day('2026-02-02', '2026-02-01', 'UTC')
    for (const period of [left, back]) {
      const { opens, closes } = windowOf(period) ?? { opens: 1, closes: 0 }
      expect(closes).toBeLessThanOrEqual(opens)
      for (const at of [opens - 1, opens, closes, closes + 1]) expect(isPeriodOpen(period, at)).toBe(false)
    }
  })

  test.each([
    ['2026-02-30', '2026-03-01', 'UTC'],
    ['2026-02-01', '2026-02-32', 'UTC'],
    ['2026-2-1', '2026-03-01', 'UTC'],
    ['2026-02-01', '', 'UTC'],
    ['2026-02-01', '2026-03-01', 'Europe/Nowhere'],
    ['0999-01-01', '2026-03-01', 'UTC'],
    ['x2026-01-01', '2026-03-01', 'UTC'],
    ['2026-01-01', '2026-03-01x', 'UTC'],
    ['2026-13-01', '2026-03-01', 'UTC'],
    ['2026-02-01', '2026-03-010', 'UTC'],
    ['+2026-02-01', '2026-03-01', 'UTC'],
  ])('that cannot be read is never open: %s to %s in %s', (from, to, timeZone) => {
    expect(windowOf(day(from, to, timeZone))).toBeNull()
    expect(isPeriodOpen(day(from, to, timeZone), Date.parse('2026-02-15'))).toBe(false)
  })

  test('is read once', () => {
    const period = day('2026-01-01', '2026-02-01', 'Europe/Berlin')
    const window = windowOf(period)
    expect(windowOf(period)).toBe(window)
    expect(isPeriodOpen(null, 0)).toBe(true)
  })
})
