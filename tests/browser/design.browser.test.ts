import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  BUTTON,
  addButton,
  addPhoneLine,
  byMouse,
  changeAccent,
  countActs,
  inBar,
  inDialog,
  inPanel,
  item,
  mobile,
  mark,
  phoneValue,
  pictureWidth,
  removeIcons,
  replaceLogo,
  swapColumns,
  tree,
  untilSaid,
} from './designTasks.ts'
import { useAdministration } from './sharedAdministration.ts'

// The visual editor of a signature, over a real service: six tasks of a person who knows no HTML, by mouse and by
// keyboard alone, and what is typed and dragged.

const { share } = useAdministration()
const STANDARD = '/signatures/id/standard'
const CORPORATE = 'templates/corporate.html'
const CONTACT = 'templates/contact.part.html'
/** More key presses than the way to any element of the page takes. */
const MAX_PRESSES = 400

/** Opens the design of the demonstration's first signature. */
async function openDesign(): Promise<Page> {
  const page = await share(STANDARD)
  await item(page, 'Picture: Northwind Trading').waitFor()
  return page
}

const shown = (page: Page) =>
  page.locator('iframe[title="Preview of the template"]:not([aria-hidden])').contentFrame()
const typingField = (page: Page): Locator => page.getByRole('textbox', { name: /^Words of the signature/ })

/** The names of the drawn rows, cells and so on, in order. */
const namesOf = (page: Page, kind: string): Promise<readonly string[]> =>
  item(page, new RegExp(`^${kind}: `)).evaluateAll((all) =>
    all.map((each) => each.getAttribute('aria-label')?.replace(/^[^:]*: /, '') ?? ''),
  )

/** The source that the selected item is in. Leaves the design. */
async function sourceOf(page: Page, path: string): Promise<string> {
  await inPanel(page, 'Edit in the source').click()
  const editor = page.getByRole('textbox', { name: `Template ${path}` })
  await editor.waitFor()
  await page.waitForFunction(() => !document.querySelector('[data-waits]'))
  return editor.innerText()
}

/** A person without a mouse. Keys that only move the focus or the selection are no acts. */
function byKeyboard(page: Page) {
  const count = countActs()
  const press = (key: string) => {
    count()
    return page.keyboard.press(key)
  }
  const go = async (key: string, hasArrived: () => Promise<boolean>) => {
    for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
      if (await hasArrived()) return
      await page.keyboard.press(key)
    }
    throw new Error(`The key ${key} does not lead there`)
  }
  const reach = async (target: Locator, key = 'Tab') => {
    await target.waitFor()
    await go(key, () => target.evaluate((element) => element.matches(':focus')))
  }
  const write = (text: string) => {
    count()
    return page.keyboard.type(text)
  }
  return {
    press,
    reach,
    write,
    async enter(target: Locator) {
      await reach(target)
      await press('Enter')
    },
    async type(target: Locator, text: string) {
      await reach(target)
      await page.keyboard.press('Control+a')
      await write(text)
    },
    /** Goes down the tree to an item. */
    async select(name: string | RegExp) {
      await reach(tree(page))
      await page.keyboard.press('Home')
      const target = item(page, name).first()
      await go('ArrowDown', async () => (await target.getAttribute('aria-selected')) === 'true')
    },
  }
}

