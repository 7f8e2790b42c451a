import type { Page, Response } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import de from '../../views/pane/text/de.json' with { type: 'json' }
import en from '../../views/pane/text/en.json' with { type: 'json' }
import { ALEX, JONAS, STRANGER, addressOf, eventually, option, untilInMessage, useBrowser } from './pane.ts'
import { servers } from './servers.ts'

const DEFAULT = 'portrait-u-1'

const { browser, open } = useBrowser()

type Script = Readonly<{ path: string; text: string }>

/** Opens the playground of a user. Returns every script that the pane's frame loads, in order. */
async function openListening(person: string) {
  const context = await browser().newContext({ locale: 'en-US' })
  const page = await context.newPage()
  const responses: Response[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    // By its frame, not by its address, which the pane changes while it starts.
    if (response.frame() !== page.mainFrame()) responses.push(response)
  })
  await page.goto(addressOf(person))
  const scripts = (): Promise<readonly Script[]> =>
    Promise.all(
      responses.map(async (response) => ({
        path: new URL(response.url()).pathname,
        text: await response.text(),
      })),
    )
  return { page, pane: page.frameLocator('iframe[title="Signet"]'), scripts }
}

const untilFirstSignature = (page: Page) =>
  eventually(() =>
    page.evaluate(() => window.playground.snapshot().items[0]?.bodyHtml.includes('data-signet-id')),
  ).toBe(true)

const holds = (scripts: readonly Script[], words: string): boolean =>
  scripts.some(({ text }) => text.includes(words) || text.includes(JSON.stringify(words).slice(1, -1)))

describe('the scripts that the pane loads', () => {
  it('[I18N-1] contain English with the screen, and any other language in a file loaded on demand', async () => {
    const english = await openListening(ALEX)
    await option(english.pane, 'Short').waitFor()
    // Waits until everything that does not depend on the language is loaded.
    await untilFirstSignature(english.page)
    const ofEnglish = await english.scripts()
    const screen = ofEnglish.filter(({ path }) => path.startsWith('/drawScreen.'))
    expect(holds(screen, en.message.heading)).toBe(true)
    expect(holds(ofEnglish, de.message.heading)).toBe(false)

    const own: Record<string, string> = {}
    const others = [
      ['de', JONAS],
      ['fr', STRANGER],
    ] as const
    for (const [language, person] of others) {
      const { pane, scripts } = await openListening(person)
      await eventually(() => pane.locator('html').getAttribute('lang')).toBe(language)
      if (language === 'de') {
        await pane.getByRole('heading', { name: de.message.heading }).waitFor()
        await pane.getByText(de.list.empty).waitFor()
      }
      const more = (await scripts()).filter(({ path }) => !ofEnglish.some((known) => known.path === path))
      expect([language, more.length]).toEqual([language, 1])
      own[language] = more[0]?.path ?? ''
    }
    expect(new Set(Object.values(own)).size).toBe(others.length)
  })
})

it('the content security policy refuses nothing during a whole session', async () => {
  const playground = await open()
  const { page, pane, noticed } = playground
  await untilInMessage(playground, DEFAULT)
  await option(pane, 'Northwind standard').click()
  await untilInMessage(playground, 'standard-u-1')
  await page.evaluate(() => window.playground.reply())
  await untilInMessage(playground, DEFAULT)
  await page.getByRole('combobox', { name: 'User' }).selectOption({ label: 'Maria Silva' })
  await option(pane, 'Padrão Northwind').waitFor()
  await page.reload()
  await option(pane, 'Padrão Northwind').waitFor()
  expect(noticed.violations).toEqual([])
  expect(noticed.exceptions).toEqual([])
  const policy = await page.request.get(`${servers().pages}/pane.html`)
  expect(policy.headers()['content-security-policy']).toContain("default-src 'none'")

  // A refusal would be recorded: that of a script of another origin is.
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.src = 'https://elsewhere.example/script.js'
    document.head.append(script)
  })
  await eventually(() => noticed.violations.length).toBeGreaterThan(0)
})
