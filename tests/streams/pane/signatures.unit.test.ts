import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { App, type LoggedEvent } from '../../../streams/pane/events.ts'
import { type AppState, evolveApp } from '../../../streams/pane/state.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { wasBegunBy, idleStatus } from '../../../streams/kernel/load.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Picture } from '../../../streams/pane/picture/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { OWN_OWNER, toEntries } from '../../../streams/message/signatures/entry.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { nextPage, MAX_SEARCHED_PAGES } from '../../../streams/message/signatures/list.ts'
import { fitsAudience } from '../../../streams/html/slots.ts'
import { matchesSearch } from '../../../streams/pane/signatures/search.ts'
import { selectIsListLoading, selectListedEntries } from '../../../streams/pane/signatures/selectors.ts'
import { Variables } from '../../../streams/pane/variables/events.ts'
import { eventOf, failure as anyFailure, listedSignature, signaturePage } from '../../support/arbitraries.ts'
import {
  freshState,
  listedSignature as listed,
  profile,
  recorded,
  verification,
  signaturePage as pageOf,
  stateAfter,
} from '../../support/state.ts'

const NETWORK = { kind: 'network' } as const
const REFUSED = { kind: 'http', status: 403, code: null, data: null } as const
const verified = Auth.verified(verification())
const nextRequested = Signatures.nextPageRequested({ list: 'own' })
const pageLoaded = (page = pageOf(1), epoch = 0) => Signatures.pageLoaded({ list: 'own', epoch, page })
const pageFailed = (page: number, failure: typeof NETWORK | typeof REFUSED = NETWORK) =>
  Signatures.pageFailed({ list: 'own', epoch: 0, page, failure })
const delegatedLoaded = Signatures.pageLoaded({
  list: 'delegated',
  epoch: 0,
  page: { page: 1, total: 1, objects: [listed({ email: 'sales@northwind.example' })] },
})
const profileLoaded = (delegations: readonly string[]) => Profile.loaded({ value: profile({ delegations }) })
const variablesSaved = Variables.saved({ sent: {}, saved: { values: {}, changedFields: [] } })
const pictureSaved = Picture.saved({ url: 'https://a.example/me.png' })

const after = (state: AppState, event: LoggedEvent, seq = 50) => evolveApp(state, recorded(event, seq))
const namesOf = (state: AppState) => selectListedEntries(state).map(({ entry }) => entry.name)

describe('the entries of a list', () => {
  test('[SIG-1] an object becomes a master and one entry per variant, in order, idle at first', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.array(listedSignature, { maxLength: 5 }),
        (page, objects) => {
          const entries = toEntries(page, objects)
          const expected = objects.flatMap((object, index) => {
            const owner = object.email ?? OWN_OWNER
            const shared = {
              page,
              name: object.name,
              owner,
              order: object.order,
              collection: object.collection,
              images: object.images,
              combinedIds: object.combinedIds,
              audiences: object.audiences,
              ...(object.copies && { copies: object.copies }),
            }
            const entryId = `${owner}-${page}-${index}-master`
            return [
              { ...shared, entryId, type: 'master', variantOf: null, code: 'master', html: object.html },
              ...object.variants.map(({ code, html }, position) => ({
                ...shared,
                entryId: `${owner}-${page}-${index}-variant-${position}`,
                type: 'variant',
                variantOf: entryId,
                code,
                html,
              })),
            ]
          })
          expect(entries).toEqual(expected)
          const loaded = pageLoaded({ page, total: objects.length, objects })
          for (const isMeeting of [false, true]) {
            const item = {
              key: 'item-1',
              mode: 'compose' as const,
              ...(isMeeting && { isMeeting: true as const }),
            }
            const drawn = selectListedEntries(stateAfter(Mailbox.itemChanged({ item }), loaded))
            const shown = expected.filter(({ code }) =>
              isMeeting ? code === 'master' || code === 'meeting' : code !== 'meeting',
            )
            expect(drawn.map(({ entry }) => entry)).toEqual(shown)
            expect(drawn.map(({ status }) => status)).toEqual(shown.map(() => 'idle'))
          }
        },
      ),
    )
  })

  test("[SIG-1] no two entries of a user's list have the same entryId, for any pages in any order", () => {
    fc.assert(
      fc.property(fc.array(signaturePage, { maxLength: 6 }), (pages) => {
        const { own } = stateAfter(...pages.map((page) => pageLoaded(page))).signatures
        expect(new Set(own.entries.map(({ entryId }) => entryId)).size).toBe(own.entries.length)
        expect(new Set(own.pages).size).toBe(own.pages.length)
      }),
    )
  })

  test('[SIG-1] the owner is "user" for the user, an address for a delegated sender', () => {
    const owners = toEntries(1, [listed(), listed({ email: 'sales@northwind.example' })]).map(
      ({ owner }) => owner,
    )
    expect(owners).toEqual(['user', 'sales@northwind.example'])
  })
})

