import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Opened, eventually, option, untilInMessage, useBrowser } from './pane.ts'

const DEFAULT = 'portrait-u-1'
const { share } = useBrowser()

/** The default is inserted, the list is loaded, the timeline is open. */
async function untilReady(playground: Opened): Promise<Opened & ReturnType<typeof timelineOf>> {
  await untilInMessage(playground, DEFAULT)
  await option(playground.pane, 'Northwind standard').waitFor()
  const timeline = timelineOf(playground.page)
  if (!(await timeline.events.isVisible()))
    await playground.page.getByRole('button', { name: 'Timeline', exact: true }).click()
  await timeline.events.waitFor()
  return { ...playground, ...timeline }
}
/** In a new message of the playground that tests use in turns. The first of them counts its insertions. */
const readyAgain = async () => untilReady(await share())

const timelineOf = (page: Page) => ({
  events: page.getByRole('listbox', { name: 'Events' }),
  scrubber: page.getByRole('slider', { name: 'Event' }),
  state: page.getByRole('region', { name: 'State after this event' }),
  replayed: page.frameLocator('iframe[title="The pane at this event"]'),
  live: page.getByRole('button', { name: 'Back to live' }),
})

/** The text of the running pane, and the messages. */
const runningPaneOf = async ({ pane, snapshot }: Opened) => ({
  says: await pane.locator('#root').innerText(),
  items: (await snapshot()).items,
})

describe('the timeline', () => {
  it('works by keyboard, and finds events by text and domain', async () => {
    const { page, events, scrubber, state, live } = await readyAgain()
    await events.focus()
    await page.keyboard.press('Home')
    await eventually(() => scrubber.inputValue()).toBe('0')
    await page.keyboard.press('ArrowDown')
    await eventually(() => scrubber.inputValue()).toBe('1')
    await scrubber.focus()
    await page.keyboard.press('ArrowRight')
    await eventually(() => scrubber.inputValue()).toBe('2')
    await page.getByRole('searchbox', { name: 'Search the events' }).fill('insertion/succeeded')
    await eventually(() => events.getByRole('option').count()).toBe(1)
    await events.getByRole('option').click()
    await state.getByRole('heading', { name: 'insertion/succeeded' }).waitFor()
    await state.getByText('changed', { exact: true }).first().waitFor()
    await page.getByRole('searchbox', { name: 'Search the events' }).fill('')
    await page.getByRole('combobox', { name: 'Domain' }).selectOption('mailbox')
    await eventually(async () =>
      (await events.getByRole('option').allInnerTexts()).every((text) => text.includes('mailbox/')),
    ).toBe(true)
    await page.getByRole('combobox', { name: 'Domain' }).selectOption({ index: 0 })
    await live.click()
  })

  it('[KNOW-1] shows every new event, and the pane at any event, while the pane keeps running', async () => {
    const playground = await readyAgain()
    const { page, pane, events, scrubber, replayed, live } = playground
    const last = async () => Number(await scrubber.getAttribute('max'))
    const before = await last()
    expect(before).toBeGreaterThan(20)
    await events.getByRole('option', { selected: true }).waitFor()

    // At the first event the replayed pane is empty. The running pane and its message are unchanged.
    const running = await runningPaneOf(playground)
    await scrubber.fill('0')
    await replayed.locator('#root > *').first().waitFor()
    expect(await replayed.getByRole('option', { name: 'Northwind standard', exact: true }).count()).toBe(0)
    await page.getByText('app/started').first().waitFor()
    await scrubber.fill(String(before))
    await replayed.getByRole('option', { name: 'Northwind standard', exact: true }).waitFor()
    expect(await runningPaneOf(playground)).toEqual(running)

    // User actions in the replayed pane have no effect.
    await replayed.getByRole('option', { name: 'Northwind standard', exact: true }).click()
    await replayed.getByRole('link', { name: 'Settings' }).click()
    expect(await runningPaneOf(playground)).toEqual(running)
    const search = page.getByRole('searchbox', { name: 'Search the events' })
    await search.fill('insertion/chosen')
    await page.getByText('No matching events').waitFor()
    await search.fill('')

    // The pane keeps running, and the timeline stays at its event.
    await option(pane, 'Northwind standard').click()
    await untilInMessage(playground, 'standard-u-1')
    await eventually(last).toBeGreaterThan(before)
    expect(await scrubber.inputValue()).toBe(String(before))
    const inReplay = { name: 'Northwind standard', exact: true, selected: false }
    await replayed.getByRole('option', inReplay).waitFor()
    await live.click()
    await eventually(() => page.locator('iframe[title="The pane at this event"]').count()).toBe(0)
    expect(await scrubber.inputValue()).toBe(await scrubber.getAttribute('max'))
    expect(playground.noticed.exceptions).toEqual([])
    expect(playground.noticed.violations).toEqual([])
  })

  it('plays from an event until it is live again', async () => {
    const { page, scrubber, live } = await readyAgain()
    const last = Number(await scrubber.getAttribute('max'))
    await scrubber.fill(String(last - 2))
    await page.getByRole('button', { name: 'Play' }).click()
    await eventually(() => live.getAttribute('aria-pressed')).toBe('true')
  })
})

