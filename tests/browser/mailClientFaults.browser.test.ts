import { afterAll, describe, expect, it } from 'vitest'
import { REPAIR_DELAY_MS } from '../../effects/message/insertion.ts'
import { STOP_PUSH_KEY } from '../../effects/message/mailbox.ts'
import {
  type Item,
  type Opened,
  clearServers,
  eventually,
  option,
  untilDefault,
  untilInMessage,
  useBrowser,
} from './pane.ts'

const STANDARD = 'standard-u-1'
const DEFAULT = 'portrait-u-1'
const SHORT = 'short-u-1'
const ATTACH = 'addFileAttachmentFromBase64Async'
const WRITES: readonly string[] = [ATTACH, 'removeAttachmentAsync', 'body.setSignatureAsync']
const { share } = useBrowser()
afterAll(clearServers)

/** The parts of a message that the recipient gets. */
const content = ({ bodyHtml, attachments }: Item) => ({
  bodyHtml,
  attachments: attachments.map(({ name, size, isInline }) => ({ name, size, isInline })),
})

/** A new message with the default, beside the list. `before` is the message then. */
async function ready(): Promise<Opened & { before: Item }> {
  const playground = await share()
  const before = await untilInMessage(playground, DEFAULT)
  await option(playground.pane, 'Northwind standard').waitFor()
  return { ...playground, before }
}

// What the pane does after each kind of failure of each call is in tests/journeys and tests/effects.

describe('the mail client', () => {
  it('[INS-6] refuses a signature each time: the previous signature stays intact, the pane says why, and the retry works', async () => {
    const playground = await ready()
    const { page, pane, before } = playground
    // Signet asks five times.
    await page.evaluate(([call, error]) => window.playground.fail(call, error, 5), [
      'body.setSignatureAsync',
      { code: 5001, name: 'InternalError' },
    ] as const)
    await option(pane, 'Northwind standard').click()
    const told = pane.getByRole('alert').filter({ hasText: 'The signature wasn’t inserted' })
    await told.getByText('Outlook reported an error').waitFor()
    await page.evaluate((ms) => window.playground.jump(ms), REPAIR_DELAY_MS)
    await eventually(async () => content(await playground.message())).toEqual(content(before))
    await eventually(async () => STOP_PUSH_KEY in (await playground.message()).customProperties).toBe(false)

    await told.getByRole('button', { name: 'Try again' }).click()
    await untilInMessage(playground, STANDARD)
    expect(await told.count()).toBe(0)
  })

  it('has its own signature: the message ends with one signature, and the next one starts with none', async () => {
    const playground = await ready()
    const { page } = playground
    const own = 'Sent from my mail client'
    await page.getByRole('button', { name: 'Make it fail' }).click()
    await page.getByText('Outlook version').click()
    const setting = page.getByLabel('The mail client has a signature of its own')
    await setting.check()
    const begin = () =>
      page.evaluate(() => {
        const id = window.playground.newMessage()
        return window.playground.snapshot().items.find((item) => item.id === id)?.bodyHtml
      })
    expect(await begin()).toContain(own)
    await untilInMessage(playground, DEFAULT)
    const { bodyHtml } = await playground.message()
    expect(bodyHtml).not.toContain(own)
    expect(bodyHtml.match(/id="Signature"/g)).toHaveLength(1)
    await eventually(() => setting.isChecked()).toBe(false)
    expect(await begin()).toBe('')
    await untilInMessage(playground, DEFAULT)
    await page.getByRole('button', { name: 'Make it fail' }).click()
  })

  it('shows no message: the pane says so and makes no call, and a new message gets the default', async () => {
    const playground = await ready()
    const { page, pane } = playground
    await page.evaluate(() => window.playground.switchTo(null))
    await pane.getByText('No message is open', { exact: true }).waitFor()
    const before = (await playground.snapshot()).calls.length
    await option(pane, 'Short').focus()
    await page.keyboard.press('Enter')
    expect((await playground.snapshot()).calls.slice(before)).toEqual([])
    await page.evaluate(() => window.playground.newMessage())
    await untilInMessage(playground, DEFAULT)
  })

  it('[INS-4] switches items during an insertion: the pane leaves the other one alone, and both end intact', async () => {
    const playground = await ready()
    const { page, pane, before: first } = playground
    const second = await page.evaluate(() => window.playground.newMessage())
    const before = await untilInMessage(playground, DEFAULT)
    await untilDefault(pane)
    await page.evaluate((call) => window.playground.delay(call, 10_000), ATTACH)
    const writes = async (item: string) =>
      (await playground.snapshot()).calls.filter((call) => call.item === item && WRITES.includes(call.name))
        .length
    const [toFirst, toSecond] = [await writes(first.id), await writes(second)]
    await option(pane, 'Northwind standard').click()
    await eventually(() => writes(second)).toBeGreaterThan(toSecond)

    await page.evaluate((id) => {
      window.playground.switchTo(id)
      return window.playground.jump(10_000)
    }, first.id)
    await pane.getByText('You switched to another message before this was finished.').waitFor()
    expect(await writes(first.id)).toBe(toFirst)
    expect(content(await playground.message())).toEqual(content(first))

    await page.evaluate((id) => {
      window.playground.restore()
      window.playground.switchTo(id)
    }, second)
    await eventually(async () => content(await playground.message())).toEqual(content(before))
    await option(pane, 'Short').click()
    await untilInMessage(playground, SHORT)
  })
})
