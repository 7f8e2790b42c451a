import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { noteShifts, shiftsIn } from './layoutShifts.ts'
import { administrationAt, useAdministration } from './sharedAdministration.ts'

const { share } = useAdministration()

/** What the page asks for while it opens: the code of an area, and the answers of the service. */
const ASKED = /\/api\/administration\/|\/[A-Z][A-Za-z]+\.[\da-f]{8}\.(?:js|css)$/

/** Holds back everything that the page asks for. `next` releases one of them once it has arrived, if there is one. */
async function holdBack(page: Page) {
  const held: (() => Promise<void>)[] = []
  await page.route(ASKED, async (route) => {
    if (route.request().method() === 'OPTIONS') return route.continue()
    const response = await route.fetch()
    held.push(() => route.fulfill({ response }))
  })
  return { next: async () => held.shift()?.(), isEmpty: () => held.length === 0 }
}

const twoFrames = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve))
      }),
  )

/** Opens a page of the administration page with a session; each answer arrives after the one before it is drawn. */
async function openSlowly(page: Page, path: string): Promise<void> {
  const held = await holdBack(page)
  await page.goto(administrationAt(path))
  let isQuiet = false
  void page.waitForLoadState('networkidle').then(() => (isQuiet = true))
  await expect
    .poll(
      async () => {
        await held.next()
        await twoFrames(page)
        return isQuiet && held.isEmpty()
      },
      { interval: 1, timeout: 60_000 },
    )
    .toBe(true)
  // Pictures of signatures are measured before they are shown.
  await page.waitForFunction(() => !document.querySelector('main iframe[aria-hidden=true], [data-waits]'))
  await page.locator('h1').waitFor()
}

const PATHS = [
  '/now',
  '/signatures',
  '/signatures/id/standard',
  '/plan',
  '/history',
  '/people',
  '/people/alex.kim%40northwind.example',
  '/directory',
  '/maintenance',
  '/audit',
]

describe.each([320, 1280])('[SRV-32] the administration page, %i pixels wide', (width) => {
  test.each(PATHS)(
    'moves nothing from opening to idle on %s, however late its parts arrive',
    async (path) => {
      const page = await share('/now', { viewport: { width, height: 900 } })
      await page.goto('about:blank')
      await page.addInitScript(noteShifts)
      await openSlowly(page, path)
      expect(await shiftsIn(page)).toEqual([])
    },
  )
})
