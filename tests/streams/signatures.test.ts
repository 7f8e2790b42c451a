import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LoggedEvent } from '../../streams/app/events.ts'
import { type AppState, evolveApp } from '../../streams/app/state.ts'
import { replay } from '../../streams/kernel/store.ts'
import { Mailbox } from '../../streams/mailbox/events.ts'
import { OWN, toEntries } from '../../streams/signatures/entry.ts'
import { Signatures } from '../../streams/signatures/events.ts'
import { contentHash } from '../../streams/html/hash.ts'
import {
  choose,
  defaultFor,
  dueDefault,
  nextPage,
  SEARCHED_PAGES,
  searchesOn,
} from '../../streams/signatures/rules.ts'
import {
  cachedSignature,
  eventOf,
  listedSignature,
  logOfTypes,
  signaturePage,
} from '../support/arbitraries.ts'
import {
  cachedSignature as standard,
  compose,
  freshState,
  listedSignature as listed,
  masterUuid,
  message,
  recorded,
  signaturePage as pageOf,
  signedInWriting,
  stateAfter,
} from '../support/state.ts'

const insertionLog = logOfTypes(
  [
    'mailbox/itemChanged',
    'mailbox/messageRead',
    'signatures/pageLoaded',
    'signatures/chosen',
    'signatures/noneChosen',
    'signatures/undoRequested',
    'signatures/defaultDue',
    'signatures/insertionProgressed',
    'signatures/insertionSucceeded',
    'signatures/insertionFailed',
    'signatures/insertionSkipped',
    'signatures/insertionSuperseded',
    'signatures/insertionSettled',
  ],
  40,
)
const anyState = insertionLog.map((log) => replay(freshState(), evolveApp, log))
const after = (state: AppState, event: LoggedEvent, seq = 50) =>
  evolveApp(state, recorded(event, seq)).signatures

describe('the entries of a list', () => {
  test('[SIG-1] an object becomes a master and one entry per variant, in order, with the defaults', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.array(listedSignature, { maxLength: 5 }),
        (page, objects) => {
          const entries = toEntries(page, objects)
          const expected = objects.flatMap((object, index) => {
            const owner = object.email ?? OWN
            const shared = {
              name: object.name,
              owner,
              order: object.order,
              collection: object.collection,
              images: object.images,
              combinedIds: object.combinedIds,
              audiences: object.audiences,
              status: 'idle',
            }
            const uuid = `${owner}-${page}-${index}-master`
            return [
              { ...shared, uuid, type: 'master', variantOf: null, code: 'master', html: object.html },
              ...object.variants.map(({ code, html }, position) => ({
                ...shared,
                uuid: `${owner}-${page}-${index}-variant-${position}`,
                type: 'variant',
                variantOf: uuid,
                code,
                html,
              })),
            ]
          })
          expect(entries).toEqual(expected)
        },
      ),
    )
  })

  test("[SIG-1] no two entries of a person's list have the same uuid, whatever pages come and how often", () => {
    fc.assert(
      fc.property(fc.array(signaturePage, { maxLength: 6 }), (pages) => {
        const { own } = stateAfter(
          ...pages.map((page) => Signatures.pageLoaded({ list: 'own', epoch: 0, page })),
        ).signatures
        expect(new Set(own.entries.map(({ uuid }) => uuid)).size).toBe(own.entries.length)
        expect(new Set(own.pages).size).toBe(own.pages.length)
      }),
    )
  })

  test('[SIG-1] the person is "user"; a delegated sender is named by address', () => {
    const owners = toEntries(1, [listed(), listed({ email: 'sales@northwind.example' })]).map(
      ({ owner }) => owner,
    )
    expect(owners).toEqual(['user', 'sales@northwind.example'])
  })
})

