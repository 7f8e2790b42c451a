import { asyncScheduler, firstValueFrom, type Observable } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { MailHost } from '../../../effects/ports.ts'
import { chooseHost } from '../../../src/engine/hosts/chooseHost.ts'
import {
  createStandaloneHost,
  createStandaloneProvider,
  NOT_AVAILABLE,
} from '../../../src/engine/hosts/standalone.ts'
import type { WindowClient } from '../../../src/engine/signIn/library.ts'
import {
  createStandaloneIdentity,
  openStandaloneIdentity,
  STANDALONE_USER,
} from '../../../src/engine/signIn/standalone.ts'
import { signInFailed } from '../../../streams/auth/signInCodes.ts'
import { toFailure } from '../../../streams/kernel/failure.ts'
import { reveal } from '../../../streams/kernel/secret.ts'
import { fakeLog } from '../../support/ports.ts'

const EMAIL = 'alex.kim@northwind.example'
const time = { scheduler: asyncScheduler }

/** Local storage of a browser, with what it is given. */
function memory(content: Readonly<Record<string, string>> = {}): Storage {
  const kept = new Map(Object.entries(content))
  return {
    get length() {
      return kept.size
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  }
}

/** A sign-in library that is asked, and answers what it is given. */
function library(answer: () => Promise<{ accessToken: string; email: string }>) {
  const asked: (readonly [what: string, how?: unknown])[] = []
  const client: WindowClient = {
    popup: (how) => {
      asked.push(['popup', how])
      return answer()
    },
    silent: (hint) => {
      asked.push(['silent', hint])
      return answer()
    },
    signOut: () => {
      asked.push(['signOut'])
      return Promise.resolve()
    },
    forget: () => {
      asked.push(['forget'])
      return Promise.resolve()
    },
  }
  return { asked, client: () => Promise.resolve(client) }
}

const good = () => Promise.resolve({ accessToken: 'token', email: EMAIL })
const closed = () => Promise.reject(signInFailed('user_cancelled'))
const ended = (work$: Observable<unknown>) =>
  firstValueFrom(work$).catch((error: unknown) => toFailure(error))

describe('the standalone provider', () => {
  const page = {
    location: { origin: 'https://signet.example' },
    localStorage: memory(),
    navigator: { language: 'de-AT' },
    requestIdleCallback: () => 0,
  } as unknown as Window
  const provider = (production: boolean) =>
    createStandaloneProvider({
      page,
      production,
      createIdentity: () =>
        openStandaloneIdentity({
          page,
          signIn: { clientId: 'c', authority: 'https://login.example/o', scope: 's' },
          time,
          log: fakeLog(),
        }),
      log: fakeLog(),
    })

  test('[HOST-2] refuses to resolve in production, so that no host is found there', async () => {
    expect(await firstValueFrom(provider(true).resolve())).toBeNull()
    await expect(firstValueFrom(chooseHost([provider(true)], { time, log: fakeLog() }))).rejects.toThrow(
      'no host resolved',
    )
  })

  test('resolves outside production, in the language of the browser', async () => {
    const hosted = await firstValueFrom(provider(false).resolve())
    expect(hosted?.host).toMatchObject({ name: 'standalone', displayLanguage: 'de' })
  })
})

describe('what only the mail client can do', () => {
  const log = fakeLog()
  const host = createStandaloneHost({ known: () => EMAIL, language: 'en-US', log })
  const writes: readonly [string, (host: MailHost) => Observable<unknown>][] = [
    ['setSignature', (of) => of.setSignature('item', '<p>S</p>', 'html')],
    ['disableClientSignature', (of) => of.disableClientSignature('item')],
    ['setBody', (of) => of.setBody('item', '<p>S</p>', 'html')],
    ['addInlineImage', (of) => of.addInlineImage('item', '', 'a.png')],
    ['removeAttachment', (of) => of.removeAttachment('item', 'a')],
    ['saveCustomProperties', (of) => of.saveCustomProperties('item', {})],
    ['setSessionData', (of) => of.setSessionData('item', 'a', 'b')],
  ]
  test.each(writes)('[HOST-8] %s fails with Not available on Standalone', async (call, write) => {
    expect(await ended(write(host))).toEqual({
      kind: 'host',
      call,
      code: 0,
      name: 'Not available on Standalone',
    })
  })

  const reads: readonly [string, (host: MailHost) => Observable<unknown>, unknown][] = [
    ['composeType', (of) => of.composeType('item'), null],
    ['bodyType', (of) => of.bodyType('item'), null],
    ['from', (of) => of.from('item'), null],
    ['recipients', (of) => of.recipients('item'), { to: [], cc: [] }],
    ['body', (of) => of.body('item', 'html'), null],
    ['attachments', (of) => of.attachments('item'), null],
    ['clientSignature', (of) => of.clientSignature('item'), null],
    ['customProperties', (of) => of.customProperties('item'), {}],
    ['sessionData', (of) => of.sessionData('item', 'a'), null],
    ['showNotice', (of) => of.showNotice('item', 'text'), undefined],
    ['dismissNotice', (of) => of.dismissNotice('item'), undefined],
  ]
  test.each(reads)(
    '[HOST-8] %s gives an empty answer and says Not available on Standalone',
    async (call, read, empty) => {
      expect(await ended(read(host))).toEqual(empty)
      expect(log.lines.at(-1)).toEqual({ level: 'warn', action: NOT_AVAILABLE, detail: { call } })
    },
  )

  test('no message is ever open', async () => {
    expect(await firstValueFrom(host.item$)).toBeNull()
  })
})

describe('the user', () => {
  const signedInAs = (email: string) => memory({ [STANDALONE_USER]: JSON.stringify({ email }) })
  const make = (answer: Parameters<typeof library>[0], area = memory()) => {
    const { asked, client } = library(answer)
    return { area, asked, identity: createStandaloneIdentity({ client, area, log: fakeLog() }) }
  }

  test.each(['', 'null', '{}', '{"email":7}', '{"email":""}', 'junk'])(
    '[SOLO-1] is empty when %j is kept',
    (kept) => {
      const { identity } = make(good, memory({ [STANDALONE_USER]: kept }))
      expect(identity.known()).toBeNull()
    },
  )

  test('[SOLO-1] is cached in local storage under standalone_auth_user, with the e-mail only', async () => {
    const { area, identity } = make(good)
    expect(identity.known()).toBeNull()
    await ended(identity.getUser())
    expect(area.getItem('standalone_auth_user')).toBe(JSON.stringify({ email: EMAIL }))
    expect(identity.known()).toBe(EMAIL)
  })

  test('[SOLO-2] getUser clears the auth cache, opens the window, and gives the e-mail; a known user opens none', async () => {
    const { asked, identity } = make(good)
    expect(await ended(identity.getUser())).toBe(EMAIL)
    expect(asked).toEqual([['forget'], ['popup', { purpose: 'login' }]])
    expect(await ended(identity.getUser())).toBe(EMAIL)
    expect(asked).toHaveLength(2)
  })

  test('[SOLO-2] a failed getUser clears the auth cache and all local storage, and passes the failure on', async () => {
    const { area, asked, identity } = make(closed, memory({ other: 'thing' }))
    expect(await ended(identity.getUser())).toEqual({ kind: 'auth', code: 'user_cancelled' })
    expect(asked.at(-1)).toEqual(['forget'])
    expect(area.length).toBe(0)
  })

  test('[SOLO-3] login hints at the address given, else at the known user', async () => {
    const { asked, identity } = make(good, signedInAs('known@northwind.example'))
    await ended(identity.login('given@northwind.example'))
    expect(asked).toEqual([['popup', { purpose: 'token', loginHint: 'given@northwind.example' }]])
    const { asked: later, identity: other } = make(good, signedInAs('known@northwind.example'))
    await ended(other.login())
    expect(later).toEqual([['popup', { purpose: 'token', loginHint: 'known@northwind.example' }]])
  })

  test('[SOLO-3] a failed login clears the auth cache and all local storage, and is AUTH_GENERIC_ERROR with its cause', async () => {
    const { area, asked, identity } = make(closed, signedInAs(EMAIL))
    expect(await ended(identity.login())).toEqual({
      kind: 'auth',
      code: 'AUTH_GENERIC_ERROR',
      cause: 'user_cancelled',
    })
    expect(asked.at(-1)).toEqual(['forget'])
    expect(area.length).toBe(0)
  })

  test('without a click nobody is asked: a stranger is told as such, a known user is looked for in silence', async () => {
    const stranger = make(good)
    expect(await ended(stranger.identity.accessToken({ allowConsentPrompt: true, silent: true }))).toEqual({
      kind: 'auth',
      code: 'user_login_error',
    })
    expect(stranger.asked).toEqual([])
    const known = make(good, signedInAs(EMAIL))
    const secret = await firstValueFrom(
      known.identity.accessToken({ allowConsentPrompt: true, silent: true }),
    )
    expect(reveal(secret)).toBe('token')
    expect(known.asked).toEqual([['silent', EMAIL]])
  })

  test('a silent failure forgets nobody', async () => {
    const { area, identity } = make(() => Promise.reject(signInFailed('login_required')), signedInAs(EMAIL))
    await ended(identity.accessToken({ allowConsentPrompt: true, silent: true }))
    expect(area.getItem(STANDALONE_USER)).not.toBeNull()
  })

  test('with a click, the window that asks who it is brings the token, too', async () => {
    const { asked, identity } = make(good)
    expect(reveal(await firstValueFrom(identity.accessToken({ allowConsentPrompt: true })))).toBe('token')
    expect(asked.filter(([what]) => what === 'popup')).toHaveLength(1)
  })

  test('signing out forgets the user first, whatever becomes of the window', async () => {
    const area = signedInAs(EMAIL)
    const { client } = library(good)
    const failing = async (): Promise<WindowClient> => ({
      ...(await client()),
      signOut: () => Promise.reject(signInFailed('popup_window_error')),
    })
    const log = fakeLog()
    const identity = createStandaloneIdentity({ client: failing, area, log })
    await ended(identity.signOut())
    expect(identity.known()).toBeNull()
    expect(log.lines).toMatchObject([
      { action: 'sign_out_incomplete', detail: { code: 'popup_window_error' } },
    ])
  })
})

test('what cannot be loaded is a failure like any other', async () => {
  const identity = createStandaloneIdentity({
    client: () => Promise.reject(new TypeError('chunk')),
    area: memory({ [STANDALONE_USER]: JSON.stringify({ email: EMAIL }) }),
    log: fakeLog(),
  })
  expect(await ended(identity.accessToken({ allowConsentPrompt: true }))).toMatchObject({
    code: 'AUTH_GENERIC_ERROR',
  })
})