describe('a log from a file', () => {
  it('[KNOW-2] saved in the pane’s settings shows the session, without personal data of the user', async () => {
    const playground = await readyAgain()
    const { page, pane, events, scrubber, replayed } = playground
    await pane.getByRole('link', { name: 'Settings' }).click()
    await pane.getByText('Advanced', { exact: true }).click()
    const downloading = page.waitForEvent('download')
    await pane.getByRole('button', { name: 'Save a log file' }).click()
    const folder = await mkdtemp(join(tmpdir(), 'signet-log-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'signet-log.json')
    await (await downloading).saveAs(path)
    const text = await readFile(path, 'utf8')
    const { events: saved } = JSON.parse(text) as { events: readonly unknown[] }
    expect(text).toContain('person-1@example.invalid')
    expect(text).not.toContain('alex.kim@')

    await page.getByLabel('Open a log file').setInputFiles(path)
    await page.getByRole('heading', { name: 'Log file: ' }).waitFor()
    expect(await scrubber.getAttribute('max')).toBe(String(saved.length - 1))
    await events.focus()
    await page.keyboard.press('End')
    await replayed.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    expect(await replayed.locator('body').innerText()).not.toContain('alex.kim@')

    await page.getByRole('button', { name: 'Back to this session' }).click()
    await page.getByRole('heading', { name: 'Pane timeline' }).waitFor()
  })

  it('that is no log, has another version, or is damaged is refused with a message', async () => {
    const { page, events } = await readyAgain()
    const choose = (text: string) =>
      page
        .getByLabel('Open a log file')
        .setInputFiles({ name: 'log.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    await choose('not JSON')
    await page.getByRole('alert').getByText('This file can’t be read.').waitFor()
    await choose('{}')
    await page.getByRole('alert').getByText('This file isn’t a Signet log.').waitFor()
    await choose('{"format":"signet-log","version":99,"events":[]}')
    await page.getByRole('alert').getByText('another version of Signet').waitFor()
    await choose(
      '{"format":"signet-log","version":6,"software":"1","stage":{"production":true,"beta":false},"base":null,"events":[{}]}',
    )
    await page.getByRole('alert').getByText('This log is damaged at event 0.').waitFor()
    const noDate = { type: 'app/started', data: {}, meta: { seq: 0, at: 1e300, source: 'app' } }
    const stage = { production: true, beta: false }
    await choose('not JSON')
    await page.getByRole('alert').getByText('This file can’t be read.').waitFor()
    await choose(
      JSON.stringify({
        format: 'signet-log',
        version: 6,
        software: '1',
        stage,
        base: null,
        events: [noDate],
      }),
    )
    await page.getByRole('alert').getByText('This log is damaged at event 0.').waitFor()
    await events.waitFor()
  })
})
