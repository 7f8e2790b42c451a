import { isDeepStrictEqual } from 'node:util'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { Organisation, Person, type PersonFact } from '../../../streams/organisation/facts/events.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { VersionConflict } from '../../../src/service/sql/problems.ts'
import { forEachDatabase } from '../../support/databases.ts'

const SIGNED = { actor: 'tests', at: 1_790_000_000_123 }
const NAMES = { addresses: ['maria@x.example', 'sales@x.example'], groups: ['sales, "EMEA"', '{a}', '\\'] }

const personAt = (id: string, revision: number, changes: Partial<PersonState> = {}): PersonState => ({
  id,
  revision,
  account: null,
  active: true,
  addresses: [`${id}@x.example`],
  language: 'de',
  directory: { title: 'Käse, "x" \\ \0 {}' },
  groups: [],
  values: {},
  metadata: {},
  picture: null,
  directoryPicture: null,
  ...changes,
})
const imported = ({ addresses, account, language, directory, groups, picture }: PersonState) =>
  Person.imported({ record: { addresses, account, language, fields: directory, groups, picture } })
const saved = (value: string) => Person.valuesSaved({ values: { phone: value }, reset: [] })
const HASH = 'a'.repeat(32)
const PNG = { mediaType: 'image/png', bytes: new Uint8Array([137, 0, 255]) }

