import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FRAME_LIMIT_MS } from '../../src/engine/signIn/library.ts'
import { STANDALONE_USER_KEY } from '../../src/engine/signIn/standaloneIdentity.ts'
import { IS_LONG } from '../support/cases.ts'
import { launchChromium } from './chromium.ts'
import { ALEX, eventually, useBrowser } from './pane.ts'
import { servers } from './servers.ts'
import {
  actAndClose,
  answerWindow,
  openSignInWindow,
  signInButton,
  signInByWindow,
  windowOpenedBy,
} from './signInWindow.ts'

// The standalone page with Microsoft's unmodified sign-in library and an identity provider in a process of its own:
// windows, hidden frames and responses are real.

const { browser, tab } = useBrowser(() =>
  // Playwright disables the popup blocker. Users have it enabled.
  launchChromium({ ignoreDefaultArgs: ['--disable-popup-blocking'] }),
)

type Journal = readonly Readonly<{ method: string; path: string; query: Readonly<Record<string, string>> }>[]

const provider = {
  control: async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${servers().identityProvider}/_control/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
    return response
  },
  /** Spoils the next response. */
  spoil: (fault: string) => provider.control('PUT', 'sign-in', { fault }),
  fault: (call: string, fault: object, times = 1) =>
    provider.control('PUT', 'faults', { call, fault, times }),
  forget: () => provider.control('DELETE', 'requests'),
  restore: () => Promise.all(['faults', 'sign-in'].map((path) => provider.control('DELETE', path))),
  /** The queries of the requests to one path since `forget`. */
  asked: async (path: string) => {
    const journal = (await (await provider.control('GET', 'requests')).json()) as Journal
    return journal.filter((entry) => entry.path === `/northwind/${path}`).map(({ query }) => query)
  },
}

type Told = Readonly<{ detail: string; cause?: string }>

/** A tab, the pane's log of failed sign-ins, and the browser's refusals by its content security policy. */
type Tab = Readonly<{ page: Page; failures: Told[]; violations: string[]; opened: () => Promise<string[]> }>

const VIEWPORT = { width: 900, height: 800 }

/** An empty tab of a browser that remembers this user. */
const newTab = async (known?: string): Promise<Page> =>
  remembering(await tab({ viewport: VIEWPORT, reducedMotion: 'no-preference' }), known)

async function remembering(page: Page, known?: string): Promise<Page> {
  page.context().setDefaultTimeout(20_000)
  if (known !== undefined)
    await page.addInitScript(
      ([key, email]) => {
        if (sessionStorage.getItem('prepared')) return
        sessionStorage.setItem('prepared', 'yes')
        localStorage.setItem(key!, JSON.stringify({ email }))
      },
      [STANDALONE_USER_KEY, known],
    )
  return page
}

/** Opens the standalone page in this tab. */
async function openIn(page: Page): Promise<Tab> {
  const failures: Told[] = []
  const violations: string[] = []
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text())
    // Reading the values themselves counts as a user gesture, which allows popups.
    const [, detail = '', cause] =
      /handle_auth_error .*detail: (\w+)(?:, cause: ([^},]+))?/.exec(message.text()) ?? []
    if (detail !== '') failures.push({ detail, ...(cause === undefined ? {} : { cause }) })
  })
  await page.addInitScript(() => {
    const features: string[] = []
    Object.assign(window, { opened: features })
    const openWindow: typeof window.open = window.open.bind(window)
    window.open = (url, name, wanted) => {
      features.push(wanted ?? '')
      return openWindow(url, name, wanted)
    }
  })
  await page.goto(`${servers().pages}/index.html`)
  return {
    page,
    failures,
    violations,
    opened: () => page.evaluate(() => (window as unknown as { opened: string[] }).opened),
  }
}

const open = async (known?: string): Promise<Tab> => openIn(await newTab(known))

async function signIn(page: Page, name?: string): Promise<void> {
  await signInByWindow(page, name)
  await untilSignedIn(page)
}