describe('an entry of a list', () => {
  const entry = { name: 'Überall Team', owner: 'user', code: 'master', collection: 'main' }

  test.each([
    ['', true],
    ['uber', true],
    ['TEAM üb', true],
    ['U\u0308ber', true],
    ['\uFF34\uFF25\uFF21\uFF2D', true],
    ['eam', false],
    ['master', true],
    ['user', false],
    ['team sales', false],
  ])('is found by the beginnings of its words: %j', (query, found) => {
    expect(matchesSearch(entry, query)).toBe(found)
  })

  test('moves to the front of the recently used five when it is inserted, and a default does not', () => {
    const inserted = fc.record({
      combinedIds: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
      kind: fc.constantFrom('entry' as const, 'default' as const),
    })
    fc.assert(
      fc.property(fc.array(inserted, { maxLength: 12 }), (insertions) => {
        const { recent } = stateAfter(
          ...insertions.map(({ combinedIds, kind }) =>
            Insertion.succeeded({
              id: 0,
              itemKey: 'item-1',
              target: kind === 'entry' ? { kind, entryId: 'user-1-0-master' } : { kind },
              inMessage: {
                combinedIds,
                hash: 'h',
                name: '',
                reason: { origin: 'manual', composeType: null, reply: false },
              },
              content: { html: '', images: [] },
            }),
          ),
        ).signatures
        const latest = insertions.filter(({ kind }) => kind === 'entry').toReversed()
        expect(recent).toEqual([...new Set(latest.map(({ combinedIds }) => combinedIds))].slice(0, 5))
      }),
    )
  })

  test.each([
    [[], ['a.example'], true],
    [['a.example'], [], true],
    [['A.example', 'b.example'], ['a.example', 'b.example'], true],
    [['a.example'], ['a.example', 'b.example'], false],
    [['!a.example'], [], true],
    [['!A.example', '!b.example'], ['a.example', 'b.example'], false],
    [['!a.example', '!b.example'], ['a.example', 'c.example'], true],
    [['!a.example'], ['sub.a.example'], true],
    [['a.example', 'b.example', '!a.example'], ['a.example', 'b.example'], true],
    [['a.example', 'b.example', '!a.example'], ['a.example'], false],
    [['a.example', '!b.example'], ['c.example'], false],
  ])('[SIG-10] meant for %j fits %j: %s', (audiences, domains, fits) => {
    expect(fitsAudience({ audiences }, domains)).toBe(fits)
  })
})

describe('the pages of a list', () => {
  test('load one after the other until all are there, the first one with the session', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 }), (total) => {
        let state = freshState()
        const asked: number[] = []
        for (
          let page = nextPage(state.signatures.own);
          page !== null;
          page = nextPage(state.signatures.own)
        ) {
          asked.push(page)
          const request = recorded<LoggedEvent>(page === 1 ? verified : nextRequested, page)
          const loading = evolveApp(state, request)
          expect(wasBegunBy(loading.signatures.own.load, request)).toBe(true)
          expect(nextPage(loading.signatures.own)).toBeNull()
          expect(after(loading, nextRequested)).toBe(loading)
          const count = Math.min(5, total - (page - 1) * 5)
          state = after(loading, pageLoaded(pageOf(page, count, total)))
        }
        expect(asked).toEqual(
          Array.from({ length: Math.max(1, Math.ceil(total / 5)) }, (_, index) => index + 1),
        )
        expect(state.signatures.own).toMatchObject({ offset: total, total })
        expect(after(state, nextRequested)).toBe(state)
      }),
    )
  })

  test('a second sign-in loads no page again, and none follows before the first is there', () => {
    const loading = stateAfter(verified)
    expect(after(loading, verified).signatures).toBe(loading.signatures)
    const loaded = stateAfter(verified, pageLoaded())
    expect(after(loaded, verified).signatures).toBe(loaded.signatures)
    expect(after(freshState(), nextRequested)).toEqual(freshState())
  })

  test('a page that failed is the next one again, and loads when the user retries', () => {
    const first = stateAfter(verified, pageFailed(1))
    expect(nextPage(first.signatures.own)).toBe(1)
    const second = stateAfter(verified, pageLoaded(pageOf(1, 5, 12)), nextRequested, pageFailed(2))
    expect(nextPage(second.signatures.own)).toBe(2)
    for (const state of [first, second]) {
      const retry = recorded(App.retryRequested(), 7)
      const { own } = evolveApp(state, retry).signatures
      expect(wasBegunBy(own.load, retry)).toBe(true)
      expect(own.entries).toBe(state.signatures.own.entries)
    }
  })

  test('an answer from before a reset changes nothing', () => {
    fc.assert(
      fc.property(eventOf('signatures/pageLoaded', 'signatures/pageFailed'), (late) => {
        fc.pre(late.data.list === 'own' && late.data.epoch !== 1)
        const reset = stateAfter(verified, variablesSaved)
        expect(reset.signatures.own.epoch).toBe(1)
        expect(after(reset, late)).toBe(reset)
      }),
    )
  })

  test('of other owners load with a profile that names delegations, once', () => {
    const alone = stateAfter(verified, profileLoaded([]))
    expect(alone.signatures.delegated.load).toEqual(idleStatus)
    const answer = recorded(profileLoaded(['u-2']), 7)
    const delegated = evolveApp(alone, answer)
    expect(wasBegunBy(delegated.signatures.delegated.load, answer)).toBe(true)
    expect(after(delegated, profileLoaded(['u-2'])).signatures.delegated).toBe(delegated.signatures.delegated)
    const loaded = after(delegated, delegatedLoaded)
    expect(after(loaded, profileLoaded(['u-2'])).signatures.delegated).toBe(loaded.signatures.delegated)
  })
})

