import { describe, expect, test } from 'vitest'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { startLaunch } from '../support/launch.ts'
import { openPane, type World } from '../support/pane.ts'
import { cachedSignature, image, listedSignature, masterId, replyVersion } from '../support/state.ts'

// Signatures with linked pictures, end to end: shown by their addresses, never attached.

const IMAGES = 'https://signet.northwind.example/images'
const LINKED = `${IMAGES}/linked/${'a'.repeat(32)}/logo.png`
/** The same picture, attached. */
const ATTACHED = `${IMAGES}/${'a'.repeat(32)}/logo.png`
const shown = (...urls: readonly string[]) => urls.map((url) => `<img src="${url}" alt="Northwind">`).join('')
const options = {
  standard: cachedSignature({
    html: `<p>Alex Kim, Northwind</p>${shown(LINKED)}`,
    reply: replyVersion(`<p>Alex</p>${shown(LINKED, ATTACHED)}`),
    images: [image(ATTACHED)],
  }),
  own: [
    listedSignature({ combinedIds: 'c-fair', html: `<p>Alex at the fair</p>${shown(LINKED)}`, images: [] }),
  ],
}

const bodyOf = (world: World) => composeBody(world.message())
const uploads = ({ mailbox }: World) =>
  mailbox.calls.filter(({ name }) => name === 'addFileAttachmentFromBase64Async').length
/** The addresses of the pictures that the message shows. */
const sources = (world: World) => [...bodyOf(world).matchAll(/<img src="([^"]*)"/g)].map(([, url]) => url)
const expectLinked = (world: World) => {
  expect(sources(world)).toEqual([LINKED])
  expect([world.message().attachments, uploads(world)]).toEqual([[], 0])
}

test('with the pane open, a default and a chosen signature attach and load nothing', () => {
  const pane = openPane(options)
  pane.clock.advance(5_000)
  expect(bodyOf(pane)).toContain('Alex Kim, Northwind')
  expectLinked(pane)
  const asked = pane.ports.api.signature.calls.length
  pane.app.record(Insertion.chosen({ entryId: masterId(1, 0), itemKey: pane.itemKey() }))
  pane.clock.advance(5_000)
  expect(bodyOf(pane)).toContain('Alex at the fair')
  expectLinked(pane)
  expect(pane.ports.api.signature.calls).toHaveLength(asked)
})

describe('with the pane closed', () => {
  test.each(['page', 'classic'] as const)('the copy in the %s runtime attaches nothing', (runtime) => {
    const pane = openPane(options)
    pane.clock.advance(10_000)
    pane.app.stop()
    pane.mailbox.act({ type: 'newMessage' })
    pane.clock.advance(100)
    const launched = startLaunch(pane, 'newMessage', { runtime })
    pane.clock.advance(3_000)
    expect(launched.outcome()).toBe('inserted')
    expectLinked(pane)

    // The same picture is attached where a template does not link it.
    pane.mailbox.act({ type: 'reply' })
    pane.clock.advance(100)
    startLaunch(pane, 'newMessage', { runtime })
    pane.clock.advance(3_000)
    const [linked, attached] = sources(pane)
    expect([linked, attached?.slice(0, 4), uploads(pane)]).toEqual([LINKED, 'cid:', 1])
  })
})
