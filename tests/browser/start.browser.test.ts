import { WORLDWIDE_LIBRARY_URL } from '../../streams/wire/officeLibrary.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { parse } from 'acorn'
import type { Frame, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshProductionBuild } from '../../src/build/production.ts'
import {
  ALEX,
  BUILD_LIMIT_MS,
  addressOf,
  eventually,
  JONAS,
  option,
  untilInMessage,
  useBrowser,
} from './pane.ts'
import { expectWithin, FIRST_LOAD } from '../support/sizeGuard.ts'
import { servers } from './servers.ts'

const DEFAULT = 'portrait-u-1'

const { browser, open } = useBrowser()

/** The add-in as it ships. */
let built: Awaited<ReturnType<typeof freshProductionBuild>>
beforeAll(async () => {
  built = await freshProductionBuild({ tell: (line) => process.stderr.write(`${line}\n`) })
}, BUILD_LIMIT_MS)

const textOf = (name: string): Promise<string> => readFile(join(built.www, name), 'utf8')
const chunkIn = (text: string, name: string): string =>
  new RegExp(`\\b${name}\\.[0-9a-f]{8}\\.js\\b`).exec(text)?.[0] ??
  expect.fail(`no ${name} in the built files`)

/** The entry of the pane, and the chunks that it names. */
async function builtFiles() {
  const html = await textOf('taskpane.html')
  const entry = chunkIn(html, 'taskpane')
  const code = await textOf(entry)
  return { html, entry, code, screen: chunkIn(code, 'drawScreen') }
}

/** The modules of a built file, by its source map. */
const sourcesOf = async (file: string): Promise<readonly string[]> =>
  (JSON.parse(await readFile(join(built.maps, `${file}.map`), 'utf8')) as { sources: string[] }).sources

/** What must not run before the first signature. */
const OF_THE_SCREEN =
  /(?:^|\/)(?:node_modules\/(?:react|react-dom|scheduler|react-router|react-router-dom|i18next|react-i18next|observable-hooks)|views)\//

describe('the built files:', () => {
  it('[START-1] the entry imports no other file statically, and has no module of the screen', async () => {
    const { html, entry, code, screen } = await builtFiles()
    expect(html.match(/<script[^>]*>/g)).toEqual([
      expect.stringContaining(WORLDWIDE_LIBRARY_URL),
      `<script type=module src=/${entry}>`,
    ])
    const statements = parse(code, { ecmaVersion: 'latest', sourceType: 'module' }).body
    expect(statements.filter(({ type }) => /^(?:Import|Export)/.test(type))).toEqual([])
    const sources = await sourcesOf(entry)
    expect(sources.length).toBeGreaterThan(10)
    expect(sources.filter((source) => OF_THE_SCREEN.test(source))).toEqual([])
    // The pattern finds them where they are.
    const ofScreen = await sourcesOf(screen)
    for (const each of ['react-dom', 'i18next', 'react-router', 'views'])
      expect([
        each,
        ofScreen.some((source) => OF_THE_SCREEN.test(source) && source.split('/').includes(each)),
      ]).toEqual([each, true])
  })

  it('[START-2] engine and sanitiser stay within the guard of the first load', async () => {
    const { entry } = await builtFiles()
    const files = await Promise.all(
      [entry].map(async (name) => ({
        code: await textOf(name),
        map: await readFile(join(built.maps, `${name}.map`), 'utf8'),
      })),
    )
    for (const { code } of files) expect(code.length).toBeGreaterThan(30_000)
    expectWithin('the first load', files, FIRST_LOAD)
  })

  it('the page fetches the screen while the engine loads', async () => {
    const { html, screen } = await builtFiles()
    expect(html).toContain(`<link rel=prefetch as=script href="/${screen}">`)
  })
})

/** The pane's frame, once it has loaded its page. */
async function frameOf(page: Page): Promise<Frame> {
  const handle = await page.locator('iframe[title="Signet"]').elementHandle()
  return (await handle.contentFrame()) ?? expect.fail('there is no pane')
}

/** How far drawn things have moved without the user, as the browser sums it (Layout Instability), since the page opened. */
const layoutShift = (frame: Frame): Promise<number> =>
  frame.evaluate(
    () =>
      new Promise<number>((resolve) => {
        // Without an earlier shift the observer reports nothing: this one ends the waiting.
        new PerformanceObserver((list) => {
          const shifts = list.getEntries() as (PerformanceEntry & {
            value: number
            hadRecentInput: boolean
          })[]
          resolve(shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0))
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)))
      }),
  )

