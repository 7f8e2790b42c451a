import type { InsertionReason } from '../../../streams/message/signatures/signature.ts'
import type { SignatureNames } from '../../../streams/wire/signatures.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LoggedEvent } from '../../../streams/pane/events.ts'
import { type AppState, evolveApp } from '../../../streams/pane/state.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { chooseContent } from '../../../streams/message/insertion/choose.ts'
import { dueContentHash } from '../../../streams/message/insertion/rules.ts'
import { defaultVersionFor } from '../../../streams/message/senders/rules.ts'
import { selectDueSignature } from '../../../streams/message/senders/selectors.ts'
import { selectUndoDirection } from '../../../streams/pane/insertion/selectors.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { selectListedEntries } from '../../../streams/pane/signatures/selectors.ts'
import { cachedSignature, eventOf, logOfTypes } from '../../support/arbitraries.ts'
import {
  cachedSignature as standard,
  compose,
  freshState,
  listedSignature as listed,
  masterId,
  message,
  recorded,
  signaturePage as pageOf,
  signedInWriting,
  stateAfter,
} from '../../support/state.ts'

const insertionLog = logOfTypes(
  [
    'mailbox/itemChanged',
    'mailbox/messageRead',
    'signatures/pageLoaded',
    'insertion/chosen',
    'insertion/noneChosen',
    'insertion/undoRequested',
    'insertion/defaultDue',
    'insertion/progressed',
    'insertion/succeeded',
    'insertion/failed',
    'insertion/skipped',
    'insertion/superseded',
    'insertion/settled',
  ],
  40,
)
const anyState = insertionLog.map((log) => replayLog(freshState(), evolveApp, log))
const after = (state: AppState, event: LoggedEvent, seq = 50) => evolveApp(state, recorded(event, seq))
const statusesOf = (state: AppState) => selectListedEntries(state).map(({ status }) => status)
const latestId = ({ insertion }: AppState) => insertion.latest?.id ?? Number.NaN

describe('the latest insertion', () => {
  test('is the only one that an entry may show, pending or ended', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        const { latest } = state.insertion
        const target = latest?.target.kind === 'entry' ? latest.target.entryId : null
        const entries = selectListedEntries(state)
        for (const { entry, status } of entries) if (status !== 'idle') expect(entry.entryId).toBe(target)
        expect(entries.filter(({ status }) => status === 'pending').length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 300 },
    )
  })

  test('is not changed by late events of an older one', () => {
    const late = eventOf(
      'insertion/progressed',
      'insertion/succeeded',
      'insertion/failed',
      'insertion/superseded',
      'insertion/settled',
    )
    fc.assert(
      fc.property(anyState, late, (state, event) => {
        fc.pre(state.insertion.latest?.id !== event.data.id)
        const next = after(state, event)
        expect(next.insertion.latest).toBe(state.insertion.latest)
        expect(statusesOf(next)).toEqual(statusesOf(state))
        expect(next.signatures.own).toBe(state.signatures.own)
      }),
      { numRuns: 300 },
    )
  })

  test('into another message says nothing about the open one', () => {
    fc.assert(
      fc.property(anyState, eventOf('insertion/succeeded'), (state, event) => {
        fc.pre(
          event.data.itemKey !== state.mailbox.item?.key &&
            event.data.itemKey !== state.insertion.latest?.itemKey,
        )
        const next = after(state, event)
        expect(next.insertion).toBe(state.insertion)
        expect(next.mailbox).toBe(state.mailbox)
        // The entry was used all the same; nothing else changes.
        const { recent } = state.signatures
        expect({ ...next, signatures: { ...next.signatures, recent } }).toEqual(state)
      }),
    )
  })

  test('says which signature is in the message', () => {
    const reason = { origin: 'manual', composeType: 'newMail', reply: false } as const
    const inMessage = { combinedIds: 'c-1-0', hash: 'h', name: 'Signature 1.1', reason }
    const entryId = masterId(1, 0)
    const target = { kind: 'entry', entryId } as const
    const content = { html: '<p>Signature 1.1</p>', images: [] }
    const chosen = stateAfter(
      ...signedInWriting('item-1'),
      Signatures.pageLoaded({ list: 'own', epoch: 0, page: pageOf(1) }),
      Insertion.chosen({ entryId, itemKey: 'item-1' }),
    )
    const id = latestId(chosen)
    expect(statusesOf(chosen)).toEqual(['pending', 'idle', 'idle', 'idle', 'idle'])
    const done = after(chosen, Insertion.succeeded({ id, itemKey: 'item-1', target, inMessage, content }), 7)
    expect(done.insertion).toMatchObject({
      inMessage,
      content,
      latest: { attempt: { status: 'success' }, settled: false },
    })
    expect(statusesOf(done)[0]).toBe('success')
    expect(done.mailbox.message?.stopPush).toBe(true)
    const settled = after(done, Insertion.settled({ id }), 8)
    expect(statusesOf(settled)[0]).toBe('idle')
    expect(settled.insertion.latest?.attempt).toEqual({ status: 'success' })
  })

  test('that failed shows why, and the message keeps its signature', () => {
    const entryId = masterId(1, 1)
    const chosen = stateAfter(
      ...signedInWriting('item-1', {
        inserted: { combinedIds: 'c', hash: 'h', name: 'Old', reply: false, origin: 'manual' },
      }),
      Signatures.pageLoaded({ list: 'own', epoch: 0, page: pageOf(1) }),
      Insertion.chosen({ entryId, itemKey: 'item-1' }),
    )
    const failure = { kind: 'tooLarge', characters: 40_000, limit: 30_000, parts: [] } as const
    const failed = after(
      chosen,
      Insertion.failed({
        id: latestId(chosen),
        itemKey: 'item-1',
        target: { kind: 'entry', entryId },
        failure,
      }),
      9,
    )
    expect(failed.insertion.latest?.attempt).toEqual({ status: 'fail', failure })
    expect(statusesOf(failed)[1]).toBe('fail')
    expect(failed.insertion.inMessage).toBe(chosen.insertion.inMessage)
    expect(failed.insertion.inMessage?.name).toBe('Old')
  })
})

