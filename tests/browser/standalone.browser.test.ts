import { expect, test } from 'vitest'
import { launchChromium } from './chromium.ts'
import { eventually, useBrowser } from './pane.ts'
import { servers } from './servers.ts'
import { signInByWindow } from './signInWindow.ts'

// The standalone page where it needs Chromium; signing in (identity.test.ts) runs in Firefox too. Under
// automation, Firefox reports no blocked window, not even with `dom.disable_open_during_load` set, and Firefox ESR cannot
// be told another theme while it runs.

const { browser } = useBrowser(() =>
  // Playwright disables the popup blocker. Users have it enabled.
  launchChromium({ kind: 'browser', ignoreDefaultArgs: ['--disable-popup-blocking'] }),
)

test('follows the theme of the system, without a mail client', async () => {
  const page = await (await browser().newContext({ colorScheme: 'light' })).newPage()
  await page.goto(`${servers().pages}/index.html`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(await background()).toBe('rgb(255, 255, 255)')
  await page.emulateMedia({ colorScheme: 'dark' })
  await eventually(background).toBe('rgb(41, 41, 41)')
})

test('[SOLO-2] a window that the popup blocker stopped is reported as such, and a click opens it', async () => {
  const context = await browser().newContext({ locale: 'en-US' })
  await context.addInitScript(() => {
    // Clicks without a user gesture, so the browser blocks the window.
    new MutationObserver((_, observer) => {
      const found = document.querySelector('main button')
      if (!(found instanceof HTMLElement) || location.pathname !== '/index.html') return
      observer.disconnect()
      found.click()
    }).observe(document, { childList: true, subtree: true })
  })
  const page = await context.newPage()
  const failures: string[] = []
  page.on('console', (message) => {
    const [, detail] = /handle_auth_error .*detail: (\w+)/.exec(message.text()) ?? []
    if (detail !== undefined) failures.push(detail)
  })
  await page.goto(`${servers().pages}/index.html`)
  // Reads the log first, because reading the page counts as a user gesture.
  await eventually(() => failures.at(-1) ?? '').toBe('popup_window_error')
  await page.getByText('Your browser blocked the sign-in window.').waitFor()
  await signInByWindow(page)
  await page.waitForURL(/#\/app\//)
})