describe('tasks in the design', () => {
  const ACCENT = 'rgb(122, 31, 95)'
  const lineColour = (page: Page) =>
    shown(page)
      .locator('td')
      .first()
      .evaluate((cell) => getComputedStyle(cell).borderRightColor)

  /** The accent colour is another one in the design of a signature, and in its source. */
  async function expectAccent(page: Page): Promise<void> {
    await page.getByText(/^Changed: sea, and \d+ places in the templates\.$/).waitFor()
    await page.getByRole('link', { name: 'All signatures' }).click()
    await page.getByRole('link', { name: 'Northwind standard' }).first().click()
    await item(page, 'Picture: Northwind Trading').click()
    expect(await lineColour(page)).toBe(ACCENT)
    const source = await sourceOf(page, CORPORATE)
    expect(source).toContain('border-right:2px solid #7a1f5f;')
    expect(source).not.toContain('#1b8a8f')
  }

  test('the accent colour is another one everywhere, by mouse', async () => {
    const page = await share('/signatures')
    await changeAccent(page, byMouse(page))
    await expectAccent(page)
  })

  test('the accent colour is another one everywhere, by keyboard alone [EDIT-9]', async () => {
    const page = await share('/signatures')
    const person = byKeyboard(page)
    await person.enter(page.getByRole('link', { name: 'Brand', exact: true }))
    await person.enter(page.getByRole('button', { name: 'Change sea' }))
    await person.type(page.getByLabel('Hex value'), '#7a1f5f')
    await person.enter(inDialog(page, 'Save'))
    await person.enter(inDialog(page, 'Change it in these signatures too'))
    await expectAccent(page)
  })

  async function expectMark(page: Page): Promise<void> {
    await untilSaid(page, 'The size was changed.')
    const box = await shown(page).getByAltText('Northwind Trading').boundingBox()
    expect(box).toMatchObject({ width: 56, height: 56 })
    const source = await sourceOf(page, CORPORATE)
    expect(source).toContain(
      '<img src="{{picture northwind/mark.png}}" width="56" height="56" alt="Northwind Trading" border="0" style="display:block;border:0;width:56px;height:56px;">',
    )
    expect(source).not.toContain('logo.png')
  }

  test('the logo is another one, and narrower, by mouse', async () => {
    const page = await openDesign()
    await replaceLogo(page, byMouse(page))
    await expectMark(page)
  })

  test('the logo is another one, and narrower, by keyboard alone [EDIT-9]', async () => {
    const page = await openDesign()
    const person = byKeyboard(page)
    await person.select('Picture: Northwind Trading')
    await person.enter(inPanel(page, 'Replace the picture'))
    await page.getByRole('dialog').waitFor()
    await person.reach(page.getByRole('dialog').locator('input[type=radio]:checked'))
    for (let presses = 0; presses < 40 && !(await mark(page).isChecked()); presses += 1)
      await page.keyboard.press('ArrowDown')
    await person.press('Enter')
    await person.type(pictureWidth(page), '56')
    await person.press('Enter')
    await expectMark(page)
  })

  /** The line with the telephone, then the new one, with its condition, its weight, its link and its value. */
  const TWO_PHONES = new RegExp(
    '>{{phone}}</a></td></tr>\\s*{{/if}}{{#if mobile_phone}}<tr>[^{}]*font-weight:bold">T</td>[^{}]*' +
      '<a href="tel:{{tel mobile_phone}}" style="[^{}]*font-weight:bold">{{mobile_phone}}</a></td></tr>\\s*{{/if}}',
  )
  /** The second line is there for a person who has that number, and only for such a person. */
  async function expectTwoPhones(page: Page, path: string): Promise<string> {
    await untilSaid(page, 'Another value is shown.')
    await shown(page).getByText('T', { exact: true }).nth(1).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Change what is shown' }).click()
    await page.getByRole('button', { name: 'Change person' }).click()
    await page.getByLabel('Search for a person').fill('tess')
    await inDialog(page, /tess\.edge@/).click()
    const labels = shown(page).getByText('T', { exact: true })
    await labels.nth(1).waitFor()
    const weights = await labels.evaluateAll((all) => all.map((each) => getComputedStyle(each).fontWeight))
    expect(weights).toEqual(['400', '700'])
    const source = await sourceOf(page, path)
    expect(source).toMatch(TWO_PHONES)
    return source
  }

  test('a second, bold phone line is below the first where there is one, only in this signature, by mouse', async () => {
    const page = await openDesign()
    const person = byMouse(page)
    await person.click(item(page, 'Words: +44 20 5550 0142'))
    await addPhoneLine(page, person, 'Only here')
    expect(await expectTwoPhones(page, CORPORATE)).not.toContain('{{> contact}}')
  })

  test('a second, bold phone line is below the first where there is one, in all signatures, by keyboard alone [EDIT-9]', async () => {
    const page = await openDesign()
    const person = byKeyboard(page)
    await person.select(/^Row: T \+44 20 5550 0142$/)
    await person.press('Control+d')
    await person.enter(inDialog(page, /^Change it in all/))
    await untilSaid(page, 'Duplicated.')
    await person.reach(inBar(page, 'Undo'))
    await person.reach(inBar(page, 'Bold'), 'ArrowRight')
    await person.press('Enter')
    await person.enter(phoneValue(page))
    await mobile(page).waitFor()
    await person.write('mob')
    await person.press('Enter')
    await expectTwoPhones(page, CONTACT)
  })

  async function expectButton(page: Page): Promise<void> {
    await untilSaid(page, 'Added.')
    const link = shown(page).getByText(BUTTON.text)
    await link.waitFor()
    expect(await sourceOf(page, CORPORATE)).toMatch(
      /<td bgcolor="#0f3d5e"[^<>]*><a href="https:\/\/www\.northwind\.example\/call"[^<>]*>Book a call<\/a>/,
    )
  }

  test('a button with a link is there, by mouse', async () => {
    const page = await openDesign()
    await addButton(page, byMouse(page), 'Add an element')
    await expectButton(page)
  })

  test('a button with a link is there, by keyboard alone [EDIT-9]', async () => {
    const page = await openDesign()
    const person = byKeyboard(page)
    await person.select(/^Shared part “icons”/)
    await person.press('+')
    await person.enter(inDialog(page, /^Button/))
    await person.type(page.getByLabel('Text on the button'), BUTTON.text)
    await person.type(page.getByLabel('Address'), 'www.northwind.example/call')
    await person.enter(inDialog(page, 'Insert'))
    await expectButton(page)
  })

  async function expectSwapped(page: Page): Promise<void> {
    await untilSaid(page, 'Moved.')
    const logo = await shown(page).getByAltText('Northwind Trading').boundingBox()
    const name = await shown(page).getByText('Alex Kim').first().boundingBox()
    expect(logo?.x).toBeGreaterThan(name?.x ?? Infinity)
    const source = await sourceOf(page, CORPORATE)
    expect(source).toMatch(
      /<tr><td valign="top" style="padding:0 0 0 16px;">.*{{> icons}}<\/td><td width="96"/s,
    )
  }

  test('two columns have changed places, by mouse', async () => {
    const page = await openDesign()
    await swapColumns(page, byMouse(page), 'Northwind Trading')
    await expectSwapped(page)
  })

  test('two columns have changed places, by keyboard alone [EDIT-9]', async () => {
    const page = await openDesign()
    const person = byKeyboard(page)
    await person.select('Column 1: Northwind Trading')
    await person.press('Alt+ArrowRight')
    await expectSwapped(page)
  })

  async function expectNoIcons(page: Page): Promise<void> {
    await untilSaid(page, 'Removed. Undo brings it back.')
    await shown(page).getByAltText('Book a meeting').waitFor({ state: 'detached' })
    const source = await sourceOf(page, CORPORATE)
    expect(source).toMatch(/<\/table>\s*<\/td><\/tr>/)
    expect(source).not.toMatch(/icons|social/)
  }

  test('the social row is gone, only in this signature, by mouse', async () => {
    const page = await openDesign()
    await removeIcons(page, byMouse(page))
    await expectNoIcons(page)
  })

  test('the social row is gone, only in this signature, by keyboard alone [EDIT-9]', async () => {
    const page = await openDesign()
    const person = byKeyboard(page)
    await person.select(/^Shared part “icons”/)
    await person.press('Delete')
    await expectNoIcons(page)
  })
})