describe('the latest insertion', () => {
  test('is the only one that an entry may show, pending or told', () => {
    fc.assert(
      fc.property(insertionLog, (log) => {
        const { own, insertion } = replay(freshState(), evolveApp, log).signatures
        const target = insertion?.target.kind === 'entry' ? insertion.target.uuid : null
        for (const { uuid, status } of own.entries) if (status !== 'idle') expect(uuid).toBe(target)
        expect(own.entries.filter(({ status }) => status === 'pending').length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 300 },
    )
  })

  test('is not touched by what comes late of an older one', () => {
    const late = eventOf(
      'signatures/insertionProgressed',
      'signatures/insertionSucceeded',
      'signatures/insertionFailed',
      'signatures/insertionSuperseded',
      'signatures/insertionSettled',
    )
    fc.assert(
      fc.property(anyState, late, (state, event) => {
        const { insertion, own } = state.signatures
        fc.pre(insertion?.id !== event.data.id)
        const { insertion: insertionAfter, own: ownAfter } = after(state, event)
        expect(insertionAfter).toBe(insertion)
        expect(ownAfter).toBe(own)
      }),
      { numRuns: 300 },
    )
  })

  test('what went into another message says nothing about the open one', () => {
    fc.assert(
      fc.property(anyState, eventOf('signatures/insertionSucceeded'), (state, event) => {
        fc.pre(
          event.data.itemKey !== state.mailbox.item?.key &&
            event.data.itemKey !== state.signatures.insertion?.itemKey,
        )
        expect(evolveApp(state, recorded(event, 50))).toBe(state)
      }),
    )
  })

  test('tells what stands in the message', () => {
    const reason = { origin: 'manual', composeType: 'newMail', reply: false } as const
    const inMessage = { combinedIds: 'c-1-0', hash: 'h', name: 'Signature 1.1', reason }
    const uuid = masterUuid(1, 0)
    const target = { kind: 'entry', uuid } as const
    const content = { html: '<p>Signature 1.1</p>', images: [] }
    const chosen = stateAfter(
      ...signedInWriting('item-1'),
      Signatures.pageLoaded({ list: 'own', epoch: 0, page: pageOf(1) }),
      Signatures.chosen({ uuid, itemKey: 'item-1' }),
    )
    const id = chosen.signatures.insertion?.id ?? Number.NaN
    expect(chosen.signatures.own.entries.map(({ status }) => status)).toEqual([
      'pending',
      'idle',
      'idle',
      'idle',
      'idle',
    ])
    const done = evolveApp(
      chosen,
      recorded(Signatures.insertionSucceeded({ id, itemKey: 'item-1', target, inMessage, content }), 7),
    )
    expect(done.signatures).toMatchObject({ inMessage, content, insertion: { status: 'success' } })
    expect(done.signatures.own.entries[0]?.status).toBe('success')
    expect(done.mailbox.message?.stopPush).toBe(true)
    const settled = evolveApp(done, recorded(Signatures.insertionSettled({ id }), 8))
    expect(settled.signatures.own.entries[0]?.status).toBe('idle')
    expect(settled.signatures.insertion?.status).toBe('success')
  })

  test('a failed choice is told, and the message keeps what it has', () => {
    const uuid = masterUuid(1, 1)
    const chosen = stateAfter(
      ...signedInWriting('item-1', {
        inserted: { combinedIds: 'c', hash: 'h', name: 'Old', reply: false, manual: true },
      }),
      Signatures.pageLoaded({ list: 'own', epoch: 0, page: pageOf(1) }),
      Signatures.chosen({ uuid, itemKey: 'item-1' }),
    )
    const id = chosen.signatures.insertion?.id ?? Number.NaN
    const failure = { kind: 'tooLarge', characters: 40_000, limit: 30_000, parts: [] } as const
    const failed = evolveApp(
      chosen,
      recorded(
        Signatures.insertionFailed({ id, itemKey: 'item-1', target: { kind: 'entry', uuid }, failure }),
        9,
      ),
    ).signatures
    expect(failed.insertion).toMatchObject({ status: 'fail', failure })
    expect(failed.own.entries[1]?.status).toBe('fail')
    expect(failed.inMessage).toBe(chosen.signatures.inMessage)
    expect(failed.inMessage?.name).toBe('Old')
  })
})

describe('the pages of the list', () => {
  test('the next page is 1 at first, none while one is on its way, then the one after the last until all are there', () => {
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
          const loading = evolveApp(
            state,
            recorded(Signatures.pageRequested({ list: 'own', epoch: 0, page })),
          )
          expect(nextPage(loading.signatures.own)).toBeNull()
          const count = Math.min(5, total - (page - 1) * 5)
          state = evolveApp(
            loading,
            recorded(Signatures.pageLoaded({ list: 'own', epoch: 0, page: pageOf(page, count, total) })),
          )
        }
        expect(asked).toEqual(
          Array.from({ length: Math.max(1, Math.ceil(total / 5)) }, (_, index) => index + 1),
        )
        expect(state.signatures.own).toMatchObject({ offset: total, total })
      }),
    )
  })

  test('a page that failed is the next one again', () => {
    const failure = { kind: 'network' } as const
    const first = stateAfter(
      Signatures.pageRequested({ list: 'own', epoch: 0, page: 1 }),
      Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure }),
    )
    expect(nextPage(first.signatures.own)).toBe(1)
    const second = stateAfter(
      Signatures.pageLoaded({ list: 'own', epoch: 0, page: pageOf(1, 5, 12) }),
      Signatures.pageRequested({ list: 'own', epoch: 0, page: 2 }),
      Signatures.pageFailed({ list: 'own', epoch: 0, page: 2, failure }),
    )
    expect(nextPage(second.signatures.own)).toBe(2)
  })
})

