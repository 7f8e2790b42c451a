import type { AccountInfo, PopupRequest, SilentRequest } from '@azure/msal-browser'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openNestedClient } from '../../../src/engine/signIn/library.ts'

const accountOf = (username: string) => ({ username, homeAccountId: `${username}.home` }) as AccountInfo
const ALEX = accountOf('alex.kim@northwind.example')
const MARIA = accountOf('maria.silva@northwind.example')

/** The library's accounts, and its answers to silent requests, the last of which stays. */
const library = vi.hoisted(() => ({
  accounts: [] as AccountInfo[],
  answers: [] as { account: AccountInfo; fromCache: boolean }[],
  silent: [] as SilentRequest[],
  popups: [] as PopupRequest[],
}))
vi.mock('@azure/msal-browser', async (original) => ({
  ...(await original<object>()),
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
        return Promise.resolve({ account: MARIA, accessToken: 'token' })
      },
    }),
}))

const open = () => openNestedClient({ clientId: 'c', authority: 'https://login.example/o', scope: 's' })

beforeEach(() => {
  Object.assign(library, { accounts: [MARIA, ALEX], answers: [], silent: [], popups: [] })
})

describe('the account of nested app authentication', () => {
  test('is the mailbox’s, if it signed in before, however its address is written', async () => {
    library.answers = [{ account: ALEX, fromCache: false }]
    const client = await open()
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
      const client = await open()
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
    const client = await open()
    expect(await client.silent(ALEX.username, false)).toMatchObject({ email: ALEX.username })
    expect(library.silent.map(({ forceRefresh }) => forceRefresh)).toEqual([false, true])
  })

  test('is what the mail client answers, even if it is another one: the service decides', async () => {
    library.answers = [{ account: MARIA, fromCache: false }]
    const client = await open()
    expect(await client.silent(ALEX.username, false)).toMatchObject({ email: MARIA.username })
    expect(library.silent).toHaveLength(1)
  })

  test('is not taken from the cache after the service refused it', async () => {
    library.answers = [{ account: ALEX, fromCache: false }]
    const client = await open()
    await client.silent(ALEX.username, true)
    expect(library.silent).toEqual([{ scopes: ['s'], account: ALEX, forceRefresh: true }])
  })
})
