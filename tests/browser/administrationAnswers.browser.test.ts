import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { DirectoryState } from '../../streams/organisation/directory/directory.ts'
import { directoryOf, run } from '../support/administration/people.ts'
import { IS_LONG } from '../support/cases.ts'
import { useAdministration } from './sharedAdministration.ts'

// After each action of the administration page its answer is in the window: over a real service, by keyboard alone.

const { share } = useAdministration()
const DEMONSTRATION = join(import.meta.dirname, '../../src/service/demonstration/signatures')
/** The addresses of a call, with any query. `*` is a part of the path. */
const addressOf = (call: string) =>
  new RegExp(`/api/administration/v1${call.replaceAll('*', '[^/?]+')}(\\?.*)?$`)

const NARROW = { width: 320, height: 640 } as const
const windows = [NARROW, { width: 1280, height: 800 }] as const
/** Each of the other actions is tried in the window where its answer has the least room. */
const fewWindows = IS_LONG ? windows : [NARROW]
type Window = (typeof windows)[number]

/** Answers a request with a failure that the page explains, while the test goes on. */
const fail = (page: Page, call: string, method: string) =>
  page.route(addressOf(call), (route) =>
    route.request().method() === method
      ? route.fulfill({
          status: 503,
          headers: { 'Access-Control-Allow-Origin': '*' },
          json: { code: 'database_full', message: 'Full.' },
        })
      : route.fallback(),
  )

/** Presses the button with the keyboard, without scrolling the page otherwise. */
async function press(button: Locator): Promise<void> {
  await button.focus()
  await button.press('Enter')
}

/** Chooses files in a field that has the focus, as after pressing it with the keyboard. */
async function choose(field: Locator, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
  await field.focus()
  await field.setInputFiles(files)
}

/** Presses the button in the page, and then the one in the question that it opens. */
async function pressAndConfirm(page: Page, button: Locator, confirm: string | RegExp): Promise<void> {
  await press(button)
  await press(page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }))
}

/** Waits for the answer, and expects it whole in the window, with the focus or in a live region. */
async function expectAnswer(page: Page, words: string | RegExp): Promise<void> {
  const answer = page
    .locator('[data-answer], [data-goes-on], [role=status]')
    .filter({ hasText: words })
    .last()
  await answer.waitFor()
  const placed = () =>
    answer.evaluate((element) => {
      const { top, bottom, left, right, height } = element.getBoundingClientRect()
      return {
        isDrawn: height > 0,
        isInWindow: top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth,
        isTold:
          element.contains(document.activeElement) ||
          (element.closest('[role=status], [role=alert]') ?? element.querySelector('[role=alert]')) !== null,
      }
    })
  await expect.poll(placed, { timeout: 10_000 }).toEqual({ isDrawn: true, isInWindow: true, isTold: true })
}

/** Expects the focus on the answer, too, because the control that asked had it. */
async function expectFocus(page: Page, words: string | RegExp): Promise<void> {
  await expectAnswer(page, words)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(words)
}

const named = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

/** Makes a draft of the demonstration's folder, and a plan of it. */
async function openPlan(viewport: Window): Promise<Page> {
  const page = await share('/signatures', { viewport })
  await choose(page.getByLabel('Choose a folder'), DEMONSTRATION)
  await expectFocus(page, /not published/)
  await press(named(page, 'See what would change'))
  await expectAnswer(page, /As of/)
  return page
}

test.each(fewWindows)(
  'when a draft begins, is saved, planned and discarded, its answer is in $width × $height',
  async (viewport) => {
    const page = await openPlan(viewport)
    await press(named(page, 'Save the draft as a folder'))
    await expectFocus(page, /was saved as a ZIP archive/)
    await press(named(page, 'Plan again'))
    await expectFocus(page, /As of/)
    await pressAndConfirm(page, named(page, 'Discard the draft'), 'Discard the draft')
    await expectFocus(page, /Nothing is changed/)
  },
)

test.each(fewWindows)(
  'when no draft begins, and no plan is made, its answer is in $width × $height',
  async (viewport) => {
    const page = await share('/plan', { viewport, arrange: (opened) => fail(opened, '/export', 'GET') })
    await press(named(page, 'Begin from what is published'))
    await expectFocus(page, 'For your helpdesk')
    await page.unroute(addressOf('/export'))
    await fail(page, '/plans', 'POST')
    await choose(page.getByLabel('Choose a folder'), DEMONSTRATION)
    await press(named(page, 'See what would change'))
    await expectFocus(page, 'The plan could not be made')
    await press(named(page, 'Try again'))
    await expectFocus(page, 'The plan could not be made')
    await page.unroute(addressOf('/plans'))
    await press(named(page, 'Try again'))
    await expectFocus(page, /As of/)
  },
)

