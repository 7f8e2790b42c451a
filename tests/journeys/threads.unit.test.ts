import { describe, expect, test } from 'vitest'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import { THREAD_KEY } from '../../effects/message/thread.ts'
import { findSignatures } from '../../streams/html/message.ts'
import { selectSignatureReason } from '../../streams/pane/insertion/selectors.ts'
import { createLine } from '../support/line.ts'
import { startLaunch } from '../support/launch.ts'
import { openPane, type Pane, type PaneOptions, type World } from '../support/pane.ts'
import { cachedSignature, candidate, listedSignature, withSlot } from '../support/state.ts'

// The full signature in a person's first message of a thread and the short one in later ones, end to end: with a pane,
// with the pane closed, and with both at work on one message.

const FULL = '<p>Alex Kim, Sales Manager, Northwind Trading</p>'
const BANNER = candidate({ id: 'banner', html: '<p>Meet us in Lisbon</p>', thread: 'first' })
const OWN = [
  listedSignature({ name: 'Full', combinedIds: 'c-full', html: FULL, thread: 'first' }),
  listedSignature({
    name: 'Short',
    combinedIds: 'c-short',
    html: '<p>Alex Kim, Northwind Trading</p>',
    thread: 'later',
    order: 1,
  }),
]
const standard = cachedSignature({ name: 'Full', combinedIds: 'c-full', html: FULL, reply: null })
const OPTIONS: PaneOptions = { own: OWN, standard }

const idsIn = ({ message }: World): readonly string[] => {
  const { body } = message()
  return findSignatures(composeBody({ body: { ...body, quoted: '' } })).map(({ combinedIds }) => combinedIds)
}
const act = ({ mailbox, clock }: World, action: Parameters<World['mailbox']['act']>[0], ms = 2_000) => {
  mailbox.act(action)
  mailbox.act({ type: 'endSwitch' })
  clock.advance(ms)
}
const writes = ({ mailbox }: World) =>
  mailbox.calls.filter(({ name }) => name === 'body.setSignatureAsync').length
/** The id of a message that the user sent in the thread, with the signature that it got. */
const send = (world: World): string => {
  const { id } = world.message()
  act(world, { type: 'send', date: world.clock.scheduler.now() })
  const sent = world.mailbox.state$.value.items.find((item) => item.mode === 'read' && item.folder === 'sent')
  if (!sent) throw new Error(`${id} was not sent`)
  return sent.id
}
/** A pane that was open for long enough to keep a copy, and is closed. */
const closed = (options: PaneOptions = OPTIONS): World => {
  const pane = openPane(options)
  pane.clock.advance(10_000)
  pane.app.stop()
  return pane
}

describe('with the pane open', () => {
  const open = (options = OPTIONS): Pane => {
    const pane = openPane(options)
    pane.clock.advance(5_000)
    return pane
  }

  test('[PERSON-7] the first answer in a thread gets the full signature, the next one the short one', () => {
    const pane = open()
    expect(idsIn(pane)).toEqual(['c-full'])
    act(pane, { type: 'reply' })
    expect(idsIn(pane)).toEqual(['c-full'])
    const sent = send(pane)
    const before = writes(pane)
    act(pane, { type: 'reply', message: sent })
    expect([idsIn(pane), writes(pane)]).toEqual([['c-short'], before + 1])
    expect(selectSignatureReason(pane.app.state$.value)).toEqual({ kind: 'thread' })
    act(pane, { type: 'forward', message: sent })
    expect(idsIn(pane)).toEqual(['c-short'])
    act(pane, { type: 'newMessage' })
    expect(idsIn(pane)).toEqual(['c-full'])
  })

  test('[PERSON-7] a block for first messages is not in later ones', () => {
    const slotted = withSlot(FULL, BANNER)
    const pane = open({
      own: [listedSignature({ combinedIds: 'c-full', ...slotted })],
      standard: cachedSignature({ combinedIds: 'c-full', ...slotted, reply: null }),
    })
    const hasBanner = () => pane.message().body.signature.includes('Lisbon')
    expect(hasBanner()).toBe(true)
    act(pane, { type: 'reply' })
    expect(hasBanner()).toBe(true)
    act(pane, { type: 'reply', message: send(pane) })
    expect([idsIn(pane), hasBanner()]).toEqual([['c-full'], false])
  })
})

