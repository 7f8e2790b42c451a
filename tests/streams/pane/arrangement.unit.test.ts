import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LoggedEvent } from '../../../streams/pane/events.ts'
import { type AppState, evolveApp } from '../../../streams/pane/state.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { type ComposeType, Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Picture } from '../../../streams/pane/picture/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { signaturesPath } from '../../../streams/pane/router/routes.ts'
import { MAX_ARRANGED_PAGES, MAX_RECENT_SHOWN } from '../../../streams/pane/signatures/arrangement.ts'
import { lastArrangedPage } from '../../../streams/pane/signatures/arranging.ts'
import { type ListName, Signatures } from '../../../streams/message/signatures/events.ts'
import type { ListedSignature, SignaturePage } from '../../../streams/wire/signatures.ts'
import { PAGE_SIZE, pageAfter, MAX_SEARCHED_PAGES } from '../../../streams/message/signatures/list.ts'
import { MAX_FAVOURITES, mergeFavourites, withFavourite } from '../../../streams/message/signatures/rules.ts'
import {
  type ListedEntry,
  selectCollections,
  selectFolderEntries,
  selectIsArranging,
  selectListedEntries,
  selectListGroups,
  selectOwnerGroups,
  selectSignatureCount,
} from '../../../streams/pane/signatures/selectors.ts'
import { logOfTypes } from '../../support/arbitraries.ts'
import {
  cachedSignature,
  compose,
  freshState,
  listedSignature,
  message,
  profile,
  recorded,
  replyVersion,
  session,
  stateAfter,
} from '../../support/state.ts'

const SALES = 'sales@northwind.example'
const MARIA = 'maria.silva@northwind.example'

/** What a service serves, and what the user chose: ids of signatures, which may not exist. */
type World = Readonly<{
  own: readonly ListedSignature[]
  delegated: readonly ListedSignature[]
  master: string
  reply: string
  favourites: readonly string[]
  recent: readonly string[]
}>

const named = (combinedIds: string, over: Partial<ListedSignature> = {}) =>
  listedSignature({ name: combinedIds, combinedIds, html: `<p>${combinedIds}</p>`, ...over })

const listOf = (
  prefix: string,
  count: number,
  over: (index: number) => Partial<ListedSignature> = () => ({}),
) => Array.from({ length: count }, (_, index) => named(`${prefix}${index}`, over(index)))

const world: fc.Arbitrary<World> = fc
  .record({
    own: fc.integer({ min: 1, max: 18 }),
    delegated: fc.integer({ min: 0, max: 12 }),
    versions: fc.integer({ min: 0, max: 3 }),
    owners: fc.array(fc.constantFrom(SALES, MARIA), { minLength: 12, maxLength: 12 }),
  })
  .chain(({ own, delegated, versions, owners }) => {
    const variants = (index: number) => ({
      variants: index % 4 < versions ? [{ code: 'reply', html: `<p>reply ${index}</p>` }] : [],
    })
    const ids = fc.oneof(
      { weight: 4, arbitrary: fc.nat(own - 1).map((index) => `o${index}`) },
      { weight: 2, arbitrary: fc.nat(Math.max(0, delegated - 1)).map((index) => `d${index}`) },
      fc.constant('gone'),
    )
    return fc.record({
      own: fc.constant(listOf('o', own, variants)),
      delegated: fc.constant(
        listOf('d', delegated, (index) => ({ ...variants(index), email: owners[index] ?? SALES })),
      ),
      master: ids,
      reply: ids,
      favourites: fc.uniqueArray(ids, { maxLength: 4 }),
      recent: fc.uniqueArray(ids, { maxLength: 5 }),
    })
  })

const pageOf = (all: readonly ListedSignature[], page: number): SignaturePage => ({
  page,
  total: all.length,
  objects: all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
})

const defaultsLoaded = ({ master, reply }: Pick<World, 'master' | 'reply'>) =>
  Defaults.loaded({
    value: cachedSignature({
      combinedIds: master,
      reply: replyVersion('<p>reply</p>', { name: reply, combinedIds: reply }),
    }),
  })

const writing = (itemKey: string, composeType: ComposeType): readonly LoggedEvent[] => [
  Mailbox.itemChanged({ item: compose(itemKey) }),
  Mailbox.messageRead({ itemKey, message: message({ composeType }) }),
]