describe('the hash of a content', () => {
  const html = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 60 }))

  test('is equal exactly for equal contents', () => {
    fc.assert(
      fc.property(html, html, (one, other) => {
        expect(contentHash(one) === contentHash(other)).toBe(one === other)
      }),
      { numRuns: 1_000 },
    )
  })

  test('tells apart twenty thousand contents that differ little, in characters fit for an attribute', () => {
    const hashes = Array.from({ length: 20_000 }, (_, index) => contentHash(`<p>Version ${index}</p>`))
    expect(new Set(hashes).size).toBe(20_000)
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-z]{1,12}$/)
  })
})

describe('the default signature', () => {
  test('a reply or forward gets the reply version when there is one', () => {
    fc.assert(
      fc.property(
        cachedSignature,
        fc.constantFrom('reply' as const, 'forward' as const),
        (signature, composeType) => {
          expect(defaultFor(signature, { composeType })).toEqual(
            signature.reply === null
              ? { html: signature.html, reply: false }
              : { html: signature.reply, reply: true },
          )
        },
      ),
    )
  })

  test('[HOST-5] a message whose kind the mail client could not tell counts as new', () => {
    fc.assert(
      fc.property(cachedSignature, (signature) => {
        const unknown = defaultFor(signature, { composeType: null })
        expect(unknown).toEqual({ html: signature.html, reply: false })
        expect(unknown).toEqual(defaultFor(signature, { composeType: 'newMail' }))
      }),
    )
  })

  const known = (...events: readonly LoggedEvent[]) =>
    stateAfter(...signedInWriting('item-1'), Signatures.cacheLoaded({ signature: standard() }), ...events)
      .signatures
  const hash = contentHash(standard().html)
  const newMail = { composeType: 'newMail', stopPush: false } as const

  test('is due once it is known', () => {
    expect(dueDefault(freshState().signatures, 'item-1', newMail)).toBeNull()
    expect(dueDefault(known(), 'item-1', newMail)).toBe(hash)
    const reply = { composeType: 'reply', stopPush: false } as const
    expect(dueDefault(known(), 'item-1', reply)).toBe(contentHash(standard().reply ?? ''))
  })

  test('[SIG-8] is not due where the message carries the stop-push flag', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(dueDefault(state.signatures, 'item-1', { composeType: 'newMail', stopPush: true })).toBeNull()
      }),
    )
  })

  test('is not due when it is empty', () => {
    const empty = known(Signatures.cacheLoaded({ signature: standard({ html: '' }) }))
    expect(dueDefault(empty, 'item-1', newMail)).toBeNull()
  })

  test('is not due while it is being inserted, after it failed, or when it is in', () => {
    const due = Signatures.defaultDue({ itemKey: 'item-1', hash })
    const pending = known(due)
    const id = pending.insertion?.id ?? Number.NaN
    const target = { kind: 'default' } as const
    const reason = { origin: 'default', composeType: 'newMail', reply: false } as const
    const inMessage = { combinedIds: 'c-standard', hash, name: 'Standard', reason }
    const ended = (event: LoggedEvent) =>
      evolveApp({ ...freshState(), signatures: pending }, recorded(event, 9)).signatures
    const itemKey = 'item-1'
    const failed = ended(Signatures.insertionFailed({ id, itemKey, target, failure: { kind: 'timeout' } }))
    const content = { html: standard().html, images: [] }
    const done = ended(Signatures.insertionSucceeded({ id, itemKey, target, inMessage, content }))
    for (const signatures of [pending, failed, done])
      expect(dueDefault(signatures, 'item-1', newMail)).toBeNull()
    // Another content is another matter: the service's answer replaces what storage had.
    const changed = { ...done, default: { ...done.default, signature: standard({ html: '<p>New</p>' }) } }
    expect(dueDefault(changed, 'item-1', newMail)).toBe(contentHash('<p>New</p>'))
    const changedWhilePending = { ...pending, default: changed.default }
    expect(dueDefault(changedWhilePending, 'item-1', newMail)).toBeNull()
  })

  test('is not due where the session data of the item says that it is in, or that somebody chose', () => {
    const reopened = (manual: boolean, inserted: string) =>
      known(
        Mailbox.itemChanged({ item: compose('item-2') }),
        Mailbox.messageRead({
          itemKey: 'item-2',
          message: message({
            inserted: { combinedIds: 'c-standard', hash: inserted, name: 'Standard', reply: false, manual },
          }),
        }),
      )
    expect(dueDefault(reopened(false, hash), 'item-2', newMail)).toBeNull()
    expect(dueDefault(reopened(true, 'another'), 'item-2', newMail)).toBeNull()
    expect(dueDefault(reopened(false, 'another'), 'item-2', newMail)).toBe(hash)
  })

  test('from storage gives way to an answer, and never replaces one', () => {
    const stored = standard({ name: 'Stored' })
    const answer = standard({ name: 'Answer' })
    const nameAfter = (...events: LoggedEvent[]) => stateAfter(...events).signatures.default.signature?.name
    const restored = Signatures.snapshotRestored({ signature: stored })
    const loaded = Signatures.cacheLoaded({ signature: answer })
    expect(nameAfter(restored)).toBe('Stored')
    expect(nameAfter(restored, loaded)).toBe('Answer')
    expect(nameAfter(loaded, restored)).toBe('Answer')
  })
})