describe('with the pane closed', () => {
  test.each(['page', 'classic'] as const)('[PERSON-7] the same is decided in the %s runtime', (runtime) => {
    const world = closed()
    const begin = (type: 'reply' | 'forward', message?: string) => {
      act(world, message === undefined ? { type } : { type, message }, 100)
      const before = writes(world)
      const launched = startLaunch(world, 'newMessage', { runtime })
      world.clock.advance(3_000)
      return [idsIn(world), launched.outcome(), writes(world) - before]
    }
    expect(begin('reply')).toEqual([['c-full'], 'inserted', 1])
    const sent = send(world)
    expect(begin('reply', sent)).toEqual([['c-short'], 'inserted', 1])
    expect(begin('forward', sent)).toEqual([['c-short'], 'inserted', 1])
  })

  test.each(['page', 'classic'] as const)(
    '[PERSON-7] answers in plain text get the full signature once in the %s runtime',
    (runtime) => {
      const world = closed()
      const begin = (message?: string) => {
        act(world, message === undefined ? { type: 'reply' } : { type: 'reply', message }, 0)
        act(world, { type: 'setBodyType', bodyType: 'text' }, 100)
        startLaunch(world, 'newMessage', { runtime })
        world.clock.advance(3_000)
        return world.message().body.signature
      }
      expect(begin()).toBe('Alex Kim, Sales Manager, Northwind Trading')
      expect(begin(send(world))).toBe('Alex Kim, Northwind Trading')
    },
  )

  test('a message without a copy waits for the service and for its thread', () => {
    const world = closed()
    act(world, { type: 'reply' }, 100)
    startLaunch(world, 'newMessage')
    world.clock.advance(3_000)
    const sent = send(world)
    const { kept } = world.ports.storage
    kept.clear().subscribe()
    act(world, { type: 'reply', message: sent }, 100)
    const before = writes(world)
    const launched = startLaunch(world, 'newMessage')
    world.clock.advance(5_000)
    expect([idsIn(world), launched.outcome(), writes(world) - before]).toEqual([['c-short'], 'inserted', 1])
  })
})

describe('a pane and a launch event in one message', () => {
  /** A pane that opens beside the world's runtimes, in the same browser. */
  const openBeside = (world: World) =>
    openPane({
      beside: world,
      runtimeId: 'beside',
      prepare: ({ ports }) => {
        for (const [key, value] of Object.entries(world.ports.storage.kept.content()))
          ports.storage.kept.set(key, value).subscribe()
      },
    })
  /** The author deletes everything below the signature. */
  const deleteThread = (world: World) => {
    const { body } = world.message()
    const data = composeBody({ body: { ...body, quoted: '' } })
    world.mailbox.client.call('body.setAsync', { data, coercionType: 'html' }, () => undefined)
    world.clock.advance(100)
    expect(composeBody(world.message())).not.toContain('divRplyFwdMsg')
  }

  test('[PERSON-7] agree, and write once', () => {
    const world = closed()
    act(world, { type: 'reply' }, 100)
    startLaunch(world, 'newMessage')
    world.clock.advance(3_000)
    act(world, { type: 'reply', message: send(world) }, 100)
    const before = writes(world)
    const launched = startLaunch(world, 'newMessage', { line: createLine([40]) })
    openBeside(world)
    world.clock.advance(20_000)
    expect([idsIn(world), launched.outcome(), writes(world) - before]).toEqual([
      ['c-short'],
      expect.stringMatching(/inserted|already/) as string,
      1,
    ])
  })

  test('keep the answer after the author deleted the thread', () => {
    const world = closed()
    act(world, { type: 'reply' }, 100)
    startLaunch(world, 'newMessage')
    world.clock.advance(3_000)
    act(world, { type: 'reply', message: send(world) }, 100)
    startLaunch(world, 'newMessage')
    world.clock.advance(3_000)
    deleteThread(world)
    expect(world.message().sessionData[THREAD_KEY]).toMatch(/^later /)
    openBeside(world)
    world.clock.advance(10_000)
    expect(idsIn(world)).toEqual(['c-short'])
  })
})
