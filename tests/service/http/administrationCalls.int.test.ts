import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { createWebServer } from '../../../src/server/webServer.ts'
import { refusalFor } from '../../../src/service/http/refusals.ts'
import {
  addAdministration,
  administrationHandlers,
} from '../../../src/service/http/administration/administration.ts'
import type { Administrator } from '../../../src/service/http/administration/routes.ts'
import { mailboxAsOwner } from '../../../src/service/context/owners.ts'
import { releaseIdOf } from '../../../src/service/publishing/plans.ts'
import type { Picture } from '../../../src/service/sql/pictures.ts'
import type { IndexReader, PersonIndex } from '../../../src/service/sql/orderedPeople.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import type { ServiceContext } from '../../../src/service/context/serviceContext.ts'
import type { DirectoryRun } from '../../../streams/organisation/directory/directory.ts'
import {
  type Block,
  compileRelease,
  type ReleaseDocument,
  type Selection,
  type Signature,
} from '../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { ExplainedSlot } from '../../../streams/organisation/rules/why.ts'
import type { FoundPerson } from '../../../streams/wire/administration/people.ts'
import { png } from '../../folder/pictures.ts'
import { block as anyBlock } from '../../support/blocks.ts'

// The calls of the administration over a context that a test makes up.

const PATH = '/api/administration/v1'
const NOW = 1_000_000_000_000
const START_OF_DAY = Date.UTC(2001, 8, 9)
const DAY_MS = 24 * 60 * 60 * 1000
const EVERYONE = { for: 'everyone', not: [] } as const
const signature = (id: string, more: Partial<Signature> = {}): Signature => ({
  id,
  name: `Named ${id}`,
  template: `templates/${id}.html`,
  reply: null,
  mobile: null,
  selection: EVERYONE,
  during: null,
  recipients: 'everyone',
  collection: null,
  ...more,
})
const document: ReleaseDocument = {
  version: 1,
  organisation: 'Northwind',
  internal: [],
  plan: { from: null, value: 'full' },
  variables: [],
  chooseDefault: EVERYONE,
  mailboxes: [],
  pictures: {},
  signatures: [signature('one', { reply: 'templates/reply.html' }), signature('two')],
  templates: {
    'templates/one.html': '<p>one</p>',
    'templates/two.html': '<p>two</p>',
    'templates/reply.html': '<p>reply</p>',
  },
}
const release = compileRelease(releaseIdOf(document), document)
const person = (id: string, more: Partial<PersonState> = {}): PersonState => ({
  ...mailboxAsOwner(`${id}@x.example`),
  id,
  revision: 1,
  ...more,
})

type State = {
  people: readonly PersonState[]
  current: typeof release | null
  runs: readonly Partial<DirectoryRun>[]
  administrator: Omit<Administrator, 'handlers'>
  now: number
}
let state: State
let pages: (string | null)[]
let written: unknown[]
let plans: Map<string, { plan: unknown; until: number }>
let pictures: Map<string, Picture>
let releases: Map<string, ReleaseDocument>
let over: Partial<Store>
let listed: PersonIndex[]
let seen: Map<string, number>

beforeEach(() => {
  listed = []
  seen = new Map()
  const roles = ['Signet.Read', 'Signet.Publish', 'Signet.People', 'Signet.Audit']
  state = {
    people: [],
    current: release,
    runs: [],
    now: NOW,
    administrator: { roles, actor: 'admin@x.example' },
  }
  pages = []
  written = []
  plans = new Map()
  pictures = new Map()
  releases = new Map()
  over = {}
})

/** Pictures that are sent before a plan are in `plans`, too. */
function planned(hash: string, now: number): Picture | null {
  const kept = plans.get(`picture ${hash}`)
  return kept !== undefined && kept.until > now ? (kept.plan as Picture) : null
}