describe('typing and dragging in the design', () => {
  const TITLE = 'Words: Head of Voyage Planning'

  async function typeInTitle(page: Page): Promise<void> {
    await item(page, TITLE).click()
    await typingField(page).waitFor()
    await page.keyboard.press('End')
  }

  test('markup, a placeholder and an emoji that are typed are shown as they are typed', async () => {
    const page = await openDesign()
    const typed = ' <b> & {{x}} 🎉'
    await typeInTitle(page)
    await page.keyboard.insertText(typed)
    await inDialog(page, /^Change it in all/).click()
    await page.keyboard.press('Escape')
    await shown(page).getByText(`Head of Voyage Planning${typed}`).waitFor()
    expect(await sourceOf(page, CONTACT)).toContain('🎉')
  })

  test('Escape ends typing, and the tree has the focus', async () => {
    const page = await openDesign()
    await typeInTitle(page)
    await page.keyboard.press('Escape')
    await typingField(page).waitFor({ state: 'detached' })
    expect(await tree(page).evaluate((element) => element.matches(':focus'))).toBe(true)
  })

  test('a row that is dragged to another has its place', async () => {
    const page = await openDesign()
    await item(page, 'Words: E').click()
    await inPanel(page, /^Row: E alex/).click()
    await item(page, /^Words: alex/).dragTo(item(page, /^Words: \+44/), { targetPosition: { x: 5, y: 2 } })
    await inDialog(page, /^Change it in all/).click()
    await untilSaid(page, 'Moved.')
    await expect
      .poll(async () => (await namesOf(page, 'Row')).slice(-3))
      .toEqual(['E alex.kim@northwind.exa…', 'T +44 20 5550 0142', 'W https://www.northwind.…'])
  })
})

describe('a block in the design', () => {
  const NOTICE = 'For its recipients only. If it reached you by mistake, please delete it.'
  const items = (page: Page) => page.getByRole('tree', { name: 'What the block shows' }).getByRole('treeitem')

  test('is typed in where a message shows it, of which nothing else can be selected', async () => {
    const page = await share('/blocks/id/notice')
    await page.getByText('Not here: it is not for these recipients. Here, it is shown by itself.').waitFor()
    await page.getByRole('button', { name: 'Change what is shown' }).click()
    await page.getByText('Someone outside', { exact: true }).click()
    await page.getByText('It is in Northwind standard, New message.').waitFor()
    await shown(page).getByText('Alex Kim').waitFor()
    await expect
      .poll(() => items(page).evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))))
      .toEqual([`Words: ${NOTICE}`])
    await items(page).click()
    await typingField(page).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type(' Thank you.')
    await page.keyboard.press('Escape')
    await shown(page).getByText(`${NOTICE} Thank you.`).waitFor()
    expect((await sourceOf(page, 'templates/blocks/notice.html')).trim()).toBe(`${NOTICE} Thank you.`)
  })
})