test.each(windows)(
  'when a plan is published, or not, its answer is in $width × $height',
  async (viewport) => {
    const page = await openPlan(viewport)
    await fail(page, '/releases', 'POST')
    await pressAndConfirm(page, named(page, 'Publish this plan'), /^Publish for/)
    await expectFocus(page, 'The plan was not published')
    await page.unroute(addressOf('/releases'))
    await pressAndConfirm(page, named(page, 'Publish this plan'), /^Publish for/)
    await expectFocus(page, /^Published as release/)
    await press(page.getByRole('main').getByRole('link', { name: 'Roll back' }))
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor()

    const entry = page.getByRole('main').getByRole('listitem').nth(1)
    await pressAndConfirm(page, entry.getByRole('button'), 'Roll back')
    await expectFocus(page, 'is published again')
    await fail(page, '/releases/*/rollback', 'POST')
    await pressAndConfirm(page, entry.getByRole('button'), 'Roll back')
    await expectFocus(page, 'Nothing was rolled back')
  },
)

test.each(fewWindows)(
  'when maintenance is announced, or not, its answer is in $width × $height',
  async (viewport) => {
    const page = await share('/maintenance', { viewport })
    await page.getByRole('radio').nth(1).press('Space')
    await press(named(page, 'Save'))
    await expectFocus(page, 'Saved.')
    await fail(page, '/maintenance', 'PUT')
    await page.getByRole('radio').nth(0).press('Space')
    await press(named(page, 'Save'))
    await expectFocus(page, 'The maintenance was not changed')
  },
)

test.each(fewWindows)('when people are imported, its answer is in $width × $height', async (viewport) => {
  const page = await share('/people', { viewport })
  await page.getByText(/\d+ people found/).waitFor()
  const csv = 'id,email,givenName,surname\nu-new,new.person@northwind.example,New,Person\n'
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await choose(page.getByLabel('Choose a CSV file', { exact: true }), file)
  await expectFocus(page, 'What people.csv would change')
  await press(named(page, 'Import now'))
  await expectFocus(page, 'What people.csv changed')
})

test.each(fewWindows)(
  'when the data of a person are saved, and when the person is erased, its answer is in $width × $height',
  async (viewport) => {
    const page = await share('/people/jonas.weber%40northwind.example', { viewport })
    await press(named(page, 'Export as JSON'))
    await expectFocus(page, 'among your downloads')
    await fail(page, '/people/*', 'DELETE')
    // What is not the address erases no one, and neither does Escape.
    await press(named(page, 'Erase this person'))
    await page.getByLabel(/^To confirm/).fill('jonas')
    await page.getByLabel(/^To confirm/).press('Enter')
    await page.getByText('That is not an address of this person.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await press(named(page, 'Erase this person'))
    await page.getByLabel(/^To confirm/).fill('jonas.weber@northwind.example')
    await page.getByLabel(/^To confirm/).press('Enter')
    await expectFocus(page, 'For your helpdesk')
    await page.unroute(addressOf('/people/*'))
    await page.getByLabel(/^To confirm/).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    await expectAnswer(page, /jonas\.weber@northwind\.example/)
  },
)

test.each(fewWindows)(
  'when a sync runs dry, runs, and asks, its answer is in $width × $height',
  async (viewport) => {
    let directory: DirectoryState = directoryOf({ runs: [] })
    let runs = 0
    const headers = { 'Access-Control-Allow-Origin': '*' }
    const page = await share('/directory', {
      viewport,
      arrange: async (opened) => {
        await opened.route(addressOf('/directory'), async (route) => {
          if (route.request().method() === 'OPTIONS') return route.fallback()
          await route.fulfill({ json: directory, headers })
          if (!directory.isRunning) return
          const [last, ...earlier] = directory.runs
          if (!last) return
          const outcome = last.isTrial ? 'done' : 'needsLeave'
          const ended = { ...last, until: last.at, retired: 600, outcome } as const
          directory = { ...directory, isRunning: false, runs: [ended, ...earlier] }
        })
        await opened.route(addressOf('/directory/sync'), async (route) => {
          if (route.request().method() === 'OPTIONS') return route.fallback()
          const { try: isTrial } = route.request().postDataJSON() as Readonly<{ try: boolean }>
          runs += 1
          const begun = run({ id: `run-${String(runs)}`, isTrial, outcome: 'running', until: null })
          directory = { ...directory, isRunning: true, runs: [begun, ...directory.runs] }
          await route.fulfill({ status: 202, json: begun, headers })
        })
      },
    })
    await press(named(page, 'Dry run'))
    await expectFocus(page, /^Dry run · .* · Done$/)
    await press(named(page, 'Sync now'))
    await expectFocus(page, /^Sync · /)
    await press(named(page, 'Leave everyone as they are'))
    await expectFocus(page, /^Everyone stays as they are\./)
    await press(named(page, 'Sync now'))
    await expectFocus(page, /^Sync · /)
    await press(named(page, 'Retire these people'))
    await expectFocus(page, /^Sync · /)
    await fail(page, '/directory/sync', 'POST')
    await press(named(page, 'Dry run'))
    await expectFocus(page, 'For your helpdesk')
  },
)
