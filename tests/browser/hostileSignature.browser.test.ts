import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { launchChromium } from './chromium.ts'
import { TESS, eventually, option, untilInMessage, useBrowser } from './pane.ts'
import { servers } from './servers.ts'

const ORDINARY = 'ordinary-u-5'
const HOSTILE = 'stranger-u-5'

/** The first bytes of every request to another host: all names but `localhost` resolve to this server. */
const received: string[] = []
const otherHosts = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', (first) => {
    received.push(first.toString('latin1'))
    socket.destroy()
  })
})

const { browser, share } = useBrowser(async () => {
  await new Promise<void>((resolve) => otherHosts.listen(0, '127.0.0.1', resolve))
  const { port } = otherHosts.address() as AddressInfo
  return launchChromium({
    args: [`--host-resolver-rules=MAP * 127.0.0.1:${port}, EXCLUDE localhost, EXCLUDE 127.0.0.1`],
  })
})
afterAll(
  () =>
    new Promise((resolve) => {
      otherHosts.close(resolve)
    }),
)

it('a hostile signature, previewed and inserted, runs no script, sends no request, and navigates nowhere', async () => {
  const playground = await share({ person: TESS })
  const { page, pane, noticed } = playground
  const places: string[] = []
  page.on('framenavigated', (frame) => places.push(frame.url()))
  await untilInMessage(playground, ORDINARY)

  const hostile = option(pane, 'From a stranger')
  await hostile.scrollIntoViewIfNeeded()
  const preview = hostile.locator('iframe[sandbox=""]')
  await preview.waitFor()
  const drawn = await preview.getAttribute('srcdoc')
  expect(drawn).toContain('Tess Edge')
  expect(drawn).not.toMatch(
    /<script|<iframe|<form|<object|<embed|<link|<base|onerror|onload|onmouseover|javascript:/i,
  )

  await hostile.frameLocator('iframe[sandbox=""]').getByText('Tess Edge').first().waitFor()
  // The browser would write a line for each handler and each picture that a policy refuses.
  expect(noticed.violations).toEqual([])

  await hostile.click()
  const { signatureHtml } = await untilInMessage(playground, HOSTILE)
  expect(signatureHtml).toContain('Tess Edge')
  expect(signatureHtml).not.toMatch(
    /<script|<iframe|<form|<object|<embed|<link|<base|onerror|onload|onmouseover|javascript:|position:|@import|expression|file:|\\/i,
  )
  await pane.getByRole('button', { name: 'Details of this signature' }).click()
  await pane.locator('iframe[title="Preview of From a stranger"]').waitFor()

  // The user points at and clicks every link.
  const body = page.frameLocator('iframe[title="Message body"]')
  const links = await body.locator('[data-part=signature] a:visible').all()
  expect(links.length).toBeGreaterThan(2)
  for (const link of links) {
    await link.hover()
    await link.click()
  }
  await page.keyboard.press('Tab')

  expect(await page.title()).toBe('Signet playground')
  expect(await pane.locator('html').evaluate((root) => root.ownerDocument.title)).toBe('Signatures – Signet')
  expect(noticed.dialogs).toEqual([])
  expect(noticed.exceptions).toEqual([])
  expect(playground.context.pages().length).toBe(1)
  const own = [servers().pages, 'about:']
  expect(places.filter((place) => !own.some((start) => place.startsWith(start)))).toEqual([])
  expect(new URL(page.url()).origin).toBe(servers().pages)

  // The server would have received a request: it receives this one.
  const other = await browser().newPage()
  void other.goto('http://control.example/').catch(() => {})
  await eventually(() => received.join('\n')).toContain('control.example')
  expect(received.filter((bytes) => bytes.includes('evil.example'))).toEqual([])
})

it('every preview is a sandboxed frame without permissions', async () => {
  const playground = await share({ person: TESS })
  const { pane } = playground
  await untilInMessage(playground, ORDINARY)
  await option(pane, 'Ordinary').locator('iframe[sandbox=""]').waitFor()
  // The frame that measures a signature, which runs no script either, is removed after measuring.
  const permissions = () =>
    pane
      .locator('iframe')
      .evaluateAll((frames) => [...new Set(frames.map((frame) => frame.getAttribute('sandbox')))])
  await eventually(permissions).toEqual([''])
  const policies = await pane
    .locator('iframe')
    .evaluateAll((frames) =>
      frames.map((frame) =>
        frame
          .getAttribute('srcdoc')
          ?.startsWith(
            '<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="default-src \'none\';',
          ),
      ),
    )
  expect(policies.length).toBeGreaterThan(1)
  expect(policies.every(Boolean)).toBe(true)
})
