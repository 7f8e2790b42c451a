import { fc, test } from '@fast-check/vitest'
import { expect, it } from 'vitest'
import { auditFactOf } from '../../../../streams/organisation/facts/audit.ts'
import { Organisation, Person, type PersonFact } from '../../../../streams/organisation/facts/events.ts'
import { countInsight } from '../../../../streams/organisation/figures/insight.ts'
import { readTelemetryReport } from '../../../../streams/organisation/figures/reported.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { northwind, northwindPeople } from '../../../support/northwind.ts'

const AT = Date.parse('2026-09-01T10:00:00Z')
const NO_PEOPLE = new Map<never, never>()

test.prop([fc.anything()])('what an add-in told is read whatever it is', (told) => {
  const { version, clients } = readTelemetryReport(told)
  expect(version === null || version.length <= 40).toBe(true)
  expect(clients.length).toBeLessThanOrEqual(10)
})

test.prop([fc.array(fc.oneof(fc.string(), fc.constantFrom('PC', 'Mac', 'iOS')), { maxLength: 20 })])(
  'a mail client is told once, and only as a short word',
  (platforms) => {
    const told = {
      package: { version: '1.2.3-beta.1' },
      context: platforms.map((platform) => ({ platform })),
    }
    const { version, clients: read } = readTelemetryReport(told)
    const clients = read.map(({ client }) => client)
    expect(version).toBe('1.2.3-beta.1')
    const first = platforms.slice(0, 10)
    for (const client of clients)
      expect([first.includes(client), /^[\w. ()+-]{1,40}$/.test(client)]).toEqual([true, true])
    expect(new Set(clients).size).toBe(clients.length)
    for (const known of ['PC', 'Mac', 'iOS']) expect(clients.includes(known)).toBe(first.includes(known))
  },
)

it('nothing is counted twice, and made-up texts do not fill the memory', () => {
  const counting = countInsight(northwind, NO_PEOPLE, { at: AT, today: AT })
  for (const person of northwindPeople) counting.addPerson(person)
  for (let index = 0; index < 1000; index += 1)
    counting.addReported({ package: { version: `1.0.${String(index)}` } }, AT - 1)
  counting.addReported({ package: { version: '1.0.0' } }, AT)
  const { people, withoutSignature, told, toldToday, insight } = counting.counts()
  expect(people).toBe(northwindPeople.length)
  expect(insight.signatures.reduce((sum, each) => sum + each.people, 0) + withoutSignature).toBe(people)
  expect(insight.versions).toHaveLength(200)
  expect(insight.versions[0]).toEqual({ version: '1.0.0', people: 2 })
  expect([told, toldToday]).toEqual([1001, 1])
})

it('people whom an administrator keeps without a signature count apart', () => {
  const count = (people: readonly PersonState[]) => {
    const counting = countInsight(northwind, NO_PEOPLE, { at: AT, today: AT })
    for (const person of people) counting.addPerson(person)
    const { withoutSignature, keptWithout, insight } = counting.counts()
    return { withoutSignature, keptWithout, signed: insight.signatures.map(({ people: each }) => each) }
  }
  const excluded = { by: 'admin', at: 1, until: 'removed' }
  const kept = northwindPeople.map((person) => ({
    ...person,
    corrections: { fields: {}, supplement: {}, under: {}, excluded },
  }))
  expect(count(kept)).toEqual({ withoutSignature: 0, keptWithout: northwindPeople.length, signed: [] })
  expect(count(northwindPeople).keptWithout).toBe(0)
})

it('launches count the people of each mail client, and only what is told as one of two results', () => {
  const counting = countInsight(null, NO_PEOPLE, { at: AT, today: AT })
  const tell = (...context: readonly unknown[]) => {
    counting.addReported({ context }, AT)
  }
  tell({ platform: 'PC', launch: 'went' }, { platform: 'Mac', launch: 'failed' })
  tell({ platform: 'PC', launch: 'went' })
  tell({ platform: 'PC', launch: 'failed' })
  tell({ platform: 'PC' })
  // Once for each person and mail client, by the later entry.
  tell({ platform: 'Mac', launch: 'failed' }, { platform: 'Mac', launch: 'went' })
  for (const launch of ['late', 'constructor', 7, null, ['went'], { went: 1 }])
    tell({ platform: 'iOS', launch })
  tell({ platform: '<b>', launch: 'went' })
  expect(counting.counts().insight).toMatchObject({
    clients: [
      { client: 'iOS', people: 6 },
      { client: 'PC', people: 4 },
      { client: 'Mac', people: 2 },
    ],
    launches: [
      { client: 'PC', went: 2, failed: 1 },
      { client: 'Mac', went: 1, failed: 1 },
    ],
  })
})

it('made-up mail clients do not keep launches of the others from being counted', () => {
  const counting = countInsight(null, NO_PEOPLE, { at: AT, today: AT })
  const tell = (platform: string, launch?: string) => {
    counting.addReported({ context: [{ platform, launch }] }, AT)
  }
  for (let index = 0; index < 200; index += 1) tell(`A${String(index)}`)
  for (let index = 0; index < 200; index += 1) tell(`B${String(index)}`, 'went')
  tell('A7', 'went')
  expect(counting.counts().insight.launches).toEqual([{ client: 'A7', went: 1, failed: 0 }])
})

