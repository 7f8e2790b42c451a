import axe from 'axe-core'
import { describe, expect, it, afterEach } from 'vitest'
import { IS_LONG } from '../support/cases.ts'
import { type Opened, eventually, option, service, untilInMessage, useBrowser } from './pane.ts'

const DEFAULT = 'portrait-u-1'
const { open, share } = useBrowser()

afterEach(() => service.restore())

/**
 * The findings of axe-core in the playground's page, in the pane and in the message body. The sandboxed previews are
 * left out, because no script may run in them; axe-core checks only that their frames are named or hidden.
 */
async function findings({ page }: Opened): Promise<readonly string[]> {
  const found: string[] = []
  for (const title of [null, 'Signet', 'Message body']) {
    const element = title === null ? null : await page.locator(`iframe[title="${title}"]`).elementHandle()
    const frame = element === null ? page.mainFrame() : await element.contentFrame()
    if (!frame) throw new Error(`There is no document in ${String(title)}`)
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source)
    const violations = await frame.evaluate(async (isPart) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe
      // The message body is part of a page and has no landmarks of its own.
      const rules = { region: { enabled: !isPart } }
      const results = await run(isPart ? document.body : document, {
        iframes: false,
        resultTypes: ['violations'],
        rules,
      })
      return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    }, title === 'Message body')
    found.push(...violations)
  }
  return found
}

/** Sets the width of the pane, in CSS pixels. */
async function setWidth({ page }: Opened, width: number): Promise<void> {
  await page.locator('#pane').evaluate((element, wanted) => {
    element.style.width = `${wanted}px`
  }, width)
  await eventually(() => page.locator('iframe[title="Signet"]').evaluate((frame) => frame.clientWidth)).toBe(
    width,
  )
}

const looks = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['forced colours', { forcedColors: 'active' }],
] as const

/** stories.test.ts checks the pane's views in every look. These tests include the page around the pane. */
const testedLooks = IS_LONG ? looks : looks.slice(0, 1)

describe.each(testedLooks)('axe-core finds nothing, in %s', (_, look) => {
  it('on the dashboard with the list at 320 pixels, and on a failed insertion at 450', async () => {
    const playground = await share()
    const { page, pane } = playground
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', ...look })
    await untilInMessage(playground, DEFAULT)
    await option(pane, 'Short').waitFor()
    await setWidth(playground, 320)
    expect(await findings(playground)).toEqual([])
    await page.evaluate(() =>
      window.playground.fail('body.setSignatureAsync', { code: 5001, name: 'InternalError' }),
    )
    await option(pane, 'Short').click()
    await pane.getByRole('alert').filter({ hasText: 'The signature wasn’t inserted' }).waitFor()
    await setWidth(playground, 450)
    expect(await findings(playground)).toEqual([])
  })

  it('[KNOW-4] on a passed and a failed self-test, at 320 and at 450 pixels', async () => {
    const playground = await share()
    const { page, pane } = playground
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', ...look })
    await untilInMessage(playground, DEFAULT)
    await page.evaluate(() => {
      window.playground.launch('page')
      window.playground.newMessage()
    })
    await eventually(() => page.evaluate(() => window.playground.launches().at(-1)?.outcome ?? '')).toMatch(
      /^(?:inserted|already)$/,
    )
    await pane.getByRole('link', { name: 'Settings' }).click()
    await pane.getByText('Advanced', { exact: true }).click()
    await pane.getByRole('link', { name: 'Self-test' }).click()
    await pane.getByRole('button', { name: 'Run the test' }).click()
    await pane.getByText('Everything works.').waitFor()
    for (const folded of await pane.getByText('For your helpdesk').all()) await folded.click()
    for (const each of [
      'in a page',
      'Mailbox 1.15',
      'indexedDB',
      'off the service’s clock',
      'response 200 after',
      'Signed in until',
    ])
      await pane.getByText(each, { exact: false }).waitFor()
    await service.fault('GET /api/addin/maintenance', { kind: 'cut' })
    await pane.getByRole('button', { name: 'Run again' }).click()
    await pane.getByText('Check your connection, then try again.').waitFor()
    for (const width of [320, 450]) {
      await setWidth(playground, width)
      expect(await findings(playground)).toEqual([])
      const frame = pane.locator('html')
      expect(await frame.evaluate((html) => html.scrollWidth - html.clientWidth)).toBe(0)
    }
  })

  it('on a failed sign-in, at 320 pixels', async () => {
    await service.fault('*', { kind: 'cut' })
    const playground = await open(look)
    await playground.pane.getByRole('alert').filter({ hasText: 'You’re not signed in' }).waitFor()
    await setWidth(playground, 320)
    expect(await findings(playground)).toEqual([])
  })
})

it('the pane follows the theme of the mail client, or that of the system when the mail client reports none', async () => {
  const playground = await open({ colorScheme: 'dark' })
  const { page, pane } = playground
  await untilInMessage(playground, DEFAULT)
  const background = () => pane.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
  const theme = page.getByRole('combobox', { name: 'Theme' })
  const dark = await background()
  await theme.selectOption({ label: 'Light' })
  await eventually(background).toBe('rgb(255, 255, 255)')
  await page.emulateMedia({ colorScheme: 'light' })
  await theme.selectOption({ label: 'Dark' })
  await eventually(background).toBe(dark)
  await page.getByRole('button', { name: 'Reload the pane' }).click()
  await eventually(background).toBe(dark)
  await theme.selectOption({ label: 'System' })
  await eventually(background).toBe('rgb(255, 255, 255)')
})
