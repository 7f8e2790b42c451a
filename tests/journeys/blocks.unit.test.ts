import { describe, expect, it } from 'vitest'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import { contentIds } from '../../streams/html/message.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { selectKnownBlocks, selectUndoDirection } from '../../streams/pane/insertion/selectors.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import { selectListedEntries } from '../../streams/pane/signatures/selectors.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import { startLaunch } from '../support/launch.ts'
import { openPane, type Pane, type PaneOptions, type World } from '../support/pane.ts'
import {
  cachedSignature,
  candidate,
  image,
  listedSignature,
  masterId,
  replyVersion,
  withSlot,
} from '../support/state.ts'

// Blocks in the open message: of the pane, and of launch events with the pane closed.

const CDN = 'https://images.northwind.example'
const INSIDE = { address: 'leo@northwind.example', name: 'Leo' }
const OUTSIDE = { address: 'tess@fabrikam.example', name: 'Tess' }
const notice = candidate({
  id: 'notice',
  name: 'Notice',
  html: `<p>Only for you</p><img src="${CDN}/seal.png">`,
  audiences: ['!northwind.example'],
})
const banner = candidate({ html: '<p>Harbour days</p>', replies: false })
const images = [image(`${CDN}/seal.png`)]
const standard = cachedSignature({
  ...withSlot('<p>Alex Kim, Northwind</p>', notice, banner),
  reply: { ...replyVersion(''), ...withSlot('<p>Alex, replying</p>', notice, banner) },
  images,
})
const CHOSEN = listedSignature({
  name: 'Short',
  combinedIds: 'c-short',
  ...withSlot('<p>Alex, in short</p>', notice),
  images,
  variants: [{ code: 'mobile', ...withSlot('<p>Alex, on the phone</p>', notice) }],
})
const options: PaneOptions = { standard, own: [CHOSEN] }

const opened = (more: PaneOptions = {}): Pane => {
  const pane = openPane({ ...options, ...more })
  pane.clock.advance(5_000)
  return pane
}
const choose = (pane: Pane, entryId = masterId(1, 0)) => {
  pane.app.record(Insertion.chosen({ entryId, itemKey: pane.itemKey() }))
  pane.clock.advance(2_000)
}
const write = ({ mailbox, clock }: World, to: readonly (typeof INSIDE)[]) => {
  mailbox.act({ type: 'setRecipients', to: [...to] })
  clock.advance(3_000)
}
const bodyOf = (world: World) => composeBody(world.message())
const writes = ({ mailbox }: World) =>
  mailbox.calls.filter(({ name }) => name === 'body.setSignatureAsync' || name === 'body.setAsync').length

/** What is in the message: the words of signatures and blocks that it has, in their order. */
const partsOf = (world: World) =>
  bodyOf(world).match(/Alex Kim, Northwind|replying|in short|on the phone|Only for you|Harbour days/g) ?? []

/** Every picture that is shown is attached, and no other of Signet. */
const expectPictures = (world: World, count: number) => {
  const { attachments } = world.message()
  const shown = contentIds(bodyOf(world))
  expect(shown.size).toBe(count)
  expect(attachments.filter(({ isInline }) => isInline).map(({ contentId }) => contentId)).toEqual([...shown])
}

