import { afterEach, describe, expect, test } from 'vitest'
import { clearServers, eventually, openMessage, service, signaturesIn, useBrowser } from './pane.ts'

// The question before a message leaves, in the playground: the program as it is built, in both runtimes.

const { open: openPlayground } = useBrowser()
afterEach(async () => {
  await clearServers()
  await service.reset()
})

const OUTSIDE = { address: 'claire.dubois@fabrikam.example', name: 'Claire Dubois' }

describe('before a message leaves', () => {
  /** A message to a recipient outside without a signature, when a copy is kept, and Outlook asks the add-in. */
  async function open(mode: 'page' | 'classic') {
    const { page, noticed } = await openPlayground({
      query: `&launch=${mode}&pane=closed&quirk=asksBeforeSending`,
    })
    const message = async () => openMessage(await page.evaluate(() => window.playground.snapshot()))
    const launches = () => page.evaluate(() => window.playground.launches())
    await eventually(async () => signaturesIn(await message())).toHaveLength(1)
    await eventually(async () => (await launches()).map(({ outcome }) => outcome)).toEqual(['inserted'])
    await page.evaluate((to) => {
      window.playground.quirk('raisesNothing', true)
      window.playground.newMessage()
      window.playground.setRecipients({ to: [to] })
    }, OUTSIDE)
    const send = () => page.getByRole('button', { name: 'Send', exact: true }).click()
    return {
      page,
      noticed,
      message,
      launches,
      send,
      dialog: page.getByRole('dialog', { name: 'Before you send' }),
    }
  }

  test('[MEET-6] the user sends it anyway, in the runtime with a page', async () => {
    const { page, send, dialog, launches, noticed } = await open('page')
    await send()
    await expect
      .poll(() => dialog.innerText())
      .toContain('Missing from this message: With portrait, Confidentiality notice')
    expect((await launches()).at(-1)?.kind).toBe('send')
    await dialog.getByRole('button', { name: 'Send anyway' }).click()
    await eventually(() => page.evaluate(() => window.playground.snapshot().current)).toBe(null)
    expect(noticed.violations).toEqual([])
  })

  test('[MEET-6] the pane puts in what is missing, and then the message leaves without a question, in the one without', async () => {
    const { page, send, dialog, message } = await open('classic')
    await send()
    await dialog.getByRole('button', { name: 'Open Signet' }).click()
    await eventually(async () => signaturesIn(await message())).toHaveLength(1)
    await eventually(async () => (await message()).bodyHtml).toContain('For its recipients only')
    await send()
    await eventually(() => page.evaluate(() => window.playground.snapshot().current)).toBe(null)
    expect(await dialog.count()).toBe(0)
  })
})
