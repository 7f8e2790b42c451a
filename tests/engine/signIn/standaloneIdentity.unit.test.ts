import { firstValueFrom, type Observable } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { WindowClient } from '../../../src/engine/signIn/library.ts'
import {
  createStandaloneIdentity,
  STANDALONE_USER_KEY,
} from '../../../src/engine/signIn/standaloneIdentity.ts'
import { signInFailure } from '../../../streams/pane/auth/signInCodes.ts'
import { toFailure } from '../../../streams/kernel/failure.ts'
import { revealSecret } from '../../../streams/kernel/secret.ts'
import { fakeLog } from '../../support/log.ts'

const EMAIL = 'alex.kim@northwind.example'
const silent = { allowConsentPrompt: true, silent: true }
const clicked = { allowConsentPrompt: true }

/** A local storage in memory. */
function fakeArea(content: Readonly<Record<string, string>> = {}): Storage {
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
const areaOf = (email: string) => fakeArea({ [STANDALONE_USER_KEY]: JSON.stringify({ email }) })

const grant = () => Promise.resolve({ accessToken: 'token', email: EMAIL })
const cancel = () => Promise.reject(signInFailure('user_cancelled'))

/** An identity over a sign-in library that answers each window and each silent sign-in with `answer`. */
function arrange(answer: () => Promise<{ accessToken: string; email: string }>, area = fakeArea()) {
  const calls: (readonly [name: string, argument?: unknown])[] = []
  const log = fakeLog()
  const client: WindowClient = {
    popup: (how) => {
      calls.push(['popup', how])
      return answer()
    },
    silent: (hint) => {
      calls.push(['silent', hint])
      return answer()
    },
    signOut: () => {
      calls.push(['signOut'])
      return Promise.reject(signInFailure('popup_window_error'))
    },
    forget: () => {
      calls.push(['forget'])
      return Promise.resolve()
    },
  }
  const identity = createStandaloneIdentity({ client: () => Promise.resolve(client), area, log })
  return { area, calls, identity, log }
}
const outcome = (call$: Observable<unknown>) =>
  firstValueFrom(call$).catch((error: unknown) => toFailure(error))

describe('the standalone user', () => {
  test.each(['', 'null', '{}', '{"email":7}', '{"email":""}', 'junk'])(
    '[SOLO-1] is empty when storage holds %j',
    (kept) => {
      const { identity } = arrange(grant, fakeArea({ [STANDALONE_USER_KEY]: kept }))
      expect(identity.known()).toBeNull()
    },
  )

  test('[SOLO-1] is cached in local storage under standalone_auth_user, with the e-mail only', async () => {
    const { area, identity } = arrange(grant)
    expect(identity.known()).toBeNull()
    await outcome(identity.getUser())
    expect(area.getItem('standalone_auth_user')).toBe(JSON.stringify({ email: EMAIL }))
    expect(identity.known()).toBe(EMAIL)
  })

  test('[SOLO-2] getUser clears the auth cache, opens the window and gives the e-mail; a known user needs no window', async () => {
    const { calls, identity } = arrange(grant)
    expect(await outcome(identity.getUser())).toBe(EMAIL)
    expect(calls).toEqual([['forget'], ['popup', { purpose: 'login' }]])
    expect(await outcome(identity.getUser())).toBe(EMAIL)
    expect(calls).toHaveLength(2)
  })

  test.each([
    ...(['user_cancelled', 'invalid_state_error', 'nonce_mismatch_error', 'invalid_id_token'] as const),
    ...(['interaction_required', 'consent_required', 'server_unavailable'] as const),
  ])(
    '[SOLO-2] %s clears the auth cache and all local storage, is passed on, and the retry works',
    async (code) => {
      const answers = [() => Promise.reject(signInFailure(code)), grant]
      const answer = () => (answers.shift() ?? grant)()
      const { area, calls, identity } = arrange(answer, fakeArea({ other: 'thing' }))
      expect(await outcome(identity.getUser())).toEqual({ kind: 'auth', code })
      expect(calls.at(-1)).toEqual(['forget'])
      expect(area.length).toBe(0)
      expect(await outcome(identity.getUser())).toBe(EMAIL)
      expect(identity.known()).toBe(EMAIL)
    },
  )
})

describe('login', () => {
  test.each([
    ['the given address', 'given@northwind.example', 'given@northwind.example'],
    ['the known user', undefined, 'known@northwind.example'],
  ])('[SOLO-3] hints at %s', async (_, given, loginHint) => {
    const { calls, identity } = arrange(grant, areaOf('known@northwind.example'))
    await outcome(identity.login(given))
    expect(calls).toEqual([['popup', { purpose: 'token', loginHint }]])
  })

  test('[SOLO-3] gives no hint for an unknown user', async () => {
    const { calls, identity } = arrange(grant)
    await outcome(identity.login())
    expect(calls).toStrictEqual([['popup', { purpose: 'token' }]])
  })

  test('[SOLO-3] a failure clears the auth cache and all local storage, and is AUTH_GENERIC_ERROR with its cause', async () => {
    const { area, calls, identity } = arrange(cancel, areaOf(EMAIL))
    expect(await outcome(identity.login())).toEqual({
      kind: 'auth',
      code: 'AUTH_GENERIC_ERROR',
      cause: 'user_cancelled',
    })
    expect(calls.at(-1)).toEqual(['forget'])
    expect(area.length).toBe(0)
  })
})

describe('a token', () => {
  test('without a click fails for an unknown user, and opens nothing', async () => {
    const { calls, identity } = arrange(grant)
    expect(await outcome(identity.accessToken(silent))).toEqual({ kind: 'auth', code: 'user_login_error' })
    expect(await outcome(identity.accessToken({ ...silent, refused: ['workAccount'] }))).toEqual({
      kind: 'auth',
      code: 'host_13000',
    })
    expect(calls).toEqual([])
  })

  test('without a click comes silently for a known user', async () => {
    const { calls, identity } = arrange(grant, areaOf(EMAIL))
    expect(revealSecret(await firstValueFrom(identity.accessToken(silent)))).toBe('token')
    expect(calls).toEqual([['silent', EMAIL]])
  })

  test('that fails silently keeps the known user', async () => {
    const { area, identity } = arrange(() => Promise.reject(signInFailure('login_required')), areaOf(EMAIL))
    await outcome(identity.accessToken(silent))
    expect(area.getItem(STANDALONE_USER_KEY)).not.toBeNull()
  })

  test('[SOLO-2] [SOLO-3] with a click needs one window: of getUser for an unknown user, of login with a hint for a known one', async () => {
    const { area, calls, identity } = arrange(grant)
    expect(revealSecret(await firstValueFrom(identity.accessToken(clicked)))).toBe('token')
    expect(calls).toEqual([['forget'], ['popup', { purpose: 'login' }]])
    expect(area.getItem(STANDALONE_USER_KEY)).toBe(JSON.stringify({ email: EMAIL }))
    await outcome(identity.accessToken(clicked))
    expect(calls.slice(2)).toEqual([['popup', { purpose: 'token', loginHint: EMAIL }]])
  })

  test('[SOLO-2] with a click fails as getUser does for an unknown user', async () => {
    const { area, calls, identity } = arrange(cancel, fakeArea({ other: 'thing' }))
    expect(await outcome(identity.accessToken(clicked))).toEqual({ kind: 'auth', code: 'user_cancelled' })
    expect(calls.at(-1)).toEqual(['forget'])
    expect(area.length).toBe(0)
  })

  test('fails with AUTH_GENERIC_ERROR when the sign-in library cannot be loaded', async () => {
    const identity = createStandaloneIdentity({
      client: () => Promise.reject(new TypeError('chunk')),
      area: areaOf(EMAIL),
      log: fakeLog(),
    })
    expect(await outcome(identity.accessToken(clicked))).toMatchObject({ code: 'AUTH_GENERIC_ERROR' })
  })
})

test('signing out forgets the user, also when its window fails', async () => {
  const { calls, identity, log } = arrange(grant, areaOf(EMAIL))
  await outcome(identity.signOut())
  expect(identity.known()).toBeNull()
  expect(calls).toEqual([['signOut'], ['forget']])
  expect(log.lines).toMatchObject([{ action: 'sign_out_incomplete', detail: { code: 'popup_window_error' } }])
})