async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
  headers: Record<string, string> = { authorization: 'Bearer token' },
) {
  const store = {
    people: async (after: string | null, limit: number) => {
      pages.push(after)
      const from = after === null ? 0 : state.people.findIndex(({ id }) => id === after) + 1
      return state.people.slice(from, from + limit)
    },
    // The words of no person are stored, so that all are read.
    words: {
      commonness: async (wanted: readonly string[]) => wanted.map(() => 0),
      places: async () => [],
      unindexed: async (after: string, limit: number) => {
        pages.push(after)
        const people = state.people.filter(({ id }) => id > after)
        return people.slice(0, limit)
      },
    },
    // In the order of their ids, which are their names, whatever the index.
    order: {
      places: async (index: PersonIndex, { isActive, after, limit }: IndexReader) => {
        listed.push(index)
        const people = state.people.filter(
          ({ id, active }) => active === isActive && id > String(after?.at(-1) ?? ''),
        )
        return people
          .slice(0, limit)
          .map((each) => ({ place: [each.id, each.id], person: each, seenAt: seen.get(each.id) ?? null }))
      },
      seenAt: async () => seen,
    },
    person: async (id: string) => state.people.find((each) => each.id === id) ?? null,
    personByAddress: async (address: string) =>
      state.people.find(({ addresses }) => addresses.includes(address)) ?? null,
    personsByAddress: async () => [],
    personFacts: async () => [],
    reported: async () => null,
    picture: async (hash: string) => pictures.get(hash) ?? null,
    hasPictures: async (hashes: readonly string[]) => new Set(hashes.filter((hash) => pictures.has(hash))),
    keepPicture: async (hash: string, picture: Picture) => void pictures.set(hash, picture),
    plan: async (id: string) => (id.includes(' ') ? null : (plans.get(id)?.plan ?? null)),
    keepPlan: async (id: string, plan: unknown, until: number) => void plans.set(id, { plan, until }),
    plannedPicture: async (hash: string, now: number) => planned(hash, now),
    hasPlannedPictures: async (hashes: readonly string[], now: number) =>
      new Set(hashes.filter((hash) => planned(hash, now) !== null)),
    keepPlannedPicture: async (hash: string, picture: Picture, until: number) =>
      void plans.set(`picture ${hash}`, { plan: picture, until }),
    extendPlannedPictures: async (hashes: readonly string[], now: number, until: number) => {
      const kept = hashes.filter((hash) => planned(hash, now) !== null)
      for (const hash of kept) plans.set(`picture ${hash}`, { plan: planned(hash, now), until })
      return new Set(kept)
    },
    publishPicture: async (hash: string) => {
      const picture = planned(hash, -Infinity)
      if (picture !== null) pictures.set(hash, picture)
      plans.delete(`picture ${hash}`)
    },
    dropExpired: async () => undefined,
    keepRelease: async (id: string, kept: ReleaseDocument) => void releases.set(id, kept),
    reportedByPeople: async () => [],
    audit: async () => [],
    persons: async (ids: readonly string[]) => state.people.filter(({ id }) => ids.includes(id)),
    directory: { reportedOf: async () => [] },
    ...over,
  } as unknown as Store
  const context = {
    store,
    releases: {
      current: () => state.current,
      state: () => ({ name: 'Northwind', history: [], maintenance: null }),
      of: async (id: string) => (id === release.id ? release : null),
      write: async (command: unknown, actor: string) => {
        written.push([command, actor])
        return { history: [], maintenance: 'planned' }
      },
    },
    people: { erase: async (id: string, actor: string) => void written.push(['erase', id, actor]) },
    directory: {
      state: async () => ({ kind: 'graph', sources: [], isRunning: false, runs: state.runs, groups: [] }),
      sync: async (options: unknown, actor: string) => {
        written.push(['sync', options, actor])
        return { id: 'run' }
      },
    },
    publicUrl: () => 'https://s.example',
    now: () => state.now,
  } as unknown as ServiceContext
  const { app } = await createWebServer([], null, {
    refusalFor,
    onFailure: (error) => void written.push(error),
  })
  const handlers = administrationHandlers(context)
  await addAdministration(app, {
    application: async () => ({ ...state.administrator, handlers }),
    unknown: handlers,
  })
  const answer = await app.inject({
    method,
    url: `${PATH}${path}`,
    headers,
    ...(payload === undefined ? {} : { payload }),
  })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
}
const get = async (path: string) => (await ask('GET', path)).body
const idsIn = (people: unknown) => (people as readonly { id: string }[]).map(({ id }) => id)
const many = (count: number, more: Partial<PersonState> = {}) =>
  Array.from({ length: count }, (_, at) => person(`p${String(at).padStart(5, '0')}`, more))

describe('a count of people', () => {
  const PEOPLE = 1_001
  const counted = async (selection: Selection) => (await ask('POST', '/people/count', { selection })).body

  beforeEach(() => {
    state.people = many(PEOPLE).map((each, at) => ({ ...each, groups: at % 4 === 0 ? ['sales'] : [] }))
    over = { countPeople: async () => PEOPLE }
  })

  it.each<[string, Selection, number]>([
    ['a group', { for: [[{ by: 'group', values: ['sales'] }]], not: [] }, 251],
    ['everyone but a group', { ...EVERYONE, not: [[{ by: 'group', values: ['sales'] }]] }, 750],
    ['an address', { for: [[{ by: 'person', values: ['p01000@x.example'] }]], not: [] }, 1],
    ['nobody', { for: [[{ by: 'language', values: ['xx'] }]], not: [] }, 0],
  ])('of %s reads all of them, page by page', async (_, selection, fitting) => {
    expect(await counted(selection)).toEqual({ people: fitting, of: PEOPLE })
    expect(pages).toEqual([null, 'p00499', 'p00999'])
  })

  it('of everyone reads nobody', async () => {
    expect(await counted(EVERYONE)).toEqual({ people: PEOPLE, of: PEOPLE })
    expect(pages).toEqual([])
  })

  it('refuses rules that no release could have', async () => {
    for (const selection of [{ for: [], not: [] }, { for: [[]], not: [] }, { for: 'everyone' }])
      expect(await ask('POST', '/people/count', { selection })).toMatchObject({ status: 400 })
  })
})

describe('values of the directory', () => {
  let people: number
  let found: { value: string; people: number }[]
  const asked: unknown[] = []
  const values = async (query: string) => (await get(`/directory/values?${query}`)).values

  beforeEach(() => {
    people = 5_000
    found = [
      { value: 'Sales', people: 9 },
      { value: 'Übersee', people: 2 },
      { value: ' Sales', people: 1 },
      { value: 'Sales\nand service', people: 1 },
      { value: 'After-sales', people: 1 },
    ]
    asked.length = 0
    over = {
      countPeople: async () => people,
      fieldValues: async (field: string | null, limit: number) => {
        asked.push([field, limit])
        return found
      },
    }
  })

  it('are those that contain a text, as far as a form can have them', async () => {
    expect(await values('field=department')).toEqual([
      { value: 'Sales', people: 9 },
      { value: 'Übersee', people: 2 },
      { value: 'After-sales', people: 1 },
    ])
    expect(await values('field=manager.department&search=SALES%20')).toEqual([
      { value: 'Sales', people: 9 },
      { value: 'After-sales', people: 1 },
    ])
    expect(await values('field=group&search=ubers')).toEqual([{ value: 'Übersee', people: 2 }])
    expect(asked).toEqual([
      ['department', 5_000],
      ['manager.department', 5_000],
      [null, 5_000],
    ])
  })

  it('are at most 50, the most frequent ones', async () => {
    found = Array.from({ length: 60 }, (_, at) => ({ value: `v${String(at)}`, people: 60 - at }))
    expect(await values('field=city')).toEqual(found.slice(0, 50))
  })

  it('have no counts when not all people were read', async () => {
    people = 5_001
    expect(await values('field=city&search=uber')).toEqual([{ value: 'Übersee', people: null }])
  })

  it.each(['displayName', 'mail', 'mobilePhone', 'manager.surname', 'businessPhones.0', 'groups', ''])(
    'are not told of the field %s',
    async (field) => {
      expect(await ask('GET', `/directory/values?field=${field}`)).toMatchObject({ status: 400 })
      expect(asked).toEqual([])
    },
  )
})