describe('a default with slots, with the pane open', () => {
  it('[BLOCK-1] [BLOCK-5] has the first block that fits, and exchanges it and its picture with the recipients', () => {
    const pane = opened()
    pane.mailbox.act({ type: 'typed', author: '<p>Dear Tess</p>' })
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind', 'Harbour days'])
    write(pane, [INSIDE])
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind', 'Harbour days'])
    expectPictures(pane, 0)
    write(pane, [INSIDE, OUTSIDE])
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind', 'Only for you'])
    expectPictures(pane, 1)
    write(pane, [INSIDE])
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind', 'Harbour days'])
    expectPictures(pane, 0)
    expect(bodyOf(pane)).toContain('<p>Dear Tess</p>')
    const { inMessage } = pane.app.state$.value.insertion
    expect(inMessage).toMatchObject({
      combinedIds: 'c-standard',
      blocks: ['autumn'],
      reason: { origin: 'default' },
    })
    expect(selectKnownBlocks(pane.app.state$.value).get('autumn')).toMatchObject({ name: 'Autumn banner' })
  })

  it('[HOST-10] keeps the block for the recipients that are known when the client does not tell them again', () => {
    const pane = opened()
    write(pane, [OUTSIDE])
    pane.mailbox.fail('to.getAsync', { code: 5001, name: 'InternalError' })
    pane.mailbox.act({ type: 'setRecipients', cc: [INSIDE] })
    pane.clock.advance(10_000)
    expect(pane.app.state$.value.mailbox.message).toMatchObject({ to: [OUTSIDE], cc: [INSIDE] })
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind', 'Only for you'])
  })

  it('[BLOCK-1] has nothing of the slot where no block fits', () => {
    const pane = opened()
    pane.mailbox.act({ type: 'reply' })
    pane.clock.advance(3_000)
    write(pane, [INSIDE])
    expect(partsOf(pane)).toEqual(['replying'])
    write(pane, [OUTSIDE])
    expect(partsOf(pane)).toEqual(['replying', 'Only for you'])
  })

  it('[BLOCK-5] goes back by Undo to the block before, and leaves the message like that', () => {
    const pane = opened()
    write(pane, [OUTSIDE])
    const state = () => pane.app.state$.value
    expect(selectUndoDirection(state())).toBe('undo')
    pane.app.record(Insertion.undoRequested({ itemKey: pane.itemKey() }))
    pane.clock.advance(3_000)
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind', 'Harbour days'])
    write(pane, [OUTSIDE, INSIDE])
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind', 'Harbour days'])
    pane.app.record(Insertion.redoRequested({ itemKey: pane.itemKey() }))
    pane.clock.advance(3_000)
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind', 'Only for you'])
    expectPictures(pane, 1)
  })
})

describe('what Undo took away', () => {
  const undone = () => {
    const pane = opened()
    write(pane, [OUTSIDE])
    pane.app.record(Insertion.undoRequested({ itemKey: pane.itemKey() }))
    pane.clock.advance(3_000)
    return pane
  }
  const without = ['Alex Kim, Northwind', 'Harbour days']

  it('[BLOCK-5] stays away when the message is opened again, and in another pane', () => {
    const pane = undone()
    const { open } = pane.mailbox.state$.value
    for (const id of [null, open]) {
      pane.mailbox.act({ type: 'switchTo', id })
      pane.clock.advance(3_000)
    }
    expect(partsOf(pane)).toEqual(without)
    pane.app.stop()
    openPane({ beside: pane }).clock.advance(5_000)
    expect(partsOf(pane)).toEqual(without)
  })

  it('[BLOCK-5] comes again after the recipients asked for another block', () => {
    const pane = opened({
      standard: cachedSignature({
        ...withSlot('<p>Alex Kim, Northwind</p>', { ...banner, audiences: ['fabrikam.example'] }, notice),
        images,
      }),
    })
    write(pane, [{ address: 'ann@else.example', name: '' }])
    pane.app.record(Insertion.undoRequested({ itemKey: pane.itemKey() }))
    pane.clock.advance(3_000)
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind'])
    write(pane, [OUTSIDE])
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind', 'Harbour days'])
    write(pane, [OUTSIDE, INSIDE])
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind', 'Only for you'])
  })
})