/** A signed-in user writes a message, and everything but the lists is known. */
const before = (given: World, composeType: ComposeType = 'newMail') =>
  stateAfter(
    Auth.sessionRecovered({ session: session() }),
    ...writing('item-1', composeType),
    Profile.loaded({ value: profile({ delegations: given.delegated.length === 0 ? [] : ['u-1'] }) }),
    defaultsLoaded(given),
    Signatures.recentRestored({ recent: given.recent }),
    Signatures.favouritesRestored({ favourites: given.favourites }),
  )

const after = (state: AppState, ...events: readonly LoggedEvent[]) =>
  replayLog(
    state,
    evolveApp,
    events.map((event, index) => recorded(event, 100 + index)),
  )

const pendingLists = ({ signatures }: AppState): readonly ListName[] =>
  (['own', 'delegated'] as const).filter((list) => signatures[list].load.status === 'pending')

const answered = (state: AppState, given: World, list: ListName) => {
  const { epoch } = state.signatures[list]
  return after(
    state,
    Signatures.pageLoaded({ list, epoch, page: pageOf(given[list], pageAfter(state.signatures[list]) ?? 1) }),
  )
}

/** The state when every request is answered, the answers in this order. */
function served(state: AppState, given: World, first: ListName = 'own'): AppState {
  const pending = pendingLists(state)
  const [list] = pending.includes(first) ? [first] : pending
  return list === undefined ? state : served(answered(state, given, list), given, first)
}

const idsOf = (entries: readonly ListedEntry[]) => entries.map(({ entry }) => entry.combinedIds)
const mastersOf = (entries: readonly ListedEntry[]) =>
  idsOf(entries.filter(({ entry }) => entry.type === 'master'))

const groupOf = (state: AppState, wanted: string) =>
  mastersOf(selectListGroups(state).find(({ kind }) => kind === wanted)?.entries ?? [])

/** The signatures above the rest, by group. */
const leadingOf = (state: AppState) =>
  (['default', 'favourites', 'recent'] as const).map((kind) => groupOf(state, kind))

const placesOf = (state: AppState) => [
  ...selectListGroups(state).map(({ entries }) => entries),
  ...selectOwnerGroups(state).map(({ entries }) => entries),
]

/** Whether the shorter of both is the beginning of the longer one. */
const begins = (one: readonly string[], other: readonly string[]) =>
  one.slice(0, other.length).join() === other.slice(0, one.length).join()

const ofWorld = (over: Partial<World>): World => ({
  own: listOf('o', 18),
  delegated: [],
  master: 'o0',
  reply: 'o0',
  favourites: [],
  recent: [],
  ...over,
})

const refreshed = (state: AppState, given: World) => {
  const upTo = (list: ListName): SignaturePage => {
    const page = lastArrangedPage(state.signatures, list)
    return { page, total: given[list].length, objects: given[list].slice(0, page * PAGE_SIZE) }
  }
  return after(
    state,
    Signatures.refreshRequested(),
    Signatures.refreshed({
      epoch: state.signatures.own.epoch,
      own: upTo('own'),
      delegated: given.delegated.length === 0 ? null : upTo('delegated'),
    }),
  )
}

describe('every loaded entry', () => {
  test('is in exactly one place, and no group is empty, in every state', () => {
    fc.assert(
      fc.property(logOfTypes(), (log) => {
        const state = replayLog(freshState(), evolveApp, log)
        const places = placesOf(state)
        expect(places.every((entries) => entries.length > 0)).toBe(true)
        expect(new Set(places.flat())).toEqual(new Set(selectListedEntries(state)))
        expect(places.flat()).toHaveLength(selectListedEntries(state).length)
      }),
    )
  })

  test('is directly below its master when it is a variant, in whatever group', () => {
    fc.assert(
      fc.property(world, fc.constantFrom<ComposeType>('newMail', 'reply'), (given, composeType) => {
        const state = served(before(given, composeType), given)
        for (const entries of placesOf(state))
          entries.forEach(({ entry }, index) => {
            if (entry.type === 'variant') expect(entries[index - 1]?.entry.entryId).toBe(entry.variantOf)
          })
      }),
    )
  })
})

