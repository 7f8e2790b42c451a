import {
  selectEntryToRetry,
  selectInsertionName,
  selectShownInMessage,
} from '../../streams/insertion/selectors.ts'
import { Insertion } from '../../streams/insertion/events.ts'
import { Defaults } from '../../streams/defaults/events.ts'
import { expect, test } from 'vitest'
import { selectDestination } from '../../streams/mailbox/selectors.ts'
import { Mailbox } from '../../streams/mailbox/events.ts'
import { Signatures } from '../../streams/signatures/events.ts'
import { contentHash } from '../../streams/html/hash.ts'
import { selectListedEntries } from '../../streams/signatures/selectors.ts'
import {
  cachedSignature,
  freshState,
  listedSignature,
  masterUuid,
  signedInWriting,
  stateAfter,
} from '../support/state.ts'

const reply = '<p>Alex</p>'
const short = '<p>A. K.</p>'
const loaded = [
  ...signedInWriting('item-1'),
  Defaults.loaded({ value: cachedSignature({ reply }) }),
  Signatures.pageLoaded({
    list: 'own',
    epoch: 0,
    page: {
      page: 1,
      total: 2,
      objects: [
        listedSignature({ variants: [{ code: 'reply', html: reply }] }),
        listedSignature({ name: 'Short', combinedIds: 'c-short', html: short }),
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
      inserted: { combinedIds, hash: contentHash(html), name: 'Standard', reply: true, manual: false },
    },
  })

test('a selector gives the same object for the same state, so that nothing is drawn twice', () => {
  const state = stateAfter(
    ...loaded,
    inserted(reply, 'c-standard'),
    Insertion.chosen({ uuid: masterUuid(1, 1), itemKey: 'item-1' }),
  )
  for (const select of [selectListedEntries, selectShownInMessage, selectInsertionName, selectEntryToRetry])
    expect(select(state)).toBe(select({ ...state }))
})

test('the variant whose content is in the message is the one in use, and no other', () => {
  const listed = selectListedEntries(stateAfter(...loaded, inserted(reply, 'c-standard')))
  expect(listed.map(({ inUse }) => inUse)).toEqual([false, true, false])
})

test('a signature whose content changed since is still the one in use', () => {
  const listed = selectListedEntries(stateAfter(...loaded, inserted('<p>old</p>', 'c-standard')))
  expect(listed.map(({ inUse }) => inUse)).toEqual([true, false, false])
})

test('the default and its reply version are marked as what goes in by itself', () => {
  const listed = selectListedEntries(stateAfter(...loaded))
  expect(listed.map(({ role }) => role)).toEqual(['default', 'defaultReply', null])
})

test('what is in the message is shown with its content only when that very content is known', () => {
  const known = selectShownInMessage(stateAfter(...loaded, inserted(short, 'c-short')))
  expect(known?.content?.html).toBe(short)
  const unknown = selectShownInMessage(stateAfter(...loaded, inserted('<p>old</p>', 'c-short')))
  expect(unknown).toMatchObject({ inMessage: { name: 'Standard' }, content: null })
})

test('a failed default is tried again by the entry of the list with its content', () => {
  const hash = contentHash(reply)
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

test('a destination is known only when both the item and its message are', () => {
  expect(selectDestination(freshState())).toBe('looking')
  expect(selectDestination(stateAfter(Mailbox.itemChanged({ item: null })))).toBe('none')
  const read = Mailbox.itemChanged({ item: { key: 'item-1', mode: 'read' } })
  expect(selectDestination(stateAfter(read))).toBe('read')
  const compose = Mailbox.itemChanged({ item: { key: 'item-1', mode: 'compose' } })
  expect(selectDestination(stateAfter(compose))).toBe('reading')
  expect(selectDestination(stateAfter(...loaded))).toBe('ready')
})
