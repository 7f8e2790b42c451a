import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import {
  clearServers,
  eventually,
  type Item,
  openMessage,
  type Opened,
  option,
  signaturesIn,
  useBrowser,
} from './pane.ts'

// Meetings in the playground: the launch program as it is built, the pane, and the mail client around them.

const { open, share } = useBrowser()
afterEach(clearServers)

/** The signature with the version for meetings; its words. */
const MEETING = 'standard-u-1'
const WORDS = '<b>Alex Kim</b>'
const BLOCK = 'Join the meeting now'
const CLAIRE = { address: 'claire.dubois@fabrikam.example', name: 'Claire Dubois' }

const over = ({ page }: Pick<Opened, 'page'>) => {
  const meeting = async () => openMessage(await page.evaluate(() => window.playground.snapshot()))
  const launches = async () =>
    (await page.evaluate(() => window.playground.launches())).map(({ kind, outcome }) => `${kind} ${outcome}`)
  return {
    meeting,
    launches,
    /** Waits until the open meeting has this signature, once, with exactly its pictures. */
    untilSigned: async (id: string): Promise<Item> => {
      await eventually(async () => signaturesIn(await meeting())).toEqual([id])
      await eventually(async () => {
        const { attachments, bodyHtml } = await meeting()
        const shown = Array.from(bodyHtml.matchAll(/cid:([^"')\s]+)/g), ([, name = '']) => name)
        return (
          attachments.every(({ name }) => shown.includes(name)) && attachments.length === new Set(shown).size
        )
      }).toBe(true)
      return meeting()
    },
    writes: async () => {
      const { calls } = await page.evaluate(() => window.playground.snapshot())
      return calls.filter(({ name }) => name === 'body.setAsync' || name === 'body.setSignatureAsync').length
    },
  }
}
const inOrder = (html: string, parts: readonly string[]) => {
  const places = parts.map((part) => html.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((one, other) => one - other))
}
const calendar = (page: Page) => page.getByRole('navigation', { name: 'Mailbox' }).getByRole('button')
const openCalendar = (page: Page) =>
  page.getByRole('navigation', { name: 'Folders' }).getByRole('button', { name: 'Calendar' }).click()
/** The pane alone, in one playground that tests use in turns. */
async function openAlone(): Promise<Opened> {
  const opened = await share({ query: '&launch=off' })
  await opened.pane.getByRole('combobox', { name: 'Search signatures' }).fill('')
  return opened
}
const bodyOf = (page: Page) => page.frameLocator('iframe[title="Meeting text"]')

describe('with the pane closed', () => {
  /** With the runtime that a client has. */
  const closed = (mode: 'page' | 'classic') =>
    `&launch=${mode}&client=${mode === 'page' ? 'web' : 'classic'}&pane=closed`

  it.each(['page', 'classic'] as const)(
    '[MEET-1] [MEET-3] a new meeting has the signature for meetings, once, above the block that comes later: %s',
    async (mode) => {
      const opened = await open({ query: `${closed(mode)}&open=meeting` })
      const { page, noticed } = opened
      const { untilSigned, launches, meeting } = over(opened)
      await untilSigned(MEETING)
      await eventually(async () => (await launches()).at(-1)).toBe('newMessage inserted')
      expect(await page.locator('iframe[title="Signet"]').count()).toBe(0)
      await page.getByRole('button', { name: 'Add an online meeting' }).click()
      await page.getByText('Online meeting added').waitFor()
      const before = (await launches()).length
      await page.evaluate((to) => window.playground.setRecipients({ to: [to] }), CLAIRE)
      await eventually(async () => (await launches()).slice(before)).toEqual(['recipientsChanged already'])
      const { bodyHtml, attachments } = await meeting()
      inOrder(bodyHtml, [WORDS, BLOCK])
      expect(bodyHtml.split(WORDS)).toHaveLength(2)
      expect(attachments).toEqual([])
      expect(noticed.violations).toEqual([])
    },
  )

  it('[MEET-2] a meeting that exists, the next one of a series and an attendee’s copy start nothing', async () => {
    const opened = await open({ query: closed('page') })
    const { page } = opened
    const { launches, writes, untilSigned } = over(opened)
    await untilSigned('portrait-u-1')
    await eventually(launches).toEqual(['newMessage inserted'])
    const before = await writes()
    await openCalendar(page)
    await calendar(page).filter({ hasText: 'Berths of the week' }).click()
    await page.getByRole('button', { name: 'Open only the next one' }).click()
    await page.getByRole('checkbox', { name: 'Every week' }).waitFor({ state: 'detached' })
    await calendar(page).filter({ hasText: 'Autumn review' }).click()
    await page.getByRole('heading', { name: 'Autumn review: the figures' }).waitFor()
    // A new meeting ends the wait: what the others had started would be there by then.
    await page.getByRole('button', { name: 'New meeting' }).click()
    await untilSigned(MEETING)
    await eventually(launches).toEqual(['newMessage inserted', 'newMessage inserted'])
    expect((await writes()) - before).toBeLessThanOrEqual(2)
  })
})

it('a phone starts nothing for a new meeting', async () => {
  const opened = await open({ query: '&client=ios&pane=closed' })
  const { page } = opened
  const { launches, untilSigned, meeting } = over(opened)
  await untilSigned('portrait-u-1')
  await page.getByRole('button', { name: 'New meeting' }).click()
  await page.getByText('This Outlook doesn’t start Signet for meetings.').waitFor()
  await page.evaluate(() => window.playground.newMessage())
  await untilSigned('portrait-u-1')
  expect(await launches()).toHaveLength(2)
  expect((await meeting()).kind).toBe('newMail')
})

describe('with the pane open', () => {
  it('[MEET-1] [MEET-4] choosing, undo and no signature work as in messages, and the author’s words stay', async () => {
    const opened = await openAlone()
    const { page, pane } = opened
    const { untilSigned, meeting } = over(opened)
    await page.evaluate(() => window.playground.newMeeting())
    await untilSigned(MEETING)
    const bar = pane.getByRole('region', { name: 'In this meeting' })
    await bar.getByText('Northwind standard (for meetings)').waitFor()
    await bar.getByText('Your organisation’s signature for meetings').waitFor()
    await bodyOf(page).getByRole('textbox', { name: 'Meeting text' }).press('Control+Home')
    await page.keyboard.type('We meet on Friday.')
    await page.getByRole('button', { name: 'Add an online meeting' }).click()
    await page.getByText('Online meeting added').waitFor()

    await option(pane, 'With portrait').click()
    const { bodyHtml, attachments } = await untilSigned('portrait-u-1')
    expect(attachments.length).toBeGreaterThan(0)
    inOrder(bodyHtml, ['We meet on Friday.', 'signet_', BLOCK])
    await pane.getByRole('button', { name: 'Undo' }).click()
    inOrder((await untilSigned(MEETING)).bodyHtml, ['We meet on Friday.', WORDS, BLOCK])
    await pane.getByRole('combobox', { name: 'Search signatures' }).fill('no sig')
    await option(pane, 'No signature').click()
    await eventually(async () => signaturesIn(await meeting())).toEqual([])
    inOrder((await meeting()).bodyHtml, ['We meet on Friday.', BLOCK])
  })

  it('[MEET-2] nothing goes into a meeting that exists by itself; a choice goes above the block of an online meeting', async () => {
    const opened = await openAlone()
    const { page, pane } = opened
    const { untilSigned, writes } = over(opened)
    await untilSigned('portrait-u-1')
    const first = await writes()
    await page.evaluate(() => window.playground.switchTo('meeting-1'))
    await pane.getByText('Nothing goes into an existing meeting by itself.').waitFor()
    expect(await writes()).toBe(first)
    await pane.getByRole('button', { name: /, Northwind standard$/, expanded: false }).click()
    await option(pane, 'Northwind standard (for meetings)').click()
    inOrder((await untilSigned(MEETING)).bodyHtml, ['Every week we go', WORDS, BLOCK])
    // The next occurrence has it from the series. A choice replaces it there, and not in the series.
    const before = await writes()
    await page.getByRole('button', { name: 'Open only the next one' }).click()
    await page.getByRole('button', { name: 'Open only the next one' }).waitFor({ state: 'detached' })
    await untilSigned(MEETING)
    await option(pane, 'Northwind standard').waitFor()
    expect(await writes()).toBe(before)
    await option(pane, 'Short').click()
    inOrder((await untilSigned('short-u-1')).bodyHtml, ['Every week we go', 'signet_', BLOCK])
    await page.evaluate(() => window.playground.switchTo('meeting-1'))
    await untilSigned(MEETING)
  })

  it('the self-test says what happened by itself in the meeting, and in one that exists that nothing did', async () => {
    const opened = await open({ query: '&launch=page&open=meeting' })
    const { page, pane } = opened
    await over(opened).untilSigned(MEETING)
    await eventually(() => page.evaluate(() => window.playground.launches().at(-1)?.outcome ?? '')).toMatch(
      /^(?:inserted|already)$/,
    )
    await pane.getByRole('link', { name: 'Settings' }).click()
    await pane.getByText('Advanced', { exact: true }).click()
    await pane.getByRole('link', { name: 'Self-test' }).click()
    await pane.getByRole('button', { name: 'Run the test' }).click()
    const line = pane.getByRole('listitem').filter({ hasText: 'By itself in this meeting' })
    await line.getByText(/^(?:Inserted by itself at|It was in this meeting already at)/).waitFor()
    await page.evaluate(() => window.playground.switchTo('meeting-1'))
    await pane.getByRole('button', { name: 'Run again' }).click()
    await line.getByText('Outlook didn’t start Signet by itself for this meeting.').waitFor()
    await pane
      .getByText('Normal for a meeting that existed before, and on phones.', { exact: false })
      .waitFor()
  })

  it('an attendee’s copy is only read', async () => {
    const opened = await openAlone()
    const { page, pane } = opened
    const { untilSigned, writes } = over(opened)
    await untilSigned('portrait-u-1')
    const before = await writes()
    await page.evaluate(() => window.playground.switchTo('meeting-2'))
    await pane.getByText('You’re looking at a meeting').waitFor()
    await pane.getByText('Only the organiser of a meeting can give it a signature.').waitFor()
    expect(await writes()).toBe(before)
  })
})

describe('New meeting', () => {
  it('is written, saved and sent with the keyboard, and is in the calendar', async () => {
    const opened = await openAlone()
    const { page } = opened
    const { untilSigned, meeting, writes } = over(opened)
    await untilSigned('portrait-u-1')
    await page.getByRole('button', { name: 'New meeting' }).press('Enter')
    await untilSigned(MEETING)
    const form = page.getByRole('region', { name: 'Meeting' })
    expect(await form.getByLabel('Organiser').inputValue()).toBe('alex.kim@northwind.example')
    await form.getByRole('button', { name: 'Send', exact: true }).press('Enter')
    await form.getByText('Add an attendee before you send.').waitFor()
    const required = form.getByRole('textbox', { name: 'Required' })
    await eventually(() => required.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('Claire Dubois <claire.dubois@fabrikam.example>;')
    await page.keyboard.press('Tab')
    await page.keyboard.type('sam.okafor@northwind.example;')
    await form.getByLabel('Subject').fill('Berth 4')
    await form.getByLabel('Starts').fill('2031-05-06T09:00')
    await form.getByRole('checkbox', { name: 'Every week' }).press('Space')
    const { to, cc, kind } = await meeting()
    expect([kind, to, cc.map(({ address }) => address)]).toEqual([
      'meeting',
      [CLAIRE],
      ['sam.okafor@northwind.example'],
    ])
    expect(await form.getByLabel('Ends').inputValue()).toBe('2031-05-06T09:30')
    await form.getByRole('button', { name: 'Save' }).press('Enter')
    await form.getByRole('button', { name: 'Open only the next one' }).waitFor()
    await form.getByRole('button', { name: 'Send', exact: true }).press('Enter')
    const heading = page.getByRole('heading', { name: 'Invitation sent' })
    await eventually(() => heading.evaluate((element) => element === document.activeElement)).toBe(true)

    // Opened again, it has its signature once, and nothing is written into it.
    await openCalendar(page)
    const before = await writes()
    await calendar(page)
      .filter({ hasText: 'Berth 4 · Every week' })
      .filter({ hasText: 'Claire Dubois' })
      .click()
    await untilSigned(MEETING)
    await opened.pane
      .getByRole('region', { name: 'In this meeting' })
      .getByText('Northwind standard')
      .waitFor()
    expect(await writes()).toBe(before)
  })

  it('stays with the user: another one has a calendar of their own, in their language', async () => {
    const { page } = await open({ person: 'jonas.weber@northwind.example', query: '&launch=off' })
    await page.getByRole('navigation', { name: 'Ordner' }).getByRole('button', { name: 'Kalender' }).click()
    const rows = page.getByRole('navigation', { name: 'Postfach' }).getByRole('button')
    await rows.filter({ hasText: 'Liegeplätze der Woche · Jede Woche' }).click()
    await page.getByText('Onlinebesprechung hinzugefügt').waitFor()
    await page
      .frameLocator('iframe[title="Text der Besprechung"]')
      .getByText('Jetzt an der Besprechung teilnehmen')
      .waitFor()
  })
})

/** The findings of axe-core in the playground's page and in the pane. */
async function findings(page: Page): Promise<readonly string[]> {
  const found: string[] = []
  for (const title of [null, 'Signet', 'Meeting text']) {
    const element = title === null ? null : await page.locator(`iframe[title="${title}"]`).elementHandle()
    const frame = element === null ? page.mainFrame() : await element.contentFrame()
    if (!frame) throw new Error(`There is no document in ${String(title)}`)
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source)
    found.push(
      ...(await frame.evaluate(async (isPart) => {
        const { run } = (window as unknown as { axe: typeof axe }).axe
        const { violations } = await run(isPart ? document.body : document, {
          iframes: false,
          resultTypes: ['violations'],
          // The text of a meeting is part of a page and has no landmarks of its own.
          rules: { region: { enabled: !isPart } },
        })
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
      }, title === 'Meeting text')),
    )
  }
  return found
}

const looks = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colours': { colorScheme: 'light', forcedColors: 'active' },
} as const

it('axe-core finds nothing in a meeting of any kind, in any look at 320 pixels, where nothing is cut off, and wide', async () => {
  const { page, pane } = await open({ query: '&launch=off&open=meeting' })
  for (const [item, says] of [
    ['meeting', 'Northwind standard (for meetings)'],
    ['meeting-1', 'Nothing goes into an existing meeting by itself.'],
    ['meeting-2', 'You’re looking at a meeting'],
  ] as const) {
    await page.emulateMedia(looks.light)
    await page.setViewportSize({ width: 1400, height: 900 })
    if (item !== 'meeting') await page.evaluate((id) => window.playground.switchTo(id), item)
    await pane.getByText(says).first().waitFor()
    // Without attendees: it says so.
    if (item === 'meeting') await page.getByRole('button', { name: 'Send', exact: true }).click()
    expect([item, await findings(page)]).toEqual([item, []])
    await page.setViewportSize({ width: 320, height: 900 })
    for (const [name, look] of Object.entries(looks)) {
      await page.emulateMedia(look)
      expect([item, name, await findings(page)]).toEqual([item, name, []])
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  }
})
