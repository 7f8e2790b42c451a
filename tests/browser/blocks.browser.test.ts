import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import {
  clearServers,
  eventually,
  imagesOf,
  type Opened,
  signaturesIn,
  unmarked,
  useBrowser,
} from './pane.ts'

// The notice of the demonstration for recipients outside, in the message.

const { open } = useBrowser()
afterEach(clearServers)

const DEFAULT = 'portrait-u-1'
const NOTICE = 'For its recipients only.'
const SAM = { name: 'Sam Okafor', address: 'sam.okafor@northwind.example' }
const CLAIRE = { name: 'Claire Dubois', address: 'claire.dubois@fabrikam.example' }
const WORDS = 'The offer holds until Friday.'

const setRecipients = (page: Page, to: readonly (typeof SAM)[]) =>
  page.evaluate((recipients) => window.playground.setRecipients({ to: recipients }), to)
const write = (page: Page) =>
  page.frameLocator('iframe[title="Message body"]').getByRole('textbox', { name: 'Message body' }).fill(WORDS)

/** Waits until the message has the default, once, with or without the notice, and exactly its pictures. */
async function untilNoticed({ message }: Opened, hasNotice: boolean) {
  await eventually(async () => {
    const item = await message()
    const { attached, shown } = imagesOf(item)
    const isWhole = shown.length > 0 && attached.join() === shown.join()
    return [signaturesIn(item), item.signatureHtml.includes(NOTICE), isWhole]
  }).toEqual([[DEFAULT], hasNotice, true])
  return message()
}

test('[BLOCK-5] with the pane closed, the notice follows the recipients; signature, pictures and text stay', async () => {
  const opened = await open({ query: '&launch=classic&pane=closed' })
  const { page, message } = opened
  // The message that is begun is to a recipient outside.
  await untilNoticed(opened, true)
  await page.getByRole('button', { name: 'New message' }).click()
  const begun = await untilNoticed(opened, false)
  await write(page)
  await setRecipients(page, [SAM, CLAIRE])
  expect((await untilNoticed(opened, true)).bodyHtml).toContain(WORDS)
  await setRecipients(page, [SAM])
  const { signatureHtml, bodyHtml } = await untilNoticed(opened, false)
  expect(withoutNumbers(signatureHtml)).toBe(withoutNumbers(begun.signatureHtml))
  expect(bodyHtml).toContain(WORDS)
  expect((await message()).notifications).toEqual([])
})

/** Without what differs between two insertions of the same signature: its marks, and the numbers of its pictures. */
const withoutNumbers = (html: string): string =>
  unmarked(html).replace(/(cid:[\w-]+?)(?:-\d+)?\.png/g, '$1.png')

test('what the page offers to try shows the notice, and opens no pane for it', async () => {
  const opened = await open({ query: '&pane=closed' })
  const { page } = opened
  const tries = page.getByRole('region', { name: 'Try this' })
  await untilNoticed(opened, true)
  await tries.getByRole('button', { name: 'External recipient' }).click()
  await tries.getByText('a recipient is external', { exact: false }).waitFor()
  await untilNoticed(opened, true)
  expect(await page.locator('iframe[title="Signet"]').count()).toBe(0)
  await page.getByRole('button', { name: 'Remove Nora Lind' }).click()
  await untilNoticed(opened, false)
})
