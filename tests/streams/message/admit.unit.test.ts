import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentHash } from '../../../streams/html/hash.ts'
import type { FoundSignature } from '../../../streams/html/message.ts'
import { admit, laterChoice } from '../../../streams/message/insertion/admit.ts'
import type { InsertedSignature } from '../../../streams/message/mailbox/events.ts'
import type { InsertionReason } from '../../../streams/message/signatures/signature.ts'
import { cases } from '../../support/cases.ts'

const HTML = '<p>Ada Lovelace, Northwind Traders</p>'
const DUE = contentHash(HTML)
const QUOTED = '<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Ben</div>'

const recordOf = (
  over: Partial<InsertedSignature> & { seen?: 'mark' | 'words' | null } = {},
): InsertedSignature => {
  const { seen = 'mark', ...inserted } = over
  return {
    combinedIds: 'due',
    hash: 'recorded',
    name: 'Ada',
    reply: false,
    origin: 'default',
    trace: { mark: 'r-1', words: [24, 1, 2], pictures: [], copies: [1, 0], seen },
    ...inserted,
  }
}
const found = (hash: string, combinedIds = 'due'): FoundSignature => ({
  combinedIds,
  hash,
  html: HTML,
  start: 0,
  end: HTML.length,
})

type Message = Readonly<{
  /** Whose the due signature is: `default`, or the user's own choice with other blocks. */
  origin: InsertionReason['origin']
  inserted: InsertedSignature | null
  /** The hash of the signature that this runtime inserted last. */
  inMessage: string | null
  present: readonly FoundSignature[]
  isAnswer: boolean
  body: string
}>
const EMPTY: Message = {
  origin: 'default',
  inserted: null,
  inMessage: null,
  present: [],
  isAnswer: false,
  body: '<p>Hello</p>',
}
/** What becomes of the due signature in a message that differs from an empty one by `over`. */
const admitted = (over: Partial<Message>) => {
  const { origin, inserted, inMessage, present, isAnswer, body } = { ...EMPTY, ...over }
  const reason = { origin, composeType: 'newMail', reply: false } as const
  return admit(
    { html: HTML, images: [], combinedIds: 'due', name: 'Ada', reason },
    { content: HTML, type: 'html', hash: DUE },
    { body, type: 'html', known: { marks: [], isAnswer, inserted }, found: present },
    inserted,
    inMessage === null ? null : { hash: inMessage },
  )
}

const origin = fc.constantFrom('default' as const, 'manual' as const, 'putBack' as const)
const ids = fc.constantFrom('due', 'other', '')
const hash = fc.constantFrom(DUE, 'recorded', 'own', 'foreign')
const record = fc
  .record({ combinedIds: ids, hash, origin, seen: fc.constantFrom('mark', 'words', null) })
  .map(recordOf)
/** A record that the rule may replace: automatic, or the user's own choice that gets other blocks. */
const replaceable = fc.oneof(
  record.map((inserted) => ({
    origin: 'default' as const,
    inserted: { ...inserted, origin: 'default' as const },
  })),
  fc
    .tuple(fc.constantFrom('manual' as const, 'putBack' as const), record)
    .map(([chosen, inserted]) => ({ origin: chosen, inserted: { ...inserted, combinedIds: 'due' } })),
)
const anyMessage = fc.record<Message>({
  origin,
  inserted: fc.option(record),
  inMessage: fc.option(fc.constantFrom('own', DUE)),
  present: fc.array(
    fc.tuple(hash, ids).map(([...args]) => found(...args)),
    { maxLength: 2 },
  ),
  isAnswer: fc.boolean(),
  body: fc.constantFrom('<p>Hello</p>', HTML, `<p>Hello</p>${HTML}`, `<p>Hello</p>${QUOTED}${HTML}`),
})
const holds = (messages: fc.Arbitrary<Message>, check: (message: Message) => void) => {
  fc.assert(fc.property(messages, check), cases(200))
}