describe('the first frame', () => {
  it.each([
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(41, 41, 41)'],
  ] as const)(
    '[START-3] is the skeleton in the %s theme, before any script has run',
    async (colorScheme, color) => {
      const context = await browser().newContext({
        javaScriptEnabled: false,
        colorScheme,
        viewport: { width: 320, height: 700 },
      })
      const page = await context.newPage()
      const loaded: string[] = []
      page.on('request', (request) => loaded.push(request.resourceType()))
      await page.goto(`${servers().pages}/pane.html`)
      const boxes = await page
        .locator('.skeleton > *')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().height))
      expect(boxes).toEqual([83, 20, 32, 122, 122, 122, 80])
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(color)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      // It needs no other file.
      expect(loaded.filter((type) => type === 'stylesheet' || type === 'image')).toEqual([])
      await context.close()
    },
  )

  it('[START-3] is not moved by what is drawn later, cold, warm, and after a sign-in: its parts are where they are drawn', async () => {
    const opened = await open()
    const { page, pane } = opened
    const settled = async () => {
      await untilInMessage(opened, DEFAULT)
      await option(pane, 'Northwind standard').waitFor()
      return layoutShift(await frameOf(page))
    }
    expect(await settled()).toBeLessThan(0.1)
    await page.reload()
    expect(await settled()).toBeLessThan(0.1)
    const drawn = await (
      await frameOf(page)
    ).evaluate(() => {
      const place = (element: Element | null | undefined) => {
        const { top, height, left, width } = element?.getBoundingClientRect() ?? new DOMRect()
        return [top, height, left, width].map(Math.round)
      }
      return {
        width: innerWidth,
        height: innerHeight,
        places: [
          place(document.querySelector('[data-sticky]')),
          place(document.querySelector('[role=combobox]')?.parentElement),
          place(document.querySelector('footer')),
        ],
      }
    })
    const context = await browser().newContext({
      javaScriptEnabled: false,
      viewport: { width: drawn.width, height: drawn.height },
    })
    const skeleton = await context.newPage()
    await skeleton.goto(`${servers().pages}/pane.html`)
    const places = await Promise.all(
      ['.bar', '.search', '.foot'].map(async (part) => {
        const { x, y, width, height } =
          (await skeleton.locator(part).boundingBox()) ?? expect.fail(`no ${part}`)
        return [y, height, x, width].map(Math.round)
      }),
    )
    expect(places).toEqual(drawn.places)
    await context.close()

    await pane.getByRole('button', { name: /^Account/ }).click()
    await pane.getByRole('button', { name: 'Sign out' }).click()
    await pane.getByRole('button', { name: 'Sign in' }).click()
    expect(await settled()).toBeLessThan(0.1)
  })
})

/** Lets no file of the screen through. */
const withoutScreen = (page: Page): Promise<unknown> =>
  page.route(/\/drawScreen\.[0-9a-f]{8}\.js$/, (route) => route.abort())

describe('without the code of the screen', () => {
  it('[START-1] [START-5] the default goes in, and plain words say what to do, in the language of the user', async () => {
    const context = await browser().newContext({ locale: 'en-US', viewport: { width: 1400, height: 900 } })
    const page = await context.newPage()
    await withoutScreen(page)
    await page.goto(addressOf(ALEX))
    const inMessage = () =>
      page.evaluate(() =>
        window.playground.snapshot().items[0]?.bodyHtml.includes('data-signet-id="portrait-u-1"'),
      )
    await eventually(inMessage).toBe(true)
    const pane = page.frameLocator('iframe[title="Signet"]')
    await pane.getByRole('heading', { name: 'Signet didn’t load completely' }).waitFor()
    expect(await pane.getByRole('alert').innerText()).toContain('Check the connection')
    const { violations } = await new AxeBuilder({ page }).include('iframe[title="Signet"]').analyze()
    expect(violations).toEqual([])

    await page.goto(addressOf(JONAS))
    await pane.getByRole('heading', { name: 'Signet konnte nicht vollständig geladen werden' }).waitFor()
    expect(await pane.locator('html').getAttribute('lang')).toBe('de')
    // The screen is there after the button.
    await page.unroute(/\/drawScreen\.[0-9a-f]{8}\.js$/)
    await pane.getByRole('button', { name: 'Neu laden' }).click()
    await pane.getByRole('heading', { name: 'In dieser Nachricht' }).waitFor()
    await context.close()
  })
})
