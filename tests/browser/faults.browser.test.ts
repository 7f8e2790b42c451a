import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { IS_LONG } from '../support/cases.ts'
import {
  type Opened,
  callsOf,
  clearServers,
  eventually,
  option,
  passTimeLimits,
  service,
  signaturesIn,
  untilInMessage,
  useBrowser,
} from './pane.ts'
import { servers } from './servers.ts'

const DEFAULT = 'portrait-u-1'
const { open, share, tab } = useBrowser()

beforeEach(clearServers)
afterEach(clearServers)

/** The group of the panel with this title. */
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true })

/** The default is inserted, the list is loaded, the panel is open. */
async function untilReady(playground: Opened): Promise<Opened> {
  await untilInMessage(playground, DEFAULT)
  await option(playground.pane, 'Short').waitFor()
  const inPanel = group(playground.page, 'Signature service').getByLabel('What happens')
  if (!(await inPanel.isVisible()))
    await playground.page.getByRole('button', { name: 'Make it fail' }).click()
  await inPanel.waitFor()
  return playground
}
const ready = async () => untilReady(await open())

/** The same in a new message of the playground that tests use in turns. None of them moves the clock. */
async function readyAgain(): Promise<Opened> {
  const playground = await share()
  await playground.page.evaluate(() => window.playground.clear())
  return untilReady(playground)
}

const clearAll = async ({ page }: Opened) => {
  await page.getByRole('button', { name: 'Clear all' }).click()
  await page.getByText('Active: 0').waitFor()
}

/** Reloads the pane without its session. */
const startSignedOut = async ({ page }: Opened) => {
  await page.evaluate(() => sessionStorage.clear())
  await page.getByRole('button', { name: 'Reload the pane' }).click()
}

const recovers = async (playground: Opened, clear = () => clearAll(playground)) => {
  await clear()
  await playground.pane.getByRole('button', { name: 'Try again' }).first().click()
  await option(playground.pane, 'Short').waitFor()
  await untilInMessage(playground, DEFAULT)
}

describe('the signature service, through the panel', () => {
  const unreadable = 'The signature service sent a response that Signet can’t read.'
  const slow = 'Slow'
  /** What the panel calls a fault, its name in the address, and what the pane says of it. The last one moves the clock. */
  const faults: readonly (readonly [called: string, name: string, says: string])[] = [
    ['401: sign-in not accepted', '401', 'The signature service didn’t accept your sign-in.'],
    ['404: not found', '404', 'The signature service couldn’t find this information.'],
    ['500: server error', '500', 'The signature service had a problem.'],
    ['503: maintenance', '503', 'The signature service isn’t available right now.'],
    ['Broken JSON', 'malformed', unreadable],
    ['Unexpected JSON', 'wrongShape', unreadable],
    ['Empty response', 'empty', unreadable],
    ['Web page instead of data', 'html', unreadable],
    ['Down: the connection drops', 'down', 'Couldn’t reach the signature service.'],
    [slow, 'slow-600000', 'The signature service took too long to respond.'],
  ]
  /**
   * Whether the pane starts with this fault: with each in `npm run test:long`, otherwise with those that only a browser
   * can show, and 404. serviceFaults.test.ts has what the pane says of the others.
   */
  const isTried = (name: string) => IS_LONG || ['down', 'slow-600000', '404'].includes(name)

  it('[PLAY-3] any fault of every call: the pane names it, and recovers when it is cleared', async () => {
    const playground = await ready()
    const { page, pane } = playground
    const controls = group(page, 'Signature service')
    for (const [called, name, says] of faults) {
      await controls.getByLabel('What happens').selectOption(called)
      await page.getByText('Active: 1').waitFor()
      if (called === slow) await controls.getByRole('spinbutton').fill('600000')
      await controls.getByText(`* ${name}`).waitFor()
      if (!isTried(name)) continue
      const told = pane.getByRole('alert').getByText(says)
      await service.forget()
      const limits = await passTimeLimits(playground, async () => (await service.requests()).length)
      await startSignedOut(playground)
      if (called === slow) await limits.until(() => told.isVisible())
      await told.waitFor()
      await recovers(playground, () =>
        // Clearing all resets the clock, and starts the pane again.
        called === slow
          ? controls.getByRole('button', { name: `Clear: * ${name}` }).click()
          : clearAll(playground),
      )
    }
  })

  it('[PLAY-3] one call only: the others work, and its fault can be cleared separately', async () => {
    const playground = await readyAgain()
    const { page, pane } = playground
    const controls = group(page, 'Signature service')
    await controls.getByLabel('Call').selectOption('GET /signatures-cache/api/v1/signatures')
    await controls.getByLabel('What happens').selectOption('503: maintenance')
    await controls.getByText('GET /signatures-cache/api/v1/signatures 503').waitFor()
    await startSignedOut(playground)
    const told = pane.getByRole('alert').filter({ hasText: 'Couldn’t load your signatures' })
    await told.getByText('The signature service isn’t available right now.').waitFor()
    await controls.getByRole('button', { name: 'Clear: GET /signatures-cache/api/v1/signatures 503' }).click()
    await page.getByText('Active: 0').waitFor()
    await told.getByRole('button', { name: 'Try again' }).click()
    await option(pane, 'Short').waitFor()
  })

  it('is the same for every page: one page shows and clears the faults that another set', async () => {
    const [first, second] = [await ready(), await readyAgain()]
    await group(first.page, 'Signature service').getByLabel('What happens').selectOption('503: maintenance')
    await second.page.getByText('Active: 1').waitFor()
    expect(second.page.url()).toContain('service=*%7E503')
    await clearAll(second)
    await first.page.getByText('Active: 0').waitFor()
    await eventually(() => first.page.url()).toMatch(/^[^?]*\?(person=[^&]*&)?launch=off$/)
  })
})

