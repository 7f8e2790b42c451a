import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { checkFolder } from '../../../src/folder/checkFolder.ts'
import { readFolder } from '../../../src/folder/readFolder.ts'
import {
  COLLEAGUES,
  colleagueReports,
  factsOfColleague,
  FERRIES_DOMAIN,
  SITE_CODE_FIELD,
} from '../../../src/service/demonstration/colleagues.ts'
import type * as colleaguesModule from '../../../src/service/demonstration/colleagues.ts'
import { demonstrationStartingAt, readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import { Person } from '../../../streams/organisation/facts/events.ts'
import { withFacts } from '../../../streams/organisation/facts/reducer.ts'
import { type PersonState, personState } from '../../../streams/organisation/facts/state.ts'
import { readTelemetryReport } from '../../../streams/organisation/figures/reported.ts'
import { compileRelease } from '../../../streams/organisation/release/release.ts'
import {
  assignedSignatures,
  defaultChoice,
  matchesSelection,
  openTimesOf,
  parseCombinedIds,
  sendersFor,
  windowOf,
} from '../../../streams/organisation/rules/rules.ts'
import { telemetryBody } from '../../../streams/wire/addinRequests.ts'
import { northwind, northwindPeople } from '../../support/northwind.ts'

const demonstration = await readDemonstration({ colleagues: true })
const release = compileRelease('with colleagues', demonstration.document)
const DAY_MS = 86_400_000
const START = Date.parse('2026-11-30T09:00:00Z')

const stateOf = (colleague: (typeof COLLEAGUES)[number]): PersonState => {
  const state = withFacts(null, factsOfColleague(colleague, START), colleague.id, { actor: 'tests', at: 0 })
  if (state === null) throw new Error(`${colleague.id} has no state`)
  return state
}
const colleagues = COLLEAGUES.map(stateOf)
const everyone = [...northwindPeople, ...colleagues]
const active = everyone.filter((person) => person.active)
const defaultOf = (person: PersonState): string | null => {
  const due = defaultChoice(release, person, START, new Map())
  return due === null ? null : (parseCombinedIds(due.choice.master)?.signature ?? null)
}
const different = (values: readonly (string | null | undefined)[]) =>
  new Set(values.filter((value) => value !== null && value !== undefined)).size

it('makes the same people each time', async () => {
  vi.resetModules()
  const again = await vi.importActual<typeof colleaguesModule>(
    '../../../src/service/demonstration/colleagues.ts',
  )
  expect(again.COLLEAGUES).not.toBe(COLLEAGUES)
  expect(again.COLLEAGUES).toEqual(COLLEAGUES)
  expect(again.colleagueReports(START)).toEqual(colleagueReports(START))
})

it('makes, with the five, 240 people in 9 departments, 3 countries and 6 languages', () => {
  expect(everyone).toHaveLength(240)
  expect(different(everyone.map(({ directory }) => directory['department']))).toBe(9)
  expect(different(everyone.map(({ directory }) => directory['country']))).toBe(3)
  expect(different(everyone.map(({ language }) => language))).toBe(6)
})

it('gives no two people the same id, address, account, name, employee number or phone', () => {
  const all = (valuesOf: (person: PersonState) => readonly (string | undefined)[]) => {
    const values = everyone.flatMap(valuesOf).filter((value) => value !== undefined)
    expect(new Set(values).size).toBe(values.length)
  }
  all(({ id }) => [id])
  all(({ addresses }) => addresses)
  all(({ account }) => [account?.oid])
  all(({ directory }) => [`${directory['givenName'] ?? ''} ${directory['surname'] ?? ''}`])
  all(({ directory }) => [directory['employeeId']])
  all(({ directory }) => [directory['telephoneNumber'], directory['mobile']])
})

it('makes people of the same tenant as the five', () => {
  expect(different(everyone.map(({ account }) => account?.tenant))).toBe(1)
})

it('makes people that the service can read', () => {
  for (const colleague of COLLEAGUES) {
    const { record } = colleague
    expect(Person.imported.schema.read({ record }, '')).toEqual({ record })
    expect(personState.read(stateOf(colleague), '')).toEqual(stateOf(colleague))
    expect(Object.values(record.fields)).not.toContain('')
    for (const address of record.addresses)
      expect(address).toMatch(/^[a-z]+\.[a-z]+@northwind(?:-ferries)?\.example$/)
  }
})

/** Portugal reserves none; 21 555 and 91 555 are as invented as those of Maria Silva. */
const FICTIONAL = [
  /^\+44 20 7946 0\d{3}$/,
  /^\+44 7700 900\d{3}$/,
  /^\+49 40 66969 \d{3}$/,
  /^\+49 171 39200\d{2}$/,
  /^\+351 (?:21|91) 555 0\d{3}$/,
]

it('gives people only phone numbers for fiction', () => {
  const numbers = COLLEAGUES.flatMap(({ record: { fields } }) =>
    [fields['telephoneNumber'], fields['mobile']].filter((number) => number !== undefined),
  )
  expect(numbers.length).toBeGreaterThan(200)
  for (const number of numbers) expect(FICTIONAL.some((range) => range.test(number))).toBe(true)
})

it('has people without a job title, without a phone, and people who have left', () => {
  const without = (field: string) => colleagues.filter(({ directory }) => !(field in directory)).length
  expect(without('jobTitle')).toBeGreaterThan(5)
  expect(without('telephoneNumber')).toBeGreaterThan(5)
  expect(everyone.length - active.length).toBe(8)
})

it('has one person with an address of the second brand, whose signature is for that address', () => {
  const both = colleagues.filter(({ addresses }) => addresses.length > 1)
  expect(both.map(({ directory }) => directory['jobTitle'])).toEqual(['Head of Sales'])
  const [person] = both as [PersonState]
  const ferries = release.signatureOf('ferries')
  expect(ferries && sendersFor(ferries, person)).toEqual([expect.stringContaining(`@${FERRIES_DOMAIN}`)])
  expect(defaultOf(person)).not.toBe('ferries')
  expect(
    active.filter((each) => assignedSignatures(release, each, START).some(({ id }) => id === 'ferries')),
  ).toEqual(both)
})

it('leaves the five their signatures', () => {
  for (const person of northwindPeople)
    expect(assignedSignatures(release, person, START).map(({ id }) => id)).toEqual(
      assignedSignatures(northwind, person, START).map(({ id }) => id),
    )
})

it('gives each added signature to some people by default, and none to Jonas and two people who have just joined', () => {
  const defaults = active.map(defaultOf)
  const added = demonstration.document.signatures.filter(({ id }) => northwind.signatureOf(id) === null)
  expect(added).toHaveLength(7)
  // The signature for later messages of a conversation is chosen by the message, and that of the second brand is only for
  // its address.
  for (const { id, thread } of added)
    expect(defaults.includes(id)).toBe(thread !== 'later' && id !== 'ferries')
  const without = active.filter((person) => defaultOf(person) === null)
  expect(without.map(({ directory }) => directory['department'])).toEqual([undefined, undefined, undefined])
  expect(without[0]?.id).toBe('u-4')
})

it('has the banner for one site by an extension attribute', () => {
  const block = demonstration.document.blocks?.find(({ id }) => id === 'open_day')
  expect(block?.selection).toEqual({
    for: [[{ by: 'field', field: SITE_CODE_FIELD, values: ['HAM'] }]],
    not: [],
  })
  const inHamburg = colleagues.filter((person) => block && matchesSelection(block.selection, person))
  expect(inHamburg).toHaveLength(70)
  expect(new Set(inHamburg.map(({ directory }) => directory['country']))).toEqual(new Set(['DE']))
})

const blockOf = (id: string) =>
  demonstration.document.blocks?.find((each) => each.id === id) ?? expect.fail(id)

it('has a full and a short signature for the messages of one department in a conversation', () => {
  const inHumanResources = active.filter(({ directory }) => directory['department'] === 'Human Resources')
  const ids = inHumanResources.map((person) => assignedSignatures(release, person, START).map(({ id }) => id))
  expect(ids.length).toBeGreaterThan(5)
  for (const each of ids) expect(each.slice(0, 2)).toEqual(['recruiting', 'recruiting_short'])
  expect(['recruiting', 'recruiting_short'].map((id) => release.signatureOf(id)?.thread)).toEqual([
    'first',
    'later',
  ])
})

it('has a list of partners from a file, hours, and a share of messages', () => {
  expect(demonstration.document.lists).toEqual({
    Partners: ['harbour-partners.example', 'quayside.example', 'bookings@tidewater-lines.example'],
  })
  expect(blockOf('partners')).toMatchObject({ recipients: ['Partners'] })
  expect(blockOf('service_desk').hours?.spans).toEqual([
    { days: [1, 2, 3, 4, 5], from: '08:00', to: '17:30' },
  ])
  expect(blockOf('feedback')).toMatchObject({ share: 30, turns: 'mail' })
  for (const id of ['partners', 'service_desk', 'feedback'])
    expect(northwindPeople.some((person) => matchesSelection(blockOf(id).selection, person))).toBe(false)
})

it('announces the absences of two colleagues at each start', () => {
  const anyMoment = fc.integer({ min: 1_700_000_000_000, max: 2_800_000_000_000 })
  fc.assert(
    fc.property(anyMoment, (now) => {
      const away = COLLEAGUES.flatMap((colleague) => {
        const person = withFacts(null, factsOfColleague(colleague, now), colleague.id, {
          actor: 'tests',
          at: now,
        })
        const times = person && openTimesOf(release, blockOf('absence'), person, now)
        return times?.some(([from, to]) => from <= now && now < to) ? [person] : []
      })
      expect(away.map((person) => person?.id)).toEqual(['v-030', 'v-053'])
      const deputies = away.map((person) => person?.values['absence_deputy'])
      const reachable = active.flatMap(({ addresses }) => addresses)
      for (const deputy of deputies) expect(reachable).toContain(deputy)
    }),
    { numRuns: 20 },
  )
})

it('is a folder that the check accepts', async () => {
  const folder = join(import.meta.dirname, '../../../src/service/demonstration')
  const [of, others] = await Promise.all(
    ['signatures', 'colleagues'].map((name) => readFolder(join(folder, name))),
  )
  if (!of || !others) expect.unreachable()
  const { signatures, blocks = [], templates, lists } = demonstration.document
  const isDifficult = (path: string) => demonstration.difficult.includes(path)
  const document = {
    ...of.document,
    variables: demonstration.document.variables,
    signatures: signatures.filter(({ template }) => !isDifficult(template)),
    blocks,
    ...(lists && { lists }),
    templates: Object.fromEntries(Object.entries(templates).filter(([path]) => !isDifficult(path))),
  }
  const people = [
    ...(of.people ?? []),
    ...COLLEAGUES.flatMap((colleague) => (colleague.hasLeft ? [] : [{ ...colleague, line: 1 }])),
  ]
  const read = { ...of, document, places: new Map([...others.places, ...of.places]), people, fields: null }
  // Some colleagues lack a phone or a job title, which the templates of the five do not foresee.
  const ofColleagues = checkFolder(read, START).filter(
    ({ file }) => !Object.hasOwn(of.document.templates, file),
  )
  expect(ofColleagues.filter(({ level }) => level === 'error')).toEqual([])
})

it('has a banner that opens within 30 days of each start', () => {
  const anyTime = fc.date({
    min: new Date('2024-01-01'),
    max: new Date('2060-01-01'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(anyTime, (date) => {
      const now = date.getTime()
      const { document } = demonstrationStartingAt(now, demonstration)
      const during = document.blocks?.find(({ id }) => id === 'open_day')?.during
      const opens = ((during && windowOf(during)?.opens) ?? 0) - now
      expect(opens).toBeGreaterThan(7 * DAY_MS)
      expect(opens).toBeLessThan(30 * DAY_MS)
    }),
  )
})

it('makes reports of active people’s add-ins, in the four weeks before the start', () => {
  const people = new Set(active.map(({ id }) => id))
  fc.assert(
    fc.property(fc.integer({ min: 1_700_000_000_000, max: 2_800_000_000_000 }), (now) =>
      colleagueReports(now).every(({ at }) => at <= now && at > now - 28 * DAY_MS),
    ),
  )
  for (const { person, reported } of colleagueReports(START)) {
    expect(people).toContain(person)
    expect(telemetryBody.read(reported, '')).toEqual(reported)
  }
  const read = colleagueReports(START).map(({ reported }) => readTelemetryReport(reported))
  expect(different(read.map(({ version }) => version))).toBe(2)
  expect(different(read.flatMap(({ clients }) => clients.map(({ client }) => client)))).toBe(4)
  expect(different(read.flatMap(({ clients }) => clients.map(({ launch }) => launch)))).toBe(2)
  expect(different(colleagueReports(START).map(({ person }) => person))).toBe(read.length)
})
