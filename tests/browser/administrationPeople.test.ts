import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import type { DirectoryRun, DirectoryState } from '../../streams/organisation/directory.ts'
import { directoryOf, run } from '../support/administration/people.ts'
import { useBrowser } from './pane.ts'
import { servers } from './servers.ts'
import { signInByWindow } from './signInWindow.ts'

// People and Directory over a real service and a real identity provider, by keyboard alone.

const { browser } = useBrowser()
// What these tests publish and erase is not there for the next file.
afterAll(() => fetch(`${servers().service}/_control/reset`, { method: 'POST' }))

/** Opens the page in a browser of its own, and signs in. */
async function open(hash: string, prepare: (page: Page) => Promise<unknown> = () => Promise.resolve()) {
  const context = await browser().newContext({ locale: 'en-US', viewport: { width: 320, height: 800 } })
  const page = await context.newPage()
  await prepare(page)
  await page.goto(`${servers().pages}/administration${hash}`)
  await signInByWindow(page)
  await page.getByRole('navigation', { name: 'Areas' }).waitFor()
  return page
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
    return (label ?? element?.textContent ?? '').trim()
  })

/** Goes to what begins with this name by the Tab key. */
async function tabTo(page: Page, name: string): Promise<void> {
  // What is still loading cannot be reached yet.
  await page.getByText(name).or(page.getByLabel(name)).first().waitFor()
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    if ((await focused(page)).startsWith(name)) return
  }
  throw new Error(`The Tab key does not reach ${name}`)
}

const text = (page: Page, wanted: string | RegExp) => page.getByText(wanted).first().waitFor()
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

describe('People', () => {
  test('[SRV-33] says in a sentence why a person has a signature, and shows theirs for any day, new or reply', async () => {
    const page = await open('#/people')
    await text(page, /\d+ people found/)
    await tabTo(page, 'Search people')
    await page.keyboard.type('silva')
    await text(page, '1 person found')
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toContain('maria.silva@northwind.example')
    await page.keyboard.press('Enter')
    await heading(page, 'Maria Silva')
    await expect.poll(() => focused(page)).toBe('Maria Silva')

    await text(
      page,
      /^Padrão Northwind is the default because Country is PT and (it stands first|no signature above it fits)\. \(?signet\.yaml, line \d+/,
    )
    // A signature is drawn when it comes near the visible part of the page.
    await page.getByRole('heading', { level: 3, name: /^Padrão Northwind/ }).scrollIntoViewIfNeeded()
    const frame = page.frameLocator('iframe[title="Preview of Padrão Northwind"]').locator('body')
    await frame.getByText('Maria Silva').waitFor()
    const long = await frame.innerText()

    const asked: URL[] = []
    page.on('request', (request) => {
      if (request.url().includes('/signatures?')) asked.push(new URL(request.url()))
    })
    await tabTo(page, 'Day')
    await page.keyboard.type('12242030')
    await text(page, /^As of December 24, 2030, at noon/)
    await tabTo(page, 'New message')
    const reply = page.locator('label', { hasText: 'Reply' })
    const place = await reply.boundingBox()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => asked.at(-1)?.searchParams.get('reply')).toBe('true')
    expect(await reply.boundingBox()).toEqual(place)
    expect(asked.at(-1)?.searchParams.get('at')).toBe(String(Date.UTC(2030, 11, 24, 12)))
    await page.locator('[aria-busy=false] iframe').first().waitFor()
    await expect.poll(() => frame.innerText()).not.toBe(long)
    await tabTo(page, 'Why not the others')
    await page.keyboard.press('Enter')
    await text(page, 'Not Northwind standard: nothing of what it asks for fits.')
  })

  test('asks for the address before a person is erased, and erases no one when it is left', async () => {
    const page = await open('#/people/jonas.weber%40northwind.example')
    await heading(page, 'Jonas Weber')
    await page.getByRole('button', { name: 'Erase this person' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'To confirm')
    await page.keyboard.type('jonas')
    await page.keyboard.press('Enter')
    await text(page, 'That is not an address of this person.')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.reload()
    await heading(page, 'Jonas Weber')
  })
})

describe('Directory', () => {
  test('says what to do while no directory is connected', async () => {
    const page = await open('#/directory')
    await text(page, 'No directory is connected')
    await tabTo(page, 'Import a CSV file')
    await page.keyboard.press('Enter')
    await heading(page, 'People')
  })

  test('runs dry, follows the run, and asks before many people are retired', async () => {
    // A directory that would retire many: this page over answers of the service.
    let directory: DirectoryState = directoryOf({ runs: [] })
    const asked: unknown[] = []
    const headers = { 'Access-Control-Allow-Origin': '*' }
    const page = await open('#/directory', async (opened) => {
      await opened.route('**/api/administration/v1/directory', async (route) => {
        if (route.request().method() === 'OPTIONS') return route.fallback()
        await route.fulfill({ json: directory, headers })
        if (directory.isRunning)
          directory = { ...directory, isRunning: false, runs: directory.runs.map(asEnded) }
      })
      await opened.route('**/api/administration/v1/directory/sync', async (route) => {
        if (route.request().method() === 'OPTIONS') return route.fallback()
        const wanted = route.request().postDataJSON() as Readonly<{ try: boolean }>
        asked.push(wanted)
        const begun = run({
          ...{ id: `run-${String(asked.length)}`, isTrial: wanted.try, outcome: 'running', until: null },
        })
        directory = { ...directory, isRunning: true, runs: [begun, ...directory.runs] }
        await route.fulfill({ status: 202, json: begun, headers })
      })
    })
    await tabTo(page, 'Dry run')
    await page.keyboard.press('Enter')
    await text(page, /^Dry run · .* · Done$/)
    await tabTo(page, 'Sync now')
    await page.keyboard.press('Enter')
    await text(page, /^Retire 600 of \d+ people\?$/)
    await tabTo(page, 'Leave everyone as they are')
    await page.keyboard.press('Enter')
    await text(page, /^Everyone stays as they are\./)
    expect(asked).toEqual([
      { try: true, retire: false },
      { try: false, retire: false },
    ])
  })
})

const asEnded = (each: DirectoryRun): DirectoryRun =>
  each.outcome === 'running'
    ? { ...each, until: each.at, outcome: each.isTrial ? 'done' : 'needsLeave', retired: 600 }
    : each
