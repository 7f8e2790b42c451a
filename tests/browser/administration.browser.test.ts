import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { IS_LONG } from '../support/cases.ts'
import { axeFindings } from './axeFindings.ts'
import { servers } from './servers.ts'
import { administrationAt, goToArea, untilSignedIn, useAdministration } from './sharedAdministration.ts'
import { actAndClose, answerWindow, signInByWindow, windowOpenedBy } from './signInWindow.ts'
import { lookNames, looks } from './storyPages.ts'

// The administration page over a real service and a real identity provider, each a process of its own.

const { share, tab } = useAdministration()

/** administrationStories.test.ts checks each view in every look; this is the page as the service serves it. */
const testedLooks = IS_LONG ? lookNames : lookNames.slice(0, 1)
const NARROW = { width: 320, height: 800 }

const text = (page: Page, wanted: string | RegExp) => page.getByText(wanted).first().waitFor()
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
    return (label ?? element?.textContent ?? '').trim()
  })

/** Goes to what begins with this name by the Tab key. */
async function tabTo(page: Page, name: string): Promise<void> {
  // What is still loading cannot be reached yet.
  await page.getByText(name).or(page.getByLabel(name)).filter({ visible: true }).first().waitFor()
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    if ((await focused(page)).startsWith(name)) return
  }
  throw new Error(`The Tab key does not reach ${name}`)
}

describe('[SRV-32] the administration page', () => {
  test('is signed in to with one button by the keyboard, shows what is published, and comes back without a window', async () => {
    const page = await tab()
    const violations: string[] = []
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) violations.push(message.text())
    })
    await page.goto(administrationAt('/now'))
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Sign in')
    const popup = await windowOpenedBy(page, () => page.keyboard.press('Enter'))
    await popup.getByRole('button', { name: 'Alex Kim' }).focus()
    await actAndClose(popup, () => popup.keyboard.press('Enter'))
    await heading(page, 'Now')
    await tabTo(page, 'Skip to content')
    await tabTo(page, 'History')
    await page.keyboard.press('Enter')
    await heading(page, 'History')
    await expect.poll(() => focused(page), { timeout: 20_000 }).toBe('History')
    await text(page, 'published now')
    expect(await page.title()).toBe('History – Signet administration')

    let windows = 0
    page.on('popup', () => (windows += 1))
    await page.reload()
    await text(page, 'published now')
    expect(windows).toBe(0)
    expect(violations).toEqual([])
  })

  test('signs out, lets no account without a role in, and asks for a role that another account lacks', async () => {
    const page = await tab()
    await page.goto(administrationAt('/audit'))
    await signInByWindow(page)
    await untilSignedIn(page)
    await page.getByRole('button', { name: /^Signed in as/ }).click()
    const popup = await windowOpenedBy(page, () => page.getByRole('button', { name: 'Sign out' }).click())
    await text(page, 'You are signed out.')
    if (!popup.isClosed()) await popup.close()

    await signInByWindow(page, 'Tess Edge')
    await text(page, 'You are not signed in')
    await text(page, 'Sign in with another account.')
    const other = page.getByRole('button', { name: 'Use another account' })
    await answerWindow(await windowOpenedBy(page, () => other.click()), 'Maria Silva')
    await page.getByRole('button', { name: /^Signed in as m/ }).waitFor()
    await text(page, 'You need the role Signet.Audit')
    await page.getByRole('link', { name: 'History' }).click()
    await text(page, 'published now')
    await text(page, 'You need the role Signet.Publish')
    expect(await page.getByRole('button', { name: /^Roll back/ }).count()).toBe(0)
  })

  test('asks once for another token when the service refuses one', async () => {
    const page = await share('/now')
    let refused = 0
    await page.route('**/api/administration/v1/releases', async (route) => {
      if (refused > 0 || route.request().method() === 'OPTIONS') return route.fallback()
      refused += 1
      await route.fulfill({
        status: 401,
        headers: { 'Access-Control-Allow-Origin': servers().pages },
        json: { code: 'invalid_token', message: 'The access token is not good.' },
      })
    })
    await page.getByRole('link', { name: 'History' }).click()
    await text(page, 'published now')
    expect(refused).toBe(1)
  })

  test('opens and closes the areas and the account over the page, which does not move, at 320 pixels', async () => {
    const page = await share('/now', { viewport: NARROW })
    await text(page, 'Published release')
    const places = () =>
      page.locator('header > *, nav > button, h1').evaluateAll((parts) =>
        parts.map((part) => {
          const { x, y, width, height } = part.getBoundingClientRect()
          return [x, y, width, height]
        }),
      )
    const before = await places()
    const areas = page.getByRole('navigation', { name: 'Areas' }).getByRole('link')
    const account = page.getByRole('button', { name: /^Signed in as/ })
    const menu = page.getByRole('button', { name: 'Menu: Now' })
    expect(await areas.count()).toBe(0)
    await menu.click()
    expect(await areas.count()).toBe(9)
    expect(await places()).toEqual(before)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    expect([await areas.count(), await focused(page)]).toEqual([0, 'Menu: Now'])

    await account.click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(await places()).toEqual(before)
    // A press elsewhere closes the card, which lies over the button of the areas.
    await page.getByRole('banner').getByText('Northwind Trading').click()
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
    await menu.click()
    await areas.filter({ hasText: 'Audit log' }).click()
    await heading(page, 'Audit log')
    await expect.poll(() => focused(page)).toBe('Audit log')
    expect(await areas.count()).toBe(0)
  })

  test.each(testedLooks)('has no finding of axe-core, in %s, and scrolls sideways nowhere', async (look) => {
    const page = await share('/now', { viewport: NARROW })
    await page.emulateMedia(looks[look])
    await page.evaluate(axe.source)
    const found: string[] = []
    for (const area of ['Now', 'History', 'Maintenance', 'Audit log']) {
      await goToArea(page, area)
      await heading(page, area)
      await page.waitForLoadState('networkidle')
      for (const finding of await axeFindings(page, look)) found.push(`${area}: ${finding}`)
      for (const width of [NARROW.width, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        if (overflow > 0) found.push(`${area}, ${String(width)}: scrolls sideways`)
      }
      await page.setViewportSize(NARROW)
    }
    await page.emulateMedia(looks.light)
    expect(found).toEqual([])
  })
})

test('[SRV-33] by keyboard alone says in a sentence why a person has a signature, and shows theirs for any day, new or reply', async () => {
  const page = await share('/people', { viewport: NARROW })
  await text(page, /\d+ people found/)
  await tabTo(page, 'Search people')
  await page.keyboard.type('silva')
  await text(page, '1 person found')
  await page.keyboard.press('ArrowDown')
  expect(await focused(page)).toBe('Maria Silva')
  await page.keyboard.press('Enter')
  await heading(page, 'Maria Silva')
  await expect.poll(() => focused(page)).toBe('Maria Silva')

  await text(
    page,
    /^Padrão Northwind is the default because Country is PT and (it is the first in the order|no signature above it fits)\. \(?signet\.yaml, line \d+/,
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
  await text(page, 'Not Northwind standard: this person fits none of its rules.')
})
