import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { noteShifts, shiftsIn } from './layoutShifts.ts'
import { administrationAt, useAdministration } from './sharedAdministration.ts'

const { share } = useAdministration()

/** What the page asks for while it opens: the code of an area, and the answers of the service. */
const ASKED = /\/api\/administration\/|\/[A-Z][A-Za-z]+\.[\da-f]{8}\.(?:js|css)$/

/** The order in which answers that wait together are released, by their addresses. */
type AnswerOrder = 'ascending' | 'descending'

/**
 * Holds back everything that the page asks for. `next` releases one of the answers, if there is one. It waits until all
 * of them have arrived, so that their order does not depend on the service.
 */
async function holdBack(page: Page, order: AnswerOrder) {
  const held: { url: string; release: () => Promise<void> }[] = []
  let underWay = 0
  await page.route(ASKED, async (route) => {
    if (route.request().method() === 'OPTIONS') return route.continue()
    underWay += 1
    const response = await route.fetch()
    underWay -= 1
    held.push({ url: route.request().url(), release: () => route.fulfill({ response }) })
    held.sort((one, other) => (one.url < other.url === (order === 'ascending') ? -1 : 1))
  })
  return {
    next: async () => (underWay === 0 ? held.shift()?.release() : undefined),
    isEmpty: () => underWay + held.length === 0,
  }
}

const twoFrames = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve))
      }),
  )

/** Opens a page of the administration page with a session; each answer arrives after the one before it is drawn. */
async function openSlowly(page: Page, path: string, order: AnswerOrder): Promise<void> {
  const held = await holdBack(page, order)
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

// Each width has the other order of answers.
describe.each([
  [320, 'descending'],
  [1280, 'ascending'],
] as const)('[SRV-32] the administration page, %i pixels wide', (width, order) => {
  test.each(PATHS)(
    'moves nothing from opening to idle on %s, however late its parts arrive',
    async (path) => {
      const page = await share('/now', { viewport: { width, height: 900 } })
      await page.goto('about:blank')
      await page.addInitScript(noteShifts)
      await openSlowly(page, path, order)
      expect(await shiftsIn(page)).toEqual([])
    },
  )
})
