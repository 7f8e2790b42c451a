import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { unpack } from '../../src/administration/adapters/archive.ts'
import { readFolder } from '../../src/service/folder/readFolder.ts'
import { releaseIdOf } from '../../src/service/plans.ts'
import type { Plan } from '../../streams/wire/administration/publishing.ts'
import { groupPlans, type PersonPlan } from '../../streams/organisation/plan.ts'
import { compileRelease } from '../../streams/organisation/release.ts'
import type { PersonState } from '../../streams/organisation/state.ts'
import { useBrowser } from './pane.ts'
import { servers } from './servers.ts'
import { signInByWindow } from './signInWindow.ts'
import { finish } from '../../streams/kernel/steps.ts'
import { compareReleases, plannedFor } from '../support/planned.ts'

// The areas Signatures and Plan of the administration page, over a real service and a real identity provider.

const { browser } = useBrowser()
// What these tests publish and erase is not there for the next file.
afterAll(() => fetch(`${servers().service}/_control/reset`, { method: 'POST' }))
const DEMONSTRATION = join(import.meta.dirname, '../../src/service/demonstration/signatures')
const CORPORATE = 'templates/corporate.html'

async function open(): Promise<Page> {
  const context = await browser().newContext({ locale: 'en-US', acceptDownloads: true })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${servers().pages}/administration.html#/signatures`)
  await signInByWindow(page)
  await page.getByRole('heading', { name: 'Begin from a folder' }).waitFor()
  return page
}

/** Makes the demonstration's folder the draft, and opens the page of all its files. */
async function chooseFolder(page: Page): Promise<void> {
  await page.getByLabel('Choose a folder').setInputFiles(DEMONSTRATION)
  await page.getByText(UNPUBLISHED).waitFor()
  await page.getByRole('link', { name: 'All files' }).press('Enter')
  await page.getByRole('heading', { name: 'Templates', exact: true }).waitFor()
}

/** The files of a draft of the demonstration's folder, which has no errors. */
async function openDraft(): Promise<Page> {
  const page = await open()
  await chooseFolder(page)
  return page
}

const UNPUBLISHED = 'What you see has changes that are not published.'
const toPlan = (page: Page): Locator => page.getByRole('link', { name: 'See what would change' })

const editor = (page: Page): Locator => page.getByRole('textbox', { name: `Template ${CORPORATE}` })

/** Waits until the preview has these words. It is drawn when it is near the visible part of the page. */
async function untilPreview(page: Page, words: string): Promise<void> {
  await page.getByRole('region', { name: 'Preview', exact: true }).scrollIntoViewIfNeeded()
  const frame = page.frameLocator('iframe[title="Preview of the template"]:not([aria-hidden])')
  await frame.getByText(words).waitFor()
}

/** Opens the template from the list, with the keyboard, and waits for the editor's own code. */
async function openTemplate(page: Page): Promise<void> {
  const toggle = page.getByRole('button', { name: 'Choose a template' })
  await toggle.press('Enter')
  await page.getByRole('button', { name: CORPORATE }).press('Enter')
  await toggle.press('Enter')
  await editor(page).waitFor()
  // A plain text field stands there until that code is loaded, and stays while it has the focus.
  await page.waitForFunction(() => !document.querySelector('[data-waits]'))
}