describe('connection and sign-in, through the panel', () => {
  it('[PLAY-3] offline: no request reaches the service, the pane says so, and recovers when it is online', async () => {
    const playground = await readyAgain()
    const { page, pane } = playground
    await page.getByLabel('Offline').check()
    await service.forget()
    await page.getByRole('button', { name: 'Reload the pane' }).click()
    await pane.getByRole('alert').getByText('Couldn’t reach the signature service.').first().waitFor()
    expect((await service.requests()).filter((request) => !request.includes('/images/'))).toEqual([])
    await clearAll(playground)
    await option(pane, 'Short').waitFor()
    await untilInMessage(playground, DEFAULT)
  })

  it('[PLAY-3] identity provider down: the pane says that Outlook has lost the sign-in, and recovers', async () => {
    const playground = await readyAgain()
    const { page, pane } = playground
    await group(page, 'Connection and sign-in')
      .getByLabel('What happens')
      .selectOption('Down: the connection drops')
    await page.getByText('Active: 1').waitFor()
    await startSignedOut(playground)
    await pane.getByRole('alert').getByText('Your Outlook sign-in was lost.').waitFor()
    await recovers(playground)
  })
})

describe('Outlook, through the panel', () => {
  const notInserted = ({ pane }: Opened) =>
    pane.getByRole('alert').filter({ hasText: 'The signature wasn’t inserted' })

  it('[PLAY-3] Never responds, and no parallel call allowed: the pane says so, and the retry works', async () => {
    const playground = await ready()
    const { page, pane } = playground
    const controls = group(page, 'Outlook')
    const call = 'body.setSignatureAsync'
    await controls.getByLabel('Call', { exact: true }).selectOption(call)
    await controls.getByLabel('What happens').selectOption('Never responds')
    const answers = await passTimeLimits(playground, () => callsOf(playground, call))
    await option(pane, 'Short').click()
    await answers.until(() => notInserted(playground).getByText('Outlook didn’t respond.').isVisible())
    await eventually(async () => signaturesIn(await playground.message())).toEqual([DEFAULT])
    await controls.getByLabel('What happens').selectOption('Works normally')
    await notInserted(playground).getByRole('button', { name: 'Try again' }).click()
    await untilInMessage(playground, 'short-u-1')

    const most = page.getByLabel('Maximum parallel calls')
    await most.selectOption('0')
    const limits = await passTimeLimits(playground, async () => (await playground.snapshot()).calls.length)
    await option(pane, 'With portrait').click()
    await limits.until(() => notInserted(playground).isVisible())
    await most.selectOption('3')
    await notInserted(playground).getByRole('button', { name: 'Try again' }).click()
    await untilInMessage(playground, DEFAULT)
  })

  it('[PLAY-3] Fails: the pane says so, the message keeps its signature, the retry works', async () => {
    const playground = await readyAgain()
    const { page, pane } = playground
    const controls = group(page, 'Outlook')
    await controls.getByLabel('Call', { exact: true }).selectOption('body.setSignatureAsync')
    await controls.getByLabel('What happens').selectOption('Fails')
    await option(pane, 'Short').click()
    await notInserted(playground).getByText('Outlook reported an error').waitFor()
    await eventually(async () => signaturesIn(await playground.message())).toEqual([DEFAULT])
    await clearAll(playground)
    await notInserted(playground).getByRole('button', { name: 'Try again' }).click()
    await untilInMessage(playground, 'short-u-1')
  })

  it('[PLAY-3] switches messages during an insertion: the pane says so, both keep the default', async () => {
    const playground = await readyAgain()
    const { page, pane } = playground
    const { id } = await playground.message()
    await page.getByLabel('Switch messages during the next insertion').check()
    await option(pane, 'Short').click()
    await pane.getByText('You switched to another message before this was finished.').waitFor()
    const { id: other } = await playground.message()
    expect(other).not.toBe(id)
    await page.getByText('Active: 0').waitFor()
    const both = async () =>
      (await playground.snapshot()).items.filter((item) => [id, other].includes(item.id))
    await eventually(async () => (await both()).map(signaturesIn)).toEqual([[DEFAULT], [DEFAULT]])
    await page.evaluate((first) => window.playground.switchTo(first), id)
    await option(pane, 'Short').click()
    await untilInMessage(playground, 'short-u-1')
  })

  it('[PLAY-3] an older Outlook that cannot set a signature: the pane says so, and recovers', async () => {
    const playground = await readyAgain()
    const { page, pane } = playground
    await page.getByText('Outlook version').click()
    await page.getByLabel('Requirement set Mailbox').selectOption('1.9')
    await page.getByText('Active: 1').waitFor()
    await option(pane, 'Short').click()
    await notInserted(playground).getByText('Outlook reported an error').waitFor()
    await clearAll(playground)
    await option(pane, 'Short').click()
    await untilInMessage(playground, 'short-u-1')
  })
})