describe('a list of people', () => {
  const inList = async (query: string) => {
    const { people, next } = await get(`/people?sort=name${query}`)
    return { people: people as readonly FoundPerson[], ids: idsIn(people), next }
  }

  it('has the department, the default signature, the day of the last report and the picture of each person', async () => {
    const [signature] = document.signatures
    state.people = [
      person('ann', { directory: { department: 'Sales' }, picture: `${'a'.repeat(32)}.png` }),
      person('bob'),
    ]
    seen.set('bob', START_OF_DAY - 1)
    const { people } = await inList('')
    const shown = { id: signature?.id, name: signature?.name }
    expect(people.map((each) => each.signature)).toEqual([shown, shown])
    expect(people[0]).toMatchObject({
      department: 'Sales',
      seenAt: null,
      picture: `https://s.example/images/${'a'.repeat(32)}/portrait.png`,
    })
    expect(people[1]).toMatchObject({ department: '', seenAt: START_OF_DAY - 86_400_000, picture: null })
    expect(people[0]).not.toHaveProperty('none')
  })

  it('has the reason of a person without a signature', async () => {
    state.people = [person('ann')]
    state.current = null
    const { people } = await inList('')
    expect(people[0]).toMatchObject({ signature: null, none: { kind: 'nothingPublished' } })
  })

  it('follows the sort order and the department', async () => {
    state.people = [person('ann')]
    await get('/people?sort=department&descending=true')
    await get('/people?sort=name&department=Sales')
    await get('/people?sort=seen&descending=true')
    expect(listed).toEqual([
      { by: 'department', after: null },
      { by: 'name', department: 'sales' },
      { by: 'seen', department: null },
      { by: 'name', department: null },
    ])
  })

  it('has only people with this default signature, page by page', async () => {
    state.people = many(120)
    const id = document.signatures[0]?.id ?? ''
    const first = await inList(`&signature=${id}`)
    expect([first.ids.length, first.ids[49]]).toEqual([50, 'p00049'])
    const last = await inList(`&signature=${id}&after=${encodeURIComponent(String(first.next))}`)
    expect(last.ids[0]).toBe('p00050')
    expect(await inList('&signature=other')).toEqual({ people: [], ids: [], next: null })
  })

  it('names the signatures of the release', async () => {
    const names = document.signatures.map((each) => ({ id: each.id, name: each.name }))
    expect((await get('/people?sort=name')).signatures).toEqual(names)
    expect(await get('/people')).not.toHaveProperty('signatures')
  })

  it('has only people whose add-in has not reported for some days (UTC)', async () => {
    state.people = [person('ann'), person('bob'), person('cid')]
    seen.set('bob', START_OF_DAY - 30 * 86_400_000).set('cid', START_OF_DAY - 30 * 86_400_000 - 1)
    expect((await inList('&unseen=30')).ids).toEqual(['ann', 'cid'])
  })

  it('has people who have left instead of active people', async () => {
    state.people = [person('ann'), person('bob', { active: false })]
    expect((await inList('')).ids).toEqual(['ann'])
    const { people, ids } = await inList('&left=true')
    expect(ids).toEqual(['bob'])
    expect(people[0]).toMatchObject({ isActive: false, none: { kind: 'hasLeft' } })
  })

  it('has the person with a whole address, if the filters fit', async () => {
    state.people = [person('ann', { directory: { department: 'Sales' } }), person('bob', { active: false })]
    expect((await inList('&search=ann@x.example&department=SALES')).ids).toEqual(['ann'])
    expect((await inList('&search=bob@x.example')).ids).toEqual(['bob'])
    expect((await inList('&search=ann@x.example&left=true')).ids).toEqual([])
    expect((await inList('&search=ann@x.example&department=Law')).ids).toEqual([])
  })

  it('refuses an unknown sort order, and filters without meaning', async () => {
    for (const query of [
      'sort=age',
      'sort=',
      'descending=1',
      'left=yes',
      'unseen=0',
      'unseen=91',
      'department=',
    ])
      expect((await ask('GET', `/people?${query}`)).status).toBe(400)
  })
})

