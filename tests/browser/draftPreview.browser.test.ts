import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useAdministration } from './sharedAdministration.ts'

// The preview of a signature's draft, over a real service: at the width of a phone, for classic Outlook, and for a
// person who has the signature.

const { share } = useAdministration()

const preview = (page: Page): Locator =>
  page.locator('iframe[title="Preview of the template"]:not([aria-hidden])')
const words = (page: Page): Locator => page.getByRole('listbox', { name: /^Words and pictures/ })
const choose = (page: Page, look: string) => page.getByRole('radio', { name: look }).press('Space')

/** The page of a signature of the demonstration. */
async function openSignature(name: string, width: number): Promise<Page> {
  const page = await share('/signatures', { viewport: { width, height: 900 } })
  await page.getByRole('link', { name, exact: true }).press('Enter')
  await choose(page, 'Rules')
  await page.getByRole('region', { name: 'Preview', exact: true }).scrollIntoViewIfNeeded()
  await words(page).waitFor()
  await page.getByRole('button', { name: 'Change what is shown' }).press('Enter')
  return page
}

test('at the width of a phone, a narrow window shows the whole signature, with its words where they are drawn', async () => {
  const page = await openSignature('Northwind standard', 320)
  await choose(page, 'Phone')
  await page.waitForFunction(
    (frame) => (frame as HTMLElement).style.width === '360px',
    await preview(page).elementHandle(),
  )
  await words(page).waitFor()
  const [frame, screen] = [await preview(page).boundingBox(), page.viewportSize()]
  expect((frame?.x ?? 0) + (frame?.width ?? 999)).toBeLessThanOrEqual(screen?.width ?? 0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  const name = 'Alex Kim'
  const box = await words(page)
    .getByRole('option', { name, exact: true })
    .first()
    .locator('span')
    .boundingBox()
  const drawn = await preview(page).contentFrame().getByText(name).first().boundingBox()
  expect(Math.abs((box?.x ?? 0) - (drawn?.x ?? 99))).toBeLessThan(3)
  expect(Math.abs((box?.y ?? 0) - (drawn?.y ?? 99))).toBeLessThan(12)
})

test('one press shows the signature for a person who has it, without moving the controls', async () => {
  const page = await openSignature('Padrão Northwind', 1280)
  await page.getByText('This person does not have this signature').waitFor()
  const distance = async () => {
    const [person, phone] = [
      page.getByRole('button', { name: 'Change person' }),
      page.getByText('Phone', { exact: true }),
    ]
    return ((await phone.boundingBox())?.y ?? 0) - ((await person.boundingBox())?.y ?? 0)
  }
  const before = await distance()
  await page.getByRole('button', { name: 'Preview for Maria Silva, who has this signature' }).press('Enter')
  await page.getByText('Shown for maria.silva@northwind.example.').waitFor()
  await preview(page).contentFrame().getByText('Maria Silva').first().waitFor()
  const focused = page.locator(':focus')
  await focused.waitFor()
  expect(await focused.textContent()).toBe('Change person')
  expect(await distance()).toBe(before)
})
