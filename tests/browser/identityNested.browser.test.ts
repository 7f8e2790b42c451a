import { WORLDWIDE_LIBRARY_URL } from '../../streams/wire/officeLibrary.ts'
import { describe, expect, test } from 'vitest'
import { PLAYGROUND_CLIENT_ID } from '../../src/playground/launch.ts'
import { NESTED_LIMIT_MS } from '../../src/engine/signIn/nested.ts'
import type { NestedFault } from '../../src/playground/mailClient/nestedBridge.ts'
import { ALEX, eventually, useBrowser } from './pane.ts'
import { servers } from './servers.ts'
import { answerWindow, windowOpenedBy } from './signInWindow.ts'

// The pane in the playground, Microsoft's unmodified sign-in library, and a mail client with nested app authentication.

const { browser } = useBrowser()
async function open(fault: NestedFault | null) {
  const context = await browser().newContext({ locale: 'en-US', viewport: { width: 1400, height: 900 } })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  await page.clock.install()
  const lines: string[] = []
  const scripts: Promise<string>[] = []
  page.on('console', (message) => lines.push(message.text()))
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.text())
  })
  // Records the pane's requests to the bridge.
  await page.addInitScript(() => {
    const asked: string[] = []
    let bridge: { postMessage: (message: string) => void } | undefined
    Object.assign(window, { asked })
    if (window.parent !== window) return
    Object.defineProperty(window, 'nestedAppAuthBridge', {
      get: () => bridge,
      set: (made: { postMessage: (message: string) => void }) => {
        bridge = {
          ...made,
          postMessage: (message) => {
            asked.push((JSON.parse(message) as { method: string }).method)
            made.postMessage(message)
          },
        }
      },
    })
  })
  await page.goto(`${servers().pages}/?launch=off&identity=nested${fault === null ? '' : `-${fault}`}`)
  const pane = page.frameLocator('iframe[title="Signet"]')
  return {
    pane,
    /** Presses the button of the pane, and chooses an account in the window that opens. */
    choose: async (account: string) => {
      const press = () => pane.getByRole('button', { name: 'Sign in' }).click()
      await answerWindow(await windowOpenedBy(page, press), account)
    },
    lines,
    /** Moves the clock forward, in milliseconds. */
    pass: (ms: number) => page.clock.fastForward(ms),
    scripts: () => Promise.all(scripts),
    asked: () => page.evaluate(() => (window as unknown as { asked: string[] }).asked),
    mailClientAsked: () =>
      page.evaluate(
        () => window.playground.snapshot().calls.filter(({ name }) => name === 'auth.getAccessToken').length,
      ),
  }
}

type Opened = Awaited<ReturnType<typeof open>>
const untilSignedIn = ({ pane }: Opened) =>
  pane.getByRole('button', { name: `Account: Alex Kim, ${ALEX}` }).waitFor()
const methodFailures = ({ lines }: Opened) => lines.filter((line) => line.includes('sign_in_method_failed'))

// Concurrent, because every tab has its own mail client.
describe.concurrent('nested app authentication', () => {
  test('[AUTH-2] signs in silently through the bridge, without the mail client’s own token', async () => {
    const opened = await open(null)
    await untilSignedIn(opened)
    expect(await opened.asked()).toEqual(['GetInitContext', 'GetToken'])
    expect(await opened.mailClientAsked()).toBe(0)
    expect((await opened.scripts()).filter((script) => script.includes('msal.js.browser'))).not.toEqual([])
  })

  test('[AUTH-2] prompts the user through the mail client when consent is missing', async () => {
    const opened = await open('consent')
    await untilSignedIn(opened)
    expect(await opened.asked()).toEqual(['GetInitContext', 'GetToken', 'GetTokenPopup'])
    expect(await opened.mailClientAsked()).toBe(0)
  })

  test('does not prompt again after the user cancels', async () => {
    const opened = await open('cancelled')
    await opened.pane.getByText('Sign-in was cancelled.').waitFor()
    expect(await opened.asked()).toEqual(['GetInitContext', 'GetToken', 'GetTokenPopup'])
    expect(await opened.mailClientAsked()).toBe(0)
  })

  test('tries no other method without a connection', async () => {
    const opened = await open('offline')
    await opened.pane.getByText('Couldn’t reach').waitFor()
    expect(await opened.mailClientAsked()).toBe(0)
  })

  test.each<[NestedFault, string]>([
    ['disabled', 'AUTH_GENERIC_ERROR'],
    ['noAccount', 'user_non_existent'],
  ])('%s: falls back to the mail client’s own token, once', async (fault, told) => {
    const opened = await open(fault)
    await untilSignedIn(opened)
    await eventually(() => methodFailures(opened)).toHaveLength(1)
    expect(methodFailures(opened)[0]).toContain(told)
    expect(await opened.mailClientAsked()).toBe(1)
  })

  test.each<[NestedFault, readonly string[]]>([
    ['unanswered', ['GetInitContext']],
    ['silent', ['GetInitContext', 'GetToken']],
  ])('%s: falls back to the mail client’s own token after six seconds, once', async (fault, asked) => {
    const opened = await open(fault)
    await eventually(opened.asked).toEqual(asked)
    expect(await opened.mailClientAsked()).toBe(0)
    await opened.pass(NESTED_LIMIT_MS)
    await untilSignedIn(opened)
    await eventually(() => methodFailures(opened)).toHaveLength(1)
    expect(methodFailures(opened)[0]).toContain('hostSilent')
    expect(await opened.asked()).toEqual(asked)
    expect(await opened.mailClientAsked()).toBe(1)
  })
})