const untilSignedIn = async (page: Page) => {
  await page.waitForURL(/#\/app\//)
}

const sessionKeys = (page: Page) =>
  page.evaluate(() =>
    Object.keys(sessionStorage)
      .filter((key) => key.startsWith('signet.session.'))
      .sort(),
  )

const kept = (page: Page, key = STANDALONE_USER_KEY) =>
  page.evaluate((name) => localStorage.getItem(name), key)

beforeEach(() => provider.forget())

afterEach(() => provider.restore())

describe('signing in with a window', () => {
  test('[SOLO-1] starts without a user, and opens no window by itself', async () => {
    const { page, opened } = await open()
    await signInButton(page).waitFor()
    expect(await kept(page)).toBeNull()
    expect(await opened()).toEqual([])
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await provider.asked('authorize')).toEqual([])
  })

  test('[SOLO-2] [SOLO-4] requests one scope with select_account at 483 by 600, and remembers the user', async () => {
    const { page, opened, violations } = await open()
    await signIn(page)
    expect(await provider.asked('authorize')).toMatchObject([
      {
        prompt: 'select_account',
        scope: 'api://signet/access_as_user openid profile offline_access',
        redirect_uri: `${servers().pages}/index.html`,
        response_type: 'code',
        code_challenge_method: 'S256',
      },
    ])
    expect(await opened()).toEqual([expect.stringContaining('width=483, height=600')])
    expect(JSON.parse((await kept(page)) ?? 'null')).toEqual({ email: ALEX })
    expect(await page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('msal.')))).toBe(
      true,
    )
    expect(page.context().pages()).toEqual([page])
    expect(violations).toEqual([])
  })

  test('[SOLO-2] signs a known user without a session in with the cached token, without a window', async () => {
    const { page, opened } = await open()
    await signIn(page)
    await provider.forget()
    await page.evaluate(() => sessionStorage.clear())
    await page.goto('about:blank')
    await page.goto(`${servers().pages}/index.html`)
    await untilSignedIn(page)
    expect(await opened()).toEqual([])
    expect(await provider.asked('authorize')).toEqual([])
  })

  test('signs the remembered user in through a hidden frame after a restart of the browser', async () => {
    const { page, opened, violations } = await open()
    await signIn(page)
    await provider.forget()
    // A browser that ends loses the session storage and the key of the library's cache.
    await page.evaluate(() => sessionStorage.clear())
    await page.context().clearCookies({ name: 'msal.cache.encryption' })
    await page.goto('about:blank')
    await page.goto(`${servers().pages}/index.html`)
    await untilSignedIn(page)
    expect(await provider.asked('authorize')).toMatchObject([{ prompt: 'none', login_hint: ALEX }])
    expect(await opened()).toEqual([])
    expect(violations).toEqual([])
  })

  test('gives a token without a lifetime the default of the specification', async () => {
    await provider.spoil('noLifetime')
    const { page } = await open()
    await signIn(page)
    await page.evaluate(() => sessionStorage.clear())
    await provider.forget()
    await page.reload()
    await untilSignedIn(page)
    expect(await provider.asked('token')).toEqual([])
  })

  test('ends the session at the provider and forgets the user after sign-out', async () => {
    const { page } = await open()
    await signIn(page)
    await page.getByRole('button', { name: /^Account/ }).click()
    const popup = await windowOpenedBy(page, () => page.getByRole('button', { name: 'Sign out' }).click())
    await page.getByText('You signed out').waitFor()
    await eventually(() => popup.isClosed()).toBe(true)
    expect(await provider.asked('logout')).toHaveLength(1)
    expect(await kept(page)).toBeNull()
    await signIn(page, 'Maria Silva')
  })

  test('signs out of all tabs, without another window', async () => {
    const first = await open()
    await signIn(first.page)
    const second = await openIn(await first.page.context().newPage())
    await untilSignedIn(second.page)
    expect(await sessionKeys(second.page)).toEqual(['signet.session.session', 'signet.session.tokenType'])
    // The browser renders a background tab so rarely that a click in it takes seconds.
    await first.page.bringToFront()
    await first.page.getByRole('button', { name: /^Account/ }).click()
    await first.page.getByRole('button', { name: 'Sign out' }).click()
    await second.page.getByText('You signed out in another window').waitFor()
    expect(await second.opened()).toEqual([])
    expect(await sessionKeys(second.page)).toEqual([])
  })
})

