import { fc, test as property } from '@fast-check/vitest'
import { NEVER, of, throwError } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { signatureMarkFor } from '../../../effects/message/claim.ts'
import { DRAWING_KEY_PREFIX, readTurn } from '../../../effects/message/turn.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { dueInsertionIn } from '../../../streams/message/insertion/rules.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { drawnTurn, parseTurn, TURN_KEY } from '../../../streams/message/mailbox/turn.ts'
import { noSenders } from '../../../streams/message/senders/senders.ts'
import { type Marbles, withMarbles } from '../../support/marbles.ts'
import {
  cachedSignature,
  candidate,
  compose,
  message,
  settingsLoaded,
  stateAfter,
  withSlot,
} from '../../support/state.ts'

const shared = (share?: number) =>
  Defaults.restored({
    signature: cachedSignature(withSlot('<p>A</p>', candidate(share === undefined ? {} : { share }))),
    senders: noSenders,
  })
const opened = Mailbox.itemChanged({ item: compose('item-1') })
const read = (turn?: number) =>
  Mailbox.messageRead({
    itemKey: 'item-1',
    message: message({ ...(turn !== undefined && { turn }) }),
  })
const told = (turn: number) => Mailbox.turnRead({ itemKey: 'item-1', turn })
const own = drawnTurn('runtime', 'item-1')
const mark = signatureMarkFor('item-1', { runtimeId: 'runtime' })

describe('the number by which blocks share messages', () => {
  const reacting = ({ hot, react }: Marbles) =>
    react({ readTurn }, hot('(osm)', { o: opened, s: shared(30), m: read() }))

  test('is the one in the item, which another runtime stored', () => {
    withMarbles((marbles) => {
      const { sessionData, setSessionData } = marbles.ports.host
      sessionData.answers(() => marbles.cold('5ms (t|)', { t: '42.5' }))
      marbles.expectEvents(reacting(marbles)).toBe('5ms t', { t: told(42.5) })
      marbles.afterwards(() => {
        expect(sessionData.calls).toEqual([['item-1', TURN_KEY]])
        expect(setSessionData.calls).toEqual([])
      })
    })
  })

  /** This runtime's claim to draw the number, raised or taken back. */
  const flag = (value: string) => ['item-1', DRAWING_KEY_PREFIX + mark, value]

  test.each([
    ['is drawn and stored under a claim without one', null, own],
    ['is the other runtime’s if it came before the claim', '7', 7],
  ])('%s', (_, meanwhile, turn) => {
    withMarbles((marbles) => {
      const { sessionData, allSessionData, setSessionData } = marbles.ports.host
      sessionData.answers(of(null), of(meanwhile))
      allSessionData.answers(() => marbles.cold('3ms (a|)', { a: {} }))
      setSessionData.answers(of(undefined))
      marbles.expectEvents(reacting(marbles), '10ms !').toBe('3ms t', { t: told(turn) })
      marbles.afterwards(() => {
        expect(setSessionData.calls).toEqual([
          flag('0'),
          ...(meanwhile === null ? [['item-1', TURN_KEY, String(own)]] : []),
          flag(''),
        ])
      })
    })
  })

  test.each([
    ['does not store', of({}), () => throwError(() => new Error('refused'))],
    ['has no', of(null), () => of(undefined)],
  ])('is that of this runtime in a client that %s session data', (_, all, stored) => {
    withMarbles((marbles) => {
      const { sessionData, allSessionData, setSessionData } = marbles.ports.host
      sessionData.answers(of(null))
      allSessionData.answers(all)
      setSessionData.answers(stored)
      marbles.expectEvents(reacting(marbles), '10ms !').toBe('t', { t: told(own) })
    })
  })

  test('is not drawn while another runtime draws it, and the claim ends with the item', () => {
    withMarbles((marbles) => {
      const { sessionData, allSessionData, setSessionData } = marbles.ports.host
      sessionData.answers(of(null))
      allSessionData.answers(of({ [`${DRAWING_KEY_PREFIX}a-first`]: '0' }))
      setSessionData.answers(of(undefined))
      const happening$ = marbles.hot('(osm) 995ms x', {
        o: opened,
        s: shared(30),
        m: read(),
        x: Mailbox.itemChanged({ item: null }),
      })
      marbles.expectEvents(marbles.react({ readTurn }, happening$), '2s !').toBe('-')
      marbles.afterwards(() => {
        expect(setSessionData.calls).toEqual([flag('0'), flag('')])
        expect(allSessionData.calls.length).toBeLessThan(10)
      })
    })
  })

  test.each([
    ['no block has a share', shared(), read()],
    ['the message has it already', shared(30), read(3)],
  ])('is not read if %s', (_, restored, message) => {
    withMarbles((marbles) => {
      const happening$ = marbles.hot('(osm)', { o: opened, s: restored, m: message })
      marbles.expectEvents(marbles.react({ readTurn }, happening$)).toBe('-')
      marbles.afterwards(() => {
        expect(marbles.ports.host.sessionData.calls).toEqual([])
      })
    })
  })

  test('is waited for by the default, and is not read for another item any more', () => {
    const before = [settingsLoaded(), opened, shared(30), read()]
    expect(dueInsertionIn(stateAfter(...before))).toBeNull()
    expect(dueInsertionIn(stateAfter(...before, told(99)))).toMatchObject({ itemKey: 'item-1' })
    expect(dueInsertionIn(stateAfter(...before, told(99)))).not.toEqual(
      dueInsertionIn(stateAfter(...before, told(29.99))),
    )
    withMarbles((marbles) => {
      marbles.ports.host.sessionData.answers(() => NEVER)
      const happening$ = marbles.hot('(osm) x', {
        o: opened,
        s: shared(30),
        m: read(),
        x: Mailbox.itemChanged({ item: null }),
      })
      marbles.expectEvents(marbles.react({ readTurn }, happening$)).toBe('-')
      marbles.afterwards(() => {
        expect(marbles.ports.host.sessionData.cancelled()).toBe(1)
      })
    })
  })

  property.prop([fc.string(), fc.string()])(
    'is from 0 to below 100, and is read as it is stored',
    (id, item) => {
      const turn = drawnTurn(id, item)
      expect(turn >= 0 && turn < 100).toBe(true)
      expect(parseTurn(String(turn))).toBe(turn)
      expect(drawnTurn(id, item)).toBe(turn)
    },
  )

  test.each(['', '-1', '100', '1e1', 'x', null, undefined])('is not %j', (text) => {
    expect(parseTurn(text)).toBeNull()
  })
})
