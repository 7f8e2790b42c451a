import { describe, expect, test } from 'vitest'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import { contentIds } from '../../streams/html/message.ts'
import { startLaunch } from '../support/launch.ts'
import { openPane, type Pane, type World } from '../support/pane.ts'
import { cachedSignature, image } from '../support/state.ts'

// What happens when the mail client refuses to write, for a moment or for good.

const PICTURES = ['a/logo.png', 'b/logo.png', 'seal.png'].map(
  (path) => `https://images.northwind.example/${path}`,
)
const WORDS = 'Alex Kim, Purchasing at Northwind Traders'
const standard = cachedSignature({
  html: `<p>${WORDS}</p>${PICTURES.map((url) => `<img src="${url}">`).join('')}`,
  images: PICTURES.map((url) => image(url)),
})
const ADD = 'addFileAttachmentFromBase64Async'
/** A code that no list has. */
const BUSY = { code: 5018, name: 'Internal Error' }
const TOO_BIG = { code: 9000, name: 'AttachmentSizeExceeded' }

/** Opens a new message with the pane, or with a launch event while the pane is closed. */
const ways: readonly (readonly [string, (pane: Pane) => World])[] = [
  [
    'in the pane',
    (pane) => {
      pane.mailbox.act({ type: 'newMessage' })
      pane.clock.advance(10_000)
      return pane
    },
  ],
  [
    'in a launch event',
    (pane) => {
      pane.app.stop()
      pane.mailbox.act({ type: 'newMessage' })
      pane.clock.advance(100)
      startLaunch(pane, 'newMessage')
      pane.clock.advance(10_000)
      return pane
    },
  ],
]
const opened = (): Pane => {
  const pane = openPane({ standard })
  pane.clock.advance(5_000)
  return pane
}
const picturesIn = (world: World) => {
  const item = world.message()
  const body = composeBody(item)
  const attached = item.attachments.map(({ name }) => name)
  const shown = [...contentIds(body)]
  expect(body.split(WORDS)).toHaveLength(2)
  expect(shown.toSorted()).toEqual(attached.toSorted())
  return { attached, byAddress: PICTURES.filter((url) => body.includes(url)) }
}

describe.each(ways)('[HOST-11] %s', (_, openMessage) => {
  test('a picture that is refused for a moment is attached', () => {
    const pane = opened()
    pane.mailbox.fail(ADD, BUSY, 1)
    expect(picturesIn(openMessage(pane))).toMatchObject({ attached: { length: 3 }, byAddress: [] })
  })

  test('a picture that stays refused is shown by its address, and the others are attached', () => {
    const pane = opened()
    pane.mailbox.fail(ADD, TOO_BIG, 1)
    const { attached, byAddress } = picturesIn(openMessage(pane))
    expect(byAddress).toEqual([PICTURES[0]])
    expect(attached).toEqual(['lsi-attachlogo-2.png', 'lsi-attachseal.png'])
  })

  test('pictures that all stay refused are shown by their addresses', () => {
    const pane = opened()
    pane.mailbox.fail(ADD, BUSY)
    expect(picturesIn(openMessage(pane))).toEqual({ attached: [], byAddress: PICTURES })
  })

  test.each(['body.setSignatureAsync', 'sessionData.setAsync', 'customProperties.saveAsync'])(
    'a refusal of %s passes',
    (call) => {
      const pane = opened()
      pane.mailbox.fail(call, BUSY, 3)
      expect(picturesIn(openMessage(pane))).toMatchObject({ attached: { length: 3 }, byAddress: [] })
      const refused = pane.mailbox.calls.filter(({ name, ok }) => name === call && !ok)
      expect(refused).toHaveLength(3)
    },
  )
})

test('[HOST-11] a signature with a picture by its address is known again when its message is opened again', () => {
  const pane = opened()
  pane.mailbox.fail(ADD, TOO_BIG, 1)
  pane.mailbox.act({ type: 'newMessage' })
  pane.clock.advance(10_000)
  const before = composeBody(pane.message())
  const { open } = pane.mailbox.state$.value
  pane.mailbox.act({ type: 'switchTo', id: null })
  pane.mailbox.act({ type: 'switchTo', id: open })
  pane.clock.advance(60_000)
  expect(composeBody(pane.message())).toBe(before)
  expect(pane.app.state$.value.insertion.inMessage?.combinedIds).toBe(standard.combinedIds)
})
