import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { languages } from '../../streams/wire/languages.ts'
import { eventually, JONAS, type Opened, option, untilInMessage, useBrowser } from './pane.ts'
import { servers } from './servers.ts'

// The mail client of the playground: what a person sees of it, and that it does what it offers.

const DEFAULT = 'portrait-u-1'
const { open, share, tab } = useBrowser()

const bodyOf = (page: Page) => page.frameLocator('iframe[title="Message body"]')
const textOf = (page: Page) => bodyOf(page).getByRole('textbox', { name: 'Message body' })
const rows = (page: Page) => page.getByRole('navigation', { name: 'Mailbox' }).getByRole('button')
const folder = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Folders' }).getByRole('button', { name })
const tries = (page: Page) => page.getByRole('region', { name: 'Try this' })

async function untilReady(playground: Opened): Promise<Opened> {
  await untilInMessage(playground, DEFAULT)
  await option(playground.pane, 'Short').waitFor()
  return playground
}
/** Opens the playground. The default is in the message that is open at the start. */
const ready = async (options?: Parameters<typeof open>[0]) => untilReady(await open(options))
/** The default is in a new message. */
const readyAgain = async () => untilReady(await share())

describe('at the start', () => {
  it('a person finds a message with subject, recipient and text in their language', async () => {
    const { page, message } = await open({ person: JONAS })
    const { to, subject, bodyHtml } = await message()
    expect([to.map(({ address }) => address), subject]).toEqual([
      ['nora.lind@quayside.example'],
      'Neuer Fahrplan für Liegeplatz 4',
    ])
    expect(bodyHtml).toContain('<p>Guten Tag Frau Lind,</p>')
    await eventually(() => page.locator('html').getAttribute('lang')).toBe('de')
  })

  it('the signature goes in below the text, and a later message begins empty', async () => {
    const playground = await ready()
    const { page, message } = playground
    const text = await textOf(page).boundingBox()
    const signature = await bodyOf(page)
      .getByRole('textbox', { name: 'Signature in the message' })
      .boundingBox()
    expect(signature?.y).toBeGreaterThanOrEqual((text?.y ?? 0) + (text?.height ?? 0))
    expect((await message()).signatureHtml).toContain(DEFAULT)
    await page.getByRole('button', { name: 'New message' }).click()
    const begun = await untilInMessage(playground, DEFAULT)
    expect([begun.to, begun.subject]).toEqual([[], ''])
    expect(await textOf(page).innerText()).toBe('')
  })

  it('the console has no warning of the page, and no policy is violated', async () => {
    const page = await tab({ reducedMotion: 'no-preference' })
    const said: string[] = []
    page.on('console', (message) => {
      // The pane has a log of its own, whose lines begin with this.
      if (['warning', 'error'].includes(message.type()) && !message.text().startsWith('[LSI]'))
        said.push(message.text())
    })
    page.on('pageerror', (error) => said.push(String(error)))
    await page.goto(`${servers().pages}/`)
    await option(page.frameLocator('iframe[title="Signet"]'), 'Short').waitFor()
    await page.getByText('Pictures in the message').waitFor()
    await folder(page, 'Drafts').click()
    await page.getByRole('button', { name: 'Timeline', exact: true }).click()
    await page.getByRole('listbox', { name: 'Events' }).waitFor()
    expect(said).toEqual([])
  })
})