describe('lists after a change', () => {
  const loaded = stateAfter(verified, profileLoaded(['u-2']), pageLoaded(), delegatedLoaded)

  test('of variables: the own list is empty until the reload; a list of others stays', () => {
    const { signatures } = after(loaded, variablesSaved)
    expect(signatures.own).toMatchObject({ load: idleStatus, entries: [], epoch: 1 })
    expect(signatures.delegated).toBe(loaded.signatures.delegated)
  })

  test.each([pictureSaved, Picture.deleted()])('of the picture: both lists are, $type', (change) => {
    const { signatures } = after(loaded, change)
    expect(signatures.own).toMatchObject({ load: idleStatus, entries: [], epoch: 1 })
    expect(signatures.delegated).toMatchObject({ load: idleStatus, entries: [], epoch: 1 })
  })

  test('load again when the reload is due, and are being checked until the answer', () => {
    const changed = after(loaded, pictureSaved)
    expect(selectIsListLoading(changed)).toBe(true)
    const due = recorded(Signatures.reloadDue(), 60)
    const reloading = evolveApp(changed, due)
    for (const list of ['own', 'delegated'] as const)
      expect(wasBegunBy(reloading.signatures[list].load, due)).toBe(true)
    const ends = [
      pageLoaded(pageOf(1), 1),
      Signatures.pageFailed({ list: 'own', epoch: 1, page: 1, failure: NETWORK }),
    ]
    for (const end of ends) expect(selectIsListLoading(after(reloading, end))).toBe(false)
  })

  test('are refreshed when the user has loaded them before the reload is due, and no further page loads', () => {
    const long = { ...pageOf(1), total: 9 }
    const refreshed = [
      variablesSaved,
      Signatures.refreshRequested(),
      Signatures.refreshed({ epoch: 1, own: long, delegated: null }),
    ].reduce<AppState>((state, event, index) => after(state, event, 60 + index), loaded)
    const due = recorded(Signatures.reloadDue(), 70)
    const reloading = evolveApp(refreshed, due)
    expect(wasBegunBy(reloading.signatures.refresh, due)).toBe(true)
    expect(reloading.signatures.own).toBe(refreshed.signatures.own)
    const ended = after(reloading, Signatures.refreshed({ epoch: 2, own: long, delegated: null }), 71)
    expect(ended.signatures.own.entries).toHaveLength(5)
    expect(selectIsListLoading(ended)).toBe(false)
  })

  test('put the first page in place of all pages, and a page that was asked for before is not taken', () => {
    const second = Signatures.pageLoaded({ list: 'own', epoch: 0, page: { ...pageOf(2), total: 99 } })
    const { own } = after(loaded, second).signatures
    const refreshed = after(
      after(loaded, second),
      Signatures.refreshed({ epoch: own.epoch, own: { ...pageOf(1), total: 99 }, delegated: null }),
      60,
    )
    expect(refreshed.signatures.own).toMatchObject({ pages: [1], epoch: own.epoch + 1 })
    const late = Signatures.pageLoaded({ list: 'own', epoch: own.epoch, page: { ...pageOf(2), total: 99 } })
    expect(after(refreshed, late, 61).signatures.own).toBe(refreshed.signatures.own)
  })

  test('of variables leaves the pages of shared signatures as they are', () => {
    const more = Signatures.pageLoaded({ list: 'delegated', epoch: 0, page: { ...pageOf(1), total: 9 } })
    const shared = [profileLoaded(['u-sales']), more].reduce<AppState>(
      (state, event) => after(state, event),
      stateAfter(verified, pageLoaded()),
    )
    const next = Signatures.nextPageRequested({ list: 'delegated' })
    const empty = after(shared, variablesSaved)
    const reloading = after(empty, Signatures.reloadDue(), 61)
    expect(reloading.signatures.own.load.status).toBe('pending')
    expect(reloading.signatures.delegated).toBe(shared.signatures.delegated)
    // Without the own list, the end of the other comes into view.
    for (const state of [empty, reloading])
      expect(after(state, next, 62).signatures.delegated).toBe(shared.signatures.delegated)
    const ended = after(reloading, pageLoaded(pageOf(1), 1), 63)
    expect(after(ended, next, 64).signatures.delegated.load.status).toBe('pending')
  })
})