describe('a search', () => {
  it('finds the beginning of a word of an address, a field or a value, in any case', async () => {
    state.people = [
      ...[person('ann'), person('bob', { directory: { surname: 'Annson' } })],
      ...[person('cid', { values: { nick: 'jo-ANNa' } }), person('dan', { active: false })],
    ]
    const { people, next } = await get('/people?search=%20ANN%20')
    expect([idsIn(people), next]).toEqual([['ann', 'bob', 'cid'], null])
    expect(people).toContainEqual({ id: 'ann', address: 'ann@x.example', name: '', isActive: true })
    expect(idsIn((await get('/people')).people)).toEqual(['ann', 'bob', 'cid', 'dan'])
    expect((await get('/people?search=none')).people).toEqual([])
    state.people = [person('eve', { addresses: [], active: false, values: { a: 'x' } })]
    expect((await get('/people?search=x')).people).toEqual([
      { id: 'eve', address: 'eve', name: '', isActive: false },
    ])
  })

  it('finds people by a domain in Unicode and in ASCII', async () => {
    state.people = [person('ann', { addresses: ['ann@m\u00FCller.example'] }), person('bob')]
    for (const wanted of [
      'm\u00FCller.example',
      'xn--mller-kva.example',
      'ann@xn--mller-kva.example',
      'MULLER',
    ])
      expect(idsIn((await get(`/people?search=${encodeURIComponent(wanted)}`)).people)).toEqual(['ann'])
  })

  it('for a whole address answers that person alone, on the first page', async () => {
    state.people = [person('ann'), person('joann')]
    expect(idsIn((await get('/people?search=Ann@X.example')).people)).toEqual(['ann'])
    expect(pages).toEqual([])
    expect(idsIn((await get('/people?search=ann@x.example&after=%20ann')).people)).toEqual([])
    expect(idsIn((await get('/people?search=ann@')).people)).toEqual(['ann'])
  })

  it.each([
    [49, 49, null],
    [50, 50, ' p00049'],
    [51, 50, ' p00049'],
  ])('of %i people answers %i, and goes on after %s', async (count, found, next) => {
    state.people = many(count)
    const first = await get('/people?search=p0')
    expect([idsIn(first.people).length, first.next]).toEqual([found, next])
    if (next === null) return
    const rest = await get(`/people?search=p0&after=${encodeURIComponent(next)}`)
    expect([idsIn(rest.people).length, rest.next]).toEqual([count - found, null])
  })

  it.each([
    [499, 1, null],
    [500, 2, null],
    [1_999, 4, null],
    [2_000, 4, ' p01999'],
    [2_001, 4, ' p01999'],
  ])('looks at %i people without words in %i pages, and goes on after %s', async (count, asked, next) => {
    state.people = many(count)
    expect(await get('/people?search=none')).toEqual({ people: [], next })
    expect(pages).toHaveLength(asked)
    expect(pages.slice(0, 2)).toEqual(['', 'p00499'].slice(0, asked))
  })

  it('for nothing answers all people in the order of their ids, page by page', async () => {
    state.people = many(120)
    const first = await get('/people')
    expect([idsIn(first.people).length, first.next]).toEqual([50, 'p00049'])
    const last = await get('/people?search=%20&after=p00099')
    expect([idsIn(last.people).length, last.next]).toEqual([20, null])
  })

  describe('for a person who matches rules', () => {
    const ofSales = { for: [[{ by: 'field', field: 'department', values: ['Sales'] }]], not: [] } as const
    const seller = { directory: { department: 'Sales' } }
    const matching = (selection: unknown) => ask('POST', '/people/matching', { selection })

    it('answers the first one', async () => {
      state.people = [person('ann'), person('bob', seller), person('cid', seller)]
      expect(await matching(ofSales)).toEqual({
        status: 200,
        body: { person: { id: 'bob', address: 'bob@x.example', name: '', isActive: true } },
      })
    })

    it('answers null without one', async () => {
      state.people = [person('ann'), person('bob', seller)]
      const selection = { ...ofSales, not: [[{ by: 'person', values: ['bob@x.example'] }]] }
      expect((await matching(selection)).body).toEqual({ person: null })
    })

    it('reads no page after the person', async () => {
      state.people = [...many(499), person('q', seller), ...many(600)]
      expect((await matching(ofSales)).body).toMatchObject({ person: { id: 'q' } })
      expect(pages).toEqual([null])
    })

    it('reads at most 10,000 people', async () => {
      state.people = [...many(10_000), person('q', seller)]
      expect((await matching(ofSales)).body).toEqual({ person: null })
      expect(pages).toHaveLength(20)
    })

    it('refuses unfinished rules', async () => {
      const selection = { for: [[{ by: 'field', field: 'department', values: [] }]], not: [] }
      expect((await matching(selection)).status).toBe(400)
    })
  })

  it('without a letter or a digit finds no person, and reads none', async () => {
    state.people = many(3)
    expect(await get('/people?search=%40%20-')).toEqual({ people: [], next: null })
    expect(pages).toEqual([])
  })

  it('looks for the rarest word first, reads more each time, and goes on after the last place', async () => {
    state.people = many(9_999)
    const asked: unknown[] = []
    over = {
      words: {
        commonness: async (wanted: readonly string[]) => wanted.map((word) => (word === 'silva' ? 3 : 1_000)),
        places: async (first: string, others: readonly string[], after: unknown, limit: number) => {
          asked.push([first, others, after, limit])
          const place = { word: `${first}x`, person: `p ${String(asked.length)}` }
          return Array.from({ length: limit }, () => ({ place, person: null }))
        },
      },
    } as unknown as Partial<Store>
    expect(await get('/people?search=ana+silva')).toEqual({ people: [], next: 'silvax p 4' })
    const place = (at: number) => ({ word: 'silvax', person: `p ${String(at)}` })
    expect(asked).toEqual([
      ['silva', ['ana'], null, 64],
      ['silva', ['ana'], place(1), 256],
      ['silva', ['ana'], place(2), 768],
      ['silva', ['ana'], place(3), 1_024],
    ])
    await get('/people?search=ana+silva&after=silvax+p+4')
    expect(asked[4]).toEqual(['silva', ['ana'], place(4), 64])
    await get('/people?search=ana+silva&after=another+p')
    expect(asked[8]).toEqual(['silva', ['ana'], null, 64])
  })

  describe('for people without a signature', () => {
    const ofSales = { for: [[{ by: 'field', field: 'department', values: ['Sales'] }]], not: [] } as const
    const only = (more: Partial<ReleaseDocument>) =>
      compileRelease('none', { ...document, signatures: [signature('one', { selection: ofSales })], ...more })
    const seller = { directory: { department: 'Sales' } }

    it('finds them alone, and says why they have none', async () => {
      const variable = {
        path: 'dept',
        from: 'department',
        value: null,
        edit: false,
        resync: false,
        hidden: false,
        label: 'Department',
        group: null,
      }
      state.current = only({ variables: [variable] })
      state.people = [person('ann'), person('bob', seller), person('cid')]
      const none = { kind: 'nothingFits', asked: ['department'] }
      expect(await get('/people?without=signature')).toEqual({
        people: [
          { id: 'ann', address: 'ann@x.example', name: '', isActive: true, none },
          { id: 'cid', address: 'cid@x.example', name: '', isActive: true, none },
        ],
        next: null,
        labels: { dept: 'Department', department: 'Department' },
      })
      expect(idsIn((await get('/people?without=signature&search=CID')).people)).toEqual(['cid'])
      expect((await get('/people?search=cid')).people).toEqual([
        { id: 'cid', address: 'cid@x.example', name: '', isActive: true },
      ])
      expect((await get('/people/ann')).none).toEqual(none)
      expect((await get('/people/bob')).none).toBeNull()
    })

    it('finds a whole address only without a signature, and someone who left', async () => {
      state.current = only({})
      state.people = [person('bob', seller), person('dan', { active: false, ...seller })]
      expect(await get('/people?without=signature&search=bob@x.example')).toMatchObject({ people: [] })
      expect((await get('/people?without=signature&search=dan@x.example')).people).toMatchObject([
        { id: 'dan', none: { kind: 'hasLeft' } },
      ])
    })

    it('says nothing of the release of someone who left', async () => {
      state.current = only({
        chooseDefault: EVERYONE,
        mailboxes: [{ address: 'desk@x.example', selection: EVERYONE, values: {} }],
      })
      const chosen = { metadata: { defaultSignature: { master: 'one-dan' } } }
      state.people = [person('dan', { ...seller, ...chosen }), person('desk', seller)]
      over = { personsByAddress: async () => [person('desk', seller)] }
      const told = ({
        signatures,
        mailboxes,
        none,
        mayChooseDefault,
        default: due,
      }: Record<string, unknown>) => ({
        signatures,
        mailboxes,
        none,
        mayChooseDefault,
        due,
      })
      expect(told(await get('/people/dan'))).toMatchObject({
        signatures: [{ signature: 'one', isDefault: true }],
        mailboxes: ['desk@x.example'],
        none: null,
        mayChooseDefault: true,
        due: { choice: { master: 'one-dan' } },
      })
      expect((await get('/people/dan/signatures')).signatures).toHaveLength(1)
      state.people = state.people.map((each) => (each.id === 'dan' ? { ...each, active: false } : each))
      expect(told(await get('/people/dan'))).toEqual({
        signatures: [],
        mailboxes: [],
        none: { kind: 'hasLeft' },
        mayChooseDefault: false,
        due: null,
      })
      expect((await get('/people/dan/signatures')).signatures).toEqual([])
    })

    it('leaves out who chose a signature of a mailbox', async () => {
      const chosen = { metadata: { defaultSignature: { master: 'one-desk' } } }
      state.people = [person('ann', chosen), person('bob'), person('desk', seller)]
      over = { personsByAddress: async () => [person('desk', seller)] }
      state.current = only({ mailboxes: [{ address: 'desk@x.example', selection: EVERYONE, values: {} }] })
      expect(idsIn((await get('/people?without=signature')).people)).toEqual(['bob'])
    })

    it('goes on after an empty page, as long as people are left', async () => {
      state.current = only({})
      state.people = [...many(10_000).map((each) => ({ ...each, ...seller })), person('zoe')]
      const first = await get('/people?without=signature')
      expect(first).toMatchObject({ people: [], next: 'p09999' })
      expect(pages).toHaveLength(20)
      const rest = await get('/people?without=signature&after=p09999')
      expect([idsIn(rest.people), rest.next]).toEqual([['zoe'], null])
    })

    it('finds everyone before the first publish, and knows no other filter', async () => {
      state.people = [person('ann')]
      state.current = null
      expect((await get('/people?without=signature')).people).toMatchObject([
        { id: 'ann', none: { kind: 'nothingPublished' } },
      ])
      expect(await ask('GET', '/people?without=picture')).toMatchObject({ status: 400 })
    })
  })

  it('says no name before the first publish', async () => {
    state.people = [person('ann')]
    state.current = null
    expect((await get('/people')).people).toEqual([
      { id: 'ann', address: 'ann@x.example', name: '', isActive: true },
    ])
  })
})

