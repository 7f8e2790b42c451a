import {
  selectEntryToRetry,
  selectInsertedVersion,
  selectShownInMessage,
} from '../../../streams/pane/insertion/selectors.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { expect, test } from 'vitest'
import { selectItemStatus } from '../../../streams/pane/mailbox/selectors.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import {
  selectFolderEntries,
  selectListedEntries,
  selectListGroups,
  selectOwnerGroups,
} from '../../../streams/pane/signatures/selectors.ts'
import {
  cachedSignature,
  freshState,
  listedSignature,
  masterId,
  replyVersion,
  signedInWriting,
  stateAfter,
} from '../../support/state.ts'

const REPLY = '<p>Alex</p>'
const SHORT = '<p>A. K.</p>'
const loaded = [
  ...signedInWriting('item-1'),
  Defaults.loaded({ value: cachedSignature({ reply: replyVersion(REPLY) }) }),
  Signatures.pageLoaded({
    list: 'own',
    epoch: 0,
    page: {
      page: 1,
      total: 2,
      objects: [
        listedSignature({ variants: [{ code: 'reply', html: REPLY }] }),
        listedSignature({ name: 'Short', combinedIds: 'c-short', html: SHORT }),
      ],
    },
  }),
]
const inserted = (html: string, combinedIds: string) =>
  Mailbox.messageRead({
    itemKey: 'item-1',
    message: {
      composeType: 'reply',
      bodyType: 'html',
      from: null,
      to: [],
      cc: [],
      stopPush: false,
      inserted: { combinedIds, hash: contentHash(html), name: 'Standard', reply: true, origin: 'default' },
    },
  })

test('a selector gives the same object for the same state, so that nothing is drawn twice', () => {
  const state = stateAfter(
    ...loaded,
    inserted(REPLY, 'c-standard'),
    Insertion.chosen({ entryId: masterId(1, 1), itemKey: 'item-1' }),
  )
  for (const select of [
    ...[selectListedEntries, selectListGroups, selectOwnerGroups, selectFolderEntries('main')],
    ...[selectShownInMessage, selectInsertedVersion, selectEntryToRetry],
  ])
    expect(select(state)).toBe(select({ ...state }))
})

test('the variant whose content is in the message is the one in use, and no other', () => {
  const listed = selectListedEntries(stateAfter(...loaded, inserted(REPLY, 'c-standard')))
  expect(listed.map(({ inUse }) => inUse)).toEqual([false, true, false])
})

test('a version whose content changed since, or has other blocks, is still the one in use', () => {
  const listed = selectListedEntries(stateAfter(...loaded, inserted('<p>old</p>', 'c-standard')))
  expect(listed.map(({ inUse }) => inUse)).toEqual([false, true, false])
})

test('the default and its reply version have their roles', () => {
  const listed = selectListedEntries(stateAfter(...loaded))
  expect(listed.map(({ role }) => role)).toEqual(['default', 'defaultReply', null])
})

test('the inserted signature has its content only when the list has the same content', () => {
  const known = selectShownInMessage(stateAfter(...loaded, inserted(SHORT, 'c-short')))
  expect(known?.content?.html).toBe(SHORT)
  const unknown = selectShownInMessage(stateAfter(...loaded, inserted('<p>old</p>', 'c-short')))
  expect(unknown).toMatchObject({ inMessage: { name: 'Standard' }, content: null })
})

test('a failed default is retried with the list entry that has its content', () => {
  const hash = contentHash(REPLY)
  const state = stateAfter(
    ...loaded,
    Insertion.defaultDue({ itemKey: 'item-1', hash }),
    Insertion.failed({
      id: -2,
      itemKey: 'item-1',
      target: { kind: 'default' },
      failure: { kind: 'network' },
    }),
  )
  expect(selectEntryToRetry(state)?.code).toBe('reply')
})

test('a destination is ready only when both the item and its message are known', () => {
  expect(selectItemStatus(freshState())).toBe('looking')
  expect(selectItemStatus(stateAfter(Mailbox.itemChanged({ item: null })))).toBe('none')
  const read = Mailbox.itemChanged({ item: { key: 'item-1', mode: 'read' } })
  expect(selectItemStatus(stateAfter(read))).toBe('read')
  const compose = Mailbox.itemChanged({ item: { key: 'item-1', mode: 'compose' } })
  expect(selectItemStatus(stateAfter(compose))).toBe('reading')
  expect(selectItemStatus(stateAfter(...loaded))).toBe('ready')
})