describe('the folders', () => {
  it('what is sent is in Sent, what is begun in Drafts, and Inbox counts what is unread', async () => {
    const { page, message } = await ready()
    const { subject } = await message()
    await folder(page, 'Inbox 2 unread').waitFor()
    await rows(page).filter({ hasText: 'Order 4711' }).click()
    await folder(page, 'Inbox 1 unread').waitFor()
    await page.getByRole('heading', { name: 'Order 4711 has been sent' }).waitFor()

    await folder(page, 'Drafts').click()
    await rows(page).filter({ hasText: subject }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const heading = page.getByRole('heading', { name: 'Message sent' })
    await eventually(() => heading.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await rows(page).count()).toBe(0)
    await page.getByText('Messages that you begin are kept here.').waitFor()

    await folder(page, 'Sent').click()
    await rows(page).filter({ hasText: subject }).filter({ hasText: 'Nora Lind' }).click()
    await page.getByRole('heading', { name: subject, level: 2 }).waitFor()
    await bodyOf(page).getByText('Hello Nora,').waitFor()
    await bodyOf(page).getByRole('link', { name: 'alex.kim@northwind.example' }).waitFor()
  })

  it('a message without a recipient is not sent: the page says so and goes to the field', async () => {
    const { page, message } = await readyAgain()
    await page.getByRole('button', { name: 'New message' }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('alert').getByText('Add a recipient before you send.').waitFor()
    const to = page.getByRole('textbox', { name: 'To', exact: true })
    expect(await to.evaluate((element) => element === document.activeElement)).toBe(true)
    await to.fill('Claire Dubois <claire.dubois@fabrikam.example>; sam@northwind.example')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove Claire Dubois' }).waitFor()
    expect(await page.getByText('Add a recipient before you send.').count()).toBe(0)
    await page.keyboard.press('Backspace')
    await eventually(async () => (await message()).to.map(({ address }) => address)).toEqual([
      'claire.dubois@fabrikam.example',
    ])
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('heading', { name: 'Message sent' }).waitFor()
  })
})

describe('the formatting row', () => {
  const pressed = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed')

  it('formats the selected text, and shows what it has', async () => {
    const { page, message } = await readyAgain()
    await textOf(page).fill('berth')
    for (const [name, tag] of [
      ['Bold', 'b'],
      ['Italic', 'i'],
      ['Underline', 'u'],
      ['Bulleted list', 'ul'],
      ['Numbered list', 'ol'],
    ] as const) {
      await textOf(page).selectText()
      await page.getByRole('button', { name, exact: true }).click()
      await eventually(async () => (await message()).bodyHtml).toContain(`<${tag}>`)
      await eventually(() => pressed(page, name)).toBe('true')
    }
    await textOf(page).selectText()
    await page.getByRole('button', { name: 'Bold', exact: true }).click()
    await eventually(async () => (await message()).bodyHtml.includes('<b>')).toBe(false)
    expect(await pressed(page, 'Bold')).toBe('false')
  })

  it('links the selected text, and works by keyboard', async () => {
    const { page, message } = await readyAgain()
    await textOf(page).fill('berth')
    await textOf(page).selectText()
    await page.getByRole('button', { name: 'Bold', exact: true }).focus()
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Address' }).fill('quayside.example/berths')
    await page.keyboard.press('Enter')
    await eventually(async () => (await message()).bodyHtml).toContain(
      '<a href="https://quayside.example/berths">berth</a>',
    )
    expect(await page.getByRole('textbox', { name: 'Address' }).count()).toBe(0)
  })

  it('offers nothing that plain text cannot have', async () => {
    const { page } = await readyAgain()
    await page.getByRole('combobox', { name: 'Format' }).selectOption('Plain text')
    for (const name of ['Bold', 'Italic', 'Underline', 'Bulleted list', 'Numbered list', 'Link'])
      expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true)
  })
})

describe('what the page offers to try', () => {
  it('another signature replaces the one in the message; nothing moves', async () => {
    const playground = await readyAgain()
    const { page, pane, message } = playground
    const places = () =>
      page.evaluate(() =>
        ['#pane', 'main', 'section[aria-label="Try this"]'].map((each) => {
          const { x, y, width, height } =
            document.querySelector(each)?.getBoundingClientRect() ?? new DOMRect()
          return [x, y, width, height]
        }),
      )
    const before = await places()
    await tries(page).getByRole('button', { name: 'Another signature' }).click()
    await tries(page).getByText('the signature is another one', { exact: false }).waitFor()
    const { signatureHtml, bodyHtml } = await message()
    expect(signatureHtml).not.toContain(DEFAULT)
    expect(bodyHtml.match(/data-signet-id/g)).toHaveLength(1)
    await pane.getByRole('button', { name: 'Undo' }).waitFor()
    expect(await places()).toEqual(before)
  })

  it('an answer gets the signature for replies', async () => {
    const { page, message } = await readyAgain()
    await tries(page).getByRole('button', { name: 'Answer a message' }).click()
    await tries(page).getByText('the signature for replies is already in', { exact: false }).waitFor()
    const { kind, signatureHtml } = await message()
    expect(kind).toBe('reply')
    expect(signatureHtml).toContain('data-signet-id')
  })

  it('a failure leaves the message alone, and trying again works', async () => {
    const { page, pane, message } = await readyAgain()
    await tries(page).getByRole('button', { name: 'A failure' }).click()
    await tries(page).getByText('Outlook refused the signature once', { exact: false }).waitFor()
    const alert = pane.getByRole('alert').filter({ hasText: 'The signature wasn’t inserted' })
    await alert.waitFor()
    expect((await message()).signatureHtml).toContain(DEFAULT)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await eventually(async () => (await message()).signatureHtml.includes(DEFAULT)).toBe(false)
    expect(await page.getByRole('button', { name: 'Make it fail', exact: true }).count()).toBe(1)
  })

  it('opens a closed pane, says where there is nothing to choose, and stays away once dismissed', async () => {
    const { page, pane } = await open({ person: JONAS })
    const region = page.getByRole('region', { name: 'Probieren Sie' })
    await page.evaluate(() => window.playground.closePane())
    await region.getByRole('button', { name: 'Andere Signatur' }).click()
    await pane.locator('#root').waitFor()
    await region.getByText('Hier gibt es keine andere Signatur.').waitFor()
    const place = () => page.locator('#pane').boundingBox()
    const before = await place()
    await region.getByRole('button', { name: 'Vorschläge ausblenden' }).click()
    expect(await region.count()).toBe(0)
    expect(await place()).toEqual(before)
    await page.reload()
    await page.getByRole('button', { name: 'Neue Nachricht' }).waitFor()
    expect(await region.count()).toBe(0)
  })
})

describe('the language', () => {
  it('is that of the pane: of the user, the chosen one, and the one from the pane’s settings', async () => {
    const { page, pane } = await ready()
    await page.getByRole('combobox', { name: 'User' }).selectOption({ label: 'Maria Silva' })
    await page.getByRole('button', { name: 'Nova mensagem' }).waitFor()
    await page.getByRole('combobox', { name: 'Idioma' }).selectOption('Nederlands')
    await page.getByRole('button', { name: 'Nieuw bericht' }).waitFor()
    await eventually(() => pane.locator('html').getAttribute('lang')).toBe('nl')
    await pane.getByRole('link', { name: 'Instellingen' }).click()
    await pane.getByRole('combobox', { name: 'Taal' }).selectOption('Français')
    await page.getByRole('button', { name: 'Nouveau message' }).waitFor()
    // The text and the signature are still there, under names in the new language.
    const body = page.frameLocator('iframe[title="Corps du message"]')
    await body.getByRole('textbox', { name: 'Corps du message' }).getByText('Olá, Nora,').waitFor()
    await body.getByRole('textbox', { name: 'Signature dans le message' }).getByRole('link').first().waitFor()
  })

  it('in each language the toolbars stay on one line at 1,280 pixels, with faults and without the pane', async () => {
    const page = await tab({ viewport: { width: 1280, height: 800 } })
    for (const language of languages) {
      await page.goto(`${servers().pages}/?launch=off&offline=yes&pane=closed&language=${language}`)
      await eventually(() => page.locator('html').getAttribute('lang')).toBe(language)
      await page.locator('[data-area="reading"] [role="toolbar"]').waitFor()
      const lines = await page.evaluate(() =>
        ['header', '[data-area="commands"]', '[data-area="reading"] [role="toolbar"]'].map(
          (bar) =>
            new Set(
              [...(document.querySelector(bar)?.querySelectorAll('button, select') ?? [])].flatMap(
                (control) => {
                  const { top, height } = control.getBoundingClientRect()
                  // What is folded in one column has no place here.
                  return height === 0 ? [] : Math.round(top + height / 2)
                },
              ),
            ).size,
        ),
      )
      expect([language, ...lines]).toEqual([language, 1, 1, 1])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280)
    }
  })
})