describe('what the message had before', () => {
  const reason = { origin: 'manual', composeType: 'newMail', reply: false } as const
  const inMessage = (hash: string) => ({ combinedIds: 'c', hash, name: hash, reason })
  const insert = (state: AppState, hash: string, seq: number) => {
    const chosen = after(state, Insertion.chosen({ entryId: masterId(1, 0), itemKey: 'item-1' }), seq)
    const target = { kind: 'entry', entryId: masterId(1, 0) } as const
    const content = { html: hash, images: [] }
    const end = { id: seq, itemKey: 'item-1', target, inMessage: inMessage(hash), content }
    return { chosen, done: after(chosen, Insertion.succeeded(end), seq + 1) }
  }
  const writing = stateAfter(...signedInWriting('item-1'))

  test('can be restored after an insertion, not while one is under way', () => {
    expect(selectUndoDirection(writing)).toBeNull()
    const first = insert(writing, 'first', 1).done
    expect(first.insertion.previous).toEqual({ inMessage: null, content: null, by: 'undo' })
    expect(selectUndoDirection(first)).toBe('undo')
    const second = insert(first, 'second', 3)
    expect(selectUndoDirection(second.chosen)).toBeNull()
    const { previous } = second.done.insertion
    expect(previous).toEqual({
      inMessage: inMessage('first'),
      content: { html: 'first', images: [] },
      by: 'undo',
    })
    expect(chooseContent(second.done, { kind: 'previous' }, { composeType: 'newMail' })).toMatchObject({
      html: 'first',
      combinedIds: 'c',
    })
    // The same content again replaces nothing.
    expect(insert(second.done, 'second', 5).done.insertion.previous).toBe(previous)
  })

  test('is a choice of the user once it is restored, also when it was the default', () => {
    const { done } = insert(writing, 'second', 3)
    const reason = { origin: 'default', composeType: 'reply', reply: true } as const
    const previous = {
      inMessage: { ...inMessage('first'), reason },
      content: { html: 'first', images: [] },
      by: 'undo',
    } as const
    const state = { ...done, insertion: { ...done.insertion, previous } }
    expect(chooseContent(state, { kind: 'previous' }, { composeType: 'reply' })?.reason).toEqual({
      origin: 'putBack',
      composeType: 'reply',
      reply: true,
    })
  })

  test('is the body from before the first of several alterations, until it is restored', () => {
    const { done } = insert(writing, 'first', 1)
    const [before, later] = [createSecret('before'), createSecret('later')]
    const itemKey = 'item-1'
    const altered = [before, later].reduce(
      (state, body) => after(state, Insertion.bodyAltered({ itemKey, before: body })),
      done,
    )
    expect(altered.insertion.bodyBefore).toBe(before)
    const restoring = after(altered, Insertion.bodyRestoreRequested({ itemKey }), 60)
    expect(restoring.insertion.bodyRestore).toEqual({ status: 'pending', asked: 60 })
    const restored = after(restoring, Insertion.bodyRestored({ itemKey }))
    expect(restored.insertion).toMatchObject({ bodyBefore: null, inMessage: null, previous: null })
    const elsewhere = Insertion.bodyAltered({ itemKey: 'item-2', before })
    expect(after(done, elsewhere)).toBe(done)
  })
})