forEachDatabase('the store', (open) => {
  let store: Store
  let other: Store
  beforeAll(async () => {
    ;[store, other] = [await open(), await open()]
  })
  beforeEach(() => store.clear())
  const add = (person: PersonState) => store.appendPerson(person.id, 0, [imported(person)], person, SIGNED)

  it('lists the people with a correction whose last day is over, page by page, and only those', async () => {
    const until = (id: string, day: string) =>
      add(
        personAt(id, 1, {
          corrections: { fields: {}, supplement: {}, under: {}, excluded: { by: 'a', at: 1, until: day } },
        }),
      )
    await until('zoe', '2026-01-01')
    await until('ann', '2026-01-02')
    await until('ben', '2026-01-02')
    await until('today', '2026-01-03')
    await until('lasting', 'removed')
    const places = await store.peopleCorrectedUntil('2026-01-03', null, 9)
    expect(places.map(({ id }) => id)).toEqual(['zoe', 'ann', 'ben'])
    expect(await store.peopleCorrectedUntil('2026-01-03', places[1] ?? null, 9)).toEqual([places[2]])
    expect(await store.peopleCorrectedUntil('2026-01-03', null, 1)).toEqual([places[0]])
    const ann = personAt('ann', 2)
    await store.appendPerson('ann', 1, [Person.exclusionEnded()], ann, SIGNED)
    expect(await store.person('ann')).toEqual(ann)
    expect(await store.peopleCorrectedUntil('2026-01-03', places[0] ?? null, 9)).toEqual([places[2]])
  })

  it('gives back a person as it was written, whatever the texts', async () => {
    const person = personAt('maria', 1, {
      ...NAMES,
      account: { tenant: 't', oid: 'o' },
      values: { 'a"b': '\ud800' },
      metadata: { collapsed: [1, null, { deep: true }] },
      picture: `${HASH}.png`,
      directoryPicture: `${'b'.repeat(32)}.jpg`,
      corrections: {
        fields: { title: { value: '"\0', by: 'a', at: 1, until: 'changed' } },
        supplement: {},
        under: { title: null },
      },
    })
    await add(person)
    expect(await store.person('maria')).toEqual(person)
    expect(await other.personByAddress('SALES@x.example')).toEqual(person)
    expect(await store.personByAccount('t', 'o')).toEqual(person)
    expect(await store.personsByAddress(['Sales@x.example', 'maria@x.example', 'a@b'])).toEqual([person])
    expect(await store.personFacts('maria', 0)).toEqual([
      { ...imported(person), meta: { seq: 0, at: SIGNED.at, source: 'tests' } },
    ])
  })

  it('adds many people at once as it adds each alone', async () => {
    const left = personAt('joao', 2, { active: false, addresses: ['joao@x.example', 'j@x.example'] })
    const people = [
      { person: personAt('maria', 1, { ...NAMES, account: { tenant: 't', oid: 'o' } }), facts: 1 },
      { person: left, facts: 2 },
    ].map(({ person, facts }) => ({
      person,
      facts: [imported({ ...person, active: true }), Person.departed()].slice(0, facts),
    }))
    const stored = async () => ({
      people: await store.persons(['maria', 'joao']),
      facts: await store.audit(null, 9),
      addresses: [...(await store.addressesOf(['maria', 'joao']))]
        .map(([id, own]) => [id, own.toSorted()])
        .sort(),
    })
    for (const { person, facts } of people) await store.appendPerson(person.id, 0, facts, person, SIGNED)
    const alone = await stored()
    await store.clear()
    await store.addPeople(people, SIGNED)
    expect(await stored()).toEqual(alone)
  })

  it('adds nobody when an address of one belongs to another person, or one is stored already', async () => {
    await add(personAt('maria', 1))
    const adding = (...people: readonly PersonState[]) =>
      store.addPeople(
        people.map((person) => ({ person, facts: [imported(person)] })),
        SIGNED,
      )
    await expect(
      adding(personAt('joao', 1), personAt('eva', 1, { addresses: ['maria@x.example'] })),
    ).rejects.toThrow(VersionConflict)
    await expect(adding(personAt('joao', 1), personAt('maria', 1))).rejects.toThrow(VersionConflict)
    expect(await store.people(null, 9)).toEqual([personAt('maria', 1)])
    expect(await store.personFacts('joao', 0)).toEqual([])
  })

  it('adds many reports at once', async () => {
    await store.addReports([
      { person: 'maria', reported: { a: ['"', 1] }, at: 5 },
      { person: 'joao', reported: 'x', at: 1_790_000_000_123 },
    ])
    expect([await store.reported('maria'), await store.reported('joao')]).toEqual([
      { reported: { a: ['"', 1] }, at: 5 },
      { reported: 'x', at: 1_790_000_000_123 },
    ])
  })

  it('finds nothing for what it does not have', async () => {
    await add(personAt('maria', 1))
    expect([
      await store.person('maria\0'),
      await store.personByAddress('\0'),
      await store.personByAccount('t', 'o'),
      await store.release('none'),
      await store.picture('none'),
      await store.reported('maria'),
      await store.plan('none'),
    ]).toEqual(Array(7).fill(null))
    expect(await store.persons(['maria', 'none'])).toEqual([personAt('maria', 1)])
    expect(await store.personFacts('none', 0)).toEqual([])
  })

  it('replaces addresses in their order, and refuses those of another person', async () => {
    await add(personAt('maria', 1, NAMES))
    await add(personAt('joao', 1))
    const moved = personAt('maria', 2, { addresses: ['new@x.example', 'maria@x.example'] })
    const fact = Person.directoryChanged({ changed: { addresses: moved.addresses } })
    await store.appendPerson('maria', 1, [fact], moved, SIGNED)
    expect(await store.personByAddress('new@x.example')).toEqual(moved)
    expect(await store.personByAddress('sales@x.example')).toBeNull()

    const taken = { ...moved, revision: 3, addresses: ['joao@x.example'] }
    await expect(store.appendPerson('maria', 2, [fact], taken, SIGNED)).rejects.toThrow(VersionConflict)
    await expect(add(personAt('ana', 1, { addresses: ['joao@x.example'] }))).rejects.toThrow(VersionConflict)
    expect(await store.person('maria')).toEqual(moved)
    expect(await store.person('ana')).toBeNull()
    expect(await store.personFacts('maria', 2)).toEqual([])
    expect(await store.personFacts('ana', 0)).toEqual([])
  })

  it('lets one writer win each version of a person', async () => {
    await add(personAt('maria', 1))
    const write = (by: Store, index: number) =>
      by
        .appendPerson(
          'maria',
          1,
          [saved(String(index)), saved(`${String(index)}!`)],
          personAt('maria', 3, { values: { phone: `${String(index)}!` } }),
          { ...SIGNED, actor: String(index) },
        )
        .then(
          () => index,
          (error: unknown) => error,
        )
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => write(index % 2 ? store : other, index)),
    )
    const [winner, ...more] = results.filter((result) => typeof result === 'number')
    expect(more).toEqual([])
    expect(results.filter((result) => result instanceof VersionConflict)).toHaveLength(7)
    expect((await store.person('maria'))?.values).toEqual({ phone: `${String(winner)}!` })
    const facts = await store.personFacts('maria', 1)
    expect(facts.map(({ meta }) => [meta.seq, meta.source])).toEqual([
      [1, String(winner)],
      [2, String(winner)],
    ])
  })

  it('lets one of two that add the same person win', async () => {
    const adding = [store, other].map((by) => {
      const person = personAt('maria', 1)
      return by.appendPerson('maria', 0, [imported(person)], person, SIGNED)
    })
    const results = await Promise.allSettled(adding)
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: expect.any(VersionConflict) as unknown,
    })
    expect(await store.personFacts('maria', 0)).toHaveLength(1)
  })

  it.each([
    ['behind', 1],
    ['ahead', 5],
  ])('writes nothing for a version that is %s', async (_, expected) => {
    const now = personAt('maria', 2, { values: { phone: '1' } })
    await add(personAt('maria', 1))
    await store.appendPerson('maria', 1, [saved('1')], now, SIGNED)
    const append = (fact: PersonFact, next: PersonState | null) =>
      store.appendPerson('maria', expected, [fact], next, SIGNED)
    await expect(append(saved('2'), personAt('maria', expected + 1))).rejects.toThrow(VersionConflict)
    await expect(append(Person.erased(), null)).rejects.toThrow(VersionConflict)
    const folded = { id: 'maria', person: personAt('maria', expected), first: 0, last: expected - 1 }
    expect(await store.replacePeople([folded])).toEqual(['maria'])
    expect(await store.person('maria')).toEqual(now)
    expect((await store.personFacts('maria', 0)).map(({ meta }) => meta.seq)).toEqual([0, 1])
  })

  it('appends to the organisation without gaps, one writer at each version', async () => {
    await store.appendOrganisation(0, [Organisation.founded({ name: 'X', tenants: ['t'] })], SIGNED)
    const rotations = [Organisation.keyRotated({ key: 'a' }), Organisation.maintenanceSet({ status: null })]
    const results = await Promise.allSettled(
      [store, other].map((by) => by.appendOrganisation(1, rotations, SIGNED)),
    )
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    for (const version of [0, 2, 4])
      await expect(store.appendOrganisation(version, rotations, SIGNED)).rejects.toThrow(VersionConflict)
    expect(await other.organisationFacts(1)).toEqual(
      rotations.map((fact, index) => ({ ...fact, meta: { seq: index + 1, at: SIGNED.at, source: 'tests' } })),
    )
  })

  it('counts the values of a field and the groups of its first active people', async () => {
    const department = (value: string, more: Partial<PersonState> = {}) => ({
      directory: { department: value, other: 'Sales' },
      ...more,
    })
    const each: Readonly<Record<string, Partial<PersonState>>> = {
      a: department('Sales', { groups: ['all', 'sales'] }),
      b: department('Übersee', { groups: ['all'] }),
      c: department('Sales', { active: false, groups: ['all'] }),
      d: department('"Über\\see"'),
      e: department('Sales'),
      f: department(''),
      g: { directory: { other: 'x' } },
      h: { directory: { department: 'Sales', other: 'with \0' } },
      i: { directory: { department: 'Sales', other: '\ud800' } },
      j: department('x'.repeat(200)),
      k: department('y'.repeat(201)),
      z: department('Late', { groups: ['late'] }),
    }
    for (const [id, more] of Object.entries(each)) await add(personAt(id, 1, more))
    expect(await store.fieldValues('department', 10)).toEqual([
      { value: 'Sales', people: 2 },
      { value: '"Über\\see"', people: 1 },
      { value: 'x'.repeat(200), people: 1 },
      { value: 'Übersee', people: 1 },
    ])
    expect((await store.fieldValues('department', 11)).map(({ value }) => value)).toContain('Late')
    expect(await store.fieldValues('gone', 99)).toEqual([])
    expect((await store.fieldValues(null, 4)).slice(0, 2)).toEqual([
      { value: 'all', people: 2 },
      { value: 'sales', people: 1 },
    ])
  })

  it('pages through the active people by the bytes of their ids', async () => {
    for (const id of ['b', 'a', 'ä', 'B', 'z-1', 'z1']) await add(personAt(id, 1))
    await store.appendPerson('b', 1, [Person.departed()], personAt('b', 2, { active: false }), SIGNED)
    const ids = async (after: string | null, limit: number) =>
      (await store.people(after, limit)).map(({ id }) => id)
    expect(await ids(null, 2)).toEqual(['B', 'a'])
    expect(await ids('a', 9)).toEqual(['z-1', 'z1', 'ä'])
    expect(await store.countPeople()).toBe(5)
    const facts = await store.peopleFacts({ id: 'B', version: 0 }, 3)
    expect(facts.map(({ id, version, fact }) => [id, version, fact.meta.seq])).toEqual([
      ['a', 0, 0],
      ['b', 0, 0],
      ['b', 1, 1],
    ])
    expect((await store.peopleFacts({ id: 'b', version: 0 }, 1)).map(({ version }) => version)).toEqual([1])
    expect(await store.countRows()).toBe(6)
    expect((await store.personByAddress('b@x.example'))?.active).toBe(false)
  })

  it('leaves only the fact of an erased person, who may come once more', async () => {
    await store.keepPicture(HASH, PNG)
    await store.keepPicture('b'.repeat(32), PNG)
    await store.keepPicture('c'.repeat(32), PNG)
    await add(personAt('joao', 1, { picture: `${'c'.repeat(32)}.png` }))
    const erase = async () => {
      await add(personAt('maria', 1, { picture: `${'b'.repeat(32)}.png` }))
      const pictures = [HASH, 'c'.repeat(32)].map((hash) => Person.pictureChanged({ picture: `${hash}.png` }))
      await store.appendPerson('maria', 1, pictures, personAt('maria', 3), SIGNED)
      await store.keepReported('maria', { build: 1 }, 1)
      await store.appendPerson('maria', 3, [Person.erased()], null, SIGNED)
    }
    await erase()
    await erase()
    expect(await store.person('maria')).toBeNull()
    expect(await store.personByAddress('maria@x.example')).toBeNull()
    expect(await store.reported('maria')).toBeNull()
    expect((await store.personFacts('maria', 0)).map(({ type, data }) => [type, data])).toEqual([
      ['person/erased', {}],
      ['person/erased', {}],
    ])
    expect(await store.hasPictures(['a', 'b', 'c'].map((letter) => letter.repeat(32)))).toEqual(
      new Set(['c'.repeat(32)]),
    )
    await add(personAt('maria', 1))
    expect((await store.personFacts('maria', 0)).map(({ meta }) => meta.seq)).toEqual([-2, -1, 0])
  })

  it('keeps a picture of an erased person that a release has', async () => {
    await store.keepPicture(HASH, PNG)
    await store.keepRelease('r', { pictures: { 'logo.png': HASH } } as never)
    await add(personAt('maria', 1, { picture: `${HASH}.png` }))
    await store.appendPerson('maria', 1, [Person.erased()], null, SIGNED)
    expect(await store.picture(HASH)).toEqual(PNG)
  })

  it('drops a picture that no person has', async () => {
    const [own, ofDirectory, free] = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [
      string,
      string,
      string,
    ]
    const all = [HASH, own, ofDirectory, free]
    for (const hash of all) await store.keepPicture(hash, PNG)
    await store.keepRelease('r', { pictures: { 'logo.png': HASH } } as never)
    await add(personAt('maria', 1, { picture: `${own}.png`, directoryPicture: `${ofDirectory}.png` }))
    for (const hash of all) await store.dropPicture(hash)
    expect(await store.hasPictures(all)).toEqual(new Set([HASH, own, ofDirectory]))
  })

  it('replaces a row by what its facts give', async () => {
    await add(personAt('maria', 1))
    const folded = personAt('maria', 1, { ...NAMES, values: { phone: '1' } })
    const joao = personAt('joao', 1)
    await add(joao)
    const place = { first: 0, last: 0 }
    expect(
      await store.replacePeople([
        { id: 'maria', person: folded, ...place },
        { id: 'joao', person: personAt('joao', 1, { language: 'pt' }), first: -1, last: 0 },
      ]),
    ).toEqual(['joao'])
    expect(await store.person('joao')).toEqual(joao)
    expect(await store.person('maria')).toEqual(folded)
    expect(await store.personByAddress('sales@x.example')).toEqual(folded)
    expect(await store.personByAddress('Maria@x.example')).toEqual(folded)
    expect(await store.addressesOf(['maria', 'nobody'])).toEqual(
      new Map([
        ['maria', expect.toSatisfy((all: string[]) => isDeepStrictEqual(all.toSorted(), NAMES.addresses))],
      ]),
    )
    const taken = personAt('maria', 1, { addresses: joao.addresses })
    await expect(store.replacePeople([{ id: 'maria', person: taken, ...place }])).rejects.toThrow(
      VersionConflict,
    )
    expect(await store.person('maria')).toEqual(folded)
    expect(await store.replacePeople([{ id: 'maria', person: null, first: 0, last: 1 }])).toEqual(['maria'])
    expect(await store.replacePeople([{ id: 'maria', person: null, ...place }])).toEqual([])
    expect([await store.person('maria'), await store.addressesOf(['maria'])]).toEqual([null, new Map()])
    expect(await store.personFacts('maria', 0)).toHaveLength(1)
  })

  it('keeps releases and pictures as they were first', async () => {
    const release = { version: 1, templates: { 'b.html': '{{a}}\0', 'a.html': '' } } as never
    await store.keepRelease('r', release)
    await store.keepRelease('r', {} as never)
    await store.keepPicture(HASH, PNG)
    await store.keepPicture(HASH, { ...PNG, mediaType: 'image/gif' })
    expect(await other.release('r')).toEqual(release)
    expect(await other.picture(HASH)).toEqual(PNG)
    expect(await store.hasPictures([HASH, 'none'])).toEqual(new Set([HASH]))
  })

  it('keeps where a counted link leads as it was first', async () => {
    const link = { id: 'A'.repeat(22), block: 'fair', address: 'https://x.example/' }
    const later = { id: 'B'.repeat(22), block: 'fair', address: 'https://y.example/' }
    await store.keepLinks([link])
    await store.keepLinks([{ ...link, address: 'https://z.example/' }, later])
    expect(await other.countedLink(link.id)).toEqual(link)
    expect(await other.countedLink(later.id)).toEqual(later)
    expect(await other.countedLink('C'.repeat(22))).toBeNull()
  })

  it('overwrites what the add-in told, plans and keys, and drops them', async () => {
    for (const at of [1, 2]) {
      await store.keepReported('maria', { at }, SIGNED.at + at)
      await store.keepPlan('p', { at }, SIGNED.at + at)
      await store.keepKey({ id: 'k', sealed: new Uint8Array([at, 0]), from: at, until: SIGNED.at + at })
    }
    expect(await other.reported('maria')).toEqual({ reported: { at: 2 }, at: SIGNED.at + 2 })
    expect(await other.plan('p')).toEqual({ at: 2 })
    expect(await other.keys()).toEqual([
      { id: 'k', sealed: new Uint8Array([2, 0]), from: 2, until: SIGNED.at + 2 },
    ])
    await store.dropExpired(SIGNED.at + 1)
    expect(await store.plan('p')).toEqual({ at: 2 })
    await store.dropExpired(SIGNED.at + 2)
    expect(await store.plan('p')).toBeNull()
    await store.clear()
    expect(await store.keys()).toHaveLength(1)
    await store.dropKey('k')
    expect(await store.keys()).toEqual([])
  })

  it('keeps a planned picture until its time, which a plan extends, and has it in one place', async () => {
    const [now, day] = [SIGNED.at, SIGNED.at + 1_000]
    await store.keepPlannedPicture(HASH, PNG, now + 1)
    await store.keepPlannedPicture('b'.repeat(32), PNG, now)
    expect(await store.hasPlannedPictures([HASH, 'b'.repeat(32), 'none'], now)).toEqual(new Set([HASH]))
    expect([await other.plannedPicture(HASH, now), await other.plannedPicture(HASH, now + 1)]).toEqual([
      PNG,
      null,
    ])
    expect([await store.picture(HASH), await store.hasPictures([HASH])]).toEqual([null, new Set()])
    expect(await store.extendPlannedPictures([HASH, 'b'.repeat(32)], now, day)).toEqual(new Set([HASH]))
    await store.keepPlannedPicture(HASH, PNG, now + 1)
    await store.dropExpired(day - 1)
    expect(await store.plannedPicture(HASH, day - 1)).toEqual(PNG)
    await store.dropExpired(day)
    expect(await store.plannedPicture(HASH, 0)).toBeNull()
  })

  it('publishes a planned picture once for two writers, and never drops it afterwards', async () => {
    await store.keepPlannedPicture(HASH, PNG, SIGNED.at)
    await Promise.all([store.publishPicture(HASH), other.publishPicture(HASH), store.publishPicture(HASH)])
    expect([await store.picture(HASH), await store.plannedPicture(HASH, 0)]).toEqual([PNG, null])
    await store.keepPlannedPicture(HASH, { ...PNG, mediaType: 'image/gif' }, SIGNED.at)
    await store.dropExpired(Number.MAX_SAFE_INTEGER)
    await store.publishPicture(HASH)
    expect(await other.picture(HASH)).toEqual(PNG)
  })

  it('keeps how far work is, and who asked to stop it, until their times', async () => {
    const now = SIGNED.at
    expect([await store.progress('w', now), await store.stopRequest('w', now)]).toEqual([null, null])
    for (const done of [1, 2]) await store.keepProgress('w', { done, of: 3 }, now + done)
    await store.requestStop('w', 'maria', now + 1)
    expect(await other.progress('w', now + 1)).toEqual({ done: 2, of: 3 })
    expect([await other.stopRequest('w', now), await other.stopRequest('w', now + 1)]).toEqual([
      'maria',
      null,
    ])
    await store.dropExpired(now + 1)
    expect([await store.progress('w', now), await store.stopRequest('w', now)]).toEqual([
      { done: 2, of: 3 },
      null,
    ])
    await store.clear()
    expect(await store.progress('w', now)).toBeNull()
  })

  it('gives a lease to one holder until its time is over or it is given back', async () => {
    expect(await store.lease('sync', 'a', 0, 10)).toBe(true)
    expect(await other.lease('sync', 'b', 9, 20)).toBe(false)
    expect(await store.lease('sync', 'a', 9, 12)).toBe(true)
    await other.giveBack('sync', 'b')
    expect(await other.lease('sync', 'b', 11, 20)).toBe(false)
    expect(await other.lease('sync', 'b', 12, 20)).toBe(true)
    await other.giveBack('sync', 'b')
    expect(await store.lease('sync', 'a', 13, 20)).toBe(true)
  })
})

forEachDatabase('two organisations', (open) => {
  it('know nothing of each other', async () => {
    const store = await open()
    await store.ping()
    expect(await store.people(null, 9)).toEqual([])
    expect(await store.organisationFacts(0)).toEqual([])
    expect(await store.keys()).toEqual([])
  })
})