describe('an open pane', () => {
  it('[BLOCK-3] inserts no block after its period', () => {
    const closes = Date.UTC(2026, 10, 20, 10)
    const pane = opened({
      standard: cachedSignature(withSlot('<p>Alex Kim, Northwind</p>', candidate({ closes }))),
    })
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind', 'Harbour days'])
    pane.clock.advance(closes - pane.clock.scheduler.now())
    pane.mailbox.act({ type: 'newMessage' })
    pane.clock.advance(3_000)
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind'])
  })

  it('knows the content of what another program inserted for other recipients', () => {
    const pane = opened()
    pane.app.stop()
    pane.mailbox.act({ type: 'setRecipients', to: [OUTSIDE] })
    const again = openPane({ beside: pane })
    again.clock.advance(5_000)
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind', 'Only for you'])
    expect(selectUndoDirection(again.app.state$.value)).toBe('undo')
  })

  it('[SAFE-1] [BLOCK-5] does not write a second signature where the client returns nothing to know it by', () => {
    const pane = opened({ edition: 'android', standard: cachedSignature(withSlot('<p>A. Kim</p>', notice)) })
    const count = () => bodyOf(pane).split('A. Kim').length - 1
    expect(count()).toBe(1)
    for (const to of [[OUTSIDE], [INSIDE], [OUTSIDE]]) write(pane, to)
    expect(count()).toBe(1)
    expect(pane.app.state$.value.insertion.latest?.attempt.status).not.toBe('pending')
    pane.mailbox.act({ type: 'signatureEdited', signature: '' })
    for (const to of [[INSIDE], [OUTSIDE]]) write(pane, to)
    expect(count()).toBe(0)
  })
})

describe('a signature that the user chose', () => {
  it('[BLOCK-5] is not replaced by an older copy of itself', () => {
    const before = listedSignature({ ...CHOSEN, html: '<p>Old, in short</p>' })
    const pane = opened({ own: [before] })
    pane.service.own = [CHOSEN]
    pane.app.record(Signatures.refreshRequested())
    pane.clock.advance(5_000)
    choose(pane)
    expect(bodyOf(pane)).toContain('Alex, in short')
    write(pane, [OUTSIDE])
    expect(partsOf(pane)).toEqual(['in short', 'Only for you'])
    expect(bodyOf(pane)).toContain('Alex, in short')
    // The copy has it, too: with the pane closed, its blocks go on to follow.
    pane.app.stop()
    pane.mailbox.act({ type: 'setRecipients', to: [INSIDE] })
    expect(startLaunch(pane, 'recipientsChanged').outcome()).toBeNull()
    pane.clock.advance(5_000)
    expect(partsOf(pane)).toEqual(['in short'])
    expect(bodyOf(pane)).toContain('Alex, in short')
  })

  it('[BLOCK-5] stays the choice while its blocks follow the recipients', () => {
    const pane = opened()
    choose(pane)
    write(pane, [OUTSIDE])
    expect(partsOf(pane)).toEqual(['in short', 'Only for you'])
    expectPictures(pane, 1)
    const { inMessage } = pane.app.state$.value.insertion
    expect(inMessage).toMatchObject({
      combinedIds: 'c-short',
      blocks: ['notice'],
      reason: { origin: 'manual' },
    })
    const inUse = selectListedEntries(pane.app.state$.value).filter((listed) => listed.inUse)
    expect(inUse.map(({ entry }) => entry.entryId)).toEqual([masterId(1, 0)])
    write(pane, [])
    expect(partsOf(pane)).toEqual(['in short'])
    expectPictures(pane, 0)
  })

  it('[BLOCK-5] stays in the version that the user chose', () => {
    const pane = opened()
    choose(pane, 'user-1-0-variant-0')
    write(pane, [OUTSIDE])
    expect(partsOf(pane)).toEqual(['on the phone', 'Only for you'])
  })

  it('[BLOCK-5] follows them although automatic insertion is off, and after it was put back', () => {
    const pane = opened()
    pane.app.record(Settings.updateRequested({ changes: { enableSignaturePush: false } }))
    choose(pane)
    pane.app.record(Insertion.undoRequested({ itemKey: pane.itemKey() }))
    pane.clock.advance(3_000)
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind', 'Harbour days'])
    write(pane, [OUTSIDE])
    expect(partsOf(pane)).toEqual(['Alex Kim, Northwind', 'Only for you'])
  })

  it('[BLOCK-5] [AUTO-8] is not written again after the user removed it by hand', () => {
    const pane = opened()
    choose(pane)
    pane.mailbox.act({ type: 'signatureEdited', signature: '' })
    const before = writes(pane)
    write(pane, [OUTSIDE])
    expect(partsOf(pane)).toEqual([])
    expect(writes(pane)).toBe(before)
  })

  it('without slots is written once', () => {
    const pane = opened({ own: [listedSignature({ combinedIds: 'c-plain', html: '<p>Alex, in short</p>' })] })
    choose(pane)
    const before = writes(pane)
    write(pane, [OUTSIDE])
    expect(writes(pane)).toBe(before)
  })
})

