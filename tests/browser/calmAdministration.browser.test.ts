import type { Page, Route } from 'playwright-core'
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
  const underWay = new Set<Route>()
  await page.route(ASKED, async (route) => {
    if (route.request().method() === 'OPTIONS') return route.continue()
    underWay.add(route)
    const response = await route.fetch()
    underWay.delete(route)
    held.push({ url: route.request().url(), release: () => route.fulfill({ response }) })
    held.sort((one, other) => (one.url < other.url === (order === 'ascending') ? -1 : 1))
  })
  return {
    next: async () => (underWay.size === 0 ? held.shift()?.release() : undefined),
    /** The addresses of the answers that the page waits for. */
    addresses: () => [...[...underWay].map((route) => route.request().url()), ...held.map(({ url }) => url)],
  }
}

const twoFrames = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve))
      }),
  )

/** What the page still loads or measures; empty if everything is drawn. The browser may never load a lazy picture. */
const waitingIn = (page: Page) =>
  page.evaluate(() => {
    if (document.readyState !== 'complete' || !document.querySelector('h1')) return ['the document']
    const loading = [...document.images].filter((image) => !image.complete && image.loading !== 'lazy')
    const waiting = document.querySelectorAll('main iframe[aria-hidden=true], [data-waits], [aria-busy=true]')
    return [...loading, ...waiting].map(({ outerHTML }) => outerHTML.slice(0, 100))
  })

/** The page counts as idle after so many rounds without a request: 500 ms at 60 frames a second. */
const QUIET_ROUNDS = 15

/** Opens a page of the administration page with a session; each answer arrives after the one before it is drawn. */
async function openSlowly(page: Page, path: string, order: AnswerOrder): Promise<void> {
  const held = await holdBack(page, order)
  await page.goto(administrationAt(path))
  let quiet = 0
  await expect
    .poll(
      async () => {
        await held.next()
        await twoFrames(page)
        const waiting = [...held.addresses(), ...(await waitingIn(page))]
        quiet = waiting.length === 0 ? quiet + 1 : 0
        return quiet < QUIET_ROUNDS ? { quiet, waiting } : 'drawn'
      },
      { interval: 1, timeout: 60_000 },
    )
    .toBe('drawn')
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