describe('the clock', () => {
  it('[PLAY-3] the pane polls after a jump of five minutes, and signs in by a click after one of an hour', async () => {
    const playground = await ready()
    const { page, pane } = playground
    const ticks = () =>
      page.evaluate(
        () =>
          window.playground.log().filter((event) => (event as { type: string }).type === 'maintenance/ticked')
            .length,
      )
    expect(await ticks()).toBe(1)
    await page.getByRole('button', { name: '+5 minutes' }).click()
    await page.getByText('5 minutes ahead').waitFor()
    await eventually(ticks).toBe(2)
    // A page that is opened later reads the clock of the servers, and can reset it.
    await page.reload()
    await page.getByRole('button', { name: 'Make it fail' }).click()
    await page.getByText('5 minutes ahead').waitFor()
    await option(pane, 'Short').waitFor()
    const started = await page.evaluate(
      () => (window.playground.log()[0] as { meta: { at: number } }).meta.at,
    )
    expect(started).toBeGreaterThan(Date.now())
    await page.getByRole('button', { name: '+1 hour' }).click()
    await pane.getByRole('button', { name: 'Sign in', exact: true }).click()
    await option(pane, 'Short').waitFor()
    await clearAll(playground)
    await option(pane, 'Short').waitFor()
  })

  it('[PLAY-3] the pane renews a session silently before it expires', async () => {
    const { page, pane } = await ready()
    await page.evaluate(() => window.playground.jump(56 * 60_000))
    await eventually(() =>
      page.evaluate(() =>
        window.playground.log().some((event) => (event as { type: string }).type === 'auth/renewed'),
      ),
    ).toBe(true)
    await option(pane, 'Short').waitFor()
    expect(await pane.getByRole('alert').count()).toBe(0)
  })
})

