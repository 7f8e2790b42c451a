import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import {
  clearServers,
  eventually,
  imagesOf,
  type Opened,
  option,
  signaturesIn,
  unmarked,
  untilInMessage,
  useBrowser,
} from './pane.ts'

// The blocks of the demonstration in the message: a banner by its period, and a notice for recipients outside.

const { open } = useBrowser()
afterEach(clearServers)

const [STANDARD, DEFAULT] = ['standard-u-1', 'portrait-u-1']
const NOTICE = 'For its recipients only.'
const SAM = { name: 'Sam Okafor', address: 'sam.okafor@northwind.example' }
const CLAIRE = { name: 'Claire Dubois', address: 'claire.dubois@fabrikam.example' }
const WORDS = 'The offer holds until Friday.'

const setRecipients = (page: Page, to: readonly (typeof SAM)[]) =>
  page.evaluate((recipients) => window.playground.setRecipients({ to: recipients }), to)
const write = (page: Page) =>
  page.frameLocator('iframe[title="Message body"]').getByRole('textbox', { name: 'Message body' }).fill(WORDS)

/** Waits until the message has this signature, once, with or without the notice, and exactly its pictures. */
async function untilNoticed({ message }: Opened, id: string, hasNotice: boolean) {
  await eventually(async () => {
    const item = await message()
    const { attached, shown } = imagesOf(item)
    const isWhole = shown.length > 0 && attached.join() === shown.join()
    return [signaturesIn(item), item.signatureHtml.includes(NOTICE), isWhole]
  }).toEqual([[id], hasNotice, true])
  return message()
}

describe.each(['page', 'classic'])('with the pane closed, in the runtime %s', (mode) => {
  test('[BLOCK-5] the notice follows the recipients; signature, pictures and text stay', async () => {
    const opened = await open({ query: `&launch=${mode}&pane=closed` })
    const { page, message } = opened
    // The message that is begun is to a recipient outside.
    await untilNoticed(opened, DEFAULT, true)
    await page.getByRole('button', { name: 'New message' }).click()
    const begun = await untilNoticed(opened, DEFAULT, false)
    await write(page)
    await setRecipients(page, [SAM, CLAIRE])
    expect((await untilNoticed(opened, DEFAULT, true)).bodyHtml).toContain(WORDS)
    await setRecipients(page, [SAM])
    const { signatureHtml, bodyHtml } = await untilNoticed(opened, DEFAULT, false)
    expect(withoutNumbers(signatureHtml)).toBe(withoutNumbers(begun.signatureHtml))
    expect(bodyHtml).toContain(WORDS)
    expect((await message()).notifications).toEqual([])
  })
})

/** Without what differs between two insertions of the same signature: its marks, and the numbers of its pictures. */
const withoutNumbers = (html: string): string =>
  unmarked(html).replace(/(cid:[\w-]+?)(?:-\d+)?\.png/g, '$1.png')

test('[BLOCK-5] with the pane open, the notice follows in a signature that the user chose; the banner stays', async () => {
  const opened = await open()
  const { page, pane } = opened
  await untilInMessage(opened, DEFAULT)
  await page.getByRole('button', { name: 'New message' }).click()
  await untilNoticed(opened, DEFAULT, false)
  await option(pane, 'Northwind standard').click()
  const banner = ({ signatureHtml }: Awaited<ReturnType<Opened['message']>>) =>
    signatureHtml.includes('alt="Northwind Harbour Days')
  expect(banner(await untilNoticed(opened, STANDARD, false))).toBe(true)
  await write(page)
  for (const [to, hasNotice] of [
    [[SAM], false],
    [[SAM, CLAIRE], true],
    [[], false],
  ] as const) {
    await setRecipients(page, to)
    const item = await untilNoticed(opened, STANDARD, hasNotice)
    expect([banner(item), item.bodyHtml.includes(WORDS)]).toEqual([true, true])
    await pane.getByText('You chose it', { exact: true }).waitFor()
  }
})

test('what the page offers to try shows the notice, and opens no pane for it', async () => {
  const opened = await open({ query: '&pane=closed' })
  const { page } = opened
  const tries = page.getByRole('region', { name: 'Try this' })
  await untilNoticed(opened, DEFAULT, true)
  await tries.getByRole('button', { name: 'External recipient' }).click()
  await tries.getByText('a recipient is external', { exact: false }).waitFor()
  await untilNoticed(opened, DEFAULT, true)
  expect(await page.locator('iframe[title="Signet"]').count()).toBe(0)
  await page.getByRole('button', { name: 'Remove Nora Lind' }).click()
  await untilNoticed(opened, DEFAULT, false)
})
