import type { AccountInfo, Configuration, PopupRequest, SilentRequest } from '@azure/msal-browser'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openNestedClient, openWindowClient } from '../../../src/engine/signIn/library.ts'
import { createNetwork } from '../../../src/engine/signIn/network.ts'
import { toFailure } from '../../../streams/kernel/failure.ts'
import { createClock } from '../../support/clock.ts'

type PopupListener = (event: { payload: { popupWindow: { closed: boolean } }; correlationId: string }) => void

/** The calls to the mocked library. */
const library = vi.hoisted(() => ({
  configuration: null as Configuration | null,
  silent: [] as SilentRequest[],
  correlationIds: [] as string[],
  onPopup: null as PopupListener | null,
  /** The accounts of nested app authentication, and its answers to silent requests, the last of which stays. */
  accounts: [] as AccountInfo[],
  answers: [] as { account: AccountInfo; fromCache: boolean }[],
  popups: [] as PopupRequest[],
}))
vi.mock('@azure/msal-browser', async (original) => ({
  ...(await original<object>()),
  createStandardPublicClientApplication: (configuration: Configuration) => {
    library.configuration = configuration
    return Promise.resolve({
      getAllAccounts: () => [{ username: 'a@example.com' }],
      acquireTokenSilent: (request: SilentRequest) => {
        library.silent.push(request)
        return Promise.resolve({ accessToken: 't', account: { username: 'a@example.com' } })
      },
      acquireTokenPopup: ({ correlationId }: { correlationId: string }) => {
        library.correlationIds.push(correlationId)
        return new Promise(() => undefined)
      },
      addEventCallback: (listener: PopupListener) => {
        library.onPopup = listener
        return 'callback'
      },
      removeEventCallback: () => undefined,
    })
  },
  createNestablePublicClientApplication: () =>
    Promise.resolve({
      getAllAccounts: () => library.accounts,
      acquireTokenSilent: (request: SilentRequest) => {
        library.silent.push(request)
        const answer = library.answers.length > 1 ? library.answers.shift() : library.answers[0]
        return Promise.resolve({ ...answer, accessToken: `token of ${answer?.account.username}` })
      },
      acquireTokenPopup: (request: PopupRequest) => {
        library.popups.push(request)
        return Promise.resolve({ account: library.accounts[0], accessToken: 'token' })
      },
    }),
}))

afterEach(() => vi.unstubAllGlobals())

const open = (time = createClock()) =>
  openWindowClient({
    clientId: 'c',
    authority: 'https://login.example/o',
    scope: 's',
    redirectUri: 'https://signet.example/index.html',
    allowsPlainLocalhost: false,
    time,
  })

/** A token response with this body, as the library gets it. */
const tokenResponse = async (body: object, status = 200) => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(body, { status })))
  const network = createNetwork({ allowsPlainLocalhost: false })
  const { body: received } = await network.module.sendPostRequestAsync('https://login.example/token')
  return { body: received, idToken: network.lastIdToken() }
}

describe('the settings of the sign-in library', () => {
  test('[SOLO-4] [SOLO-8] sets 6000 ms for the hidden frame, renewal 300 s early, and a cache in local storage', async () => {
    const client = await open()
    expect(library.configuration).toMatchObject({
      auth: { redirectUri: 'https://signet.example/index.html' },
      cache: { cacheLocation: 'localStorage' },
      system: { iframeBridgeTimeout: 6000, tokenRenewalOffsetSeconds: 300 },
    })
    await client.silent('A@example.com')
    expect(library.silent).toMatchObject([{ scopes: ['s'], forceRefresh: false }])
  })

  test('[SOLO-8] adds a lifetime of 3599 s to a token response without one', async () => {
    expect((await tokenResponse({ access_token: 't' })).body).toMatchObject({ expires_in: 3599 })
    expect((await tokenResponse({ access_token: 't', expires_in: 60 })).body).toMatchObject({
      expires_in: 60,
    })
  })

  test('[SOLO-8] polls a window every 50 ms, and fails with user_cancelled once it is closed', async () => {
    const clock = createClock()
    const client = await open(clock)
    const failed = client.popup({ purpose: 'login' }).catch((error: unknown) => toFailure(error))
    let polls = 0
    const popupWindow = {
      get closed() {
        polls += 1
        return polls > 3
      },
    }
    library.onPopup?.({ payload: { popupWindow }, correlationId: library.correlationIds.at(-1) ?? '' })
    clock.advance(99)
    expect(polls).toBe(2)
    clock.advance(1)
    expect(polls).toBe(3)
    clock.advance(500)
    expect(polls).toBe(4)
    expect(await failed).toEqual({ kind: 'auth', code: 'user_cancelled' })
  })
})

