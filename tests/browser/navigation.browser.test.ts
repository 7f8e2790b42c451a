import type { FrameLocator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import fr from '../../views/pane/text/fr.json' with { type: 'json' }
import { type Opened, JONAS, eventually, option, untilInMessage, useBrowser } from './pane.ts'
import { servers } from './servers.ts'

const DEFAULT = 'portrait-u-1'
const { open, share } = useBrowser()

/** Records the animations that start in the pane from now on, each with its duration. */
async function watchAnimations(pane: FrameLocator): Promise<() => Promise<readonly string[]>> {
  const html = pane.locator('html')
  await html.evaluate(({ ownerDocument: document }) => {
    const begun: string[] = []
    Object.assign(document.defaultView ?? {}, { begun })
    document.addEventListener('animationstart', ({ target, animationName }) => {
      if (target instanceof Element)
        begun.push(`${animationName} ${getComputedStyle(target).animationDuration}`)
    })
  })
  return () => html.evaluate(() => (window as unknown as { begun: string[] }).begun)
}

/** Goes to the settings and back. */
async function goAround({ pane }: Opened): Promise<void> {
  await pane.getByRole('link', { name: 'Settings' }).click()
  await pane.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await pane.getByRole('link', { name: 'Signatures' }).click()
  await option(pane, 'Short').waitFor()
}

describe('navigation', () => {
  it('About opens the licences of the packages in the pane, in a tab of its own', async () => {
    const { context, pane } = await share()
    await pane.getByRole('link', { name: 'Settings' }).click()
    await pane.getByRole('link', { name: 'About' }).click()
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      pane.getByRole('link', { name: 'Licences of the software in Signet' }).click(),
    ])
    await tab.waitForURL('**/licences.txt')
    const text = await tab.locator('body').innerText()
    for (const name of ['react', 'rxjs', 'dompurify', '@azure/msal-browser'])
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+`, 'm'))
    expect(text).toContain('Permission is hereby granted')
    await tab.close()
  })

  it('[NAV-3] fades each view in, in 150 ms', async () => {
    const playground = await open({ reducedMotion: 'no-preference' })
    await untilInMessage(playground, DEFAULT)
    const begun = await watchAnimations(playground.pane)
    await goAround(playground)
    await eventually(async () => (await begun()).filter((each) => each.includes('appear')).length).toBe(2)
    for (const each of await begun()) if (each.includes('appear')) expect(each).toMatch(/ 0\.15s$/)
  })

  it('[NAV-3] fades nothing with the system setting for reduced motion', async () => {
    const playground = await share()
    await untilInMessage(playground, DEFAULT)
    const begun = await watchAnimations(playground.pane)
    await goAround(playground)
    // An animation would have started after two frames.
    await playground.pane
      .locator('html')
      .evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(await begun()).toEqual([])
  })

  it('reloads the page at the next visit of a view whose script failed to load', async () => {
    const playground = await open()
    const { page, pane } = playground
    await untilInMessage(playground, DEFAULT)
    // The pane reloads only a page that has been open for a while.
    await pane.locator('html').evaluate(({ ownerDocument: { defaultView } }) => {
      if (defaultView) Object.assign(defaultView.performance, { now: () => 60_000 })
    })
    await page.route('**/Settings.*.js', (route) => route.abort(), { times: 1 })
    await pane.getByRole('link', { name: 'Settings' }).click()
    await pane.getByRole('alert').waitFor()
    await pane.getByRole('link', { name: 'Signatures' }).click()
    await option(pane, 'Short').waitFor()
    const loaded = page.waitForResponse((response) => response.url().endsWith('/pane.html'))
    await pane.getByRole('link', { name: 'Settings' }).click()
    await loaded
    await pane.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    expect(playground.noticed.violations).toEqual([])
  })

  it('[NAV-1] leads from the dashboard to all signatures and to the shared ones', async () => {
    const playground = await share()
    const { pane } = playground
    await untilInMessage(playground, DEFAULT)
    await pane.getByText('Collections', { exact: true }).click()
    await pane.getByRole('link', { name: 'Shared with me' }).click()
    await pane.getByRole('heading', { name: 'Shared with me', level: 1 }).waitFor()
    expect(await option(pane, 'Short').count()).toBe(0)
    await pane.getByText('Collections', { exact: true }).click()
    await pane.getByRole('link', { name: 'All signatures' }).click()
    await pane.getByRole('heading', { name: 'All signatures', level: 1 }).waitFor()
    await option(pane, 'Short').waitFor()
    expect(await pane.locator('html').evaluate(() => location.hash)).toBe('#/app/signatures/main')
  })

  it('[NAV-1] redirects an unknown route to the dashboard of a signed-in user', async () => {
    const playground = await share()
    await untilInMessage(playground, DEFAULT)
    const html = playground.pane.locator('html')
    for (const path of ['/nowhere', '/app', '/app/nowhere']) {
      await html.evaluate((_, to) => {
        location.hash = to
      }, path)
      await eventually(() => html.evaluate(() => location.hash)).toBe('#/app/dashboard')
    }
    await option(playground.pane, 'Short').waitFor()
  })
})

describe('the language', () => {
  it('[I18N-4] is sent as Accept-Language with every request, also after a change', async () => {
    const { pane, noticed } = await open({ person: JONAS })
    await eventually(() => pane.locator('html').getAttribute('lang')).toBe('de')
    /** The header of the requests to the service, from the request with this number on. */
    const sentFrom = async (first: number) => {
      const requests = noticed.requests
        .slice(first)
        .filter((each) => each.url().startsWith(servers().service) && each.resourceType() === 'xhr')
      const sent = await Promise.all(
        requests.map(async (each) => (await each.allHeaders())['accept-language']),
      )
      return [...new Set(sent)]
    }
    await pane.locator('a[href="#/app/settings/app"]').click()
    const german = noticed.requests.length
    await pane.locator('a[href="#/app/settings/variables"]').click()
    await eventually(() => sentFrom(german)).toEqual(['de'])

    await pane.locator('a[href="#/app/settings/app"]').click()
    await pane.locator('select').selectOption('fr')
    await pane.getByRole('heading', { name: fr.settings.title, level: 1 }).waitFor()
    const french = noticed.requests.length
    await pane.locator('footer button[aria-expanded]').click()
    await pane.getByRole('button', { name: fr.account.signOut }).click()
    await pane.getByRole('button', { name: fr.signIn.button }).click()
    await eventually(async () =>
      noticed.requests
        .slice(french)
        .map((each) => each.url())
        .join(),
    ).toContain('/api/addin/user')
    expect(await sentFrom(french)).toEqual(['fr'])
  })
})