describe('what would go into a message', () => {
  const entry = (uuid: string) => ({ kind: 'entry', uuid }) as const
  const state = stateAfter(
    Signatures.cacheLoaded({ signature: standard() }),
    Signatures.pageLoaded({
      list: 'own',
      epoch: 0,
      page: { page: 1, total: 1, objects: [listed({ variants: [{ code: 'reply', html: '<p>Short</p>' }] })] },
    }),
  ).signatures

  test('says why: the default, as reply version or not', () => {
    expect(choose(state, { kind: 'default' }, { composeType: 'reply' })).toMatchObject({
      html: '<p>Alex</p>',
      reason: { origin: 'default', composeType: 'reply', reply: true },
    })
    expect(choose(state, { kind: 'default' }, { composeType: null })).toMatchObject({
      html: '<p>Alex Kim, Northwind</p>',
      reason: { origin: 'default', composeType: null, reply: false },
    })
    expect(choose(freshState().signatures, { kind: 'default' }, { composeType: null })).toBeNull()
  })

  test('says why: the entry that was chosen, and whether it is a reply version', () => {
    expect(choose(state, entry('user-1-0-variant-0'), { composeType: 'newMail' })).toMatchObject({
      html: '<p>Short</p>',
      reason: { origin: 'manual', composeType: 'newMail', reply: true },
    })
    expect(choose(state, entry(masterUuid(1, 0)), { composeType: 'reply' })).toMatchObject({
      reason: { origin: 'manual', reply: false },
    })
    expect(choose(state, entry('gone'), { composeType: 'newMail' })).toBeNull()
  })
})

test('[CHOOSE-4] a search goes through all pages that there are, and never on for ever', () => {
  const lengths = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(lengths, fc.constantFrom(1, 7, 40, 1e9), (sizes, total) => {
      let collection = freshState().signatures.own
      let page = 1
      do {
        const objects = pageOf(page, sizes[(page - 1) % sizes.length] ?? 0).objects
        collection = after(
          { ...freshState(), signatures: { ...freshState().signatures, own: collection } },
          Signatures.pageLoaded({ list: 'own', epoch: 0, page: { page, total, objects } }),
        ).own
        page++
      } while (searchesOn(collection) && page < 1_000)
      const isAll = collection.offset >= total
      expect(collection.pages.length === SEARCHED_PAGES || isAll).toBe(true)
      expect(searchesOn({ ...collection, status: 'fail' })).toBe(false)
      expect(searchesOn({ ...collection, status: 'pending' })).toBe(false)
    }),
    { numRuns: 30 },
  )
})
