import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import { findSignatures } from '../../streams/html/message.ts'
import { TURN_KEY } from '../../streams/message/mailbox/turn.ts'
import { cases } from '../support/cases.ts'
import { type Launched, startLaunch } from '../support/launch.ts'
import { createLine, twoPaces } from '../support/line.ts'
import { openPane, type PaneOptions, type World } from '../support/pane.ts'
import { cachedSignature, candidate, withSlot } from '../support/state.ts'

// A block in only a share of messages, end to end: with a pane, with the pane closed, and with several runtimes at work
// on one message.

const withShare = (share: number): PaneOptions => ({
  standard: cachedSignature({
    ...withSlot('<p>Alex Kim, Northwind</p>', candidate({ html: '<p>Meet us in Lisbon</p>', share })),
    reply: null,
  }),
})
const TESS = { address: 'tess@fabrikam.example', name: 'Tess' }

const act = ({ mailbox, clock }: World, action: Parameters<World['mailbox']['act']>[0], ms = 5_000) => {
  mailbox.act(action)
  clock.advance(ms)
}
const hasBlock = (world: World) => composeBody(world.message()).includes('Lisbon')
const storedTurn = (world: World) => Number(world.message().sessionData[TURN_KEY])
/** How often a signature was written. A call that a busy client refused wrote nothing. */
const writes = ({ mailbox }: World) =>
  mailbox.calls.filter(({ name, ok }) => ok && name === 'body.setSignatureAsync').length
/** A pane that was open for long enough to keep a copy, and is closed. */
const closed = (share = 50): World => {
  const pane = openPane(withShare(share))
  pane.clock.advance(10_000)
  pane.app.stop()
  return pane
}
const NEW_MESSAGES = Array.from({ length: 8 }, (_, index) => index)

describe('a block in half of all messages', () => {
  test('is in those whose number is below the share, and stays or stays away while the recipients change', () => {
    const pane = openPane(withShare(50))
    const seen = NEW_MESSAGES.map(() => {
      const before = writes(pane)
      act(pane, { type: 'newMessage' })
      const has = hasBlock(pane)
      expect(has).toBe(storedTurn(pane) < 50)
      act(pane, { type: 'setRecipients', to: [TESS] })
      expect([hasBlock(pane), writes(pane)]).toEqual([has, before + 1])
      return has
    })
    expect(new Set(seen)).toEqual(new Set([true, false]))
  })

  test.each(['page', 'classic'] as const)('is decided in the %s runtime, and kept by the pane', (runtime) => {
    const world = closed()
    const seen = NEW_MESSAGES.map(() => {
      const before = writes(world)
      act(world, { type: 'newMessage' }, 100)
      const launched = startLaunch(world, 'newMessage', { runtime })
      world.clock.advance(3_000)
      const turn = storedTurn(world)
      expect([launched.outcome(), hasBlock(world)]).toEqual(['inserted', turn < 50])
      const pane = openPane({ ...withShare(50), beside: world, runtimeId: 'pane' })
      pane.clock.advance(10_000)
      expect([storedTurn(world), hasBlock(world), writes(world)]).toEqual([turn, turn < 50, before + 1])
      pane.app.stop()
      return turn < 50
    })
    expect(new Set(seen)).toEqual(new Set([true, false]))
  })
})

test('runtimes that open one item at once use one number, and write once', () => {
  fc.assert(
    fc.property(twoPaces, fc.integer({ min: 1, max: 99 }), fc.nat(1_000), ([one, other], share, gapMs) => {
      const world = closed(share)
      const before = writes(world)
      act(world, { type: 'newMessage' }, 100)
      const begin = (pace: typeof one): Launched =>
        startLaunch(world, 'newMessage', { line: createLine(pace) })
      const first = begin(one)
      world.clock.advance(gapMs)
      const second = begin(other)
      world.clock.advance(60_000)
      const turn = storedTurn(world)
      const turns = [first, second].map(({ store }) => store.state$.value.mailbox.message?.turn)
      expect(turns).toEqual([turn, turn])
      expect(findSignatures(composeBody(world.message()))).toHaveLength(1)
      expect([hasBlock(world), writes(world)]).toEqual([turn < share, before + 1])
    }),
    // With these paces, the client refuses the first write as busy, and the runtime tries again.
    { ...cases(40, 600), examples: [[[[30], [2]], 1, 2]] },
  )
})
