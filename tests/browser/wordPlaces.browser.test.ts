import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useAdministration } from './sharedAdministration.ts'

// The editor of templates beside its preview, over a real service: words lead to the source, and back.

const { share } = useAdministration()
const DEMONSTRATION = join(import.meta.dirname, '../../src/service/demonstration/signatures')
const CORPORATE = 'templates/corporate.html'

/** Makes the demonstration's folder the draft, and opens the page of all its files. */
async function openFiles(arrange?: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await share('/signatures', { ...(arrange && { arrange }) })
  await page.getByLabel('Choose a folder').setInputFiles(DEMONSTRATION)
  // With a new draft, the editor is a new one, too.
  await page.getByText('You see changes that are not published yet.').waitFor()
  await page.getByRole('link', { name: 'All files' }).press('Enter')
  return page
}

async function openTemplate(): Promise<Page> {
  const page = await openFiles()
  await page.getByRole('button', { name: 'Choose a template' }).press('Enter')
  await page.getByRole('button', { name: CORPORATE }).press('Enter')
  await editor(page).waitFor()
  // A plain text field stands there until the editor's code is loaded, and stays while it has the focus.
  await page.waitForFunction(() => !document.querySelector('[data-waits]'))
  await words(page).waitFor()
  return page
}

const preview = (page: Page): Locator =>
  page.locator('iframe[title="Preview of the template"]:not([aria-hidden])')
const editor = (page: Page): Locator => page.getByRole('textbox', { name: /^Template / })
const words = (page: Page): Locator =>
  page.getByRole('listbox', { name: 'Words and pictures of the signature: Enter goes to the source' })
const framed = (page: Page): Locator => words(page).locator('[role=option][aria-selected=true]')
async function untilInEditor(page: Page): Promise<void> {
  await page.waitForFunction(() => document.activeElement?.shadowRoot !== null)
  expect(await editor(page).evaluate((element) => element.matches(':focus'))).toBe(true)
}

describe('words and source', () => {
  test('a click on a word selects its placeholder, and what is selected in the source is framed [ADOPT-8]', async () => {
    const page = await openTemplate()
    const address = page.url()
    await words(page).getByRole('option', { name: 'Alex Kim', exact: true }).first().click()
    await untilInEditor(page)
    await framed(page).first().waitFor()
    expect(await framed(page).first().getAttribute('aria-label')).toBe('Alex Kim')
    // The frame is where the word is drawn in the sealed frame.
    const box = await framed(page).first().locator('span').first().boundingBox()
    const frame = preview(page).contentFrame()
    const word = await frame.getByText('Alex Kim').first().boundingBox()
    expect(Math.abs((box?.y ?? 0) - (word?.y ?? 99))).toBeLessThan(12)
    expect(Math.abs((box?.x ?? 0) - (word?.x ?? 99))).toBeLessThan(3)
    // Typing replaces the placeholder that is selected.
    await page.keyboard.type('Robin')
    await frame.getByText('Robin').waitFor()
    expect(await editor(page).innerText()).not.toContain('{{display_name}}')
    await page.keyboard.press('Control+z')
    await frame.getByText('Alex Kim').waitFor()
    expect(page.url()).toBe(address)
  })

  test('Enter on a word that the arrow keys reached goes to its place, which Escape and Tab leave as it is', async () => {
    const page = await openTemplate()
    await words(page).focus()
    await page.keyboard.press('End')
    const last = await words(page).getAttribute('aria-activedescendant')
    const name = await page.locator(`[id="${last ?? ''}"]`).getAttribute('aria-label')
    expect(name).not.toBe('')
    await page.keyboard.press('Enter')
    await untilInEditor(page)
    await framed(page).first().waitFor()

    const source = await editor(page).innerText()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+Tab')
    expect(await editor(page).evaluate((element) => element.matches(':focus'))).toBe(false)
    expect(await editor(page).innerText()).toBe(source)
  })

  test('an act of the palette is undone by the keys of the editor, to the same text [ADOPT-8]', async () => {
    const page = await openTemplate()
    await editor(page).focus()
    await page.keyboard.press('Control+Home')
    const before = await editor(page).innerText()
    await page.getByRole('toolbar', { name: 'Insert and change' }).getByRole('button').first().focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Insert a variable' })
    await dialog.getByRole('searchbox').fill('alex.kim@')
    await dialog.getByRole('button', { name: /^email/ }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await untilInEditor(page)
    expect(await editor(page).innerText()).toBe(`{{email}}${before}`)
    await page.keyboard.press('Control+z')
    expect(await editor(page).innerText()).toBe(before)
  })

  test('an act in the plain field, which stands there when the editor cannot be loaded, is drawn, and undone by the field', async () => {
    const page = await openFiles((opened) =>
      opened.route(/templateEditor\.[0-9a-f]+\.js/, (route) => route.abort()),
    )
    await page.getByText('The editor could not be loaded.').waitFor()
    const field = page.getByRole('textbox', { name: /^Template / })
    const before = await field.inputValue()
    await field.focus()
    await page.keyboard.press('Control+Home')
    await page.locator('[data-tool=field]').press('Enter')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^email/ })
      .press('Enter')
    await page.waitForFunction(() => document.activeElement?.localName === 'textarea')
    expect(await field.inputValue()).toBe(`{{email}}${before}`)
    await page.keyboard.press('Control+z')
    expect(await field.inputValue()).toBe(before)
    await field.fill(`Plain words ${before}`)
    await page.getByRole('region', { name: 'Preview', exact: true }).scrollIntoViewIfNeeded()
    await preview(page).contentFrame().getByText('Plain words').waitFor()
  })
})
