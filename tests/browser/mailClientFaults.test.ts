import { afterAll, describe, expect, it } from 'vitest'
import { REPAIR_AFTER_MS } from '../../effects/message/insertion.ts'
import { STOP_PUSH } from '../../effects/message/mailbox.ts'
import {
  type Item,
  type Opened,
  TESS,
  callsOf,
  clearServers,
  eventually,
  imagesOf,
  option,
  passTimeLimits,
  signaturesIn,
  untilDefault,
  untilInMessage,
  useBrowser,
} from './pane.ts'

const STANDARD = 'standard-u-1'
const DEFAULT = 'portrait-u-1'
const SHORT = 'short-u-1'
const ATTACH = 'addFileAttachmentFromBase64Async'
const WRITES: readonly string[] = [ATTACH, 'removeAttachmentAsync', 'body.setSignatureAsync']
/** Later than every time limit of the pane. */
const LATE_MS = 300_000
const REFUSED = { code: 9007, name: 'AttachmentUploadGeneralFailure' }

const { open, share } = useBrowser()
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

const notInserted = ({ pane }: Opened) =>
  pane.getByRole('alert').filter({ hasText: 'The signature wasn’t inserted' })

describe('the mail client', () => {
  const faults: readonly (readonly [string, string, 'fail' | 'silence', string])[] = [
    ['refuses the signature', 'body.setSignatureAsync', 'fail', 'Outlook reported an error'],
    ['does not answer for the signature', 'body.setSignatureAsync', 'silence', 'Outlook didn’t respond.'],
    ['refuses an image', ATTACH, 'fail', 'Outlook reported an error'],
    ['does not answer for the images', ATTACH, 'silence', 'Outlook didn’t respond.'],
    ['does not answer for the format', 'body.getTypeAsync', 'silence', 'Outlook didn’t respond.'],
  ]
  it.each(faults)(
    '[INS-6] %s: the previous signature stays intact, the pane says why, and the retry works',
    async (_, call, fault, what) => {
      const playground = await ready()
      const { page, pane, before } = playground
      await page.evaluate(
        ([name, kind, error]) => {
          if (kind === 'fail') window.playground.fail(name, error, 1)
          else window.playground.silence(name)
        },
        [call, fault, REFUSED] as const,
      )
      const limits = await passTimeLimits(playground, () => callsOf(playground, call))
      await option(pane, 'Northwind standard').click()
      await limits.until(() => notInserted(playground).getByText(what).isVisible())
      await page.evaluate((ms) => window.playground.jump(ms), REPAIR_AFTER_MS)
      await eventually(async () => content(await playground.message())).toEqual(content(before))
      await eventually(async () => STOP_PUSH in (await playground.message()).customProperties).toBe(false)

      await page.evaluate(() => window.playground.restore())
      await notInserted(playground).getByRole('button', { name: 'Try again' }).click()
      await untilInMessage(playground, STANDARD)
      expect(await notInserted(playground).count()).toBe(0)
    },
  )

  it('does not answer for the kind of message: the pane inserts the default all the same', async () => {
    const playground = await ready()
    const { page, before } = playground
    const call = 'getComposeTypeAsync'
    const limits = await passTimeLimits(playground, () => callsOf(playground, call))
    await page.evaluate((name) => {
      window.playground.silence(name)
      window.playground.newMessage()
    }, call)
    await limits.until(async () => signaturesIn(await playground.message()).length > 0)
    expect((await untilInMessage(playground, DEFAULT)).id).not.toBe(before.id)
  })

  it('[SAFE-7] answers after the time limit: the message ends intact, with either signature', async () => {
    const playground = await ready()
    const { page, pane } = playground
    const late = async () =>
      (await playground.snapshot()).calls.filter(({ name, ok }) => name === 'body.setSignatureAsync' && ok)
        .length
    const earlier = await late()
    const call = 'body.setSignatureAsync'
    await page.evaluate(([name, ms]) => window.playground.delay(name, ms), [call, LATE_MS] as const)
    const limits = await passTimeLimits(playground, () => callsOf(playground, call))
    await option(pane, 'Northwind standard').click()
    await limits.until(() => notInserted(playground).getByText('Outlook didn’t respond.').isVisible())
    expect(await late()).toBe(earlier)
    await page.evaluate((ms) => {
      window.playground.restore()
      return window.playground.jump(ms)
    }, LATE_MS)
    // The mail client executes the late call, and the pane repairs the message by itself.
    await eventually(late).toBeGreaterThan(earlier)
    await eventually(async () => {
      const message = await playground.message()
      const { attached, shown } = imagesOf(message)
      return [signaturesIn(message).length, attached.join() === shown.join()]
    }).toEqual([1, true])
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

  it('refuses the new signature after the previous one was removed: the pane restores the previous one', async () => {
    const playground = await ready()
    const { page, pane, before } = playground
    // The call that removes succeeds. The one that inserts fails: it is executed after the pane's message was heard.
    await page.evaluate((error) => {
      const call = 'body.setSignatureAsync'
      const sets = () => window.playground.snapshot().calls.filter(({ name }) => name === call).length
      const earlier = sets()
      const stop = new AbortController()
      const hear = () => {
        if (sets() < earlier + 2) return
        window.playground.fail(call, error, 1)
        stop.abort()
      }
      addEventListener('message', hear, { signal: stop.signal })
    }, REFUSED)
    await option(pane, 'Northwind standard').click()
    await notInserted(playground).getByText('Outlook reported an error').waitFor()
    // As the client returned it: without the wrapper of the first writing.
    const signed = (message: Item) => [signaturesIn(message), imagesOf(message)]
    await eventually(async () => signed(await playground.message())).toEqual(signed(before))
  })

  it('refuses a signature of 40,000 characters: the pane says how long it is, and the message is unchanged', async () => {
    const playground = await open({ person: TESS })
    const { pane } = playground
    const before = await untilInMessage(playground, 'ordinary-u-5')
    await option(pane, 'All the terms').click()
    await notInserted(playground)
      .getByText(/too long for Outlook: [34]\d,\d{3} characters\. The limit is 30,000\./)
      .waitFor()
    await notInserted(playground).getByText('Choose a shorter signature.').waitFor()
    expect(content(await playground.message())).toEqual(content(before))
    expect(
      (await playground.snapshot()).calls.filter(({ name }) => name === 'body.setSignatureAsync').length,
    ).toBe(1)
    await option(pane, 'Two badges').click()
    await untilInMessage(playground, 'two_badges-u-5')
  })

  it('cannot identify the user: the pane says why, the message is unchanged, and the retry works', async () => {
    const playground = await ready()
    const { page, pane } = playground
    await page.evaluate(() => {
      sessionStorage.clear()
      window.playground.fail(
        'auth.getAccessToken',
        { code: 13001, name: 'No user is signed into Office.' },
        1,
      )
    })
    const before = await playground.message()
    await page.getByRole('button', { name: 'Reload the pane' }).click()
    await pane.getByRole('alert').getByText('You’re not signed in to Outlook.').waitFor()
    expect(content(await playground.message())).toEqual(content(before))
    await pane.getByRole('button', { name: 'Try again' }).click()
    await option(pane, 'Short').click()
    await untilInMessage(playground, SHORT)
  })
})