/** Goes on with the Tab key until the focus is there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The Tab key does not reach it')
}

describe('a draft on the page', () => {
  test('[SRV-34] is edited, planned, published and saved by keyboard alone, and its folder is that release', async () => {
    const page = await openDraft()
    await openTemplate(page)
    await tabTo(page, editor(page))
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Warm wishes ')
    await untilPreview(page, 'Warm wishes')

    // Tab indents; after Escape it leaves, as the hint above the editor says.
    await page.getByText('Press Escape, then Tab, to leave the editor.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    expect(await editor(page).evaluate((element) => element.matches(':focus'))).toBe(false)

    await toPlan(page).focus()
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'See what would change' }))
    await page.keyboard.press('Enter')
    await page.getByText('This plan can be published until').waitFor()
    expect(await page.getByRole('table').first().innerText()).toContain('changes in new messages')

    await tabTo(page, page.getByLabel('Note for the history'))
    await page.keyboard.type('Warm wishes')
    await tabTo(page, page.getByRole('button', { name: 'Publish this plan' }))
    await page.keyboard.press('Enter')
    await page.getByText(/^Published as release \d+\./).waitFor()
    await tabTo(page, page.getByRole('main').getByRole('link', { name: 'History' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.locator('summary[aria-label*="Warm wishes"]').first())
    await page.keyboard.press('Enter')
    const published = await page.locator('details[open] code').innerText()

    await page.getByRole('link', { name: 'Signatures' }).press('Enter')
    const save = page.getByRole('button', { name: 'Save what is published as a folder' })
    await save.focus()
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    const content = unpack(readFileSync(await download.path()), 'x.zip')
    if ('reason' in content) throw new Error(content.reason)
    const folder = await mkdtemp(join(tmpdir(), 'signet-exported-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    for (const [path, bytes] of content.files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), bytes)
    }
    const read = await readFolder(folder)
    expect(read.document.templates[CORPORATE]).toMatch(/^Warm wishes /)
    expect(published).toBe(releaseIdOf(read.document))
  })

  test('is there again when the page is opened again, with what was typed last', async () => {
    const page = await openDraft()
    await openTemplate(page)
    await editor(page).focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Still here ')
    await untilPreview(page, 'Still here')
    await page.reload()
    await openTemplate(page)
    await untilPreview(page, 'Still here')
    await toPlan(page).click()
    await page.getByText('This is your draft from an earlier visit').waitFor()
    await page.getByRole('button', { name: 'Discard the draft' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard the draft' }).click()
    await page.getByText('Nothing is changed').waitFor()
    await page.reload()
    await page.getByText('Nothing is changed').waitFor()
  })

  test('says where a placeholder is wrong while it is typed, and completes the right one', async () => {
    const page = await openDraft()
    await openTemplate(page)
    await editor(page).focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('{{no_such}} ')
    await page.getByText('There is no variable no_such.').first().waitFor()
    await page.getByRole('button', { name: 'Line 1, column 1' }).press('Enter')
    expect(await editor(page).evaluate((element) => element.matches(':focus'))).toBe(true)
    await page.keyboard.press('Shift+End')
    await page.keyboard.press('Delete')
    await page.getByText('1 placeholder is wrong.').waitFor({ state: 'detached' })
    await page.keyboard.type('{{first_na')
    await page.getByText('1 placeholder is wrong.').waitFor()
    // The editor takes no Enter for a suggestion that has only just come, so that none is chosen by mistake.
    await page.getByRole('option', { name: /^first_name/ }).click()
    await page.getByText('1 placeholder is wrong.').waitFor({ state: 'detached' })
  })

  test('[ADOPT-10] draws a QR code that is typed, and loads what draws it only then', async () => {
    const page = await openDraft()
    const loaded: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('valuesChunk')) loaded.push(request.url())
    })
    await openTemplate(page)
    await editor(page).focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Warm wishes ')
    await untilPreview(page, 'Warm wishes')
    expect(loaded).toEqual([])
    await page.keyboard.type('<img src="{{qr https://a.example/}}" alt="Site of A"> ')
    const frame = page.frameLocator('iframe[title="Preview of the template"]:not([aria-hidden])')
    // The preview is drawn without the code until what draws it is loaded.
    const code = frame.locator('img[alt="Site of A"][src^="data:image/png;base64,"]')
    await code.waitFor()
    expect(
      await code.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBe(429)
    expect(loaded).toHaveLength(1)
  })

  test('is typed in a plain field when the code of the editor cannot be loaded', async () => {
    const page = await open()
    await page.route(/templateEditor\.[0-9a-f]+\.js/, (route) => route.abort())
    await chooseFolder(page)
    await page.getByText('The editor could not be loaded.').waitFor()
    await page.getByRole('button', { name: 'Choose a template' }).click()
    await page.getByRole('button', { name: CORPORATE }).click()
    const field = page.getByRole('textbox', { name: CORPORATE })
    await field.fill(`Plain words ${await field.inputValue()}`)
    await untilPreview(page, 'Plain words')
  })

  test('colours the editor without a style that the policy of the page would have to allow', async () => {
    const page = await openDraft()
    await openTemplate(page)
    const styles = await editor(page).evaluate((element) => {
      const root = element.getRootNode() as ShadowRoot
      return { adopted: root.adoptedStyleSheets.length, elements: root.querySelectorAll('style').length }
    })
    expect(styles.elements).toBe(0)
    expect(styles.adopted).toBeGreaterThan(0)
  })
})

/** The text of signet.yaml in the archive that a button saves. */
async function savedRules(page: Page, save: Locator): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), save.press('Enter')])
  const content = unpack(readFileSync(await download.path()), 'x.zip')
  if ('reason' in content) throw new Error(content.reason)
  const [, bytes] = [...content.files].find(([path]) => path.endsWith('signet.yaml')) ?? []
  return Buffer.from(bytes ?? []).toString()
}

