import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ConnectedDirectory, createDirectory } from '../../../src/service/directory/directory.ts'
import { ENTRIES_PER_PAGE } from '../../../src/service/directory/apply.ts'
import { DirectoryError, type DirectorySource, runSync } from '../../../src/service/directory/runs.ts'
import { DomainError } from '../../../src/service/operations/domainError.ts'
import { createPeople } from '../../../src/service/people/people.ts'
import type { ReportedEntry } from '../../../src/service/sql/directoryEntries.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { StoreUnavailable } from '../../../src/service/sql/problems.ts'
import { createStore, type Store } from '../../../src/service/sql/store.ts'
import {
  type DirectoryRun,
  type DirectorySample,
  readGraphUser,
} from '../../../streams/organisation/directory/directory.ts'
import {
  compileRelease,
  type Release,
  type Selection,
} from '../../../streams/organisation/release/release.ts'
import { countSamples, MAX_SAMPLES_OF_A_KIND } from '../../../streams/organisation/directory/sync.ts'
import { createTimers } from '../../support/timers.ts'
import { embeddedData } from '../../support/databases.ts'

// Syncs of sources that tell what a test says, and what they bring to the people.

const open = embeddedData()
const SOURCE = 'graph:t'
let store: Store
let release: Release | null
let at: number
let made: number

beforeEach(async () => {
  store = await open()
  await store.clear()
  release = null
  at = 1_000
  made = 0
})

const peopleOver = (over: Store) =>
  createPeople({
    store: over,
    releases: { current: () => release },
    now: () => at,
    newId: () => `p-${String((made += 1))}`,
  })

type Told = Partial<ReportedEntry> & Readonly<{ id: string }>
const user = (id: string, more: Partial<ReportedEntry> = {}): ReportedEntry => ({
  id,
  data: { mail: `${id}@x.example` },
  name: null,
  externalId: null,
  addresses: [],
  manager: null,
  active: true,
  ...more,
})
const named = (id: string, name: string): ReportedEntry => user(id, { data: {}, name })

/** Writes what it is to tell into the mirror, then reads it as Microsoft Graph tells users. */
const sourceOf = (
  tell: DirectorySource['read'] = async () => undefined,
  source = SOURCE,
): DirectorySource => ({
  source,
  attributes: [],
  unknownAttributes: async () => [],
  read: tell,
  userOf: ({ id, data }, manager) =>
    readGraphUser(
      data,
      { tenant: 't', oid: id },
      manager?.active === true ? { displayName: manager.data['mail'] ?? null } : null,
    ),
})
const telling = (...users: readonly Told[]) =>
  sourceOf(async (_, told) => {
    told(users.length)
    await store.directory.write(
      SOURCE,
      'user',
      users.map(({ id, ...more }) => user(id, more)),
      null,
    )
  })

type Over = Partial<Parameters<typeof runSync>[1]> &
  Readonly<{
    kind?: 'graph' | 'scim'
    signal?: AbortSignal
    store?: Store
    progress?: (run: DirectoryRun) => void
  }>
function sync(sources: readonly DirectorySource[], over: Over = {}): Promise<DirectoryRun> {
  const {
    kind = 'graph',
    signal = new AbortController().signal,
    store: used = store,
    progress,
    ...request
  } = over
  const ports = { kind, sources, store: used, people: peopleOver(used), releases: { current: () => release } }
  return runSync(
    { ...ports, now: () => (at += 1) },
    { id: 'run', by: 'test', isTrial: false, mayDeactivate: false, ...request },
    progress ?? (() => undefined),
    signal,
  )
}
const sample = (
  change: DirectorySample['change'],
  person: string,
  fields: readonly string[] = [],
  reason: string | null = null,
): DirectorySample => ({ change, person, fields, reason })
const addresses = async () => (await store.people(null, 1_000)).map(({ addresses: [first] }) => first).sort()
const person = (address: string) => store.personByAddress(address)
const marked = async () =>
  (
    await Promise.all(
      [true, false].map((active) => store.directory.changedUsers(SOURCE, active, null, 1_000)),
    )
  )
    .flat()
    .map(({ id }) => id)
const releaseFor = (chooseDefault: Selection): Release =>
  compileRelease('r-1', {
    version: 1,
    organisation: 'Northwind',
    internal: [],
    plan: { from: null, value: 'full' },
    signatures: [],
    mailboxes: [],
    templates: {},
    pictures: {},
    variables: [],
    chooseDefault,
  })