describe('with the timeline', () => {
  it('the signature in the message and the pane stay in sight at 1,440 × 900 and at 1,280 × 800', async () => {
    const { page } = await ready({ viewport: { width: 1440, height: 900 } })
    await page.getByRole('button', { name: 'Timeline', exact: true }).click()
    await page.getByRole('listbox', { name: 'Events' }).waitFor()
    const signature = bodyOf(page).getByRole('textbox', { name: 'Signature in the message' })
    const covered = async () => {
      const box = await signature.boundingBox()
      if (!box) return 'not drawn'
      // Below a signature its document has nothing to show.
      return page.evaluate(
        ([left, top, right, bottom]) =>
          [
            [left + 2, top + 2],
            [right - 2, top + 2],
            [left + 2, bottom - 2],
            [right - 2, bottom - 2],
          ]
            .map(
              ([x, y]) =>
                document.elementFromPoint(x ?? 0, y ?? 0)?.getAttribute('title') ?? 'something else',
            )
            .join(),
        [box.x, box.y, box.x + box.width, box.y + box.height] as const,
      )
    }
    for (const [width, height] of [
      [1440, 900],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      await eventually(covered).toBe(Array.from({ length: 4 }, () => 'Message body').join())
      const pane = await page.locator('#pane').boundingBox()
      expect([pane?.width, (pane?.height ?? 0) > height * 0.8]).toEqual([340, true])
      expect((pane?.y ?? 0) + (pane?.height ?? 0)).toBeLessThanOrEqual(height)
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(height)
    }
  })
})

describe('in one column', () => {
  it('the message comes first: the bar and the list are folded, and a chosen message folds the list', async () => {
    const { page } = await ready({ viewport: { width: 320, height: 640 } })
    const body = page.getByRole('main').locator('iframe')
    const isInSight = async () => {
      const box = await body.boundingBox()
      return box !== null && box.y + 100 < 640
    }
    expect(await isInSight()).toBe(true)
    const person = page.getByRole('combobox', { name: 'User', exact: true })
    expect([await person.isVisible(), await rows(page).first().isVisible()]).toEqual([false, false])
    await page.getByRole('button', { name: 'Options' }).click()
    expect(await person.isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Options' }).click()
    expect(await person.isVisible()).toBe(false)

    await page.getByRole('button', { name: 'Mailbox' }).click()
    await rows(page).filter({ hasText: 'Figures' }).click()
    await page.getByRole('main').getByRole('heading', { name: 'Figures' }).waitFor()
    expect(await rows(page).first().isVisible()).toBe(false)
    expect(await page.getByRole('main').evaluate((main) => main === document.activeElement)).toBe(true)
    // Without a message the list is there by itself.
    await page.getByRole('button', { name: 'Close message' }).click()
    await eventually(() => rows(page).first().isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Mailbox' }).count()).toBe(0)
  })
})

it('axe-core finds nothing in any folder, and nothing is cut sideways: light and wide, dark and 320 pixels wide', async () => {
  const { page } = await ready({ colorScheme: 'light', viewport: { width: 1280, height: 900 } })
  await page.evaluate(axe.source)
  const findings = () =>
    page.evaluate(async () => {
      const { axe: inPage } = window as unknown as { axe: typeof axe }
      const { violations } = await inPage.run(document, { iframes: false })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    })
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 320],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    const unfold = async () => {
      if (width === 320) await page.getByRole('button', { name: 'Mailbox' }).click()
    }
    await page.evaluate(() => window.playground.newMessage())
    expect([colorScheme, await findings()]).toEqual([colorScheme, []])
    await page.getByRole('button', { name: 'Link', exact: true }).click()
    await unfold()
    await folder(page, 'Drafts').click()
    expect([colorScheme, await findings()]).toEqual([colorScheme, []])
    await rows(page).first().click()
    await unfold()
    await folder(page, 'Sent').click()
    await page.getByRole('button', { name: 'Close message' }).click()
    expect([colorScheme, await findings()]).toEqual([colorScheme, []])
    await folder(page, 'Inbox').click()
    await rows(page).filter({ hasText: 'Figures' }).click()
    expect([colorScheme, await findings()]).toEqual([colorScheme, []])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
})