describe('a signature on the page', () => {
  test('is given another rule, previewed, planned, published and rolled back by keyboard alone', async () => {
    const page = await open()
    await tabTo(page, page.getByRole('link', { name: 'Short', exact: true }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Short' }).waitFor()
    await tabTo(page, page.getByLabel('Name', { exact: true }))
    await page.keyboard.press('End')
    await page.keyboard.type(' and plain')
    await page.getByText('Shown in Short and plain, New message.').waitFor()
    await tabTo(page, page.getByLabel('Groups').first())
    await page.keyboard.press('Control+A')
    await page.keyboard.type('captains')
    await page.getByText('This person does not have this signature').waitFor()

    await toPlan(page).focus()
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'See what would change' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Publish this plan' }))
    await page.keyboard.press('Enter')
    await page.getByText(/^Published as release \d+\./).waitFor()
    await tabTo(page, page.getByRole('main').getByRole('link', { name: 'History' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: /^Roll back to Release/ }).first())
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Roll back' }))
    await page.keyboard.press('Enter')
    await page.getByText('is published again.').waitFor()
    await page.getByRole('link', { name: 'Signatures' }).press('Enter')
    await page.getByRole('link', { name: 'Short', exact: true }).waitFor()
  })

  test('changes only its lines in signet.yaml, whose text can be edited, too', async () => {
    const page = await open()
    await chooseFolder(page)
    await page.getByRole('link', { name: 'All signatures' }).click()
    await page.getByRole('link', { name: 'Short', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Brief')
    await page.getByRole('link', { name: 'All signatures' }).click()
    await page.getByRole('link', { name: 'Brief', exact: true }).waitFor()
    const before = await readFile(join(DEMONSTRATION, 'signet.yaml'), 'utf8')
    const save = page.getByRole('button', { name: 'Save the draft as a folder' })
    const text = await savedRules(page, save)
    expect(text).toBe(before.replace('    name: Short\n', '    name: Brief\n'))

    await page.getByRole('link', { name: 'All files' }).click()
    await page.getByRole('link', { name: 'signet.yaml' }).click()
    const field = page.getByRole('textbox', { name: 'Tab leaves the field.' })
    expect(await field.inputValue()).toBe(text)
    await field.fill(text.replace('name: Brief', 'name: [Brief'))
    await page.getByRole('button', { name: 'Take over the text' }).click()
    await page.getByRole('heading', { name: 'What the check found' }).waitFor()
    await field.fill(text.replace('name: Brief', 'name: Briefest # for phones'))
    await page.getByRole('button', { name: 'Take over the text' }).click()
    await page.getByText('The draft has the text now.').waitFor()
    await page.getByRole('link', { name: 'All signatures' }).click()
    await page.getByRole('link', { name: 'Briefest', exact: true }).waitFor()
    const again = await savedRules(page, save)
    expect(again).toContain('name: Briefest # for phones\n')
  })

  test('is new from a short template, and removed', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'New signature' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Autumn fair')
    await dialog.getByRole('button', { name: 'Create' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Autumn fair' }).waitFor()
    const frame = page.frameLocator('iframe[title="Preview of the template"]:not([aria-hidden])')
    await frame.getByText('Alex Kim').waitFor()
    await page.getByRole('button', { name: 'Remove this signature' }).press('Enter')
    await dialog.getByRole('button', { name: 'Remove this signature' }).press('Enter')
    await page.getByText('The draft has no such signature.').waitFor()
  })
})

describe('the source and its preview', () => {
  const HEIGHT_PX = 800

  /** The box of a part of the workbench in the window, when the workbench is scrolled to the top; null when hidden. */
  const boxOf = async (page: Page, part: Locator) => {
    const heading = page.getByRole('heading', { name: 'Templates', exact: true })
    await heading.evaluate((element) => element.scrollIntoView({ block: 'start' }))
    return part.boundingBox()
  }
  const parts = (page: Page) => ({
    source: editor(page),
    mistakes: page.getByText('No mistakes in the placeholders.'),
    preview: page.getByTitle('Preview of the template').first(),
    person: page.getByRole('button', { name: 'Change person' }),
    toSource: page.getByRole('radio', { name: 'Source' }),
    toPreview: page.getByRole('radio', { name: 'Preview' }),
  })
  async function openAt(width: number): Promise<Page> {
    const page = await openDraft()
    await openTemplate(page)
    await page.setViewportSize({ width, height: HEIGHT_PX })
    return page
  }

  test.each([1280, 900])('are both in sight, with the mistakes, at %i × 800 pixels', async (width) => {
    const page = await openAt(width)
    const { source, mistakes, preview, person, toSource } = parts(page)
    await page.locator('iframe[title="Preview of the template"]:not([aria-hidden])').waitFor()
    for (const part of [source, mistakes, preview, person]) await part.waitFor()
    const [left, below, right, who] = [
      await boxOf(page, source),
      await boxOf(page, mistakes),
      await boxOf(page, preview),
      await boxOf(page, person),
    ]
    if (!left || !below || !right || !who) throw new Error('A part is not drawn')
    for (const { y, height } of [left, below, who]) {
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y + height).toBeLessThanOrEqual(HEIGHT_PX)
    }
    expect(right.y).toBeLessThan(HEIGHT_PX / 2)
    expect(right.x).toBeGreaterThan(left.x + left.width)
    expect(below.y).toBeGreaterThanOrEqual(left.y + left.height)
    expect(await toSource.isVisible()).toBe(false)

    // Typing moves neither of them, also when it is a mistake.
    await source.focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('{{no_such}}')
    await page.getByText('1 placeholder is wrong.').waitFor()
    expect(await boxOf(page, source)).toMatchObject({ x: left.x, y: left.y, width: left.width })
    expect((await boxOf(page, preview))?.y).toBe(right.y)
    expect((await boxOf(page, person))?.y).toBe(who.y)
  })

  test.each([899, 320])(
    'have a switch at %i pixels, which the keyboard moves and which is kept',
    async (width) => {
      const page = await openAt(width)
      const { source, person, toSource, toPreview } = parts(page)
      expect([await source.isVisible(), await person.isVisible()]).toEqual([true, false])
      await toSource.focus()
      await page.keyboard.press('ArrowRight')
      expect(await toPreview.isChecked()).toBe(true)
      expect([await source.isVisible(), await person.isVisible()]).toEqual([false, true])
      await page.getByRole('link', { name: 'History' }).click()
      await page.getByRole('heading', { name: 'History', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'Signatures' }).click()
      await page.getByRole('link', { name: 'All files' }).click()
      await person.waitFor()
      await toPreview.focus()
      await page.keyboard.press('ArrowLeft')
      await source.waitFor()
      expect(await person.isVisible()).toBe(false)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    },
  )

  test('are both in sight on the page of a signature at 1280 × 800 pixels, as it opens', async () => {
    const page = await open()
    await page.setViewportSize({ width: 1280, height: HEIGHT_PX })
    await page.getByRole('link', { name: 'Northwind standard' }).click()
    await page.getByRole('radio', { name: 'Template' }).check({ force: true })
    const { source, mistakes, preview, person } = parts(page)
    await source.waitFor()
    await page.locator('iframe[title="Preview of the template"]:not([aria-hidden])').waitFor()
    for (const part of [source, mistakes, preview, person]) {
      const box = await part.boundingBox()
      expect(box && box.y + box.height).toBeLessThanOrEqual(HEIGHT_PX)
      expect(box?.y).toBeGreaterThanOrEqual(0)
    }
    expect(await page.evaluate(() => scrollY)).toBe(0)
  })

  test('begin with the administrator, and another person is chosen without moving the preview', async () => {
    const page = await openAt(1280)
    const { preview, person } = parts(page)
    await page.getByText('Shown for ').waitFor()
    await page.locator('iframe[title="Preview of the template"]:not([aria-hidden])').waitFor()
    const before = await boxOf(page, preview)
    await person.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Search for a person').fill('a')
    await dialog.getByRole('list').getByRole('button').first().click()
    await dialog.waitFor({ state: 'detached' })
    expect(await person.evaluate((element) => element.matches(':focus'))).toBe(true)
    expect((await boxOf(page, preview))?.y).toBe(before?.y)
  })
})

const PEOPLE = 5_000
const PAGE = 500

test(`of a plan for ${String(PEOPLE)} people 50 rows are drawn at a time, each once, and only the first ${String(PAGE)} people are asked for`, async () => {
  const page = await openDraft()
  const { plan, people } = await planForMany()
  const asked: number[] = []
  await page.route(/\/v1\/plans(\?.*)?$/, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fulfill({ status: 201, headers: cors(), json: plan })
  })
  await page.route('**/api/administration/v1/plans/*/people*', async (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('after') ?? '0')
    const next = from + PAGE
    asked.push(from)
    await route.fulfill({
      headers: cors(),
      json: { people: people.slice(from, next), next: next < people.length ? String(next) : null },
    })
  })
  await toPlan(page).click()
  await page.getByRole('button', { name: 'See what would change' }).click()
  await page.getByText('This plan can be published until').waitFor()
  await page.getByRole('button', { name: 'Show the people' }).click()
  const region = page.getByRole('region', { name: 'For whom' })
  const rows = region.getByRole('row')
  await rows.nth(50).waitFor()
  const built = await countRows(region)
  for (let pages = 0; pages < 5; pages += 1) {
    await page.getByText(`${String(pages * 50 + 1)} to ${String(pages * 50 + 50)}`, { exact: true }).waitFor()
    expect(await rows.count()).toBe(51)
    await page.getByRole('button', { name: 'Next', exact: true }).click()
  }
  await page.getByText('251 to 300', { exact: true }).waitFor()
  expect(await built()).toBe(5 * 50)
  expect(people.length).toBe(PEOPLE)
  expect(asked).toEqual([0])

  function cors() {
    return { 'Access-Control-Allow-Origin': servers().pages }
  }
})

/** Counts the rows that are added within the region from now on. */
async function countRows(region: Locator): Promise<() => Promise<number>> {
  const counter = await region.evaluateHandle((element) => {
    const count = { rows: 0 }
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof Element)
            count.rows += Number(node.matches('tr')) + node.querySelectorAll('tr').length
    }).observe(element, { childList: true, subtree: true })
    return count
  })
  return () => counter.evaluate(({ rows }) => rows)
}