describe('an interrupted choice', () => {
  const itemGone = Insertion.failed({
    id: 7,
    itemKey: 'item-1',
    target: { kind: 'entry', entryId: masterId(1, 0) },
    failure: { kind: 'itemGone' },
  })
  const moved = stateAfter(...signedInWriting('item-2'), itemGone)

  test('shows in the next message until the user chooses there, or closes it', () => {
    expect(moved.insertion.interrupted).toBe(true)
    const next = after(moved, Mailbox.itemChanged({ item: compose('item-3') }))
    expect(next.insertion.interrupted).toBe(true)
    expect(after(next, Insertion.noneChosen({ itemKey: 'item-3' })).insertion.interrupted).toBe(false)
    expect(after(next, Mailbox.itemChanged({ item: null })).insertion.interrupted).toBe(false)
  })
})

describe('the default signature', () => {
  const named = ({ name, combinedIds }: SignatureNames): SignatureNames => ({ name, combinedIds })

  test('a reply or forward gets the reply version when there is one, without a name if the service did not say whose it is', () => {
    fc.assert(
      fc.property(
        cachedSignature,
        fc.constantFrom('reply' as const, 'forward' as const),
        (signature, composeType) => {
          expect(defaultVersionFor(signature, { composeType })).toEqual(
            signature.reply === null
              ? { ...named(signature), html: signature.html, reply: false }
              : {
                  ...(signature.reply.of ?? { ...named(signature), name: '' }),
                  html: signature.reply.html,
                  reply: true,
                },
          )
        },
      ),
    )
  })

  test('[HOST-5] a message of unknown kind counts as new', () => {
    fc.assert(
      fc.property(cachedSignature, (signature) => {
        const unknown = defaultVersionFor(signature, { composeType: null })
        expect(unknown).toEqual({ ...named(signature), html: signature.html, reply: false })
        expect(unknown).toEqual(defaultVersionFor(signature, { composeType: 'newMail' }))
      }),
    )
  })

  const known = (...events: readonly LoggedEvent[]) =>
    stateAfter(...signedInWriting('item-1'), Defaults.loaded({ value: standard() }), ...events)
  const hash = contentHash(standard().html)
  const newMail = { stopPush: false } as const
  const due = (state: AppState, itemKey: string, to: Parameters<typeof dueContentHash>[3]) =>
    dueContentHash(state.insertion, selectDueSignature(state), itemKey, to)

  test('is due once it is known', () => {
    expect(due(freshState(), 'item-1', newMail)).toBeNull()
    expect(due(known(), 'item-1', newMail)).toBe(hash)
    const replying = stateAfter(
      ...signedInWriting('item-1', { composeType: 'reply' }),
      Defaults.loaded({ value: standard() }),
    )
    expect(due(replying, 'item-1', newMail)).toBe(contentHash(standard().reply?.html ?? ''))
  })

  test('[SIG-8] is not due in a message with the stop-push flag', () => {
    fc.assert(
      fc.property(anyState, cachedSignature, ({ insertion }, signature) => {
        expect(dueContentHash(insertion, signature, 'item-1', { stopPush: true })).toBeNull()
      }),
    )
  })

  test('is not due when it is empty', () => {
    const empty = known(Defaults.loaded({ value: standard({ html: '' }) }))
    expect(due(empty, 'item-1', newMail)).toBeNull()
  })

  test('is not due while it is being inserted, after it failed, or once it is inserted', () => {
    const pending = known(Insertion.defaultDue({ itemKey: 'item-1', hash }))
    const id = latestId(pending)
    const target = { kind: 'default' } as const
    const reason = { origin: 'default', composeType: 'newMail', reply: false } as const
    const inMessage = { combinedIds: 'c-standard', hash, name: 'Standard', reason }
    const itemKey = 'item-1'
    const content = { html: standard().html, images: [] }
    const failed = after(pending, Insertion.failed({ id, itemKey, target, failure: { kind: 'timeout' } }))
    const done = after(pending, Insertion.succeeded({ id, itemKey, target, inMessage, content }))
    for (const state of [pending, failed, done]) expect(due(state, 'item-1', newMail)).toBeNull()
    // A newer content is due: the service's answer replaces the one from storage.
    const newer = Defaults.loaded({ value: standard({ html: '<p>New</p>' }) })
    expect(due(after(done, newer), 'item-1', newMail)).toBe(contentHash('<p>New</p>'))
    expect(due(after(pending, newer), 'item-1', newMail)).toBeNull()
  })

  test('[SIG-8] is not due over a choice that failed, nor while one is under way, in the same message only', () => {
    const target = { kind: 'entry', entryId: masterId(1, 0) } as const
    const pending = known(Insertion.chosen({ entryId: target.entryId, itemKey: 'item-1' }))
    const failure = { kind: 'timeout' } as const
    const failed = after(
      pending,
      Insertion.failed({ id: latestId(pending), itemKey: 'item-1', target, failure }),
    )
    for (const state of [pending, failed]) {
      expect(due(state, 'item-1', newMail)).toBeNull()
      expect(due(state, 'item-2', newMail)).toBe(hash)
    }
  })

  test("is not due when the item's session data names it, or a choice of the user", () => {
    const reopened = (origin: InsertionReason['origin'], inserted: string) =>
      known(
        Mailbox.itemChanged({ item: compose('item-2') }),
        Mailbox.messageRead({
          itemKey: 'item-2',
          message: message({
            inserted: { combinedIds: 'c-standard', hash: inserted, name: 'Standard', reply: false, origin },
          }),
        }),
      )
    expect(due(reopened('default', hash), 'item-2', newMail)).toBeNull()
    expect(due(reopened('manual', 'another'), 'item-2', newMail)).toBeNull()
    expect(due(reopened('putBack', 'another'), 'item-2', newMail)).toBeNull()
    expect(due(reopened('default', 'another'), 'item-2', newMail)).toBe(hash)
  })
})

