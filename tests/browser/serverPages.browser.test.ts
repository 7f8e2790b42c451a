import { createServer } from 'node:http'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listenLocally as listenOn, portOf } from '../../src/build/ports.ts'
import { createIdentityProvider } from '../../src/identityProvider/identityProvider.ts'
import { createPageServer } from '../../src/server/pages.ts'
import { createWebServer, listen, Refusal } from '../../src/server/webServer.ts'
import { languages } from '../../streams/wire/languages.ts'
import { IS_LONG } from '../support/cases.ts'
import { axeFindings } from './axeFindings.ts'
import { launchChromium } from './chromium.ts'
import { layoutFindings } from './layout.ts'
import { lookNames, looks } from './storyPages.ts'

// The pages that servers write themselves: not found, refused, to choose an account, signed out.

/** A phone, a sign-in window, and a window of its own. */
const WIDTHS_PX = [320, 450, 1280] as const
const HEIGHT_PX = 720

const CALLBACK = 'http://localhost:1/index.html'
let browser: Browser
/** The address of each page. */
let addresses: Readonly<Record<string, string>>
const end: (() => unknown)[] = []

beforeAll(async () => {
  const pages = createServer(createPageServer({ folders: [], index: 'index.html', headersOf: () => ({}) }))
  await listenOn(pages, 0)
  end.push(() => pages.close())
  const { app } = await createWebServer([], null)
  app.get('/refused/:status', async ({ params }) => {
    const { status } = params as Readonly<{ status: string }>
    throw new Refusal(Number(status), 'a_code_that_is_long_enough_for_two_lines', 'What programs are told.')
  })
  const service = await listen(app, 0)
  end.push(() => service.close())
  const provider = await createIdentityProvider({
    port: 0,
    origins: [new URL(CALLBACK).origin],
    clientId: 'known',
    audience: 'api://signet',
  })
  end.push(() => provider.close())
  const authorize = (fields: Readonly<Record<string, string>>) =>
    `${provider.url}/northwind/authorize?${new URLSearchParams({
      client_id: 'known',
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'c',
      code_challenge_method: 'S256',
      ...fields,
    }).toString()}`
  addresses = {
    'not found': `http://localhost:${String(portOf(pages))}/nowhere`,
    'not taken': `${service.url}/refused/405`,
    refused: `${service.url}/refused/403`,
    'too many': `${service.url}/refused/429`,
    failed: `${service.url}/refused/503`,
    'choose an account': authorize({}),
    'unknown client': authorize({ client_id: 'other' }),
    'wrong redirect': authorize({ redirect_uri: 'https://elsewhere.example' }),
    'signed out': `${provider.url}/northwind/logout`,
  }
  browser = await launchChromium()
  end.push(() => browser.close())
}, 180_000)
afterAll(async () => {
  for (const close of end.reverse()) await close()
})

const PAGES = [
  ...['not found', 'not taken', 'refused', 'too many', 'failed'],
  ...['choose an account', 'unknown client', 'wrong redirect', 'signed out'],
] as const

async function newPage(locale = 'en-GB'): Promise<Page> {
  const page = await browser.newPage({
    ...looks.light,
    locale,
    viewport: { width: WIDTHS_PX[0], height: HEIGHT_PX },
  })
  // The compiler wraps named functions in calls of this helper, which the page does not define.
  await page.addInitScript('globalThis.__name ??= (value) => value')
  return page
}

/** Opens a page, and what is folded in it. */
async function open(page: Page, name: string): Promise<void> {
  await page.goto(addresses[name] ?? '')
  const folded = page.locator('summary')
  if ((await folded.count()) > 0) await folded.click()
}

describe.each(PAGES)('the page “%s”', (name) => {
  test('has its style and fits at every width, and axe-core finds nothing, in every look', async () => {
    const page = await newPage()
    await page.addInitScript(axe.source)
    const refused: string[] = []
    page.on('console', (said) => {
      if (/content security policy/i.test(said.text())) refused.push(said.text())
    })
    await open(page, name)
    const found: string[] = []
    for (const width of WIDTHS_PX) {
      await page.setViewportSize({ width, height: HEIGHT_PX })
      for (const look of lookNames) {
        await page.emulateMedia(looks[look])
        const findings = [
          ...(await layoutFindings(page)),
          // What axe-core judges of a page that fits hardly depends on its width: `npm run test:long` asks at each.
          ...(IS_LONG || width === WIDTHS_PX[0] ? await axeFindings(page, look) : []),
        ]
        found.push(...findings.map((finding) => `${look}, ${String(width)}: ${finding}`))
      }
    }
    expect(found).toEqual([])
    expect(refused).toEqual([])
    await page.emulateMedia(looks.dark)
    const card = await page.locator('main').evaluate((main) => getComputedStyle(main).backgroundColor)
    expect(card).toBe('rgb(41, 41, 41)')
    await page.close()
  })
})

test('each refusal fits a phone in every language', async () => {
  const found: string[] = []
  for (const language of languages) {
    const page = await newPage(language)
    for (const name of PAGES.slice(0, 5)) {
      await open(page, name)
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      for (const finding of await layoutFindings(page)) found.push(`${name}, ${language}: ${finding}`)
    }
    await page.close()
  }
  expect(found).toEqual([])
})

test('the keyboard reaches each account and Cancel, and shows where it is', async () => {
  const page = await newPage()
  await open(page, 'choose an account')
  const names: string[] = []
  for (let at = 0; at < (await page.getByRole('button').count()); at++) {
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus-visible')
    names.push((await focused.textContent()) ?? '')
    expect(await focused.evaluate((element) => getComputedStyle(element).outlineWidth)).toBe('2px')
  }
  expect([names[0], names.at(-1)]).toEqual(['Alex Kimalex.kim@northwind.exampleAdministrator', 'Cancel'])
  await page.close()
})