describe('the groups of the list', () => {
  test('[CHOOSE-8] are the default, the favourites as they were made, the three used last, and the rest', () => {
    fc.assert(
      fc.property(world, fc.constantFrom<ListName>('own', 'delegated'), (given, first) => {
        const state = served(before(given), given, first)
        const all = [...given.own, ...given.delegated].map(({ combinedIds }) => combinedIds)
        const standard = [given.master].filter((ids) => all.includes(ids))
        const favourites = given.favourites.filter((ids) => all.includes(ids) && !standard.includes(ids))
        const recent = given.recent
          .filter((ids) => all.includes(ids) && ![...standard, ...favourites].includes(ids))
          .slice(0, MAX_RECENT_SHOWN)
        const leading = [...standard, ...favourites, ...recent]
        expect(selectIsArranging(state)).toBe(false)
        expect(leadingOf(state)).toEqual([standard, favourites, recent])
        const loaded = state.signatures.own.entries.map(({ combinedIds }) => combinedIds)
        expect(groupOf(state, 'rest')).toEqual(
          all.filter((ids) => ids.startsWith('o') && loaded.includes(ids) && !leading.includes(ids)),
        )
        expect(selectListGroups(state).map(({ kind }) => kind)).toEqual(
          (['default', 'favourites', 'recent', 'rest'] as const).filter(
            (kind) => groupOf(state, kind).length > 0,
          ),
        )
      }),
    )
  })

  test.each<[ComposeType, readonly string[]]>([
    ['newMail', ['o3']],
    ['reply', ['o12', 'o3']],
    ['forward', ['o12', 'o3']],
  ])('begin in a %s with %j', (composeType, first) => {
    const given = ofWorld({ master: 'o3', reply: 'o12' })
    expect(groupOf(served(before(given, composeType), given), 'default')).toEqual(first)
  })

  test('begin with the default of another user, too', () => {
    const given = ofWorld({ delegated: listOf('d', 9, () => ({ email: SALES })), master: 'd7' })
    const state = served(before(given), given, 'delegated')
    expect(groupOf(state, 'default')).toEqual(['d7'])
    expect(selectOwnerGroups(state).map(({ entries }) => mastersOf(entries))).toEqual([
      ['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd8'],
    ])
  })

  test('[CHOOSE-8] stay where they are, whatever happens while the user looks', () => {
    const happening = fc.constantFrom(
      ...(['next', 'nextShared', 'search', 'folder', 'favourite', 'unmark', 'default', 'insert'] as const),
      ...(['refresh', 'picture', 'profile', 'sender', 'read'] as const),
    )
    fc.assert(
      fc.property(
        world,
        fc.array(fc.tuple(happening, fc.nat(17)), { maxLength: 8 }),
        fc.constantFrom<ListName>('own', 'delegated'),
        (given, happened, first) => {
          const drawn = served(before(given), given, first)
          let state = drawn
          for (const [what, index] of happened) {
            const { combinedIds } = given.own[index % given.own.length] ?? named('gone')
            const { epoch } = state.signatures.own
            const step = {
              next: () => after(state, Signatures.nextPageRequested({ list: 'own' })),
              nextShared: () => after(state, Signatures.nextPageRequested({ list: 'delegated' })),
              search: () => after(state, Signatures.searched({ query: 'x', shared: false })),
              folder: () => after(state, Router.navigated({ path: signaturesPath('campaigns') })),
              favourite: () => after(state, Signatures.favouriteChanged({ combinedIds, isFavourite: true })),
              unmark: () => after(state, Signatures.favouriteChanged({ combinedIds, isFavourite: false })),
              default: () => after(state, defaultsLoaded({ master: combinedIds, reply: combinedIds })),
              insert: () =>
                after(
                  state,
                  Insertion.succeeded({
                    id: 1,
                    itemKey: 'item-1',
                    target: { kind: 'entry', entryId: 'any' },
                    inMessage: {
                      name: '',
                      combinedIds,
                      hash: '',
                      reason: { origin: 'manual', composeType: 'newMail', reply: false },
                    },
                    content: { html: '', images: [] },
                  }),
                ),
              refresh: () => refreshed(state, given),
              picture: () => after(state, Picture.saved({ url: '' }), Signatures.reloadDue()),
              profile: () =>
                after(
                  state,
                  Profile.loaded({ value: profile({ delegations: state.signatures.delegations }) }),
                ),
              sender: () =>
                after(
                  state,
                  Mailbox.senderChanged({ itemKey: 'item-1', from: { address: SALES, name: '' } }),
                ),
              read: () =>
                after(
                  state,
                  Mailbox.messageRead({ itemKey: 'item-1', message: message({ composeType: 'reply' }) }),
                ),
            }[what]
            state = served(step(), given, first)
            expect(epoch).toBeLessThanOrEqual(state.signatures.own.epoch)
            expect(selectIsArranging(state)).toBe(false)
            expect(leadingOf(state)).toEqual(leadingOf(drawn))
            expect(begins(groupOf(state, 'rest'), groupOf(drawn, 'rest'))).toBe(true)
            for (const { owner, entries } of selectOwnerGroups(drawn)) {
              const now = selectOwnerGroups(state).find((group) => group.owner === owner)?.entries ?? []
              expect(begins(mastersOf(now), mastersOf(entries))).toBe(true)
            }
          }
        },
      ),
    )
  })

  test('a later page is added below the rest, also one with a signature that was not found before', () => {
    const given = ofWorld({ own: listOf('o', 70), favourites: ['o60'] })
    const drawn = served(before(given), given)
    expect(drawn.signatures.own.pages).toHaveLength(MAX_ARRANGED_PAGES)
    const rest = groupOf(drawn, 'rest')
    let state = drawn
    for (let page = 0; page < 4; page += 1)
      state = served(after(state, Signatures.nextPageRequested({ list: 'own' })), given)
    expect(groupOf(state, 'favourites')).toEqual([])
    expect(groupOf(state, 'rest')).toEqual([
      ...rest,
      ...listOf('o', 70)
        .slice(50)
        .map(({ name }) => name),
    ])
    expect(selectListedEntries(state).find(({ entry }) => entry.name === 'o60')?.isFavourite).toBe(true)
  })

  test('lose entries that are gone, and nothing else moves', () => {
    const given = ofWorld({ favourites: ['o7', 'o2'], recent: ['o1'] })
    const drawn = served(before(given), given)
    const without = { ...given, own: given.own.filter(({ name }) => name !== 'o2') }
    const state = refreshed(drawn, without)
    expect(leadingOf(state)).toEqual([['o0'], ['o7'], ['o1']])
    expect(groupOf(state, 'rest')).toEqual(['o3', 'o4', 'o5', 'o6', 'o8', 'o9', 'o10'])
    // It comes back: not above what the user looks at.
    expect(leadingOf(refreshed(state, given))).toEqual([['o0'], ['o7'], ['o1']])
  })

  test('are taken again when another message is read, and not before', () => {
    const given = ofWorld({ master: 'o3', reply: 'o12', favourites: ['o1'] })
    const drawn = served(before(given), given)
    const marked = after(
      drawn,
      Signatures.favouriteChanged({ combinedIds: 'o1', isFavourite: false }),
      Signatures.favouriteChanged({ combinedIds: 'o2', isFavourite: true }),
    )
    const [opened, read] = writing('item-2', 'reply')
    const opening = after(marked, ...(opened ? [opened] : []))
    expect(leadingOf(opening)).toEqual(leadingOf(drawn))
    const looking = after(opening, ...(read ? [read] : []))
    expect(selectIsArranging(looking)).toBe(true)
    expect(leadingOf(served(looking, given))).toEqual([['o12', 'o3'], ['o2'], []])
    // No message is open: nothing to arrange for.
    expect(leadingOf(after(drawn, Mailbox.itemChanged({ item: null })))).toEqual(leadingOf(drawn))
  })
})