describe('what would go into a message', () => {
  const entry = (entryId: string) => ({ kind: 'entry', entryId }) as const
  const state = stateAfter(
    Defaults.loaded({ value: standard() }),
    Signatures.pageLoaded({
      list: 'own',
      epoch: 0,
      page: { page: 1, total: 1, objects: [listed({ variants: [{ code: 'reply', html: '<p>Short</p>' }] })] },
    }),
  )

  test('says why: the default, as reply version or not', () => {
    expect(chooseContent(state, { kind: 'default' }, { composeType: 'reply' })).toMatchObject({
      html: '<p>Alex</p>',
      reason: { origin: 'default', composeType: 'reply', reply: true },
    })
    expect(chooseContent(state, { kind: 'default' }, { composeType: null })).toMatchObject({
      html: '<p>Alex Kim, Northwind</p>',
      reason: { origin: 'default', composeType: null, reply: false },
    })
    expect(chooseContent(freshState(), { kind: 'default' }, { composeType: null })).toBeNull()
  })

  test('says why: the chosen entry, and whether it is a reply version', () => {
    expect(chooseContent(state, entry('user-1-0-variant-0'), { composeType: 'newMail' })).toMatchObject({
      html: '<p>Short</p>',
      reason: { origin: 'manual', composeType: 'newMail', reply: true },
    })
    expect(chooseContent(state, entry(masterId(1, 0)), { composeType: 'reply' })).toMatchObject({
      reason: { origin: 'manual', reply: false },
    })
    expect(chooseContent(state, entry('gone'), { composeType: 'newMail' })).toBeNull()
  })

  test('is nothing after the user chose no signature', () => {
    expect(chooseContent(state, { kind: 'none' }, { composeType: 'reply' })).toMatchObject({
      html: '',
      combinedIds: '',
      reason: { origin: 'manual', composeType: 'reply' },
    })
    expect(chooseContent(state, { kind: 'previous' }, { composeType: 'reply' })).toBeNull()
  })
})