const forGroups = (...values: readonly string[]) => releaseFor({ for: [[{ by: 'group', values }]], not: [] })

describe('a sync', () => {
  it('tells that it runs, how much it reads, and how it ended', async () => {
    const progress: DirectoryRun[] = []
    const source = sourceOf(async (_, told) => {
      told(2)
      told(1)
      await store.directory.write(SOURCE, 'user', [user('a'), user('b')], null)
    })
    const run = await sync([source, telling()], { progress: (each) => void progress.push(each) })
    expect(run).toEqual({
      id: 'run',
      source: 'graph',
      at: 1_001,
      until: expect.any(Number) as number,
      isTrial: false,
      by: 'test',
      outcome: 'done',
      read: 3,
      added: 2,
      changed: 0,
      retired: 0,
      returned: 0,
      refused: 0,
      failure: null,
      samples: [sample('added', 'a@x.example'), sample('added', 'b@x.example')],
      progress: { done: 2, of: 2 },
    })
    expect(run.until).toBeGreaterThan(run.at)
    expect(progress.map(({ outcome, read, added }) => [outcome, read, added])).toEqual([
      ...[
        ['running', 0, 0],
        ['running', 3, 0],
        ['running', 3, 0],
      ],
      ...[
        ['running', 3, 2],
        ['done', 3, 2],
      ],
    ])
    expect(progress.at(-1)).toBe(run)
    expect(await store.directory.runs(9)).toEqual([run])
    expect(await marked()).toEqual([])
  })

  it('tells before it reads which attributes a source does not have, and says so to the source', async () => {
    const progress: DirectoryRun[] = []
    const given: unknown[] = []
    const source: DirectorySource = {
      ...sourceOf(async (_, told, __, unknown) => {
        given.push(unknown)
        told(1)
      }),
      attributes: ['known', 'unknown'],
      unknownAttributes: async () => ['unknown'],
    }
    const run = await sync([source, telling()], { progress: (each) => void progress.push(each) })
    const unknownAttributes = [{ source: SOURCE, names: ['unknown'] }]
    expect(run).toMatchObject({ outcome: 'done', read: 1, unknownAttributes })
    expect(progress[1]).toMatchObject({ outcome: 'running', read: 0, unknownAttributes })
    expect(given).toEqual([['unknown']])
    expect(await sync([telling()])).not.toHaveProperty('unknownAttributes')
  })

  it('fails for a source that cannot say which attributes it has', async () => {
    const unknownAttributes = () => Promise.reject(new DirectoryError('unreachable', 'Nobody is there.'))
    expect(await sync([{ ...telling(user('a')), unknownAttributes }])).toMatchObject({
      outcome: 'failed',
      added: 0,
      failure: { code: 'unreachable', message: 'Nobody is there.' },
    })
  })

  it('applies all people again once the settings name other attributes', async () => {
    let read: readonly string[] = []
    const source = (...attributes: readonly string[]): DirectorySource => {
      const { userOf, ...others } = telling(user('a'), user('b', { active: false }))
      return {
        ...others,
        attributes,
        userOf(entry, manager) {
          read = [...read, entry.id]
          const { fields, ...rest } = userOf(entry, manager)
          return {
            ...rest,
            fields: { ...fields, ...Object.fromEntries(attributes.map((name) => [name, 'x'])) },
          }
        },
      }
    }
    const applied = async (...attributes: readonly string[]) => {
      read = []
      const { added, changed } = await sync([source(...attributes)])
      return { read, added, changed }
    }
    expect(await applied()).toEqual({ read: ['a'], added: 1, changed: 0 })
    expect(await applied()).toEqual({ read: [], added: 0, changed: 0 })
    expect(await applied('m', 'n')).toEqual({ read: ['a'], added: 0, changed: 1 })
    expect(await applied('n', 'm', 'n')).toEqual({ read: [], added: 0, changed: 0 })
    expect(await applied()).toEqual({ read: ['a'], added: 0, changed: 1 })
    expect((await person('a@x.example'))?.directory).toEqual({ mail: 'a@x.example' })
  })

  it('tells what changed, who retired and who returned', async () => {
    await sync([
      telling(user('a'), user('b'), ...Array.from({ length: 40 }, (_, index) => user(`o${String(index)}`))),
    ])
    const changed = user('a', { data: { mail: 'a@x.example', jobTitle: 'Pilot', city: 'Oslo' } })
    expect(await sync([telling(changed, user('b', { active: false }))])).toMatchObject({
      outcome: 'done',
      added: 0,
      changed: 1,
      retired: 1,
      returned: 0,
      samples: [sample('changed', 'a@x.example', ['city', 'jobTitle']), sample('retired', 'b@x.example')],
    })
    expect((await person('b@x.example'))?.active).toBe(false)
    expect(await sync([telling(user('b'))])).toMatchObject({
      changed: 0,
      retired: 0,
      returned: 1,
      samples: [sample('returned', 'b@x.example')],
    })
    expect(await sync([telling(user('b'))])).toMatchObject({ changed: 0, returned: 0, samples: [] })
  })

  it('that is tried tells the same, changes no person, and leaves all to be applied', async () => {
    await sync([telling(user('a'), user('b'))])
    const rename = user('a', { data: { mail: 'a@x.example', city: 'Oslo' } })
    const wanted = telling(rename, user('b', { active: false }), user('c'), user('d', { data: {} }))
    const tried = await sync([wanted], { isTrial: true, mayDeactivate: true })
    expect(tried).toMatchObject({
      isTrial: true,
      outcome: 'done',
      added: 1,
      changed: 1,
      retired: 1,
      refused: 1,
      samples: [
        sample('refused', 'd', [], 'The directory has no mail address for the person.'),
        sample('changed', 'a@x.example', ['city']),
        sample('added', 'c@x.example'),
        sample('retired', 'b@x.example'),
      ],
    })
    expect(await addresses()).toEqual(['a@x.example', 'b@x.example'])
    expect((await person('b@x.example'))?.active).toBe(true)
    expect(await marked()).toEqual(['a', 'c', 'd', 'b'])
  })

  it('of which one source fails brings what the others tell, and says why', async () => {
    const failing = sourceOf(async (_, told) => {
      told(5)
      throw new DirectoryError('forbidden', 'No.')
    }, 'graph:u')
    const later = sourceOf(() => Promise.reject(new DirectoryError('throttled', 'Later.')), 'graph:w')
    expect(await sync([failing, telling(user('a')), later])).toMatchObject({
      outcome: 'failed',
      read: 6,
      added: 1,
      failure: { code: 'forbidden', message: 'No.' },
    })
  })

  it('that ends unexpectedly says so, and throws', async () => {
    const broken = new Error('x')
    const source = sourceOf(() => Promise.reject(broken))
    await expect(sync([source])).rejects.toBe(broken)
    expect(await store.directory.runs(1)).toMatchObject([
      {
        outcome: 'failed',
        until: expect.any(Number) as number,
        failure: {
          code: 'unexpected',
          message: 'The sync ended with an unexpected error, which the log of the service has.',
        },
      },
    ])
  })

  it.each([false, true])(
    '[SCALE-6] that the database stops says why, and after how many people (trial: %s)',
    async (isTrial) => {
      const locked = new StoreUnavailable('db-7', { problem: 'locked', sqlState: '55P03' })
      const later = sourceOf(() => store.directory.write('graph:w', 'user', [user('b')], null), 'graph:w')
      const stopping: Store = {
        ...store,
        appendPerson: (...asked) => (made > 1 ? Promise.reject(locked) : store.appendPerson(...asked)),
        personsByAddress: (asked) =>
          isTrial && asked.includes('b@x.example') ? Promise.reject(locked) : store.personsByAddress(asked),
      }
      const sources = [telling(user('a')), later]
      await expect(sync(sources, { store: stopping, isTrial })).rejects.toBe(locked)
      const why = 'The database kept rows locked for too long.'
      const reached =
        ' The sync changed at least 1 of the people before it stopped; the next one brings the rest.'
      expect(await store.directory.runs(1)).toMatchObject([
        { outcome: 'failed', failure: { code: 'database', message: isTrial ? why : why + reached } },
      ])
      expect(await sync(sources, { id: 'next' })).toMatchObject({ outcome: 'done', added: isTrial ? 2 : 1 })
      expect(await addresses()).toEqual(['a@x.example', 'b@x.example'])
    },
  )

  it.each(['reading', 'applying'])('that is stopped while it is %s is interrupted', async (when) => {
    const stop = new AbortController()
    const source = sourceOf(async () => {
      await store.directory.write(SOURCE, 'user', [user('a')], null)
      stop.abort()
      if (when === 'reading') throw new Error('aborted')
    })
    const run = await sync([source], { signal: stop.signal })
    expect(run).toMatchObject({ outcome: 'interrupted', failure: null, added: 0 })
    expect(run.until).not.toBeNull()
    expect(await addresses()).toEqual([])
  })

  it('ends the runs that were lost', async () => {
    const run = await sync([])
    await store.directory.keepRun({ ...run, id: 'lost', outcome: 'running', until: null })
    await store.directory.keepRun({ ...run, id: 'failed', outcome: 'failed', until: 7 })
    await sync([], { id: 'next' })
    const runs = await store.directory.runs(9)
    expect(Object.fromEntries(runs.map(({ id, outcome }) => [id, outcome]))).toEqual({
      run: 'done',
      lost: 'interrupted',
      failed: 'failed',
      next: 'done',
    })
    expect(runs.find(({ id }) => id === 'lost')?.until).toBeGreaterThan(0)
    expect(runs.find(({ id }) => id === 'failed')?.until).toBe(7)
  })

  it.each<[number, boolean, DirectoryRun['outcome'], number]>([
    [20, false, 'done', 0],
    [19, false, 'needsLeave', 1],
    [19, true, 'done', 0],
  ])('that would retire one of %i, with leave %s, is %s', async (count, mayDeactivate, outcome, left) => {
    const all = Array.from({ length: count }, (_, index) => user(`u${String(index).padStart(2, '0')}`))
    await sync([telling(...all)])
    const gone = telling(user('u00', { active: false }), user('new'))
    expect(await sync([gone], { mayDeactivate })).toMatchObject({ outcome, added: 1, retired: 1 })
    expect([await store.countPeople(), (await person('new@x.example')) !== null]).toEqual([
      ...[count, outcome === 'done'],
    ])
    expect((await marked()).length).toBe(left === 0 ? 0 : 2)
  })

  it('of SCIM keeps back who would retire, and brings the others all the same', async () => {
    await sync([telling(user('a'), user('b'))])
    const gone = () => telling(user('a', { active: false }), user('c'))
    const kept = await sync([gone()], { kind: 'scim' })
    expect(kept).toMatchObject({ source: 'scim', outcome: 'needsLeave', added: 1, retired: 1 })
    expect(await addresses()).toEqual(['a@x.example', 'b@x.example', 'c@x.example'])
    expect((await person('a@x.example'))?.active).toBe(true)
    expect(await marked()).toEqual(['a'])
    const left = await sync([telling()], { kind: 'scim', mayDeactivate: true })
    expect(left).toMatchObject({ outcome: 'done', added: 0, retired: 1 })
    expect((await person('a@x.example'))?.active).toBe(false)
    expect(await marked()).toEqual([])
    expect(await sync([telling()], { kind: 'scim' })).toMatchObject({ outcome: 'done', retired: 0 })
  })

  it('of SCIM that is tried changes no one', async () => {
    expect(await sync([telling(user('a'))], { kind: 'scim', isTrial: true })).toMatchObject({ added: 1 })
    expect(await addresses()).toEqual([])
  })
})