describe('with the pane closed', () => {
  const closed = (prepare: (pane: Pane) => void = () => undefined, more: PaneOptions = {}): Pane => {
    const pane = opened(more)
    prepare(pane)
    pane.app.stop()
    return pane
  }
  const launch = (world: World, to: readonly (typeof INSIDE)[]) => {
    world.mailbox.act({ type: 'setRecipients', to: [...to] })
    const launched = startLaunch(world, 'recipientsChanged')
    world.clock.advance(5_000)
    return launched
  }

  it('[BLOCK-2] [BLOCK-5] a launch event chooses the block that the pane chooses, without a request', () => {
    const world = closed()
    world.mailbox.act({ type: 'newMessage' })
    world.clock.advance(100)
    startLaunch(world, 'newMessage')
    world.clock.advance(2_000)
    expect(partsOf(world)).toEqual(['Alex Kim, Northwind', 'Harbour days'])
    const asked = world.ports.sent.length
    expect(launch(world, [OUTSIDE]).outcome()).toBe('inserted')
    expect(partsOf(world)).toEqual(['Alex Kim, Northwind', 'Only for you'])
    expectPictures(world, 1)
    expect(launch(world, [INSIDE]).outcome()).toBe('inserted')
    expect(partsOf(world)).toEqual(['Alex Kim, Northwind', 'Harbour days'])
    expectPictures(world, 0)
    expect(world.ports.sent.slice(asked).filter(({ name }) => name.startsWith('api.'))).toEqual([])
  })

  it('[BLOCK-5] changes the blocks of a signature that the user chose, and leaves the choice', () => {
    const world = closed(choose)
    expect(launch(world, [OUTSIDE]).outcome()).toBe('inserted')
    expect(partsOf(world)).toEqual(['in short', 'Only for you'])
    expectPictures(world, 1)
    expect(launch(world, [OUTSIDE, INSIDE]).outcome()).toBe('leftToPerson')
    const again = openPane({ beside: world })
    again.clock.advance(5_000)
    expect(again.app.state$.value.insertion.inMessage).toMatchObject({
      combinedIds: 'c-short',
      blocks: ['notice'],
      reason: { origin: 'manual' },
    })
    expect(selectUndoDirection(again.app.state$.value)).toBeNull()
  })

  it('[BLOCK-3] leaves out a block whose period has ended since the copy was made', () => {
    const closes = Date.UTC(2026, 10, 20, 10)
    const world = closed(() => undefined, {
      standard: cachedSignature(withSlot('<p>Alex Kim, Northwind</p>', candidate({ closes }))),
    })
    const begin = () => {
      world.mailbox.act({ type: 'newMessage' })
      world.clock.advance(100)
      world.service.failure = { kind: 'network' }
      startLaunch(world, 'newMessage')
      world.clock.advance(2_000)
      return partsOf(world)
    }
    expect(begin()).toEqual(['Alex Kim, Northwind', 'Harbour days'])
    world.clock.advance(closes - world.clock.scheduler.now())
    expect(begin()).toEqual(['Alex Kim, Northwind'])
  })
})