describe('the pages ahead', () => {
  test('[SIG-3] none is loaded when everything that is looked for is on the first', () => {
    const given = ofWorld({ master: 'o4', favourites: ['o1', 'o2'], recent: ['o3'] })
    const state = answered(before(given), given, 'own')
    expect(pendingLists(state)).toEqual([])
    expect(selectIsArranging(state)).toBe(false)
  })

  test('load one after the other until everything is found, and the list waits', () => {
    const given = ofWorld({ master: 'o12' })
    const first = answered(before(given), given, 'own')
    expect([pendingLists(first), selectIsArranging(first)]).toEqual([['own'], true])
    const second = answered(first, given, 'own')
    expect([pendingLists(second), selectIsArranging(second)]).toEqual([['own'], true])
    const third = answered(second, given, 'own')
    expect([pendingLists(third), selectIsArranging(third)]).toEqual([[], false])
    expect(third.signatures.own.pages).toEqual([1, 2, 3])
    expect(groupOf(third, 'default')).toEqual(['o12'])
  })

  test('end after ten, and when one fails', () => {
    const given = ofWorld({ own: listOf('o', 80), master: 'o79' })
    const state = served(before(given), given)
    expect(state.signatures.own.pages).toHaveLength(MAX_ARRANGED_PAGES)
    expect(selectIsArranging(state)).toBe(false)
    const failed = after(
      answered(before(given), given, 'own'),
      Signatures.pageFailed({ list: 'own', epoch: 0, page: 2, failure: { kind: 'timeout' } }),
    )
    expect([pendingLists(failed), selectIsArranging(failed)]).toEqual([[], false])
    expect(groupOf(failed, 'rest')).toHaveLength(PAGE_SIZE)
  })

  test('a fourth recently used signature needs none, and takes the place of one that is gone', () => {
    const given = ofWorld({ recent: ['o1', 'o2', 'o3', 'o17'] })
    expect(served(before(given), given).signatures.own.pages).toEqual([1])
    const other = ofWorld({ recent: ['o1', 'gone', 'o3', 'o17'] })
    expect(groupOf(served(before(other), other), 'recent')).toEqual(['o1', 'o3', 'o17'])
  })

  test('the list waits for what its first groups depend on, and goes on without what fails', () => {
    const given = ofWorld({})
    const started = stateAfter(Auth.sessionRecovered({ session: session() }), ...writing('item-1', 'newMail'))
    const loaded = answered(started, given, 'own')
    const [opened] = writing('item-2', 'newMail')
    const missing: readonly LoggedEvent[] = [
      Profile.loadFailed({ failure: { kind: 'timeout' } }),
      Defaults.loadFailed({ failure: { kind: 'timeout' } }),
      Signatures.recentRestored({ recent: [] }),
      Signatures.favouritesRestored({ favourites: [] }),
    ]
    for (const left of missing) {
      const state = after(loaded, ...missing.filter((each) => each !== left))
      expect(selectIsArranging(state)).toBe(true)
      expect(selectIsArranging(after(state, left))).toBe(false)
    }
    expect(selectIsArranging(after(loaded, ...(opened ? [opened] : []), ...missing))).toBe(true)
  })

  test('the shared list is drawn without the own one, when that fails', () => {
    const given = ofWorld({ delegated: listOf('d', 3, () => ({ email: SALES })) })
    const failed = after(
      before(given),
      Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure: { kind: 'timeout' } }),
    )
    expect(selectIsArranging(failed)).toBe(true)
    expect(selectIsArranging(served(failed, given))).toBe(false)
  })
})