describe('applying', () => {
  it('goes page by page', async () => {
    const all = Array.from({ length: ENTRIES_PER_PAGE + 1 }, (_, index) =>
      user(`u${String(index).padStart(3, '0')}`),
    )
    const progress: number[] = []
    await sync([telling(...all)], { progress: ({ added }) => void progress.push(added) })
    expect([...new Set(progress)]).toEqual([0, ENTRIES_PER_PAGE, ENTRIES_PER_PAGE + 1])
    expect(await marked()).toEqual([])
  })

  it('tells how many entries are applied, and one that is applied again once', async () => {
    const all = Array.from({ length: ENTRIES_PER_PAGE + 1 }, (_, index) =>
      user(`u${String(index).padStart(3, '0')}`),
    )
    await sync([telling(...all)])
    await store.directory.write(SOURCE, 'user', [user('u000', { active: false })], null)
    // The new entry has the address of one that leaves, which is applied later.
    const taking = user('v', { data: { mail: 'u000@x.example' } })
    const told: unknown[] = []
    const source = sourceOf(async () => {
      await store.directory.write(SOURCE, 'user', [taking], null)
    })
    await sync([source], { id: 'again', progress: ({ progress }) => void told.push(progress) })
    const parts = told.filter((each, at) => JSON.stringify(each) !== JSON.stringify(told[at - 1]))
    expect(parts).toEqual([
      { done: 1, of: 2 },
      { done: 2, of: 2 },
    ])
  })

  it('gives the groups that rules name, and no other, in the order of their names', async () => {
    release = forGroups('Sales', 'sl', 'Board')
    const groups = sourceOf(async (asked) => {
      expect(asked).toEqual(['Sales', 'sl', 'Board'])
      await store.directory.write(SOURCE, 'user', [user('a'), user('b')], null)
      await store.directory.write(
        SOURCE,
        'group',
        [{ ...named('g-1', 'sales'), externalId: 'sl' }, named('g-2', 'other'), named('g-3', 'board')],
        null,
      )
      await store.directory.changeMembers(SOURCE, 'g-1', { added: ['a', 'b'], removed: [] }, null)
      await store.directory.changeMembers(SOURCE, 'g-2', { added: ['a'], removed: [] }, null)
      await store.directory.changeMembers(SOURCE, 'g-3', { added: ['a'], removed: [] }, null)
    })
    await sync([groups])
    expect((await person('a@x.example'))?.groups).toEqual(['Board', 'Sales', 'sl'])
    expect((await person('b@x.example'))?.groups).toEqual(['Sales', 'sl'])
    release = forGroups('Sales')
    expect(await sync([telling()])).toMatchObject({ changed: 2 })
    expect((await person('a@x.example'))?.groups).toEqual(['Sales'])
    expect(await sync([telling()])).toMatchObject({ changed: 0 })
    release = releaseFor({ for: 'everyone', not: [] })
    expect(await sync([telling()])).toMatchObject({ changed: 2 })
    expect((await person('b@x.example'))?.groups).toEqual([])
  })

  it('brings the fields of the manager again after a version without them applied the person', async () => {
    const driver = await openDatabase({ kind: 'embedded', folder: null })
    store = createStore(driver, 'o')
    await sync([telling(user('a', { manager: 'm' }), user('m'))])
    const managerOf = async () => (await person('a@x.example'))?.directory['manager.displayName']
    expect(await managerOf()).toBe('m@x.example')
    const record = {
      addresses: ['a@x.example'],
      account: null,
      language: null,
      fields: {},
      groups: [],
      picture: null,
    }
    const id = (await person('a@x.example'))?.id ?? null
    await peopleOver(store).importEach([{ id, record }], 'before', false)
    await driver.query("update directory_entry set revision = revision + 1 where id = 'a'")
    expect(await managerOf()).toBeUndefined()
    await sync([sourceOf()])
    expect(await managerOf()).toBe('m@x.example')
    expect((await sync([sourceOf()])).changed).toBe(0)
    await driver.close()
  })

  it('gives the name of the manager, also of one on another page', async () => {
    await sync([telling(user('a', { manager: 'm' }), user('b', { manager: 'unknown' }), user('m'))])
    expect((await person('a@x.example'))?.directory['manager.displayName']).toBe('m@x.example')
    expect((await person('b@x.example'))?.directory).not.toHaveProperty('manager.displayName')
  })

  it('tells whom it refuses once, and takes them again with the next sync', async () => {
    await sync([telling(user('a'))])
    const taken = user('b', { data: { mail: 'b@x.example', userPrincipalName: 'a@x.example' } })
    const run = await sync([telling(taken, user('c', { data: {} }))])
    const reason = 'The address a@x.example belongs to another person.'
    expect(run).toMatchObject({
      outcome: 'done',
      added: 0,
      refused: 2,
      samples: [
        sample('refused', 'c', [], 'The directory has no mail address for the person.'),
        sample('refused', 'b@x.example', [], reason),
      ],
    })
    expect(await marked()).toEqual(['b', 'c'])
    const free = user('a', { data: { mail: 'free@x.example' } })
    expect(await sync([telling(free)])).toMatchObject({ added: 1, changed: 1, refused: 1 })
    expect(await addresses()).toEqual(['b@x.example', 'free@x.example'])
  })

  it('takes over who came by an import, and keeps the person by the entry from then on', async () => {
    const record = { addresses: ['a@x.example'], account: null, language: null, groups: [], picture: null }
    await peopleOver(store).importRows(
      [{ id: 'mine', record: { ...record, fields: { city: 'Oslo' } } }],
      'test',
      false,
    )
    expect(await sync([telling(user('a'))])).toMatchObject({ added: 0, changed: 1 })
    const [entry] = await store.directory.entries(SOURCE, 'user', ['a'])
    expect(entry?.person).toBe('mine')
    const other = user('a', { data: { mail: 'other@x.example' } })
    expect(await sync([telling(other)])).toMatchObject({ added: 0, changed: 1 })
    expect((await store.person('mine'))?.addresses).toEqual(['other@x.example'])
  })

  it('erases the entry of a person who is gone, and brings no one back', async () => {
    // The service did not know the directory as it erased.
    await store.directory.write(SOURCE, 'user', [user('a'), user('b')], null)
    await store.directory.settle(SOURCE, [{ id: 'a', revision: 1, person: 'gone' }])
    const told = user('a', { data: { mail: 'a@x.example', city: 'Oslo' } })
    expect(await sync([telling(told)], { isTrial: true })).toMatchObject({ added: 1, changed: 0 })
    expect((await store.directory.entries(SOURCE, 'user', ['a']))[0]?.erased).toBe(false)
    expect(await sync([telling(told)])).toMatchObject({ added: 1, changed: 0 })
    expect((await store.directory.entries(SOURCE, 'user', ['a']))[0]?.erased).toBe(true)
    expect(await addresses()).toEqual(['b@x.example'])
  })

  it('erases who was erased while it brought them in', async () => {
    const erasing: Store = {
      ...store,
      directory: {
        ...store.directory,
        async settle(source, applied) {
          await store.directory.eraseEntry(SOURCE, 'a')
          return store.directory.settle(source, applied)
        },
      },
    }
    expect(await sync([telling(user('a'), user('b'))], { store: erasing })).toMatchObject({ added: 2 })
    expect(await addresses()).toEqual(['b@x.example'])
  })

  it('lets no one go whom another entry still tells, or who is gone already', async () => {
    const other = 'graph:u'
    await sync([telling(user('a'), user('b'))])
    const [a, b] = await store.directory.entries(SOURCE, 'user', ['a', 'b'])
    await store.directory.write(other, 'user', [user('z')], null)
    await store.directory.settle(other, [{ id: 'z', revision: 1, person: a?.person ?? null }])
    await peopleOver(store).write(b?.person ?? '', { type: 'deactivate' }, 'test')
    const gone = telling(
      user('a', { active: false }),
      user('b', { active: false }),
      user('c', { active: false }),
    )
    expect(await sync([gone], { mayDeactivate: true })).toMatchObject({ retired: 0, samples: [] })
    expect((await person('a@x.example'))?.active).toBe(true)
    expect(await marked()).toEqual([])
  })

  it('goes on when a person who is to go was erased meanwhile', async () => {
    await sync([telling(user('a'))])
    const erasing: Store = {
      ...store,
      persons: async (ids) => {
        const found = await store.persons(ids)
        for (const { id } of found) await peopleOver(store).erase(id, 'other')
        return found
      },
    }
    const run = await sync([telling(user('a', { active: false }))], { mayDeactivate: true, store: erasing })
    expect(run).toMatchObject({ outcome: 'done', retired: 1 })
  })

  it.each([new Error('broken'), new DomainError('conflict', 'Again.')])(
    'ends when one cannot go: %#',
    async (error) => {
      await sync([telling(user('a'))])
      const failing: Store = { ...store, appendPerson: () => Promise.reject(error) }
      const gone = telling(user('a', { active: false }))
      await expect(sync([gone], { mayDeactivate: true, store: failing })).rejects.toBe(error)
      expect(await marked()).toEqual(['a'])
    },
  )
})