describe('[SIG-4] people who share their signatures', () => {
  const loaded = stateAfter(verified, profileLoaded(['u-2']), pageLoaded(), delegatedLoaded)

  test('and are others than before have the lists read again, in place of a request for the former', () => {
    for (const before of [loaded, after(loaded, Signatures.refreshRequested())]) {
      const others = recorded(profileLoaded(['u-3']), 77)
      const asked = evolveApp(before, others)
      expect(asked.signatures.delegations).toEqual(['u-3'])
      expect(asked.signatures.unshared).toBe(77)
      expect(wasBegunBy(asked.signatures.refresh, others)).toBe(true)
      expect(asked.signatures.delegated).toBe(before.signatures.delegated)
    }
  })

  test('and are the same have nothing read again, also after a refusal', () => {
    const failure = { kind: 'http', status: 403, code: 'not_delegated', data: null } as const
    const refused = after(loaded, Signatures.refreshFailed({ failure }), 76)
    expect(refused.profile.status).toBe('pending')
    expect(after(refused, profileLoaded(['u-2']), 77).signatures).toBe(refused.signatures)
  })

  test('and are none any more leave no list; one that begins to load is left', () => {
    const none = after(loaded, profileLoaded([]), 77)
    const { epoch } = none.signatures.own
    const read = Signatures.refreshed({ epoch, own: pageOf(1, 2), delegated: null })
    const empty = { load: idleStatus, entries: [], pages: [], total: 0 }
    expect(none.signatures.delegated).toMatchObject(empty)
    expect(none.signatures.refresh.status).toBe('pending')
    expect(after(none, read).signatures.delegated).toMatchObject(empty)
    const again = after(none, profileLoaded(['u-2']), 78)
    expect(after(again, read).signatures.delegated.entries).toBe(again.signatures.delegated.entries)
  })
})

describe('a refresh', () => {
  const loaded = stateAfter(verified, pageLoaded())
  const refreshed = Signatures.refreshed({ epoch: 0, own: pageOf(1, 2), delegated: null })

  test('keeps the shown entries until its answer, which takes their place', () => {
    const refreshing = after(loaded, Signatures.refreshRequested())
    expect(refreshing.signatures.own).toBe(loaded.signatures.own)
    expect(after(refreshing, Signatures.refreshRequested()).signatures).toBe(refreshing.signatures)
    const failed = after(refreshing, Signatures.refreshFailed({ failure: NETWORK }))
    expect(failed.signatures.own).toBe(loaded.signatures.own)
    expect(namesOf(after(refreshing, refreshed))).toEqual(['Signature 1.1', 'Signature 1.2'])
  })

  test('from before a reset ends without changing a list', () => {
    const reset = [Signatures.refreshRequested(), variablesSaved].reduce<AppState>(
      (state, event) => after(state, event),
      loaded,
    )
    const { signatures } = after(reset, refreshed)
    expect(signatures.own).toBe(reset.signatures.own)
    expect(signatures.refresh).toEqual({ status: 'success' })
  })

  test('begins when the service is back, only after a failure that passes by itself', () => {
    const back = recorded(App.serviceReachable(), 60)
    for (const end of [pageFailed(2), Signatures.refreshFailed({ failure: NETWORK })]) {
      const { signatures } = evolveApp(after(loaded, end), back)
      expect(wasBegunBy(signatures.refresh, back)).toBe(true)
      expect(signatures.own.entries).toBe(loaded.signatures.own.entries)
    }
    for (const end of [
      pageFailed(2, REFUSED),
      Signatures.refreshFailed({ failure: REFUSED }),
      nextRequested,
    ]) {
      const before = after(loaded, end)
      expect(evolveApp(before, back).signatures).toBe(before.signatures)
    }
  })
})