describe.concurrent('a mail client with two accounts', () => {
  test('says which account was used, and opens a window in which the mailbox’s account is chosen', async () => {
    const opened = await open('otherAccount')
    const { pane } = opened
    await pane.getByText('The account used was msilva@corp.northwind.example.').waitFor()
    await pane.getByText(`doesn’t accept it for the open mailbox, ${ALEX}.`).waitFor()
    expect(await opened.asked()).toEqual(['GetInitContext', 'GetToken'])
    expect(await opened.mailClientAsked()).toBe(1)
    await opened.choose('Alex Kim')
    await untilSignedIn(opened)
  })

  test('says the same of a wrong account that was chosen in the window, and opens the window again', async () => {
    const opened = await open('otherAccount')
    const { pane, choose } = opened
    await pane.getByText('The account used was msilva@corp.northwind.example.').waitFor()
    await choose('Sam Stranger')
    await pane.getByText('The account used was stranger@elsewhere.example.').waitFor()
    await choose('Alex Kim')
    await untilSignedIn(opened)
  })
})

describe.concurrent('the page in a dialog of the mail client', () => {
  const STUB = `window.told = []; window.Office = {
    onReady: (done) => Promise.resolve({}).then((info) => { done?.(info); return info }),
    context: { ui: { messageParent: (message) => window.told.push(message) } } }`

  test('signs in by redirects, and sends the token to the pane', async () => {
    const context = await browser().newContext({ locale: 'en-US' })
    context.setDefaultTimeout(20_000)
    await context.route(`${new URL('.', WORLDWIDE_LIBRARY_URL).href}**`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: STUB }),
    )
    const page = await context.newPage()
    await page.goto(`${servers().pages}/index.html?dialog`)
    await page.getByRole('button', { name: 'Alex Kim' }).click()
    const told = () =>
      page.evaluate(() => (window as unknown as { told?: string[] }).told ?? []).catch(() => [])
    await eventually(told).toHaveLength(1)
    const [message = ''] = await told()
    const { accessToken, account } = JSON.parse(message) as { accessToken: string; account: string }
    expect(account).toBe(ALEX)
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as unknown
    expect(claims).toMatchObject({ preferred_username: ALEX, aud: PLAYGROUND_CLIENT_ID })
    expect(page.url()).toContain('/index.html?dialog')
  })

  test('reports to the pane that the user pressed Cancel', async () => {
    const context = await browser().newContext({ locale: 'en-US' })
    context.setDefaultTimeout(20_000)
    await context.route(`${new URL('.', WORLDWIDE_LIBRARY_URL).href}**`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: STUB }),
    )
    const page = await context.newPage()
    await page.goto(`${servers().pages}/index.html?dialog`)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await eventually(() =>
      page
        .evaluate(() => (window as unknown as { told?: string[] }).told ?? [])
        .then((told) => told.map((message) => (JSON.parse(message) as { code: string }).code))
        .catch(() => []),
    ).toEqual(['user_cancelled'])
  })
})