describe('the signatures of a person', () => {
  beforeEach(() => {
    state.people = [person('ann', { metadata: { defaultSignature: { master: 'two-ann' } } })]
  })
  const shown = async (query: string) => {
    const { signatures, at, release: id } = await get(`/people/ann/signatures${query}`)
    const list = signatures as readonly { signature: string; isDefault: boolean; html: string }[]
    return [list.map((each) => [each.signature, each.isDefault, each.html]), at, id]
  }

  it('are those of new messages, or of replies where there is one', async () => {
    expect(await shown('')).toEqual([
      [
        ['one', false, '<p>one</p>'],
        ['two', true, '<p>two</p>'],
      ],
      ...[NOW, release.id],
    ])
    expect(await shown('?reply=true&at=5')).toEqual([
      [
        ['one', false, '<p>reply</p>'],
        ['two', true, '<p>two</p>'],
      ],
      ...[5, release.id],
    ])
    expect((await shown('?reply=false'))[0]).toContainEqual(['one', false, '<p>one</p>'])
  })

  it('[MEET-1] are those of meetings, the default first that has one', async () => {
    const { signatures } = release.document
    const withMeetings = (...ids: readonly string[]) =>
      compileRelease('r-m', {
        ...release.document,
        signatures: signatures.map((each) =>
          ids.includes(each.id) ? { ...each, meeting: 'templates/reply.html' } : each,
        ),
      })
    expect((await shown('?meeting=true'))[0]).toEqual([])
    state.current = withMeetings('one')
    expect((await shown('?meeting=true'))[0]).toEqual([['one', true, '<p>reply</p>']])
    state.current = withMeetings('one', 'two')
    expect((await shown('?meeting=true'))[0]).toEqual([
      ['one', false, '<p>reply</p>'],
      ['two', true, '<p>reply</p>'],
    ])
  })

  it('are explained at the moment that is asked for', async () => {
    expect(await get('/people/ann?at=7')).toMatchObject({
      at: 7,
      release: release.id,
      mayChooseDefault: true,
    })
    expect(await get('/people/ann')).toMatchObject({ at: NOW, default: { choice: { master: 'two-ann' } } })
    expect(await ask('GET', '/people/none')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  describe('with blocks', () => {
    const DURING = { from: '2001-09-01', to: '2001-09-30', timeZone: 'UTC' }
    const block = (id: string, more: Partial<Block> = {}): Block =>
      anyBlock({ id, name: `Named ${id}`, template: `templates/${id}.html`, ...more })
    const mayStand = {
      kind: 'mayStand',
      because: 'everyone',
      everyone: true,
      share: 100,
      during: null,
      recipients: 'everyone',
      replies: true,
    }

    beforeEach(() => {
      state.current = compileRelease('with-blocks', {
        ...document,
        internal: ['x.example'],
        blocks: [
          block('fair', { during: DURING, recipients: 'external' }),
          block('canteen', { recipients: 'internal', replies: false }),
          block('careers'),
          block('award'),
        ],
        templates: {
          'templates/one.html': '<p>one</p>{{block banner}}',
          'templates/two.html': '<p>two</p>',
          'templates/reply.html': '<p>reply</p>{{block banner}}',
          ...Object.fromEntries(
            ['fair', 'canteen', 'careers', 'award'].map((id) => [`templates/${id}.html`, `<b>${id}</b>`]),
          ),
        },
      })
    })
    const first = async (query: string) => {
      const { signatures } = await get(`/people/ann/signatures${query}`)
      const [{ html, blocks }] = signatures as [{ html: string; blocks: readonly string[] }]
      return [html, blocks]
    }

    it('show those that stand for such recipients, in a new message or a reply, and name them', async () => {
      const [fair, canteen, careers] = [['Named fair'], ['Named canteen'], ['Named careers']]
      expect(await first('')).toEqual(['<p>one</p><b>careers</b>', careers])
      expect(await first('?recipients=external')).toEqual(['<p>one</p><b>fair</b>', fair])
      expect(await first('?recipients=external&reply=true')).toEqual(['<p>reply</p><b>fair</b>', fair])
      expect(await first('?recipients=internal')).toEqual(['<p>one</p><b>canteen</b>', canteen])
      expect(await first('?recipients=internal&reply=true')).toEqual(['<p>reply</p><b>careers</b>', careers])
      const later = `?recipients=external&at=${Date.UTC(2001, 9, 1)}`
      expect(await first(later)).toEqual(['<p>one</p><b>careers</b>', careers])
      expect((await get('/people/ann/signatures')).signatures).toContainEqual({
        signature: 'two',
        name: 'Named two',
        isDefault: true,
        html: '<p>two</p>',
        blocks: [],
      })
      expect(await ask('GET', '/people/ann/signatures?recipients=all')).toMatchObject({ status: 400 })
    })

    it('[BLOCK-11] say of each block whether it may stand at a moment, and why', async () => {
      const told = async (query: string) => {
        const [slot] = (await get(`/people/ann${query}`)).blocks as readonly ExplainedSlot[]
        return [slot?.slot, slot?.blocks.map(({ name, reason }) => [name, reason])]
      }
      const others = [
        ['Named canteen', { ...mayStand, recipients: 'internal', replies: false }],
        ['Named careers', mayStand],
        ['Named award', { kind: 'always', by: 'Named careers' }],
      ]
      expect(await told('')).toEqual([
        'banner',
        [['Named fair', { ...mayStand, during: DURING, recipients: 'external' }], ...others],
      ])
      expect(await told(`?at=${Date.UTC(2001, 9, 1)}`)).toEqual([
        'banner',
        [['Named fair', { kind: 'over', during: DURING }], ...others],
      ])
      expect(await told(`?at=${Date.UTC(2001, 7, 31)}`)).toEqual([
        'banner',
        [['Named fair', { kind: 'notYet', during: DURING }], ...others],
      ])
    })

    it('[BLOCK-11] say nothing of blocks to a person without a signature', async () => {
      const { document: given } = state.current ?? { document }
      const selection = { for: [[{ by: 'person', values: ['bo@x.example'] } as const]], not: [] }
      const ofBo = given.signatures.map((each) => ({ ...each, selection }))
      state.current = compileRelease('of-bo', { ...given, signatures: ofBo })
      expect((await get('/people/ann')).blocks).toEqual([])
    })

    it('say nothing of blocks of someone who left', async () => {
      state.people = [person('ann', { active: false })]
      expect((await get('/people/ann')).blocks).toEqual([])
    })
  })

  it('are erased with the person', async () => {
    expect((await ask('DELETE', '/people/Ann@X.example')).body).toEqual({ erased: 'ann' })
    expect(written).toEqual([['erase', 'ann', 'admin@x.example']])
  })
})

it('the data of a person has every picture that was theirs, and none twice', async () => {
  const fact = (type: string, data: object) => ({ type, data, meta: { seq: 0, at: 0, source: 'x' } })
  state.people = [person('ann')]
  for (const name of ['a', 'b', 'c', 'd'])
    pictures.set(name, { mediaType: 'image/png', bytes: new Uint8Array([1]) })
  over = {
    personFacts: async () =>
      [
        fact('person/imported', { record: { picture: 'a.png' } }),
        fact('person/directoryChanged', { changed: { picture: 'b.jpg' } }),
        fact('person/directoryChanged', { changed: {} }),
        fact('person/directoryChanged', { changed: { picture: null } }),
        fact('person/pictureChanged', { picture: 'c.png' }),
        fact('person/pictureChanged', { picture: 'a.png' }),
        fact('person/departed', { picture: 'd.png' }),
        fact('person/pictureChanged', { picture: 'gone.png' }),
      ] as never,
  }
  const { pictures: found, told, directory } = await get('/people/ann/data')
  expect([found, told, directory]).toEqual([
    Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { mediaType: 'image/png', base64: 'AQ==' }])),
    ...[null, []],
  ])
})

