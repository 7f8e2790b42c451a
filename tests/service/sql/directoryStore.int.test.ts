import { beforeEach, describe, expect, it } from 'vitest'
import type { ReportedEntry } from '../../../src/service/sql/directoryEntries.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { VersionConflict } from '../../../src/service/sql/problems.ts'
import { Person } from '../../../streams/organisation/facts/events.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { forEachDatabase } from '../../support/databases.ts'

const SOURCE = 'graph:t'
const OTHER = '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef'
const told = (id: string, data: ReportedEntry['data'] = {}, active = true): ReportedEntry => ({
  id,
  data,
  name: `${id}@x.example`,
  externalId: null,
  addresses: [`${id}@x.example`],
  active,
  manager: null,
})
const group = (id: string, name: string): ReportedEntry => ({
  ...told(id),
  name,
  addresses: [],
  active: true,
})

forEachDatabase('the mirror of the directory', (open) => {
  let store: Store
  const mirror = () => store.directory
  const marked = async () =>
    (
      await Promise.all([true, false].map((active) => mirror().changedUsers(SOURCE, active, null, 100)))
    ).flat()
  const changed = async () => (await marked()).map(({ id, removed }) => (removed ? `-${id}` : id))
  const applied = async (person: string | null = null) => {
    const entries = await marked()
    return mirror().settle(
      SOURCE,
      entries.map(({ id, revision }) => ({ id, revision, person: person ?? `p-${id}` })),
    )
  }
  beforeEach(async () => {
    store = await open()
    await store.clear()
  })

  it('marks what was told and differs, and nothing else', async () => {
    await mirror().write(SOURCE, 'user', [told('a', { x: 1, y: 2 }), told('b')], null)
    expect(await changed()).toEqual(['a', 'b'])
    expect(await applied()).toEqual([])
    await mirror().write(SOURCE, 'user', [told('a', { y: 2, x: 1 }), told('b', { x: '\0"\\' })], null)
    expect(await changed()).toEqual(['b'])
    const [a, b] = await mirror().entries(SOURCE, 'user', ['a', 'b', 'c'])
    expect(a).toMatchObject({ id: 'a', data: { x: 1, y: 2 }, revision: 1, person: 'p-a', active: true })
    expect(b).toMatchObject({ data: { x: '\0"\\' }, revision: 2, addresses: ['b@x.example'] })
    await applied()
    await mirror().write(SOURCE, 'user', [told('a', { x: 1, y: 2 }, false)], null)
    expect(await changed()).toEqual(['a'])
    expect(await mirror().changedUsers('graph:other', true, null, 9)).toEqual([])
  })

  it('marks all who are active and not erased', async () => {
    await mirror().write(SOURCE, 'user', [told('a'), told('b', {}, false), told('c'), told('d')], null)
    await mirror().write(SOURCE, 'group', [group('g', 'g')], null)
    await mirror().write('graph:other', 'user', [told('o')], null)
    await applied()
    await mirror().eraseEntry(SOURCE, 'c')
    await mirror().write(SOURCE, 'user', [told('d', { x: 1 })], null)
    await applied()
    await mirror().write(SOURCE, 'user', [told('d', { x: 2 })], null)
    await mirror().markActive(SOURCE)
    expect((await marked()).map(({ id, revision }) => [id, revision])).toEqual([
      ['a', 2],
      ['d', 3],
    ])
  })

  it('knows which paths lead to a value of somebody who is there', async () => {
    const filled = (...paths: readonly (readonly string[])[]) => mirror().filledPaths(SOURCE, 'user', paths)
    const urn = 'urn:acme:2.0:User'
    await mirror().write(
      SOURCE,
      'user',
      [
        told('a', { values: { [urn]: { cost: '1' }, title: 'cost' } }),
        told('b', { values: { floor: '3' } }, false),
        told('c', { values: { gone: '3' } }),
        told('d', { values: { hidden: '\0' } }),
      ],
      null,
    )
    await mirror().write(SOURCE, 'group', [{ ...group('g', 'g'), data: { values: { crew: '1' } } }], null)
    await mirror().write('graph:other', 'user', [told('o', { values: { elsewhere: '1' } })], null)
    await mirror().remove(SOURCE, 'user', ['c'])
    const paths = [
      [urn, 'cost'],
      ['cost'],
      ['floor'],
      ['gone'],
      ['crew'],
      ['elsewhere'],
      ['title'],
      ['title', 'x'],
    ]
    expect([...(await filled(...paths.map((path) => ['values', ...path])))].sort()).toEqual([0, 2, 6])
    expect(await filled()).toEqual(new Set())
  })

  it('removes what a round did not tell, and drops its data', async () => {
    await mirror().write(SOURCE, 'user', [told('a', { x: 1 }), told('b', { x: 1 })], 'one')
    await applied()
    await mirror().write(SOURCE, 'user', [told('b', { x: 1 })], 'two')
    await mirror().endRound(SOURCE, 'user', 'two')
    expect(await changed()).toEqual(['-a'])
    expect(await mirror().entries(SOURCE, 'user', ['a'])).toMatchObject([
      { data: {}, addresses: [], name: null, active: false, person: 'p-a' },
    ])
    await applied()
    await mirror().remove(SOURCE, 'user', ['a', 'unknown'])
    expect(await changed()).toEqual([])
    await mirror().write(SOURCE, 'user', [told('a')], null)
    expect(await mirror().entries(SOURCE, 'user', ['a'])).toMatchObject([{ removed: false, person: 'p-a' }])
    expect(await mirror().count(SOURCE, 'user')).toBe(2)
    expect((await mirror().page(SOURCE, 'user', 'a', 9)).map(({ id }) => id)).toEqual(['b'])
  })

  it('keeps the mark of what changed after it was read for applying', async () => {
    await mirror().write(SOURCE, 'user', [told('a')], null)
    const [entry] = await mirror().changedUsers(SOURCE, true, null, 1)
    await mirror().write(SOURCE, 'user', [told('a', { x: 1 })], null)
    await mirror().settle(SOURCE, [{ id: 'a', revision: entry?.revision ?? 0, person: 'p' }])
    expect(await mirror().changedUsers(SOURCE, true, null, 1)).toMatchObject([{ id: 'a', person: 'p' }])
  })

  it('marks users whose groups change, by joining, leaving, a round and the end of the group', async () => {
    const ids = ['a', 'b', 'c']
    await mirror().write(
      SOURCE,
      'user',
      ids.map((id) => told(id)),
      null,
    )
    await mirror().write(SOURCE, 'group', [group('g', 'sales')], null)
    await applied()
    await mirror().changeMembers(SOURCE, 'g', { added: ['a', 'b', 'b', 'later'], removed: [] }, 'one')
    expect(await changed()).toEqual(['a', 'b'])
    await applied()
    await mirror().changeMembers(SOURCE, 'g', { added: ['a'], removed: ['later', 'c'] }, 'two')
    expect(await changed()).toEqual([])
    expect(await mirror().members(SOURCE, 'g')).toEqual(['a', 'b'])
    expect(await mirror().countMembers(SOURCE, 'g')).toBe(2)
    expect(await mirror().memberships(SOURCE, ['a', 'c'])).toEqual([{ member: 'a', group: 'g' }])
    await mirror().endMembersRound(SOURCE, 'g', 'two')
    expect(await changed()).toEqual(['b'])
    await applied()
    await mirror().markMembers(SOURCE, ['g', 'h'])
    expect(await changed()).toEqual(['a'])
    await applied()
    await mirror().remove(SOURCE, 'group', ['g'])
    expect([await changed(), await mirror().members(SOURCE, 'g')]).toEqual([['a'], []])
  })

  describe('of groups inside groups', () => {
    /** `top` has `mid` and a, `mid` has `low` and b, `low` has c and, in a circle, `top`. */
    beforeEach(async () => {
      const users = ['a', 'b', 'c', 'd'].map((id) => told(id, {}, id !== 'c'))
      await mirror().write(SOURCE, 'user', users, null)
      const groups = ['top', 'mid', 'low', 'other'].map((id) => group(id, `${id} name`))
      await mirror().write(SOURCE, 'group', groups, null)
      const members = { top: ['mid', 'a'], mid: ['low', 'b'], low: ['c', 'top'], other: ['d'] }
      for (const [id, added] of Object.entries(members))
        await mirror().changeMembers(SOURCE, id, { added, removed: [] }, 'one')
      await applied()
    })
    const groupsOf = async (...members: readonly string[]) => {
      const held = await mirror().allMemberships(SOURCE, members)
      return held.map(({ member, group: id }) => `${member} ${id}`).sort()
    }

    it('tells all groups of a user once, also in a circle', async () => {
      expect(await groupsOf('c', 'd')).toEqual(['c low', 'c mid', 'c top', 'd other'])
      expect(await groupsOf('a')).toEqual(['a low', 'a mid', 'a top'])
      expect(await groupsOf()).toEqual([])
      expect(await mirror().memberships(SOURCE, ['c'])).toEqual([{ member: 'c', group: 'low' }])
    })

    it('tells and counts who is inside, however deep', async () => {
      expect(await mirror().within(SOURCE, ['low'])).toEqual(['a', 'b', 'c'])
      expect(await mirror().within(SOURCE, ['a', 'unknown'])).toEqual(['a', 'unknown'])
      expect(await mirror().subgroups(SOURCE, 'mid')).toEqual(['low'])
      // c is not active.
      expect([
        await mirror().countMembers(SOURCE, 'top'),
        await mirror().countMembers(SOURCE, 'other'),
      ]).toEqual([2, 1])
    })

    it.each<[string, () => Promise<unknown>, readonly string[]]>([
      [
        'a group joins',
        () => mirror().changeMembers(SOURCE, 'mid', { added: ['other'], removed: [] }, null),
        ['d'],
      ],
      [
        'a group leaves',
        () => mirror().changeMembers(SOURCE, 'other', { added: [], removed: ['d'] }, null),
        ['d'],
      ],
      [
        'a group that is inside leaves',
        () => mirror().changeMembers(SOURCE, 'mid', { added: [], removed: ['low'] }, null),
        ['a', 'b', 'c'],
      ],
      [
        'a round does not tell a group',
        () => mirror().endMembersRound(SOURCE, 'mid', 'two'),
        ['a', 'b', 'c'],
      ],
      ['a group that holds others ends', () => mirror().remove(SOURCE, 'group', ['mid']), ['a', 'b', 'c']],
      ['a group has another name', () => mirror().markMembers(SOURCE, ['mid']), ['a', 'b', 'c']],
      ['another group has another name', () => mirror().markMembers(SOURCE, ['other']), ['d']],
    ])('marks the users inside when %s', async (_, change, expected) => {
      await change()
      expect([...(await changed())].sort()).toEqual(expected)
    })

    it('loses what a removed group held', async () => {
      await mirror().remove(SOURCE, 'group', ['mid'])
      expect(await groupsOf('b', 'c')).toEqual(['c low'])
      expect(await mirror().subgroups(SOURCE, 'top')).toEqual([])
    })
  })

  describe('of managers', () => {
    const reporting = (id: string, data: ReportedEntry['data'] = {}) => ({
      ...told(id, data),
      manager: 'boss',
    })
    beforeEach(async () => {
      await mirror().write(SOURCE, 'user', [reporting('a'), told('b'), told('boss'), reporting('c')], 'one')
      await applied()
    })

    it('tells who reports to them and is not applied yet', async () => {
      expect(await mirror().reports(SOURCE, ['boss', 'a'])).toEqual([])
      await mirror().writeOver(SOURCE, 'user', told('boss', { x: 1 }), 1)
      expect(await mirror().reports(SOURCE, ['boss', 'a'])).toEqual(['a', 'c'])
      expect(await mirror().reports(SOURCE, [])).toEqual([])
      expect(await mirror().entries(SOURCE, 'user', ['a', 'b'])).toMatchObject([
        { manager: 'boss' },
        { manager: null },
      ])
    })

    it.each<[string, () => Promise<unknown>, readonly string[]]>([
      ['changes', () => mirror().write(SOURCE, 'user', [told('boss', { x: 1 })], null), ['boss', 'a', 'c']],
      ['is told again as before', () => mirror().write(SOURCE, 'user', [told('boss')], null), []],
      [
        'is written over',
        () => mirror().writeOver(SOURCE, 'user', told('boss', { x: 1 }), 1),
        ['a', 'boss', 'c'],
      ],
      ['is removed', () => mirror().remove(SOURCE, 'user', ['boss']), ['a', 'c', '-boss']],
      ['is not told by a round', () => oneRound(), ['a', 'c', '-boss']],
      ['is erased', () => mirror().eraseEntry(SOURCE, 'boss'), ['a', 'c']],
      [
        'changes and has no reports',
        () => mirror().write(SOURCE, 'user', [told('b', { x: 1 })], null),
        ['b'],
      ],
    ])('marks those who report to one who %s', async (_, change, expected) => {
      await change()
      expect([...(await changed())].sort()).toEqual([...expected].sort())
    })
    const oneRound = async () => {
      await mirror().write(SOURCE, 'user', [reporting('a'), told('b'), reporting('c')], 'two')
      await mirror().endRound(SOURCE, 'user', 'two')
    }

    it('marks those who report to one whom the mirror did not know', async () => {
      await mirror().write(SOURCE, 'user', [{ ...told('b'), manager: 'later' }], null)
      await applied()
      await mirror().write(SOURCE, 'user', [told('later')], null)
      expect(await changed()).toEqual(['b', 'later'])
    })

    it('marks those who report to one whose person is erased', async () => {
      const person: PersonState = {
        id: 'p-boss',
        revision: 1,
        account: null,
        active: true,
        language: null,
        addresses: [],
        groups: [],
        directory: {},
        values: {},
        metadata: {},
        picture: null,
        directoryPicture: null,
      }
      await store.appendPerson('p-boss', 0, [Person.departed()], person, { actor: 'x', at: 0 })
      await store.appendPerson('p-boss', 1, [Person.erased()], null, { actor: 'x', at: 1 })
      expect(await changed()).toEqual(['a', 'c'])
    })
  })

  it('finds groups by id, name and external id in lower case, and users by name', async () => {
    const nicknamed = { ...group('G-2', 'marketing'), externalId: 'mk' }
    await mirror().write(SOURCE, 'group', [group('g-1', 'sales'), nicknamed, group('g-3', 'other')], null)
    const found = async (...names: readonly string[]) =>
      (await mirror().groupsNamed([SOURCE], names)).map(({ id }) => id)
    expect([await found('sales', 'g-2'), await found('mk'), await found()]).toEqual([
      ['G-2', 'g-1'],
      ['G-2'],
      [],
    ])
    expect(await mirror().groupsNamed(['graph:other'], ['sales'])).toEqual([])
    expect((await mirror().find(SOURCE, 'group', { externalId: 'mk' })).map(({ id }) => id)).toEqual(['G-2'])
    expect(await mirror().find(SOURCE, 'user', { name: 'sales' })).toEqual([])
  })

  it('writes one entry over the revision that was read, and keeps names of SCIM apart', async () => {
    await mirror().writeOver('scim', 'user', told('a'), 0)
    const moved = expect.any(VersionConflict) as unknown
    const refused = (write: Promise<void>) =>
      write.then(
        () => null,
        (error: unknown) => error,
      )
    expect(await refused(mirror().writeOver('scim', 'user', told('a'), 0))).toEqual(moved)
    expect(
      await refused(mirror().writeOver('scim', 'user', { ...told('b'), name: 'a@x.example' }, 0)),
    ).toEqual(moved)
    await mirror().writeOver('scim', 'user', told('a', { x: 1 }), 1)
    expect(await refused(mirror().writeOver('scim', 'user', told('a', { x: 2 }), 1))).toEqual(moved)
    expect(await mirror().entries('scim', 'user', ['a'])).toMatchObject([{ data: { x: 1 }, revision: 2 }])
    await mirror().remove('scim', 'user', ['a'])
    await mirror().writeOver('scim', 'user', { ...told('b'), name: 'a@x.example' }, 0)
  })

  it('keeps cursors, and the last 50 runs', async () => {
    await mirror().keepCursor(SOURCE, 'users', 'one')
    await mirror().keepCursor(SOURCE, 'users', 'two')
    await mirror().keepCursor(SOURCE, 'group:g', 'three')
    expect([...(await mirror().cursors(SOURCE))]).toEqual([
      ['group:g', 'three'],
      ['users', 'two'],
    ])
    await mirror().dropCursor(SOURCE, 'users')
    expect([await mirror().cursor(SOURCE, 'users'), await mirror().cursor(SOURCE, 'group:g')]).toEqual([
      null,
      'three',
    ])
    for (let at = 0; at < 52; at += 1) await mirror().keepRun({ id: `r${String(at)}`, at } as never)
    await mirror().keepRun({ id: 'r51', at: 51, read: 7 } as never)
    expect(await mirror().runs(2)).toEqual([
      { id: 'r51', at: 51, read: 7 },
      { id: 'r50', at: 50 },
    ])
    expect(await mirror().runs(100)).toHaveLength(50)
  })

  it('keeps the last sync that was done, however many failed since, and no dry run for it', async () => {
    const keep = (at: number, outcome: string, isTrial = false) =>
      mirror().keepRun({ id: `r${String(at)}`, at, outcome, isTrial } as never)
    for (let at = 1; at <= 3; at += 1) await keep(at, 'done', at === 3)
    for (let at = 4; at <= 60; at += 1) await keep(at, 'failed')
    const kept = (await mirror().runs(100)).map(({ at }) => at)
    expect(kept).toEqual([...Array.from({ length: 50 }, (_, index) => 60 - index), 2])
    await keep(61, 'done')
    expect(await mirror().runs(100)).toHaveLength(50)
  })

  it('counts the active people who would retire, and knows those whom an entry still tells', async () => {
    const person = (id: string): PersonState => ({
      id,
      revision: 1,
      account: null,
      active: true,
      language: null,
      addresses: [`${id}@y.example`],
      groups: [],
      directory: {},
      values: {},
      metadata: {},
      picture: null,
      directoryPicture: null,
    })
    for (const id of ['p', 'q', 'r'])
      await store.appendPerson(id, 0, [Person.departed()], person(id), { actor: 'x', at: 0 })
    await store.appendPerson(
      'r',
      1,
      [Person.departed()],
      { ...person('r'), revision: 2, active: false },
      { actor: 'x', at: 0 },
    )
    const ids = ['a', 'b', 'c', 'd', 'e']
    await mirror().write(
      SOURCE,
      'user',
      ids.map((id) => told(id)),
      null,
    )
    const of: Record<string, string> = { a: 'p', b: 'p', c: 'q', d: 'r' }
    await mirror().settle(
      SOURCE,
      ids.map((id) => ({ id, revision: 1, person: of[id] ?? null })),
    )
    expect(await mirror().countDeactivating([SOURCE])).toBe(0)
    await mirror().write(SOURCE, 'user', [told('b', {}, false), told('e', {}, false)], null)
    await mirror().remove(SOURCE, 'user', ['c', 'd'])
    expect([await mirror().countDeactivating([SOURCE]), await mirror().countDeactivating(['scim'])]).toEqual([
      2, 0,
    ])
    expect([...(await mirror().stillReported(['p', 'q', 'r']))]).toEqual(['p'])
  })

  it('finds the active users of people, and separates users from their people', async () => {
    await mirror().write(SOURCE, 'user', [told('a'), told('b'), told('c'), told('d')], null)
    await mirror().settle(
      SOURCE,
      ['a', 'b', 'c'].map((id) => ({ id, revision: 1, person: id === 'c' ? 'q' : 'p' })),
    )
    await mirror().write(SOURCE, 'user', [told('b', { city: 'Oslo' }), told('c', {}, false)], null)
    const active = [
      { id: 'a', person: 'p', changed: false },
      { id: 'b', person: 'p', changed: true },
    ]
    expect(await mirror().activeOf(SOURCE, ['p', 'q'])).toEqual(active)
    expect([await mirror().activeOf('scim', ['p']), await mirror().activeOf(SOURCE, [])]).toEqual([[], []])
    await mirror().release(SOURCE, ['b'])
    expect(await mirror().activeOf(SOURCE, ['p', 'q'])).toEqual(active.slice(0, 1))
    expect(await mirror().entries(SOURCE, 'user', ['b'])).toMatchObject([{ person: null, revision: 2 }])
  })

  it('marks users whose picture became another one', async () => {
    await mirror().write(SOURCE, 'user', [told('a'), told('b')], null)
    await applied()
    const pictures = [
      { id: 'a', picture: 'h.png' },
      { id: 'b', picture: null },
    ]
    await mirror().keepPictures(SOURCE, pictures)
    expect(await changed()).toEqual(['a'])
    await applied()
    await mirror().keepPictures(SOURCE, pictures)
    await mirror().write(SOURCE, 'user', [told('a')], null)
    expect(await changed()).toEqual([])
    expect(await mirror().entries(SOURCE, 'user', ['a'])).toMatchObject([{ picture: 'h.png' }])
  })

  it.each([
    ['an account', { tenant: 't', oid: OTHER.replace('0a', '0b') }, ['unnamed']],
    ['no account', null, ['another', 'unnamed', OTHER]],
  ])(
    'is, of a person with %s, what names no other account, when only the addresses are theirs',
    async (_, account, of) => {
      const person: PersonState = {
        id: 'p',
        revision: 1,
        account,
        active: true,
        language: null,
        addresses: ['p@x.example'],
        groups: [],
        directory: {},
        values: {},
        metadata: {},
        picture: null,
        directoryPicture: null,
      }
      const addresses = ['p@x.example']
      const toldBy = (id: string, externalId: string | null) => ({ ...told(id), addresses, externalId })
      await mirror().write(SOURCE, 'user', [toldBy(OTHER, null)], null)
      await mirror().write('scim', 'user', [toldBy('another', OTHER), toldBy('unnamed', 'nickname')], null)
      const found = await mirror().reportedOf(person)
      expect(found.map(({ id }) => id).toSorted()).toEqual(of.toSorted())
      await store.appendPerson('p', 0, [Person.departed()], person, { actor: 'x', at: 0 })
      await store.appendPerson('p', 1, [Person.erased()], null, { actor: 'x', at: 1 })
      const entries = [
        ...(await mirror().entries(SOURCE, 'user', [OTHER])),
        ...(await mirror().entries('scim', 'user', ['another', 'unnamed'])),
      ]
      expect(
        entries
          .filter(({ erased }) => erased)
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(of.toSorted())
    },
  )

  it('is no member any more when an entry alone is erased', async () => {
    await mirror().write(SOURCE, 'user', [told('a'), told('b')], null)
    await mirror().changeMembers(SOURCE, 'g', { added: ['a', 'b'], removed: [] }, null)
    await mirror().eraseEntry(SOURCE, 'a')
    expect(await mirror().members(SOURCE, 'g')).toEqual(['b'])
    expect(await mirror().memberships(SOURCE, ['a'])).toEqual([])
    expect(await mirror().entries(SOURCE, 'user', ['a'])).toMatchObject([
      { data: {}, name: null, addresses: [], erased: true, person: null },
    ])
    expect(await changed()).toEqual(['b'])
  })

  it('has, after a person is erased, an entry without data that takes nothing', async () => {
    const person: PersonState = {
      id: 'p',
      revision: 1,
      account: { tenant: 't', oid: 'by-account' },
      active: true,
      language: null,
      addresses: ['old@x.example', 'by-address@x.example'],
      groups: [],
      directory: {},
      values: {},
      metadata: {},
      picture: null,
      directoryPicture: null,
    }
    const ids = ['by-account', 'by-person', 'other']
    const waiting = told('by-address', { secret: 'by-address' })
    await mirror().write('scim', 'user', [waiting], null)
    await mirror().write(
      SOURCE,
      'user',
      ids.map((id) => told(id, { secret: id })),
      'one',
    )
    await mirror().settle(SOURCE, [{ id: 'by-person', revision: 1, person: 'p' }])
    await mirror().changeMembers(SOURCE, 'g', { added: ids, removed: [] }, 'one')
    const sample = { change: 'refused', fields: [], reason: null }
    const samples = [
      { ...sample, person: 'old@x.example' },
      { ...sample, person: 'y@x.example', reason: 'The address old@x.example belongs to another person.' },
      { ...sample, person: 'other@x.example' },
    ]
    await mirror().keepRun({ id: 'r', at: 1, samples } as never)
    await store.appendPerson('p', 0, [Person.departed()], person, { actor: 'x', at: 0 })
    await store.appendPerson('p', 1, [Person.erased()], null, { actor: 'x', at: 1 })

    expect(await changed()).toEqual(['other'])
    expect((await mirror().runs(1))[0]?.samples.map(({ person: who }) => who)).toEqual(['other@x.example'])
    await mirror().write(
      SOURCE,
      'user',
      ids.map((id) => told(id, { secret: 'again' })),
      'two',
    )
    await mirror().changeMembers(SOURCE, 'g', { added: ids, removed: [] }, 'two')
    await mirror().endRound(SOURCE, 'user', 'three')
    expect(await changed()).toEqual(['-other'])
    expect(await mirror().members(SOURCE, 'g')).toEqual(['other'])
    const erased = { data: {}, name: null, addresses: [], erased: true, person: null, removed: false }
    expect(await mirror().entries(SOURCE, 'user', ids)).toMatchObject([erased, erased, { erased: false }])
    await mirror().write('scim', 'user', [waiting], null)
    expect(await mirror().entries('scim', 'user', ['by-address'])).toMatchObject([erased])
    expect(await mirror().settle(SOURCE, [{ id: 'by-account', revision: 1, person: 'p' }])).toEqual([
      'by-account',
    ])
  })
})
