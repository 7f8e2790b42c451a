import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { inDialog, item, tree } from './designTasks.ts'
import { useAdministration } from './sharedAdministration.ts'

// Typing in the words of a drawn signature: the focus, the keyboard, the clipboard and compositions of a real browser.

const { share } = useAdministration()
const TITLE = 'Head of Voyage Planning'

const typingField = (page: Page): Locator => page.getByRole('textbox', { name: /^Words of the signature/ })
const undo = (page: Page): Locator => page.getByRole('button', { name: 'Undo', exact: true })
/** The drawn line that begins with these words alone; the department follows. */
const shown = (page: Page, words: string): Locator =>
  page
    .locator('iframe[title="Preview of the template"]:not([aria-hidden])')
    .contentFrame()
    .getByText(new RegExp(`^${words} ·`))

/** Begins to type after the job title, which a part shows that other signatures have, too. */
async function typeInTitle(): Promise<Page> {
  const page = await share('/signatures/id/standard')
  await item(page, `Words: ${TITLE}`).click()
  await typingField(page).waitFor()
  await page.keyboard.press('End')
  return page
}

describe('typing in the design', () => {
  test('asks at the first character, loses none, and goes on where it was', async () => {
    const page = await typeInTitle()
    await page.keyboard.type(' and Ports')
    await inDialog(page, 'Only here').click()
    await page.keyboard.type('!')
    await page.keyboard.press('Escape')
    await shown(page, `${TITLE} and Ports!`).waitFor()
    expect(await tree(page).evaluate((element) => element.matches(':focus'))).toBe(true)
  })

  test('searches for a value with the focus, inserts the first one with Enter, and goes on', async () => {
    const page = await typeInTitle()
    await page.keyboard.type('!')
    await inDialog(page, 'Only here').click()
    await page.getByRole('button', { name: 'Insert a value' }).click()
    await page.keyboard.type('no such value')
    await page.keyboard.press('Escape')
    await page.keyboard.type('?')
    await page.getByRole('button', { name: 'Insert a value' }).click()
    await page.keyboard.type('mail')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await shown(page, `${TITLE}!\\?alex.kim@northwind.example`).waitFor()
  })

  test('has what is pasted while it asks', async () => {
    const page = await typeInTitle()
    const keyboard = await page.context().newCDPSession(page)
    await page.keyboard.type('!')
    await inDialog(page, 'Only here').waitFor()
    await keyboard.send('Input.insertText', { text: ' and Ports' })
    await inDialog(page, 'Only here').click()
    await page.keyboard.press('Escape')
    await shown(page, `${TITLE}! and Ports`).waitFor()
  })

  test('is one step of undo by keyboard', async () => {
    const page = await typeInTitle()
    await page.keyboard.type(' one')
    await inDialog(page, /^Change it in all/).click()
    await page.keyboard.type(' two')
    await page.keyboard.press('Escape')
    await shown(page, `${TITLE} one two`).waitFor()
    await page.keyboard.press('Control+z')
    await shown(page, TITLE).waitFor()
    expect(await undo(page).getAttribute('aria-disabled')).toBe('true')
  })

  test('ends with a click elsewhere, and is one step of the button', async () => {
    const page = await typeInTitle()
    await page.keyboard.type(' one')
    await inDialog(page, /^Change it in all/).click()
    await page.keyboard.type(' two')
    await page.getByRole('heading', { level: 1 }).click()
    await typingField(page).waitFor({ state: 'detached' })
    await shown(page, `${TITLE} one two`).waitFor()
    await undo(page).click()
    await shown(page, TITLE).waitFor()
  })

  test('takes a value along when it is cut and pasted', async () => {
    const page = await typeInTitle()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+x')
    await inDialog(page, 'Only here').click()
    await page.keyboard.type('The ')
    await page.keyboard.press('Control+v')
    await page.keyboard.press('Control+v')
    await page.keyboard.press('Escape')
    await shown(page, `The ${TITLE}${TITLE}`).waitFor()
    await page.getByRole('button', { name: 'Edit in the source' }).click()
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Template templates/corporate.html' }).innerText())
      .toMatch(/The {{\w+}}{{\w+}}/)
  })

  test('asks when a composed word is finished, not within it', async () => {
    const page = await typeInTitle()
    const keyboard = await page.context().newCDPSession(page)
    for (const text of ['n', 'に', 'にほ', 'にほん'])
      await keyboard.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      })
    await typingField(page).getByText('にほん').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await keyboard.send('Input.insertText', { text: '日本' })
    await inDialog(page, 'Only here').click()
    await page.keyboard.press('Escape')
    await shown(page, `${TITLE}日本`).waitFor()
  })
})