describe('the network of the sign-in library', () => {
  test('[SOLO-6] classifies the id token of a response', async () => {
    const readable = `x.${Buffer.from('{"sub":"u"}').toString('base64url')}.y`
    expect((await tokenResponse({ access_token: 't', id_token: readable })).idToken).toBe('readable')
    expect((await tokenResponse({ access_token: 't', id_token: 'not.a.token' })).idToken).toBe('unreadable')
    expect((await tokenResponse({ access_token: 't', id_token: '' })).idToken).toBe('missing')
    expect((await tokenResponse({ access_token: 't' })).idToken).toBe('missing')
    expect((await tokenResponse({ error: 'invalid_grant' }, 400)).idToken).toBeNull()
  })

  test.each([429, 503])('adds an error to a %i without one', async (status) => {
    expect((await tokenResponse({ code: 'busy' }, status)).body).toMatchObject({
      error: 'temporarily_unavailable',
    })
    expect((await tokenResponse({ error: 'server_error' }, status)).body).toMatchObject({
      error: 'server_error',
    })
  })

  test('sends requests to https://localhost over http only where that is allowed', async () => {
    const requested: string[] = []
    vi.stubGlobal('fetch', (url: string) => {
      requested.push(url)
      return Promise.resolve(Response.json({}))
    })
    for (const allowsPlainLocalhost of [true, false])
      for (const url of ['https://localhost:4402/x', 'https://login.example/localhost:1'])
        await createNetwork({ allowsPlainLocalhost }).module.sendGetRequestAsync(url)
    expect(requested).toEqual([
      'http://localhost:4402/x',
      'https://login.example/localhost:1',
      'https://localhost:4402/x',
      'https://login.example/localhost:1',
    ])
  })
})

describe('the account of nested app authentication', () => {
  const accountOf = (username: string) => ({ username, homeAccountId: `${username}.home` }) as AccountInfo
  const ALEX = accountOf('alex.kim@northwind.example')
  const MARIA = accountOf('maria.silva@northwind.example')
  const openNested = () =>
    openNestedClient({ clientId: 'c', authority: 'https://login.example/o', scope: 's' })

  beforeEach(() => {
    Object.assign(library, { accounts: [MARIA, ALEX], answers: [], silent: [], popups: [] })
  })

  test('is the mailbox’s, if it signed in before, however its address is written', async () => {
    library.answers = [{ account: ALEX, fromCache: false }]
    const client = await openNested()
    expect(await client.silent('Alex.Kim@Northwind.example', false)).toEqual({
      accessToken: 'token of alex.kim@northwind.example',
      email: 'alex.kim@northwind.example',
    })
    expect(library.silent).toEqual([{ scopes: ['s'], account: ALEX, forceRefresh: false }])
    await client.interactive('Alex.Kim@Northwind.example')
    expect(library.popups).toEqual([{ scopes: ['s'], account: ALEX }])
  })

  test.each([['sales@northwind.example'], [undefined]])(
    'is the mail client’s choice for a mailbox without an account of its name: %s',
    async (loginHint) => {
      library.answers = [{ account: MARIA, fromCache: true }]
      const client = await openNested()
      expect(await client.silent(loginHint, false)).toMatchObject({ email: MARIA.username })
      await client.interactive(loginHint)
      expect([library.silent, library.popups]).toEqual([
        [{ scopes: ['s'], forceRefresh: false }],
        [{ scopes: ['s'] }],
      ])
    },
  )

  test('is asked for again when the cache answers with another one', async () => {
    library.answers = [
      { account: MARIA, fromCache: true },
      { account: ALEX, fromCache: false },
    ]
    const client = await openNested()
    expect(await client.silent(ALEX.username, false)).toMatchObject({ email: ALEX.username })
    expect(library.silent.map(({ forceRefresh }) => forceRefresh)).toEqual([false, true])
  })

  test('is what the mail client answers, even if it is another one: the service decides', async () => {
    library.answers = [{ account: MARIA, fromCache: false }]
    const client = await openNested()
    expect(await client.silent(ALEX.username, false)).toMatchObject({ email: MARIA.username })
    expect(library.silent).toHaveLength(1)
  })

  test('is not taken from the cache after the service refused it', async () => {
    library.answers = [{ account: ALEX, fromCache: false }]
    const client = await openNested()
    await client.silent(ALEX.username, true)
    expect(library.silent).toEqual([{ scopes: ['s'], account: ALEX, forceRefresh: true }])
  })
})