describe('an overview', () => {
  const run = (outcome: DirectoryRun['outcome'], isTrial = false) => ({ outcome, isTrial })
  it.each<[readonly Partial<DirectoryRun>[], readonly unknown[]]>([
    [[], []],
    [[run('done')], []],
    [[run('failed')], [{ message: 'directoryFailed', count: 1 }]],
    [[run('needsLeave'), run('failed')], [{ message: 'directoryNeedsLeave', count: 1 }]],
    [[run('failed', true), run('done')], []],
    [[run('running'), run('interrupted'), run('failed')], [{ message: 'directoryFailed', count: 1 }]],
  ])('with the syncs %j has the problems %j', async (runs, problems) => {
    state.runs = runs
    expect(await get('/overview')).toMatchObject({
      problems,
      people: 0,
      mailboxes: 0,
      published: null,
      maintenance: null,
    })
  })

  it('counts who has no signature', async () => {
    state.people = many(2)
    state.current = compileRelease('none', { ...document, signatures: [] })
    expect(await get('/overview')).toMatchObject({
      release: 'none',
      people: 2,
      problems: [{ message: 'noSignature', count: 2 }],
    })
    state.current = null
    expect(await get('/overview')).toMatchObject({ release: null, mailboxes: 0 })
  })

  it.each([99, 100])('is beside an audit that has a next page after 100 facts: %i', async (count) => {
    over = {
      audit: async () =>
        Array.from({ length: count }, (_, at) => ({
          fact: {
            type: 'organisation/founded',
            data: { name: 'x', tenants: [] },
            meta: { seq: at, at, source: 'x' },
          },
          place: { at, version: at, stream: 'organisation' },
        })) as never,
    }
    const { facts, next } = await get('/audit')
    expect([(facts as unknown[]).length, next]).toEqual([count, count === 100 ? '99.99.organisation' : null])
  })
})