describe('the address', () => {
  it('[PLAY-3] restores the scenario in a fresh browser: faults, language, theme, the open message', async () => {
    const playground = await ready()
    const { page } = playground
    await page.evaluate(async () => {
      window.playground.delay('to.getAsync', 250)
      window.playground.quirk('insertsAtCaret', true)
      window.playground.switchTo('item-1')
      await window.playground.service('GET /api/addin/subscription', '503')
    })
    const refused = page.evaluate(() => window.playground.service('GET /api/nothing', '503'))
    await expect(refused).rejects.toThrow('There is no GET /api/nothing')
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('Dark')
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
    await page.getByRole('button', { name: 'Neue Nachricht' }).waitFor()
    const [url, scenario] = [page.url(), await page.evaluate(() => window.playground.scenario())]
    expect(scenario).toMatchObject({
      language: 'de',
      theme: 'dark',
      open: 'item-1',
      quirks: ['insertsAtCaret'],
    })
    await clearServers()

    const fresh = await tab()
    await fresh.goto(url)
    await fresh.getByRole('heading', { name: 'Figures for the autumn review' }).waitFor()
    await eventually(() => fresh.evaluate(() => window.playground.scenario())).toEqual(scenario)
    expect(await fresh.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    await eventually(() =>
      fresh.frameLocator('iframe[title="Signet"]').locator('html').getAttribute('lang'),
    ).toBe('de')
  })

  it('that is hostile opens the default scenario', async () => {
    const page = await tab()
    await page.goto(
      `${servers().pages}/?person=%3Cscript%3E&open=item-99999&service=*~999&outlook=__proto__~silent&quirk=constructor&mailbox=9.9&theme=url(x)&launch=phone&launchFault=all&pane=ajar`,
    )
    await option(page.frameLocator('iframe[title="Signet"]'), 'Short').waitFor()
    await page.getByRole('button', { name: 'Make it fail', exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  it('has faults until the playground is opened by another address, and leaves those of others alone', async () => {
    const call = 'GET /api/addin/subscription'
    const faults = async () => {
      const { faults: found } = (await (await fetch(`${servers().service}/_control/faults`)).json()) as {
        faults: readonly { call: string }[]
      }
      return found.map((fault) => fault.call)
    }
    const page = await tab()
    await page.goto(`${servers().pages}/?service=${encodeURIComponent(`${call}~503`)}`)
    const inPane = option(page.frameLocator('iframe[title="Signet"]'), 'Short')
    await inPane.waitFor()
    expect(await faults()).toEqual([call])
    await page.reload()
    await inPane.waitFor()
    expect(await faults()).toEqual([call])
    await page.close()

    await service.fault('GET /api/addin/configs', { kind: 'cut' })
    const plain = await open()
    await option(plain.pane, 'Short').waitFor()
    expect(await faults()).toEqual(['GET /api/addin/configs'])
    expect(new URL(plain.page.url()).search).not.toContain('503')
  })

  it('can be copied', async () => {
    const { context, page } = await readyAgain()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByLabel('Offline').check()
    await page.getByText('Active: 1').waitFor()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
    expect(page.url()).toContain('offline=yes')
  })
})

describe.each([
  ['light', 1280],
  ['dark', 320],
] as const)('in the %s theme, %d pixels wide', (colorScheme, width) => {
  it('axe-core finds nothing in the panels, and the page does not scroll sideways', async () => {
    const { page } = await open({ colorScheme, viewport: { width, height: 900 } })
    if (width === 320) await page.getByRole('button', { name: 'Options' }).click()
    await page.getByRole('button', { name: 'Make it fail' }).click()
    await group(page, 'Signature service').getByLabel('What happens').selectOption('Slow')
    await page.getByText('Outlook version').click()
    await page.getByRole('button', { name: 'Timeline', exact: true }).click()
    await page.getByRole('slider', { name: 'Event' }).fill('5')
    await page.frameLocator('iframe[title="The pane at this event"]').locator('#root > *').first().waitFor()
    await page.evaluate(axe.source)
    const findings = await page.evaluate(async () => {
      const { axe: inPage } = window as unknown as { axe: typeof axe }
      const { violations } = await inPage.run(document, { iframes: false })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    })
    expect(findings).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  })
})