describe('the favourites', () => {
  test('are kept in the order in which they were made, each once, the last hundred', () => {
    const change = fc.record({ combinedIds: fc.nat(120).map(String), isFavourite: fc.boolean() })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 300 }), (changes) => {
        const { favourites } = stateAfter(
          ...changes.map((each) => Signatures.favouriteChanged(each)),
        ).signatures
        let expected: string[] = []
        for (const { combinedIds, isFavourite } of changes) {
          if (expected.includes(combinedIds) === isFavourite) continue
          expected = isFavourite
            ? [...expected, combinedIds].slice(-MAX_FAVOURITES)
            : expected.filter((ids) => ids !== combinedIds)
        }
        expect(favourites).toEqual(expected)
      }),
    )
    const full = Array.from({ length: MAX_FAVOURITES }, (_, index) => String(index))
    expect(withFavourite(full, { combinedIds: 'new', isFavourite: true })).toEqual([...full.slice(1), 'new'])
  })

  test('keep in storage what another pane changed meanwhile', () => {
    expect(mergeFavourites(['a', 'b', 'theirs'], ['a', 'b'], ['b', 'mine'])).toEqual(['b', 'theirs', 'mine'])
    expect(mergeFavourites(['a'], ['a', 'b'], ['a', 'b'])).toEqual(['a'])
    expect(mergeFavourites(['mine'], [], ['mine'])).toEqual(['mine'])
    const full = Array.from({ length: MAX_FAVOURITES }, (_, index) => String(index))
    expect(mergeFavourites(full, [], ['mine'])).toEqual([...full.slice(1), 'mine'])
  })

  test('are forgotten, as recently used ones are, when the complete lists do not have them', () => {
    const given = ofWorld({
      delegated: listOf('d', 7, () => ({ email: SALES })),
      favourites: ['gone', 'd6', 'o1'],
      recent: ['o2', 'lost'],
    })
    const { favourites, recent } = served(before(given), given).signatures
    expect([favourites, recent]).toEqual([['d6', 'o1'], ['o2']])
  })

  test('stay while a list is not complete, and when the service lists nothing', () => {
    const long = ofWorld({ own: listOf('o', 80), favourites: ['gone'], recent: ['lost'] })
    const empty = ofWorld({ own: [], favourites: ['gone'], recent: ['lost'] })
    for (const given of [long, empty]) {
      const { favourites, recent } = served(before(given), given).signatures
      expect([favourites, recent]).toEqual([['gone'], ['lost']])
    }
    const shared = ofWorld({ delegated: listOf('d', 2, () => ({ email: SALES })), favourites: ['d1'] })
    const own = [2, 3, 4].reduce(
      (state) => answered(state, shared, 'own'),
      answered(before(shared), shared, 'own'),
    )
    expect(own.signatures.own.entries).toHaveLength(18)
    expect(own.signatures.favourites).toEqual(['d1'])
  })
})