test('sign-in by keyboard announces a blocked window, a Cancel and the success once, and sets the focus', async () => {
  const { page } = await open()
  await signInButton(page).waitFor()
  await page.evaluate(() => {
    const told: string[] = []
    Object.assign(window, { told })
    const said = new WeakMap<Element, string>()
    new MutationObserver(() => {
      for (const region of document.querySelectorAll('[role=status], [role=alert]')) {
        const words = region.textContent
        if (words !== '' && words !== said.get(region)) told.push(words)
        said.set(region, words)
      }
    }).observe(document, { childList: true, characterData: true, subtree: true })
    const openWindow: typeof window.open = window.open.bind(window)
    window.open = () => {
      window.open = openWindow
      return null
    }
  })
  const told = () => page.evaluate(() => (window as unknown as { told: string[] }).told)
  const focused = (where: Page) => where.evaluate(() => document.activeElement?.textContent)
  /** Opens the window by Enter, and reaches one of its buttons by these keys. */
  const choose = async (keys: readonly string[], name: string) => {
    const popup = await windowOpenedBy(page, () => page.keyboard.press('Enter'))
    await popup.getByRole('button', { name: 'Cancel' }).waitFor()
    for (const key of keys) await popup.keyboard.press(key)
    expect(await focused(popup)).toContain(name)
    await actAndClose(popup, () => popup.keyboard.press('Enter'))
  }
  const expected: unknown[] = []
  const isTold = async (words: string) => {
    expected.push(expect.stringContaining(words))
    await eventually(told).toEqual(expected)
  }

  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await isTold('Your browser blocked the sign-in window.')
  await eventually(() => focused(page)).toBe('Try again')
  await choose(['Shift+Tab'], 'Cancel')
  await isTold('Sign-in was cancelled.')
  await eventually(() => focused(page)).toBe('Try again')
  await choose(['Tab'], 'Alex Kim')
  await isTold(`You’re signed in as ${ALEX}.`)
  await page.getByRole('option').first().waitFor()
  expect(await focused(page)).toBe('In this message')
  expect(await told()).toEqual(expected)
})

describe('a failure in the window', () => {
  const inWindow = (press: string) => async (page: Page) => {
    await answerWindow(await openSignInWindow(page), press)
  }
  const choosing = inWindow('Alex Kim')

  type Refusal = readonly [
    name: string,
    code: string,
    words: string,
    fault: string | null,
    act: (page: Page) => Promise<unknown>,
  ]
  const refusals: readonly Refusal[] = [
    [
      'closed by the user',
      'user_cancelled',
      'Sign-in was cancelled.',
      null,
      async (page) => {
        const popup = await openSignInWindow(page)
        await popup.getByRole('button', { name: 'Cancel' }).waitFor()
        await popup.close()
      },
    ],
    ['a foreign state', 'invalid_state_error', 'The response didn’t match', 'foreignState', choosing],
    ['no id token', 'invalid_id_token', 'a response that Signet can’t read', 'noIdToken', choosing],
    ['consent required', 'consent_required', 'needs your permission', 'consentRequired', openSignInWindow],
  ]
  /** The library's other answers, whose codes tests/engine/signIn/libraryErrors.unit.test.ts has. `npm run test:long` tests them. */
  const moreRefusals: readonly Refusal[] = [
    ['Cancel pressed', 'user_cancelled', 'Sign-in was cancelled.', null, inWindow('Cancel')],
    ['no state', 'invalid_state_error', 'The response didn’t match', 'noState', choosing],
    ['a foreign nonce', 'nonce_mismatch_error', 'The response didn’t match', 'foreignNonce', choosing],
    [
      'a malformed id token',
      'invalid_id_token',
      'a response that Signet can’t read',
      'malformedIdToken',
      choosing,
    ],
    [
      'interaction required',
      'interaction_required',
      'requires you to sign in again',
      'interactionRequired',
      openSignInWindow,
    ],
    [
      'temporarily unavailable',
      'server_unavailable',
      'isn’t available right now',
      'temporarilyUnavailable',
      openSignInWindow,
    ],
  ]

  test.each(IS_LONG ? [...refusals, ...moreRefusals] : refusals)(
    '[SOLO-2] [SOLO-6] %s: is reported as %s, clears all storage, and the retry works',
    async (_, code, words, fault, act) => {
      const { page, failures } = await open()
      await signInButton(page).waitFor()
      await page.evaluate(() => localStorage.setItem('stale', 'value'))
      // The first failure is that of the silent sign-in at start.
      await eventually(() => failures.length).toBe(1)
      if (fault !== null) await provider.spoil(fault)
      await act(page)
      await page.getByText(words).waitFor()
      await eventually(() => failures.at(-1)?.detail).toBe(code)
      expect(await page.evaluate(() => localStorage.length)).toBe(0)
      await eventually(() => page.context().pages().length).toBe(1)
      await signIn(page)
    },
  )

  test('of the connection to the provider is reported as such, and the retry works', async () => {
    await provider.fault('GET /northwind/v2.0/.well-known/openid-configuration', { kind: 'cut' }, 1000)
    const { page, failures } = await open()
    await signInButton(page).click()
    await page.getByText('Couldn’t reach').waitFor()
    await eventually(() => failures.at(-1)?.detail).toBe('endpoints_resolution_error')
    await provider.restore()
    await signIn(page)
  })

  test('of a provider with too many requests is reported as such, and the retry works', async () => {
    await provider.fault('POST /northwind/token', { kind: 'status', status: 429 })
    const { page, failures } = await open()
    await signInByWindow(page)
    await page.getByText('isn’t available right now').waitFor()
    await eventually(() => failures.at(-1)?.detail).toBe('server_unavailable')
    await signIn(page)
  })
})

