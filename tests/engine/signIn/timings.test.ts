import type { Configuration, SilentRequest } from '@azure/msal-browser'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openWindowClient } from '../../../src/engine/signIn/library.ts'
import { createNetwork } from '../../../src/engine/signIn/network.ts'
import { toFailure } from '../../../streams/kernel/failure.ts'
import { createClock } from '../../support/clock.ts'

type Opened = (event: { payload: { popupWindow: { closed: boolean } }; correlationId: string }) => void

/** What the library was told, in place of the library. */
const told = vi.hoisted(() => ({
  configuration: null as Configuration | null,
  silent: [] as SilentRequest[],
  correlationIds: [] as string[],
  opened: null as Opened | null,
}))
vi.mock('@azure/msal-browser', async (original) => ({
  ...(await original<object>()),
  createStandardPublicClientApplication: (configuration: Configuration) => {
    told.configuration = configuration
    return Promise.resolve({
      getAllAccounts: () => [{ username: 'a@example.com' }],
      acquireTokenSilent: (request: SilentRequest) => {
        told.silent.push(request)
        return Promise.resolve({ accessToken: 't', account: { username: 'a@example.com' } })
      },
      acquireTokenPopup: ({ correlationId }: { correlationId: string }) => {
        told.correlationIds.push(correlationId)
        return new Promise(() => undefined)
      },
      addEventCallback: (listener: Opened) => {
        told.opened = listener
        return 'callback'
      },
      removeEventCallback: () => undefined,
    })
  },
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

/** The answer of a token endpoint with this body, as the library gets it. */
const answered = async (body: object, status = 200) => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(body, { status })))
  const network = createNetwork({ allowsPlainLocalhost: false })
  const { body: got } = await network.module.sendPostRequestAsync('https://login.example/token')
  return { got, idToken: network.lastIdToken() }
}

describe('the settings of the sign-in library', () => {
  test('[SOLO-4] [SOLO-8] the hidden frame gets 6000 ms, renewal begins 300 s early, the cache is in local storage', async () => {
    const client = await open()
    expect(told.configuration).toMatchObject({
      auth: { redirectUri: 'https://signet.example/index.html' },
      cache: { cacheLocation: 'localStorage' },
      system: { iframeBridgeTimeout: 6000, tokenRenewalOffsetSeconds: 300 },
    })
    await client.silent('A@example.com')
    expect(told.silent).toMatchObject([{ scopes: ['s'], forceRefresh: false }])
  })

  test('[SOLO-8] a token answer without a lifetime lives 3599 s; one that says, as long as it says', async () => {
    expect((await answered({ access_token: 't' })).got).toMatchObject({ expires_in: 3599 })
    expect((await answered({ access_token: 't', expires_in: 60 })).got).toMatchObject({ expires_in: 60 })
  })

  test('[SOLO-8] a window is looked at every 50 ms, and counts as closed when no answer comes', async () => {
    const clock = createClock()
    const client = await open(clock)
    const failed = client.popup({ purpose: 'login' }).catch((error: unknown) => toFailure(error))
    let looks = 0
    const popupWindow = {
      get closed() {
        looks += 1
        return looks > 3
      },
    }
    told.opened?.({ payload: { popupWindow }, correlationId: told.correlationIds.at(-1) ?? '' })
    clock.advance(99)
    expect(looks).toBe(2)
    clock.advance(1)
    expect(looks).toBe(3)
    clock.advance(500)
    expect(looks).toBe(4)
    expect(await failed).toEqual({ kind: 'auth', code: 'user_cancelled' })
  })
})

describe('the network of the sign-in library', () => {
  test('[SOLO-6] tells whether the id token is there and can be read', async () => {
    const readable = `x.${Buffer.from('{"sub":"u"}').toString('base64url')}.y`
    expect((await answered({ access_token: 't', id_token: readable })).idToken).toBe('readable')
    expect((await answered({ access_token: 't', id_token: 'not.a.token' })).idToken).toBe('unreadable')
    expect((await answered({ access_token: 't', id_token: '' })).idToken).toBe('missing')
    expect((await answered({ access_token: 't' })).idToken).toBe('missing')
    expect((await answered({ error: 'invalid_grant' }, 400)).idToken).toBeNull()
  })

  test.each([429, 503])('a %i that names no error is one all the same', async (status) => {
    expect((await answered({ code: 'busy' }, status)).got).toMatchObject({ error: 'temporarily_unavailable' })
    expect((await answered({ error: 'server_error' }, status)).got).toMatchObject({ error: 'server_error' })
  })

  test('asks https://localhost over http only where that is allowed', async () => {
    const asked: string[] = []
    vi.stubGlobal('fetch', (url: string) => {
      asked.push(url)
      return Promise.resolve(Response.json({}))
    })
    for (const allowsPlainLocalhost of [true, false])
      for (const url of ['https://localhost:4402/x', 'https://login.example/localhost:1'])
        await createNetwork({ allowsPlainLocalhost }).module.sendGetRequestAsync(url)
    expect(asked).toEqual([
      'http://localhost:4402/x',
      'https://login.example/localhost:1',
      'https://localhost:4402/x',
      'https://login.example/localhost:1',
    ])
  })
})