describe('what a run tells of its changes', () => {
  const empty = { added: 1, changed: 0, retired: 0, returned: 0, refused: 0, samples: [] }
  const many = (change: DirectorySample['change'], count: number) =>
    Array.from({ length: count }, (_, index) => sample(change, `${change}-${String(index)}`))

  it('counts each kind, and has the first ten of each', () => {
    const told = countSamples({ ...empty } as unknown as DirectoryRun, [
      ...[...many('added', 12), ...many('changed', 2), ...many('retired', 3), ...many('returned', 4)],
      ...many('refused', 11),
    ])
    expect(MAX_SAMPLES_OF_A_KIND).toBe(10)
    expect(told).toMatchObject({ added: 13, changed: 2, retired: 3, returned: 4, refused: 11 })
    expect(told.samples).toEqual([
      ...[...many('added', 10), ...many('changed', 2), ...many('retired', 3), ...many('returned', 4)],
      ...many('refused', 10),
    ])
  })

  it('adds to what it told before', () => {
    const before = { ...empty, samples: many('added', 9) } as unknown as DirectoryRun
    expect(countSamples(before, many('added', 2)).samples).toEqual([...many('added', 9), ...many('added', 1)])
  })
})

describe('a directory that is connected', () => {
  const MINUTE_MS = 60_000
  const START = 10 * MINUTE_MS
  const running: ConnectedDirectory[] = []
  afterEach(async () => {
    for (const each of running.splice(0)) await each.end()
  })

  function connect(
    sources: readonly DirectorySource[],
    { intervalMs = null, store: used = store }: Readonly<{ intervalMs?: number | null; store?: Store }> = {},
  ) {
    const time = createTimers(START)
    const ended: DirectoryRun[] = []
    const failed: unknown[] = []
    const directory = createDirectory({
      kind: 'graph',
      sources,
      store: used,
      people: peopleOver(used),
      intervalMs,
      releases: { current: () => release },
      now: time.now,
      newId: () => `run-${String((made += 1))}`,
      synced: (run) => void ended.push(run),
      failed: (error) => void failed.push(error),
      timers: time,
    })
    running.push(directory)
    return { directory, time, ended, failed }
  }
  const asked = { isTrial: false, mayDeactivate: false }
  const idle = (directory: ConnectedDirectory) =>
    expect.poll(async () => (await directory.state()).isRunning).toBe(false)
  const runOf = (id: string, more: Partial<DirectoryRun> = {}): DirectoryRun => ({
    id,
    source: 'graph',
    at: 1,
    until: 2,
    isTrial: false,
    by: 'x',
    outcome: 'done',
    samples: [],
    read: 0,
    added: 0,
    changed: 0,
    retired: 0,
    returned: 0,
    refused: 0,
    failure: null,
    ...more,
  })

  it('syncs when it is asked, and tells the run as it begins and as it ended', async () => {
    const { directory, ended, failed } = connect([telling(user('a'))])
    const run = await directory.sync({ isTrial: true, mayDeactivate: false }, 'admin')
    expect(run).toMatchObject({ outcome: 'running', by: 'admin', isTrial: true })
    await idle(directory)
    expect([ended.map(({ id, outcome }) => [id, outcome]), failed]).toEqual([[[run.id, 'done']], []])
    expect(await directory.state()).toMatchObject({
      kind: 'graph',
      sources: [SOURCE],
      isRunning: false,
      groups: [],
      runs: [{ id: run.id, added: 1 }],
    })
    expect(await addresses()).toEqual([])
    await directory.sync(asked, 'admin')
    await idle(directory)
    expect(await addresses()).toEqual(['a@x.example'])
  })

  it('tells each of two who ask at once what became of their own sync', async () => {
    const { directory } = connect([telling(user('a'))])
    const asks = await Promise.allSettled(['one', 'two'].map((by) => directory.sync(asked, by)))
    expect(asks).toMatchObject([
      { status: 'fulfilled', value: { by: 'one', outcome: 'running' } },
      { status: 'rejected', reason: { code: 'sync_running' } },
    ])
    await idle(directory)
  })

  it('does not sync while another instance does, nor after its end', async () => {
    const { directory, time } = connect([telling()])
    const lease = (until: number) => store.lease('directory', 'another', START, until)
    await lease(START + 5)
    await store.directory.keepRun(runOf('theirs', { outcome: 'running', until: null }))
    await expect(directory.sync(asked, 'admin')).rejects.toMatchObject({
      code: 'sync_running',
      message: 'A sync is running already.',
    })
    expect(await directory.state()).toMatchObject({ isRunning: true, runs: [{ outcome: 'running' }] })
    time.advance(5)
    expect(await directory.state()).toMatchObject({ isRunning: false, runs: [{ outcome: 'interrupted' }] })
    await directory.end()
    await expect(directory.sync(asked, 'admin')).rejects.toMatchObject({
      code: 'closing',
      message: 'The service is closing. Try again.',
    })
  })

  it('stops when an administrator asks any instance for it, and is not due again at once', async () => {
    const waiting = sourceOf(
      (_, told, signal) =>
        new Promise((_resolve, reject) => {
          told(3)
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error)
          })
        }),
    )
    const { directory, ended, time } = connect([waiting])
    const { directory: other } = connect([telling()])
    const run = await directory.sync(asked, 'admin')
    await other.stop('alex')
    time.advance(1_000)
    await idle(directory)
    expect(ended).toMatchObject([{ id: run.id, outcome: 'interrupted', stoppedBy: 'alex', read: 3 }])
    expect(await directory.state()).toMatchObject({ isRunning: false, runs: [{ stoppedBy: 'alex' }] })
    // The request was for that run alone.
    await directory.stop('alex')
    await other.sync(asked, 'admin')
    await idle(other)
    expect((await store.directory.runs(1))[0]).toMatchObject({ outcome: 'done' })
  })

  it('tells an unexpected error to who asked, and to who listens', async () => {
    const broken = new Error('broken')
    const failing: Store = {
      ...store,
      directory: { ...store.directory, keepRun: () => Promise.reject(broken) },
    }
    const { directory, failed, ended } = connect([telling()], { store: failing })
    await expect(directory.sync(asked, 'admin')).rejects.toBe(broken)
    expect([failed, ended]).toEqual([[broken], []])
    await idle(directory)
  })

  it('has given the lease back after its end, also when a renewal was on its way then', async () => {
    const renewals: (() => void)[] = []
    let leases = 0
    const slow: Store = {
      ...store,
      async lease(...given) {
        leases += 1
        if (leases > 1) await new Promise<void>((resolve) => renewals.push(resolve))
        return store.lease(...given)
      },
    }
    let goOn: () => void = () => undefined
    const held = new Promise<void>((resolve) => (goOn = resolve))
    const { directory, time, ended } = connect([sourceOf(() => held)], { store: slow })
    await directory.sync(asked, 'admin')
    time.advance(MINUTE_MS)
    await expect.poll(() => renewals.length).toBe(1)
    goOn()
    await expect.poll(() => ended.length).toBe(1)
    for (const renew of renewals) renew()
    await directory.end()
    expect(await store.isLeased('directory', time.now())).toBe(false)
  })

  it('counts the members of the groups that rules name, in all sources', async () => {
    release = forGroups('Crew', 'g-2', 'Nowhere')
    for (const source of [SOURCE, 'graph:u']) {
      await store.directory.write(source, 'user', [user('a'), user('b')], null)
      await store.directory.write(source, 'group', [named('g-1', 'crew'), named('G-2', 'other')], null)
      await store.directory.changeMembers(source, 'g-1', { added: ['a', 'b'], removed: [] }, null)
    }
    await store.directory.changeMembers(SOURCE, 'G-2', { added: ['a'], removed: [] }, null)
    const groupsOf = async (...sources: readonly string[]) =>
      (await connect(sources.map((source) => sourceOf(undefined, source))).directory.state()).groups
    expect(await groupsOf(SOURCE)).toEqual([
      { named: 'Crew', members: 2 },
      { named: 'g-2', members: 1 },
      { named: 'Nowhere', members: null },
    ])
    expect((await groupsOf(SOURCE, 'graph:u'))[0]).toEqual({ named: 'Crew', members: 4 })
  })

  it('has the last 20 runs', async () => {
    for (let each = 0; each < 21; each += 1)
      await store.directory.keepRun(runOf(`r-${String(each)}`, { at: each }))
    const { runs } = await connect([]).directory.state()
    expect([runs.length, runs[0]?.id]).toEqual([20, 'r-20'])
  })

  it.each<[string, readonly DirectoryRun[], boolean]>([
    ['none ended', [], true],
    ['the last ended an interval ago', [runOf('r', { until: START - 5 * MINUTE_MS })], true],
    ['the last ended a moment less ago', [runOf('r', { until: START - 5 * MINUTE_MS + 1 })], false],
    [
      'the one that ended last began before',
      [runOf('r', { at: 5, until: 6 }), runOf('s', { at: 4, until: START - 1 })],
      false,
    ],
    ['only a dry run ended', [runOf('r', { isTrial: true, until: START - 1 })], true],
    ['only one was interrupted', [runOf('r', { outcome: 'interrupted', until: START - 1 })], true],
    ['one was stopped', [runOf('r', { outcome: 'interrupted', stoppedBy: 'x', until: START - 1 })], false],
    ['one failed', [runOf('r', { outcome: 'failed', until: START - 1 })], false],
  ])('syncs by itself, or not yet, when %s', async (_, runs, isDue) => {
    for (const run of runs) await store.directory.keepRun(run)
    const { directory, time } = connect([telling()], { intervalMs: 5 * MINUTE_MS })
    time.advance(0)
    if (isDue) await expect.poll(() => store.directory.runs(9)).toHaveLength(runs.length + 1)
    // The database answers in the order in which it is asked, so that what was not due would have begun by now.
    else for (let turn = 0; turn < 10; turn += 1) await store.ping()
    await idle(directory)
    const kept = await store.directory.runs(9)
    expect(kept.length).toBe(runs.length + (isDue ? 1 : 0))
    if (isDue) expect(kept[0]).toMatchObject({ by: 'directory', isTrial: false, outcome: 'done' })
  })
})
