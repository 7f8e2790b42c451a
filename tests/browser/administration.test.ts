import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readFolder } from '../../src/service/folder/readFolder.ts'
import { axeFindings } from './axeFindings.ts'
import { useBrowser } from './pane.ts'
import { servers } from './servers.ts'
import { actAndClose, signInByWindow, windowOpenedBy } from './signInWindow.ts'
import { lookNames, looks } from './storyPages.ts'

// The administration page over a real service and a real identity provider, each a process of its own.

const { browser } = useBrowser()

/** Opens the page in a browser of its own, where no account is known. */
async function open(hash = '', options: Parameters<ReturnType<typeof browser>['newContext']>[0] = {}) {
  const context = await browser().newContext({ locale: 'en-US', ...options })
  const page = await context.newPage()
  const violations: string[] = []
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text())
  })
  await page.goto(`${servers().pages}/administration${hash}`)
  return { context, page, violations }
}

/** administrationStories.test.ts checks each view in every look; this is the page as the service serves it. */
const testedLooks = process.env['LONG'] === undefined ? lookNames.slice(0, 1) : lookNames

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

async function signIn(page: Page, name?: string): Promise<void> {
  await signInByWindow(page, name)
  await page.getByRole('navigation', { name: 'Areas' }).waitFor()
}

describe('[SRV-32] the administration page', () => {
  test('signs in with one button, shows what is published, and comes back without a window', async () => {
    const { page, violations } = await open('#/history')
    await signIn(page)
    await heading(page, 'History').waitFor()
    await page.getByText('published now').waitFor()
    expect(await page.title()).toBe('History – Signet administration')

    let windows = 0
    page.on('popup', () => (windows += 1))
    await page.reload()
    await page.getByText('published now').waitFor()
    expect(windows).toBe(0)
    expect(violations).toEqual([])
  })

  test('asks for a role that an account lacks, and shows what its own allow', async () => {
    const { page } = await open('#/audit')
    await signIn(page, 'Maria Silva')
    await page.getByText('You need the role Signet.Audit').waitFor()
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('published now').waitFor()
    await page.getByText('You need the role Signet.Publish').waitFor()
    expect(await page.getByRole('button', { name: /^Roll back/ }).count()).toBe(0)
  })

  test('says to an account without any role that it may not come in', async () => {
    const { page } = await open()
    await signInByWindow(page, 'Tess Edge')
    await page.getByText('You are not signed in').waitFor()
    await page.getByText('Sign in with another account.').waitFor()
  })

  test('signs out, and asks for an account at the next sign-in', async () => {
    const { page } = await open()
    await signIn(page)
    await page.getByText('Signed in as').click()
    const popup = await windowOpenedBy(page, () => page.getByRole('button', { name: 'Sign out' }).click())
    await page.getByText('You are signed out.').waitFor()
    if (!popup.isClosed()) await popup.close()
    await signIn(page, 'Maria Silva')
    await page.getByText(/Signed in as m/).waitFor()
  })

  test('asks once for another token when the service refuses one, and ends the session when it refuses that too', async () => {
    const { page } = await open()
    await signIn(page)
    await heading(page, 'Now').waitFor()
    let refused = 0
    let limit = 1
    await page.route('**/api/administration/v1/releases', async (route) => {
      if (refused >= limit || route.request().method() === 'OPTIONS') return route.fallback()
      refused += 1
      await route.fulfill({
        status: 401,
        headers: { 'Access-Control-Allow-Origin': servers().pages },
        json: { code: 'invalid_token', message: 'The access token is not good.' },
      })
    })
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('published now').waitFor()
    expect(refused).toBe(1)

    limit = Infinity
    await page.getByRole('link', { name: 'Now' }).click()
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('Your sign-in has ended').waitFor()
    expect(refused).toBe(3)
  })

  test('is operable by keyboard alone, from signing in to rolling back', async () => {
    const { page } = await open()
    const button = page.getByRole('button', { name: 'Sign in' })
    await button.waitFor()
    await page.keyboard.press('Tab')
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    const popup = await windowOpenedBy(page, () => page.keyboard.press('Enter'))
    await popup.getByRole('button', { name: 'Alex Kim' }).focus()
    await actAndClose(popup, () => popup.keyboard.press('Enter'))
    await heading(page, 'Now').waitFor()

    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab')
        const said = await page.evaluate(
          () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
        )
        if (said?.startsWith(name)) return
      }
      throw new Error(`The Tab key does not reach ${name}`)
    }
    await tabTo('Skip to content')
    await tabTo('History')
    await page.keyboard.press('Enter')
    await heading(page, 'History').waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent), { timeout: 20_000 })
      .toBe('History')

    // The demonstration has published once: rolling back needs a second release.
    onTestFinished(async () => {
      await restore()
    })
    await publishAgain(page)
    await page.reload()
    await page.getByText('published now').waitFor()
    await tabTo('Roll back to Release')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo('Roll back')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'is published again' }).waitFor()
    await page.getByText('back to release 1').first().waitFor()
  })

  test('moves no area of the navigation when another one is chosen, at 320 pixels', async () => {
    const { page } = await open('#/now', { viewport: { width: 320, height: 800 } })
    await signIn(page)
    const areas = page.getByRole('navigation', { name: 'Areas' }).getByRole('link')
    const places = () =>
      areas.evaluateAll((links) =>
        links.map((link) => {
          const { left, top, width } = link.getBoundingClientRect()
          return [link.textContent, left, top, width]
        }),
      )
    const before = await places()
    expect(before).toHaveLength(8)
    for (const area of ['Plan', 'Directory', 'Maintenance', 'Audit log']) {
      await areas.filter({ hasText: area }).click()
      await heading(page, area).waitFor()
      expect(await places()).toEqual(before)
    }
  })

  test.each(testedLooks)('has no finding of axe-core, in %s, at 320 and 1,280 pixels', async (look) => {
    const { context, page } = await open('#/now', { ...looks[look], viewport: { width: 320, height: 800 } })
    await context.addInitScript(axe.source)
    await page.reload()
    await signIn(page)
    const found: string[] = []
    for (const area of ['Now', 'History', 'Maintenance', 'Audit log']) {
      await page.getByRole('link', { name: area, exact: true }).first().click()
      await heading(page, area).waitFor()
      await page.waitForLoadState('networkidle')
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        for (const finding of await axeFindings(page, look))
          found.push(`${area}, ${String(width)}: ${finding}`)
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        if (overflow > 0) found.push(`${area}, ${String(width)}: scrolls sideways`)
      }
    }
    expect(found).toEqual([])
  })
})

/** Publishes what an administrator wrote, without the signatures that no check lets through, with the page's token. */
async function publishAgain(page: Page): Promise<void> {
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.url().endsWith('/releases') && each.method() === 'GET'),
    page.reload(),
  ])
  const authorization = request.headers()['authorization'] ?? ''
  const ask = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(`${servers().service}/api/administration/v1${path}`, {
      method: 'POST',
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answered: unknown = await answer.json()
    expect(answer.status, JSON.stringify(answered)).toBe(201)
    return answered
  }
  const folder = join(import.meta.dirname, '../../src/service/demonstration/signatures')
  const { document } = await readFolder(folder)
  const { id } = (await ask('/plans', { document })) as { id: string }
  await ask('/releases', { plan: id, note: 'Without the difficult ones' })
}

/** Puts back what the demonstration publishes. */
const restore = () => fetch(`${servers().service}/_control/reset`, { method: 'POST' })