it('a release or a plan is answered with its document, without pictures', async () => {
  expect(await get(`/releases/${release.id}`)).toEqual({ release: release.id, document })
  expect(await ask('GET', '/releases/unknown')).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

it('an audit names the people of its facts, and those who changed their own, but none who was erased', async () => {
  const fact = (stream: string, type: string, source: string) => ({
    fact: { type, data: {}, meta: { seq: 0, at: 1, source } },
    place: { at: 1, version: 0, stream },
  })
  state.people = [person('ann'), person('bob', { addresses: [], active: false }), person('cid')]
  over = {
    audit: async () =>
      [
        fact('person/ann', 'person/departed', 'directory'),
        fact('person/bob', 'person/departed', 'cid'),
        fact('person/gone', 'person/erased', 'admin@x.example'),
        fact('organisation', 'organisation/keyRotated', 'dan'),
      ] as never,
  }
  expect(await get('/audit')).toMatchObject({
    people: {
      ann: { name: '', address: 'ann@x.example' },
      bob: { name: '', address: 'bob' },
      cid: { name: '', address: 'cid@x.example' },
    },
    labels: {},
  })
})

describe('a sync that is asked for', () => {
  it.each([
    [{ try: true, retire: false }, false],
    [{ try: false, retire: true }, true],
  ])('with %j is a fact: %s', async (options, isFact) => {
    expect((await ask('POST', '/directory/sync', options)).status).toBe(202)
    const asked = [{ type: 'askSync', mayDeactivate: options.retire }, 'admin@x.example']
    expect(written.slice(0, 2)).toEqual([
      ['sync', { isTrial: options.try, mayDeactivate: options.retire }, 'admin@x.example'],
      ...(isFact ? [asked] : []),
    ])
  })
})

describe('who calls', () => {
  const refused = async (path: string, roles: readonly string[], headers?: Record<string, string>) => {
    state.administrator = { roles, actor: 'x' }
    const { status, body } = await ask('GET', path, undefined, headers)
    return [status, body['code'], body['message']]
  }
  it.each([
    ['/releases', ['Signet.Audit'], 'The access token does not have the role Signet.Read.'],
    ['/audit', ['Signet.Read'], 'The access token does not have the role Signet.Audit.'],
    [
      ...[
        '/me',
        ['other'],
        'The access token has none of the roles Signet.Read, Signet.Publish, Signet.People, Signet.Audit, Signet.Operate.',
      ],
    ] as [string, string[], string],
  ])('of %s must have its role, not %j', async (path, roles, message) => {
    expect(await refused(path, roles)).toEqual([403, 'role_missing', message])
  })

  it.each<Record<string, string>>([
    {},
    { authorization: 'Basic x' },
    { authorization: 'Bearer ' },
    { authorization: 'Bearer a b' },
    { authorization: 'xBearer a' },
  ])('must send a token: %j', async (headers) => {
    expect(await refused('/me', [], headers)).toEqual([401, 'invalid_token', 'The access token is missing.'])
  })

  it('is told with the roles of the administration alone', async () => {
    state.administrator = { roles: ['Signet.Audit', 'Other', 'Signet.Read'], actor: 'ann' }
    const { body } = await ask('GET', '/me', undefined, { authorization: 'bearer token' })
    expect(body).toMatchObject({
      name: 'ann',
      roles: ['Signet.Read', 'Signet.Audit'],
      organisation: 'Northwind',
    })
    expect((await ask('GET', '/openapi.json', undefined, {})).status).toBe(200)
  })
})

describe('pictures and plans', () => {
  const bytes = png(3)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  const picture = { [hash]: bytes.toString('base64') }
  const send = (sent: object) => ask('POST', '/pictures', { pictures: sent })
  const missing = async (...hashes: readonly string[]) =>
    (await ask('POST', '/pictures/missing', { pictures: hashes })).body['missing']
  const other = 'f'.repeat(32)

  it('are missing until they are sent, and for a day', async () => {
    expect(await missing(hash, other, other)).toEqual([hash, other])
    expect(await send(picture)).toEqual({ status: 201, body: {} })
    expect(await missing(hash, other)).toEqual([other])
    state.now += DAY_MS - 1
    expect(await missing(hash)).toEqual([])
    state.now += 1
    expect(await missing(hash)).toEqual([hash])
    pictures.set(hash, { mediaType: 'image/png', bytes })
    expect(await missing(hash)).toEqual([])
  })

  it.each<[string, object]>([
    ['of another content', { [other]: bytes.toString('base64') }],
    [
      'that are none',
      { [createHash('sha256').update('x').digest('hex').slice(0, 32)]: Buffer.from('x').toString('base64') },
    ],
  ])('%s are refused', async (_, sent) => {
    const [name = ''] = Object.keys(sent)
    expect(await send(sent)).toEqual({
      status: 422,
      body: {
        code: 'picture_invalid',
        message: `The picture ${name} is not exactly one PNG, JPEG, GIF or WebP of that content and at most 1 MB.`,
      },
    })
  })

  const sentDocument = { ...document, organisation: 'Renamed' }
  const plan = async (change: object = {}) =>
    ask('POST', '/plans', { document: { ...sentDocument, ...change } })

  it('are made over the release that is published, and read for a day', async () => {
    state.people = many(1)
    const { status, body } = await plan()
    expect([status, body]).toMatchObject([
      201,
      {
        base: release.id,
        release: releaseIdOf(sentDocument),
        at: NOW,
        until: NOW + DAY_MS,
        closed: [],
        pictures: 'https://s.example/images',
        variables: [],
        summary: { people: 1, unchanged: 1 },
      },
    ])
    const id = createHash('sha256')
      .update(`${release.id} ${releaseIdOf(sentDocument)}`)
      .digest('hex')
      .slice(0, 32)
    expect(body['id']).toBe(id)
    expect(await get(`/plans/${id}`)).toEqual(body)
    state.now += DAY_MS - 1
    expect((await ask('GET', `/plans/${id}`)).status).toBe(200)
    state.now += 1
    expect(await ask('GET', `/plans/${id}`)).toEqual({
      status: 404,
      body: { code: 'not_found', message: 'There is no such plan any more.' },
    })
    expect((await ask('GET', '/plans/none')).status).toBe(404)
  })

  it('are no pictures', async () => {
    await send(picture)
    expect((await ask('GET', `/plans/${encodeURIComponent(`picture ${hash}`)}`)).status).toBe(404)
  })

  it('before the first release are over none', async () => {
    state.current = null
    const { body } = await plan()
    expect(body['base']).toBeNull()
    expect((await get(`/plans/${String(body['id'])}/people`)).next).toBeNull()
  })

  it('tell signatures whose period is not open', async () => {
    const during = { from: '2001-09-10', to: '2001-09-10', timeZone: 'UTC' }
    const signatures = [signature('one', { during }), signature('two')]
    expect((await plan({ signatures })).body['closed']).toEqual([
      { signature: 'one', name: 'Named one', during },
    ])
    state.now = Date.parse('2001-09-10T12:00:00Z')
    expect((await plan({ signatures })).body['closed']).toEqual([])
  })

  it('keep the pictures that they need, and need them', async () => {
    const withPicture = { pictures: { 'a.png': hash, 'b.png': hash } }
    expect(await plan(withPicture)).toEqual({
      status: 422,
      body: { code: 'picture_invalid', message: `The picture ${hash} is missing: send it first.` },
    })
    await send(picture)
    state.now += 5
    const { body } = await plan(withPicture)
    expect(plans.get(`picture ${hash}`)?.until).toBe(NOW + 5 + DAY_MS)
    const published = await ask('POST', '/releases', { plan: body['id'], note: 'x' })
    expect(published).toEqual({ status: 201, body: { release: body['release'], history: [] } })
    expect(pictures.get(hash)?.mediaType).toBe('image/png')
    expect(written).toEqual([
      [{ type: 'publish', release: body['release'], base: release.id, note: 'x' }, 'admin@x.example'],
    ])
    expect([...releases.keys()]).toEqual([body['release']])
  })

  it('whose picture went meanwhile are not published', async () => {
    await send(picture)
    const { body } = await plan({ pictures: { 'a.png': hash } })
    state.now += 1
    plans.delete(`picture ${hash}`)
    expect(await ask('POST', '/releases', { plan: body['id'] })).toEqual({
      status: 422,
      body: { code: 'picture_invalid', message: `The picture ${hash} is missing: plan once more.` },
    })
    expect(written).toEqual([])
  })

  it('of a template that is wrong are refused with its place', async () => {
    const templates = { ...document.templates, 'templates/one.html': '<p>{{#if}}</p>' }
    const { status, body } = await plan({ templates })
    expect([status, body['code']]).toEqual([422, 'template_invalid'])
    expect(body['message']).toMatch(/^templates\/one\.html:1:\d+: /)
  })

  it('have the people for whom something changes, page by page', async () => {
    state.people = many(501)
    const signatures = [signature('one', { reply: 'templates/reply.html' })]
    const { body } = await plan({ signatures })
    const path = `/plans/${String(body['id'])}/people`
    const first = await get(path)
    expect([(first['people'] as unknown[]).length, first['next']]).toEqual([500, 'p00499'])
    const second = await get(`${path}?after=p00499`)
    expect([(second['people'] as unknown[]).length, second['next']]).toEqual([1, null])
    const same = await plan()
    expect(await get(`/plans/${String(same.body['id'])}/people`)).toEqual({ people: [], next: 'p00499' })
  })

  it('are rolled back, announced and exported', async () => {
    expect(await ask('POST', '/releases/r-0/rollback', { note: 'back' })).toEqual({
      status: 200,
      body: { release: 'r-0', history: [] },
    })
    expect((await ask('PUT', '/maintenance', { status: 'planned' })).body).toEqual({ status: 'planned' })
    expect(written).toEqual([
      [{ type: 'rollBack', release: 'r-0', note: 'back' }, 'admin@x.example'],
      [{ type: 'setMaintenance', status: 'planned' }, 'admin@x.example'],
    ])
    expect(await get('/releases')).toEqual({ current: release.id, maintenance: null, history: [] })
    expect(await get('/export')).toEqual({ release: release.id, document, pictures: {} })
    state.current = null
    expect(await ask('GET', '/export')).toMatchObject({
      status: 404,
      body: { message: 'Nothing is published yet.' },
    })
    expect((await get('/releases'))['current']).toBeNull()
  })
})

it('the id of a release is the hash of its document, however large', () => {
  const large = { ...document, organisation: 'x'.repeat(200_000) }
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([one], [other]) => (one < other ? -1 : 1))
              .map(([key, each]) => [key, sorted(each)]),
          )
        : value
  for (const each of [document, large])
    expect(releaseIdOf(each)).toBe(
      createHash('sha256')
        .update(JSON.stringify(sorted(each)))
        .digest('hex')
        .slice(0, 32),
    )
})