/** The demonstration with another look of each template, for people with values of their own. */
async function planForMany(): Promise<Readonly<{ plan: Plan; people: readonly PersonPlan[] }>> {
  const { document, people: rows } = await readFolder(DEMONSTRATION)
  const templates = Object.fromEntries(
    Object.entries(document.templates).map(([path, text]) => [path, text.replaceAll('Arial', 'Verdana')]),
  )
  const at = Date.UTC(2026, 10, 23, 12)
  const comparison = compareReleases(
    compileRelease('c'.repeat(32), document),
    compileRelease('d'.repeat(32), { ...document, templates }),
    `${servers().service}/images`,
  )
  const groups = groupPlans(comparison, at)
  const people: PersonPlan[] = []
  for (let index = 0; index < PEOPLE; index += 1) {
    const row = rows?.[index % rows.length]
    if (!row) throw new Error('The demonstration has no people')
    const { record } = row
    const person: PersonState = {
      ...{ id: `p-${String(index)}`, revision: 1, account: null, active: true, metadata: {}, values: {} },
      ...{ language: null, picture: record.picture, directoryPicture: record.picture },
      addresses: [`person-${String(index)}@northwind.example`],
      directory: { ...record.fields, givenName: `Given ${String(index)}` },
      groups: record.groups,
    }
    const planned = plannedFor(comparison, person, new Map(), at)
    people.push(planned.plan)
    finish(groups.adding(planned))
  }
  const plan: Plan = {
    ...{ id: '9'.repeat(32), base: 'c'.repeat(32), release: 'd'.repeat(32), at, until: at + 86_400_000 },
    ...{ pictures: comparison.pictures, summary: groups.summary(), variables: [], closed: [] },
  }
  return { plan, people }
}
