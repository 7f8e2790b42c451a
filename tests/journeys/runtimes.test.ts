import { describe, expect, it } from 'vitest'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import { createLine } from '../support/line.ts'
import { startLaunch } from '../support/launch.ts'
import { openPane, type World } from '../support/pane.ts'
import { cachedSignature, image, listedSignature, profile, replyVersion } from '../support/state.ts'

// Several runtimes at work on one message, each with its own speed, while anything is slow.

const LOGO = 'https://images.northwind.example/logo.png'
const STANDARD = 'Alex Kim, Purchasing at Northwind Traders'
const REPLY = 'Alex Kim, Purchasing, in short for replies'
const SALES = 'The sales desk of Northwind Traders in Bergen'
const SENDER = { address: 'sales@northwind.example', name: 'Sales desk' }
const known = {
  standard: cachedSignature({
    html: `<p>${STANDARD}</p><img src="${LOGO}">`,
    reply: replyVersion(`<p>${REPLY}</p>`),
    images: [image(LOGO)],
  }),
  profile: profile({ delegations: ['u-2'] }),
  delegated: [
    listedSignature({
      name: 'Sales desk',
      email: SENDER.address,
      combinedIds: 'c-sales',
      html: `<p>${SALES}</p><img src="${LOGO}">`,
      images: [image(LOGO)],
    }),
  ],
}
const withCopy = (options: Parameters<typeof openPane>[0] = {}): World => {
  const pane = openPane({ ...known, ...options })
  pane.clock.advance(5_000)
  pane.app.stop()
  return pane
}
const bodyOf = (world: World) => composeBody(world.message())

describe('a slow runtime', () => {
  // The sender changes before, while and after the slow runtime reads the message.
  it.each([0, 300, 600, 900, 1_200])(
    '[AUTO-9] does not put its older decision in the place of a newer one, made after %d ms',
    (gapMs) => {
      const world = withCopy()
      const { mailbox, clock } = world
      mailbox.act({ type: 'newMessage' })
      clock.advance(100)
      startLaunch(world, 'newMessage', { line: createLine([290]) })
      clock.advance(gapMs)
      mailbox.act({ type: 'setFrom', from: SENDER })
      const fast = startLaunch(world, 'fromChanged')
      clock.advance(120_000)
      expect(bodyOf(world)).toContain(SALES)
      expect(bodyOf(world)).not.toContain(STANDARD)
      expect(['inserted', 'already']).toContain(fast.outcome())
    },
  )

  it('[AUTO-9] keeps the sender that it knows when the client does not tell the sender again', () => {
    const world = withCopy()
    const { mailbox, clock } = world
    mailbox.act({ type: 'newMessage' })
    mailbox.act({ type: 'setFrom', from: SENDER })
    clock.advance(100)
    const line = createLine([290])
    startLaunch(world, 'newMessage', { line })
    clock.advance(1_000)
    mailbox.fail('from.getAsync', { code: 5001, name: 'InternalError' })
    clock.advance(120_000)
    expect(bodyOf(world)).toContain(SALES)
  })
})