describe('the collections', () => {
  const collections = ['main', 'campaigns', 'partners', 'delegations']
  const given = ofWorld({
    own: listOf('o', 18, (index) => ({
      collection: index > 15 ? 'late' : (collections[index % 4] ?? 'main'),
      variants: index === 1 ? [{ code: 'reply', html: '<p>reply</p>' }] : [],
    })),
    delegated: listOf('d', 2, () => ({ email: SALES, collection: 'theirs' })),
  })

  test('are in the order in which they are seen: a later page adds to the end', () => {
    const first = served(before(given), given)
    expect(selectCollections(first)).toEqual(['campaigns', 'partners', 'theirs'])
    const all = served(after(first, Signatures.searched({ query: 'x', shared: false })), given)
    expect(selectCollections(all)).toEqual(['campaigns', 'partners', 'theirs', 'late'])
  })

  test('without signatures are forgotten when the lists are complete', () => {
    const all = served(after(before(given), Signatures.searched({ query: 'x', shared: false })), given)
    const fewer = { ...given, own: given.own.slice(0, 2) }
    expect(selectCollections(refreshed(all, fewer))).toEqual(['campaigns', 'theirs'])
  })

  test('in an open folder, page after page loads until all are there', () => {
    const open = (path: string) =>
      served(after(served(before(given), given), Router.navigated({ path })), given)
    expect(open(signaturesPath('campaigns')).signatures.own.entries).toHaveLength(19)
    for (const folder of ['main', 'delegations'])
      expect(open(signaturesPath(folder)).signatures.own.pages).toEqual([1])
    expect(open('/app/dashboard').signatures.own.pages).toEqual([1])
    const long = ofWorld({ own: listOf('o', 600) })
    const folder = Router.navigated({ path: signaturesPath('campaigns') })
    expect(served(after(before(long), folder), long).signatures.own.pages).toHaveLength(MAX_SEARCHED_PAGES)
  })

  test('have their entries, those of others by owner', () => {
    const all = served(after(before(given), Router.navigated({ path: signaturesPath('theirs') })), given)
    const { own, shared } = selectFolderEntries('campaigns')(all)
    expect([mastersOf(own), shared]).toEqual([['o1', 'o5', 'o9', 'o13'], []])
    expect(own).toHaveLength(5)
    const theirs = selectFolderEntries('theirs')(all)
    expect(theirs.own).toEqual([])
    expect(theirs.shared.map(({ owner, entries }) => [owner, idsOf(entries)])).toEqual([
      [SALES, ['d0', 'd1']],
    ])
    expect(selectFolderEntries('none')(all)).toEqual({ own: [], shared: [] })
  })

  test.each([
    ['/app/dashboard', 20],
    [signaturesPath('main'), 20],
    [signaturesPath('delegations'), 2],
    [signaturesPath('campaigns'), 4],
    [signaturesPath('unknown'), 20],
  ])('%s counts %i signatures, however many are loaded', (path, count) => {
    expect(selectSignatureCount(served(after(before(given), Router.navigated({ path })), given))).toBe(count)
  })
})
