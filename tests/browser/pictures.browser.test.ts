import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { useAdministration } from './sharedAdministration.ts'

// The pictures of a draft on the administration page, over a real service: read, drawn and scaled by the browser.

const { share } = useAdministration()
const DEMONSTRATION = join(import.meta.dirname, '../../src/service/demonstration/signatures')

/** Like a photo: with grain, so that it weighs less with fewer pixels. */
function grainyPng(width: number, height: number): Buffer {
  const png = new PNG({ width, height })
  let grain = 1
  for (let at = 0; at < width * height; at++) {
    grain = (grain * 48_271) % 2_147_483_647
    png.data.writeUInt32BE((at % 4 === 0 ? (grain >> 8) % 2 : 0) * 0x1000 + 0xff, at * 4)
  }
  return PNG.sync.write(png)
}
const HARBOUR = { name: 'Harbour.png', mimeType: 'image/png', buffer: grainyPng(1760, 440) }

/** Makes the demonstration's folder the draft, opens its first template, and the picker with the keyboard. */
async function openPicker(): Promise<readonly [Page, Locator]> {
  const page = await share('/signatures')
  await page.getByLabel('Choose a folder').setInputFiles(DEMONSTRATION)
  await page.getByText('You see changes that are not published yet.').waitFor()
  await page.getByRole('link', { name: 'All files' }).press('Enter')
  await page.getByRole('textbox', { name: /^Template / }).waitFor()
  await page.waitForFunction(() => !document.querySelector('[data-waits]'))
  await page.locator('[data-tool=picture]').press('Enter')
  return [page, page.getByRole('dialog', { name: 'Picture' })]
}

const selected = (picker: Locator): Locator => picker.getByRole('radio', { checked: true })
const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element.matches(':focus'))

test('a large picture is added and scaled down by keyboard, and its copy is drawn in the signature', async () => {
  const [page, picker] = await openPicker()
  await picker.getByLabel('Add pictures').setInputFiles(HARBOUR)
  await picker.getByText('harbour.png was added.').waitFor()
  await picker.getByRole('button', { name: 'Scale down to 880 × 220 pixels' }).press('Enter')
  await picker.getByText('harbour-880.png was added.').waitFor()

  // The button that scaled is gone, and the button that goes on has the focus. The radio buttons before it are one stop
  // of the Tab key, and the arrow keys go through the pictures.
  expect(await picker.getByRole('button', { name: /^Scale down/ }).count()).toBe(0)
  expect(await isFocused(picker.getByRole('button', { name: 'Use this picture' }))).toBe(true)
  await page.keyboard.press('Shift+Tab')
  expect(await isFocused(selected(picker))).toBe(true)
  const copy = await selected(picker).locator('..').innerText()
  expect(copy).toContain('880 × 220 pixels')
  await page.keyboard.press('ArrowRight')
  expect(await selected(picker).locator('..').innerText()).not.toBe(copy)
  await page.keyboard.press('ArrowLeft')
  expect(await selected(picker).locator('..').innerText()).toBe(copy)
  await page.keyboard.press('Enter')
  await picker.waitFor({ state: 'detached' })
  const drawn = page
    .locator('iframe[title="Preview of the template"]:not([aria-hidden])')
    .contentFrame()
    .locator('img[width="440"]')
  await drawn.first().waitFor()
  expect(await drawn.first().evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(880)
})

test('a picture beyond the limits is added once it is scaled down', async () => {
  const [, picker] = await openPicker()
  await picker
    .getByLabel('Add pictures')
    .setInputFiles({ name: 'Quay.png', mimeType: 'image/png', buffer: grainyPng(4200, 1050) })
  await picker.getByText(/^Quay\.png has .* MB and 4,200 × 1,050 pixels\./).waitFor()
  await picker.getByRole('button', { name: 'Scale Quay.png down to a width of 880 pixels' }).press('Enter')
  await picker.getByText('quay.png was added.').waitFor()
  expect(await selected(picker).locator('..').innerText()).toContain('880 × 220 pixels')
  expect(await isFocused(picker.getByRole('button', { name: 'Use this picture' }))).toBe(true)
})

test('a picture that is pasted is added once, and removed with the other unused ones', async () => {
  const [page, picker] = await openPicker()
  const paste = () =>
    page.evaluate((base64) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      data.items.add(new File([bytes], 'image.png', { type: 'image/png' }))
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    }, HARBOUR.buffer.toString('base64'))
  await paste()
  await picker.getByText('image.png was added.').waitFor()
  await paste()
  await picker.getByText('The draft already has this picture: image.png.').waitFor()
  await page.keyboard.press('Escape')

  const pictures = page.getByRole('region', { name: 'Pictures', exact: true })
  await pictures.getByLabel('image.png').waitFor()
  const remove = { name: /^Remove \d+ pictures?$/ }
  await pictures.getByRole('button', remove).press('Enter')
  await page.getByRole('dialog').getByRole('button', remove).press('Enter')
  await pictures
    .getByText('All pictures are used.')
    .or(pictures.getByText(/removed from the draft/))
    .waitFor()
  expect(await pictures.getByLabel('image.png').count()).toBe(0)
  expect(await pictures.getByText('northwind/logo.png').count()).toBe(1)
})