describe('a copy', () => {
  test('has the outcome that was told last, and goes with the item', () => {
    fc.assert(
      fc.property(fc.constantFrom('a', 'b'), fc.constantFrom('a', 'b'), anyFailure, (one, other, failure) => {
        const copying = stateAfter(
          Signatures.copyRequested({ entryId: one }),
          Signatures.copyRequested({ entryId: other }),
        )
        for (const entryId of [one, other]) {
          const copied = after(copying, Signatures.copied({ entryId }))
          expect(copied.signatures.copy).toEqual({ entryId, attempt: { status: 'success' } })
          const refused = after(copied, Signatures.copyFailed({ entryId, failure }))
          expect(refused.signatures.copy).toEqual({ entryId, attempt: { status: 'fail', failure } })
          const left = after(refused, Mailbox.itemChanged({ item: null }))
          expect(left.signatures.copy).toBeNull()
          expect(after(left, Signatures.copied({ entryId })).signatures.copy).toBeNull()
        }
      }),
    )
  })
})

describe('a search', () => {
  const searched = (query: string, shared = false) => Signatures.searched({ query, shared })
  const isLoading = ({ signatures: { own } }: AppState) => own.load.status === 'pending'

  test('[CHOOSE-4] loads all pages up to a limit, and none beyond', () => {
    const lengths = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(lengths, fc.constantFrom(1, 7, 40, 1e9), (sizes, total) => {
        let page = 1
        const next = (state: AppState) => {
          const { objects } = pageOf(page, sizes[(page - 1) % sizes.length] ?? 0)
          return after(state, pageLoaded({ page: page++, total, objects }), page)
        }
        let state = after(next(freshState()), searched('short'))
        while (isLoading(state) && page < 1_000) state = next(state)
        const { own } = state.signatures
        expect(own.pages.length === MAX_SEARCHED_PAGES || own.offset >= total).toBe(true)
        expect(own.pages.length).toBeLessThanOrEqual(MAX_SEARCHED_PAGES)
      }),
      { numRuns: 30 },
    )
  })

  const first = stateAfter(verified, pageLoaded({ ...pageOf(1, 2), total: 9 }))
  const second = pageLoaded({ ...pageOf(2, 2), total: 9 })

  test('[CHOOSE-4] loads the next page when it begins, and again after each page', () => {
    const searching = after(first, searched('short'), 60)
    expect(wasBegunBy(searching.signatures.own.load, { meta: { seq: 60 } })).toBe(true)
    const further = after(searching, second, 61)
    expect(wasBegunBy(further.signatures.own.load, { meta: { seq: 61 } })).toBe(true)
  })

  test.each([
    ['the user ends it', searched('')],
    ['only shared signatures are searched', searched('short', true)],
    ['another page of the pane is shown', Router.navigated({ path: '/app/settings/app' })],
  ])('loads no further page once %s', (_, event) => {
    const ended = after(after(first, searched('short'), 60), event, 61)
    expect(isLoading(after(ended, second, 62))).toBe(false)
  })

  test('goes no further after a failure, and on when the user retries', () => {
    const stopped = after(after(first, searched('short'), 60), pageFailed(2), 61)
    expect(stopped.signatures.own.load.status).toBe('fail')
    const retried = after(after(stopped, App.retryRequested(), 62), second, 63)
    expect(wasBegunBy(retried.signatures.own.load, { meta: { seq: 63 } })).toBe(true)
  })

  test('does not load a page again that the service gives twice', () => {
    const twice = after(after(first, searched('short'), 60), pageLoaded({ ...pageOf(1, 2), total: 9 }), 61)
    expect(isLoading(twice)).toBe(false)
  })

  test('begins again with a list that was refreshed', () => {
    const all = after(after(first, searched('short'), 60), pageLoaded({ ...pageOf(2, 7), total: 9 }), 61)
    expect(isLoading(all)).toBe(false)
    const { epoch } = all.signatures.own
    const own = { ...pageOf(1, 2), total: 9 }
    const refreshed = after(all, Signatures.refreshed({ epoch, own, delegated: null }), 62)
    expect(wasBegunBy(refreshed.signatures.own.load, { meta: { seq: 62 } })).toBe(true)
  })
})