it('people count by the signature that is their default, most first, and those alike by name', () => {
  const counting = countInsight(northwind, NO_PEOPLE, { at: AT, today: AT })
  const [first, second] = northwindPeople as [PersonState, PersonState]
  counting.addPerson(first)
  counting.addPerson(second)
  const { signatures } = counting.counts().insight
  for (const { signature, name } of signatures) expect(name).toBe(northwind.signatureOf(signature)?.name)
  for (const version of ['2.0', '1.5', '1.0', '2.0']) counting.addReported({ package: { version } }, AT)
  expect(counting.counts().insight.versions).toEqual([
    { version: '2.0', people: 2 },
    { version: '1.0', people: 1 },
    { version: '1.5', people: 1 },
  ])
})

it.each<readonly [told: unknown, version: string | null, clients: readonly string[]]>([
  [null, null, []],
  ['text', null, []],
  [{ package: null, context: 'PC' }, null, []],
  [{ package: { version: 7 }, context: [null, 'PC', { platform: 7 }] }, null, []],
  [{ package: { version: 'v1' } }, null, []],
  [{ package: { version: `1${'.0'.repeat(19)}x` } }, `1${'.0'.repeat(19)}x`, []],
  [{ package: { version: `1${'.0'.repeat(20)}` } }, null, []],
  [{ context: [{ platform: 'P'.repeat(40) }] }, null, ['P'.repeat(40)]],
  [{ context: [{ platform: 'P'.repeat(41) }, { platform: '' }] }, null, []],
  [{ context: [{ platform: 'Outlook (web) 1.0+b-c_d' }] }, null, ['Outlook (web) 1.0+b-c_d']],
])('of %j the version and the mail clients are read within limits', (told, version, clients) => {
  const found = readTelemetryReport(told)
  expect(found.version).toBe(version)
  expect(found.clients).toEqual(clients.map((client) => ({ client, launch: null })))
})

it('what is told at the beginning of the day is of today, and a moment before it is not', () => {
  const counting = countInsight(null, NO_PEOPLE, { at: AT, today: AT })
  counting.addReported(null, AT - 1)
  counting.addReported(null, AT)
  expect(counting.counts().toldToday).toBe(1)
})

it('before the first publish no person misses a signature', () => {
  const counting = countInsight(null, NO_PEOPLE, { at: AT, today: AT })
  for (const person of northwindPeople) counting.addPerson(person)
  expect(counting.counts()).toMatchObject({ withoutSignature: 0, insight: { signatures: [] } })
})

const SECRET = 'a secret of Maria'
const record = {
  addresses: [SECRET],
  account: { tenant: SECRET, oid: SECRET },
  language: SECRET,
  fields: { title: SECRET },
  groups: [SECRET],
  picture: SECRET,
}
const facts: readonly PersonFact[] = [
  Person.imported({ record }),
  Person.directoryChanged({ changed: record }),
  Person.accountBound({ account: record.account }),
  Person.valuesSaved({ values: { phone: SECRET, title: SECRET }, reset: ['title', 'fax'] }),
  Person.metadataSaved({ metadata: { secret: SECRET } }),
  Person.pictureChanged({ picture: SECRET }),
  Person.defaultChosen({ choice: { master: SECRET } }),
]

it.each(facts)('the audit says no value of $type', (fact) => {
  const told = auditFactOf({ ...fact, meta: { seq: 3, at: AT, source: 'u-1' } }, 'person/u-1')
  expect(JSON.stringify(told)).not.toContain(SECRET)
  expect(told).toMatchObject({
    at: AT,
    actor: 'u-1',
    stream: 'person',
    person: 'u-1',
    type: fact.type,
    note: null,
  })
})

it('the audit names what changed, once', () => {
  const namesOf = (fact: PersonFact) =>
    auditFactOf({ ...fact, meta: { seq: 0, at: AT, source: 'x' } }, 'person/x').fields
  expect(facts.map((fact) => namesOf(fact))).toEqual([
    [],
    ['addresses', 'account', 'language', 'fields', 'groups', 'picture'],
    [],
    ['phone', 'title', 'fax'],
    [],
    [],
    [],
  ])
})

it('the audit has the note of who published, or null without one', () => {
  const noteOf = (note: string) =>
    auditFactOf(
      {
        ...Organisation.releasePublished({ release: 'r', base: null, note }),
        meta: { seq: 0, at: AT, source: 'admin' },
      },
      'organisation',
    )
  expect(noteOf('for autumn')).toMatchObject({ stream: 'organisation', person: null, note: 'for autumn' })
  expect(noteOf('').note).toBeNull()
  const rolledBack = Organisation.releaseRolledBack({ release: 'r', base: null, note: 'too early' })
  expect(auditFactOf({ ...rolledBack, meta: { seq: 0, at: AT, source: 'admin' } }, 'organisation').note).toBe(
    'too early',
  )
  const plan = {
    plan: 'p',
    base: null,
    release: 'r',
    hash: 'h',
    author: 'a',
    until: 0,
    people: 1,
    groups: 1,
    by: [],
  }
  const asked = Organisation.approvalAsked({ ...plan, note: 'please' })
  expect(auditFactOf({ ...asked, meta: { seq: 0, at: AT, source: 'admin' } }, 'organisation').note).toBe(
    'please',
  )
})