describe('a due signature', () => {
  test('never replaces another choice of the user', () => {
    const chosen = fc
      .tuple(anyMessage, record, fc.constantFrom('manual' as const, 'putBack' as const))
      .map(([message, inserted, by]) => ({ ...message, inserted: { ...inserted, origin: by } }))
      .filter((message) => message.origin === 'default' || message.inserted.combinedIds !== 'due')
    holds(chosen, (message) => {
      expect(admitted(message)).toEqual({
        kind: 'leaveToUser',
        combinedIds: message.inserted?.combinedIds,
      })
    })
  })

  test('replaces the signature that is there exactly if the plan, the record or this runtime knows it', () => {
    const messages = fc
      .tuple(anyMessage, fc.oneof(replaceable, fc.constant({ inserted: null })), fc.tuple(hash, ids))
      .map(([message, over, last]) => ({
        ...message,
        ...over,
        present: [...message.present, found(...last)],
      }))
    holds(messages, (message) => {
      const { present, inserted, inMessage } = message
      const last = present.at(-1)
      const isKnown = last?.hash === DUE || last?.hash === inserted?.hash || last?.hash === inMessage
      expect(admitted(message)).toEqual(
        isKnown ? { kind: 'write' } : { kind: 'leaveToUser', combinedIds: last?.combinedIds },
      )
    })
  })

  test('goes into a message that never had one, unless its words stand in what the author wrote', () => {
    const messages = anyMessage.map((message) => ({
      ...message,
      inserted: null,
      inMessage: null,
      present: [],
    }))
    holds(messages, (message) => {
      const [own = ''] = message.body.split(QUOTED)
      const isThere = !message.isAnswer && own.includes(HTML)
      expect(admitted(message).kind).toBe(isThere ? 'wordsPresent' : 'write')
    })
  })

  test('that is gone goes in again only after an interrupted replacement, if the client had returned it', () => {
    const gone = fc
      .tuple(anyMessage, replaceable)
      .map(([message, over]) => ({ ...message, ...over, present: [] }))
    holds(gone, (message) => {
      const { combinedIds, trace } = message.inserted ?? recordOf()
      const isExpected = combinedIds !== '' && trace?.seen !== null
      const unexpected = combinedIds === 'due' ? 'unrecognised' : 'write'
      expect(admitted(message).kind).toBe(isExpected ? 'writeIfInterrupted' : unexpected)
    })
  })

  test('that only this runtime knows of goes in again only after an interrupted replacement', () => {
    const messages = anyMessage.map((message) => ({
      ...message,
      inserted: null,
      inMessage: 'own',
      present: [],
    }))
    holds(messages, (message) => {
      expect(admitted(message)).toEqual({ kind: 'writeIfInterrupted' })
    })
  })

  test.each<readonly [string, Partial<Message>, ReturnType<typeof admit>]>([
    ['goes into an empty message', {}, { kind: 'write' }],
    [
      'replaces the default of another runtime',
      { inserted: recordOf(), present: [found('recorded')] },
      { kind: 'write' },
    ],
    [
      'with other blocks replaces the choice of another runtime',
      { origin: 'manual', inserted: recordOf({ origin: 'manual' }), present: [found('recorded')] },
      { kind: 'write' },
    ],
    [
      'respects that the user chose no signature elsewhere',
      { inserted: recordOf({ origin: 'manual', combinedIds: '' }) },
      { kind: 'leaveToUser', combinedIds: '' },
    ],
    [
      'leaves a signature alone that nobody recorded',
      { present: [found('foreign', 'theirs')] },
      { kind: 'leaveToUser', combinedIds: 'theirs' },
    ],
    ['does not repeat words that are there without a mark', { body: HTML }, { kind: 'wordsPresent' }],
    ['goes into a reply that has its words', { body: HTML, isAnswer: true }, { kind: 'write' }],
    [
      'does not go beside the same one that the client never returns',
      { inserted: recordOf({ seen: null }) },
      { kind: 'unrecognised' },
    ],
    [
      'does not go beside the same one in the record of an older version',
      { inserted: { ...recordOf(), trace: null } },
      { kind: 'unrecognised' },
    ],
    [
      'that is gone is written only after an interrupted replacement',
      { inserted: recordOf() },
      { kind: 'writeIfInterrupted' },
    ],
  ])('%s', (_, message, admission) => {
    expect(admitted(message)).toEqual(admission)
  })
})

describe('an insertion', () => {
  test.each<readonly [string, InsertedSignature | null, number, boolean]>([
    ['is overtaken by a choice that was made after it', recordOf({ origin: 'manual' }), 11, true],
    ['is overtaken by an undo that was made after it', recordOf({ origin: 'putBack' }), 11, true],
    ['is not overtaken by a choice of the same moment', recordOf({ origin: 'manual' }), 10, false],
    ['is not overtaken by a later default', recordOf(), 11, false],
    ['is not overtaken in a message without a record', null, 11, false],
  ])('%s', (_, inserted, recordedAt, isOvertaken) => {
    expect(laterChoice(inserted, { recordedAt, at: 10 })).toBe(isOvertaken ? inserted : null)
  })
})