describe('signing in without a window', () => {
  test('[SOLO-3] prompts a known user without a session; a failed window then clears all storage', async () => {
    const { page, failures } = await open(ALEX)
    await page.getByText('requires you to sign in again').waitFor()
    await eventually(() => failures).toMatchObject([{ detail: 'login_required' }])
    expect(await kept(page)).not.toBeNull()
    await answerWindow(await openSignInWindow(page), 'Cancel')
    await page.getByText('Sign-in was cancelled.').waitFor()
    await eventually(() => failures.at(-1)).toMatchObject({
      detail: 'AUTH_GENERIC_ERROR',
      cause: 'user_cancelled',
    })
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
  })

  test('reports that the library throttles requests after a provider with too many requests', async () => {
    const { page, failures } = await open()
    await signIn(page)
    await provider.fault('POST /northwind/token', { kind: 'status', status: 429 }, 10)
    await page.evaluate(() => {
      sessionStorage.clear()
      for (const key of Object.keys(localStorage))
        if (key.includes('|accesstoken|')) localStorage.removeItem(key)
    })
    await page.reload()
    await eventually(() => failures.at(-1)?.detail).toBe('server_unavailable')
    await page.getByText('isn’t available right now').waitFor()
    await provider.restore()
    await provider.forget()
    const before = failures.length
    await page.reload()
    await eventually(() => failures.length).toBeGreaterThan(before)
    expect(failures.at(-1)?.detail).toBe('server_unavailable')
    expect(await provider.asked('token')).toEqual([])
  })

  test('times out on a hidden frame without a response, after which a window works', async () => {
    await provider.fault('GET /northwind/authorize', { kind: 'delay', ms: 60_000 })
    // A context with another clock keeps it.
    const context = await browser().newContext({ locale: 'en-US', viewport: VIEWPORT })
    await context.clock.install()
    const { page, failures } = await openIn(await remembering(await context.newPage(), ALEX))
    await eventually(() => provider.asked('authorize')).toHaveLength(1)
    // Virtual time, so that the test need not wait for the limit.
    await page.clock.fastForward(FRAME_LIMIT_MS)
    await page.getByText('Signing in took too long.').waitFor()
    await eventually(() => failures).toMatchObject([{ detail: 'token_renewal_error' }])
    await signIn(page)
  })
})

describe('the loaded scripts', () => {
  /** The library's name in its requests. */
  const LIBRARY = 'msal.js.browser'
  /** The budget of the page that only forwards a response, in gzipped JavaScript. */
  const CALLBACK_BUDGET_BYTES = 6_000
  const scriptsOf = async (page: Page, address: string) => {
    const texts: Promise<string>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return
      const text = response.text()
      // The page may close before a late response is read.
      text.catch(() => undefined)
      texts.push(text)
    })
    await page.goto(address)
    return { read: () => Promise.all(texts) }
  }

  test('exclude the sign-in library in the pane of a mail client that issues its own token', async () => {
    const page = await newTab()
    const { read } = await scriptsOf(page, servers().pages)
    await page
      .frameLocator('iframe[title="Signet"]')
      .getByRole('heading', { name: 'In this message' })
      .waitFor()
    const scripts = await read()
    expect(scripts.some((script) => script.includes('Signet'))).toBe(true)
    expect(scripts.filter((script) => script.includes(LIBRARY))).toEqual([])
  })

  test('exclude the pane and the library on the page that forwards a response of the provider', async () => {
    const page = await newTab()
    // The page closes itself, if the browser lets it.
    await page.addInitScript(() => {
      window.close = () => undefined
    })
    const { read } = await scriptsOf(page, `${servers().pages}/index.html#state=unknown&code=unknown`)
    await page.waitForLoadState('networkidle')
    const scripts = await read()
    expect(scripts.some((script) => script.includes('broadcastResponseToMainFrame'))).toBe(true)
    expect(scripts.filter((script) => script.includes(LIBRARY) || script.includes('react'))).toEqual([])
    const sizes = scripts.map((script) => gzipSync(script).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(CALLBACK_BUDGET_BYTES)
  })
})
