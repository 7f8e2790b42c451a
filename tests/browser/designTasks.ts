import type { Locator, Page } from 'playwright-core'

// Six tasks in the visual editor, as a person with a mouse does them: for the tests and for the pictures of the
// administrator's guide. Each task ends with the last act; the caller waits for the result.

/** The most acts that a task may take. */
const MAX_ACTS = 8

export const tree = (page: Page): Locator => page.getByRole('tree', { name: 'What the signature shows' })
export const item = (page: Page, name: string | RegExp): Locator =>
  tree(page).getByRole('treeitem', { name, exact: true })
export const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Selected element' })
export const inPanel = (page: Page, name: string | RegExp): Locator =>
  panel(page).getByRole('button', { name, exact: true })
export const bar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Look of the words' })
export const inBar = (page: Page, name: string): Locator =>
  bar(page).getByRole('button', { name, exact: true })
export const inDialog = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('dialog').getByRole('button', { name })
export const untilSaid = (page: Page, text: string): Promise<void> =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor()

/** The choice of the value that the selected line shows. */
export const phoneValue = (page: Page): Locator => inPanel(page, 'Shows the value: Phone')
/** The mobile phone in the list of values. */
export const mobile = (page: Page): Locator => inPanel(page, /^Mobile (?!\()/)
export const pictureWidth = (page: Page): Locator => panel(page).getByLabel('Width in pixels')
/** The other logo, in the dialog that replaces a picture. */
export const mark = (page: Page): Locator =>
  page.getByRole('dialog').getByRole('radio', { name: /^northwind\/mark\.png/ })
export const BUTTON = { text: 'Book a call', address: 'https://www.northwind.example/call' }

/** Counts what a person does for a task, and fails beyond the limit. */
export function countActs() {
  let acts = 0
  return () => {
    acts += 1
    if (acts > MAX_ACTS) throw new Error(`The task takes more than ${String(MAX_ACTS)} acts`)
  }
}

/** A person with a mouse. Typing into a field, with the click that goes there, is one act. */
export function byMouse(page: Page) {
  const count = countActs()
  return {
    click(target: Locator) {
      count()
      return target.click()
    },
    type(target: Locator, text: string) {
      count()
      return target.fill(text)
    },
    press(key: string) {
      count()
      return page.keyboard.press(key)
    },
  }
}

type Person = ReturnType<typeof byMouse>

/** From the list of signatures. */
export async function changeAccent(page: Page, person: Person): Promise<void> {
  await person.click(page.getByRole('link', { name: 'Brand', exact: true }))
  await person.click(page.getByRole('button', { name: 'Change sea' }))
  await person.type(page.getByLabel('Hex value'), '#7a1f5f')
  await person.click(inDialog(page, 'Save'))
  await person.click(inDialog(page, 'Change it in these signatures too'))
}

export async function replaceLogo(page: Page, person: Person): Promise<void> {
  await person.click(item(page, 'Picture: Northwind Trading'))
  await person.click(inPanel(page, 'Replace the picture'))
  await person.click(mark(page).locator('..'))
  await person.click(inDialog(page, 'Use this picture'))
  await person.type(pictureWidth(page), '56')
  await person.press('Enter')
}

/**
 * From the selected telephone number.
 *
 * @param answer the answer to the question about other signatures; null if there is none
 */
export async function addPhoneLine(page: Page, person: Person, answer: string | null): Promise<void> {
  await person.click(inPanel(page, /^Row/).last())
  await person.click(inPanel(page, 'Duplicate'))
  if (answer !== null) await person.click(inDialog(page, answer))
  await person.click(inBar(page, 'Bold'))
  await person.click(phoneValue(page))
  await person.click(mobile(page))
}

/** At the end of the signature, or below the selected element. */
export async function addButton(page: Page, person: Person, add: string): Promise<void> {
  await person.click(inPanel(page, add))
  await person.click(inDialog(page, /^Button/))
  await person.type(page.getByLabel('Text on the button'), BUTTON.text)
  await person.type(page.getByLabel('Address'), BUTTON.address)
  await person.click(inDialog(page, 'Insert'))
}

/** @param picture the name of the picture in the left column */
export async function swapColumns(page: Page, person: Person, picture: string): Promise<void> {
  await person.click(item(page, `Picture: ${picture}`))
  await person.click(inPanel(page, /^Column/).last())
  await person.click(inPanel(page, 'Move right'))
}

export async function removeIcons(page: Page, person: Person): Promise<void> {
  await person.click(item(page, 'Picture: Website'))
  await person.click(inPanel(page, 'Shared part “icons”'))
  await person.click(inPanel(page, 'Remove'))
}
