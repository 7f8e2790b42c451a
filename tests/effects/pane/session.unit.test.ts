import { NEVER, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { forgetLastUser, readLastUser, writeLastUser } from '../../../effects/pane/lastUser.ts'
import {
  followAddress,
  logOutAtLogoutRoute,
  changeAddress,
  redirectToAllowedRoute,
} from '../../../effects/pane/router.ts'
import {
  endExpiredSession,
  signOutIdentity,
  followOtherPanes,
  renewSession,
  tellOtherPanes,
} from '../../../effects/pane/session.ts'
import { App, type AppEvent } from '../../../streams/pane/events.ts'
import { Auth, type SignOutReason } from '../../../streams/message/auth/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { Settings } from '../../../streams/message/settings/events.ts'
import { createClock } from '../../support/clock.ts'
import { withMarbles } from '../../support/marbles.ts'
import { failing, fakePorts } from '../../support/ports.ts'
import { hostUser, profile, session, settingsLoaded } from '../../support/state.ts'

/** How long before its end a session is renewed (specification, section 9). */
const RENEWAL_OFFSET_MS = 300_000
const END = RENEWAL_OFFSET_MS + 1_000
const short = session({ expiresAt: END })
const long = session({ expiresAt: 10 * END })
const recovered = Auth.sessionRecovered({ session: short })
const signedOut = (reason: SignOutReason = { kind: 'person' }) => Auth.signedOut({ reason, userId: 'u-alex' })
const failure: Failure = { kind: 'timeout' }

describe('a session', () => {
  test('[AUTH-6] is renewed 300 seconds before its end, and then the next one', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.api.renew.answers(of(long), NEVER)
      const renewed = Auth.renewed({ session: long })
      expectEvents(react({ renewSession }, hot('r', { r: recovered })), '^ 5000ms !').toBe('1s n', {
        n: renewed,
      })
    })
  })

  test('[AUTH-6] that was renewed to a short one is not renewed again', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const renewed = Auth.renewed({ session: session({ expiresAt: RENEWAL_OFFSET_MS }) })
      expectEvents(react({ renewSession }, hot('r', { r: renewed })), '^ 5000ms !').toBe('')
      afterwards(() => {
        expect(ports.api.renew.calls).toEqual([])
      })
    })
  })

  test.each<[string, Failure, Parameters<typeof failing>[0] | null]>([
    ['fails', failure, failure],
    ['gives that of another user', { kind: 'malformed', at: 'data.access_token' }, null],
  ])('[AUTH-6] tells that its renewal %s', (_, expected, given) => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.api.renew.answers(given ? failing(given) : of(session({ userId: 'u-maria' })))
      expectEvents(react({ renewSession }, hot('r', { r: recovered })), '^ 5000ms !').toBe('1s f', {
        f: Auth.renewalFailed({ failure: expected }),
      })
    })
  })

  test('[AUTH-6] is not renewed after its end, nor after a sign-out', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.renew.answers(cold('400s (n|)', { n: long }))
      expectEvents(react({ renewSession }, hot('r', { r: recovered })), '^ 900s !').toBe('')
      expectEvents(react({ renewSession }, hot('r-x', { r: recovered, x: signedOut() })), '^ 900s !').toBe('')
      afterwards(() => {
        expect(ports.api.renew.calls).toHaveLength(1)
        expect(ports.api.renew.cancelled()).toBe(1)
      })
    })
  })

  test('ends when its token does, unless it was renewed or has ended', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const asked = { a: Auth.signOutRequested({ reason: { kind: 'expired' } }) }
      expectEvents(react({ endExpiredSession }, hot('r', { r: recovered })), '^ 900s !').toBe(
        `${String(END)}ms a`,
        asked,
      )
      const renewed$ = hot('r-n', { r: recovered, n: Auth.renewed({ session: long }) })
      expectEvents(react({ endExpiredSession }, renewed$), '^ 900s !').toBe('')
      const ended$ = hot('r-x', { r: recovered, x: signedOut() })
      expectEvents(react({ endExpiredSession }, ended$), '^ 900s !').toBe('')
    })
  })
})

describe('the end of a session', () => {
  test('in another pane ends that of the same user here', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      const elsewhere$ = hot('-a-m', { a: 'u-alex', m: 'u-maria' })
      const own = { ...ports, otherPanes: { ...ports.otherPanes, signedOut$: elsewhere$ } }
      const asked = { e: Auth.signOutRequested({ reason: { kind: 'elsewhere' } }) }
      const start = { s: App.started() }
      expectEvents(react({ followOtherPanes }, hot('s', start), { given: [recovered], ports: own })).toBe(
        '-e',
        asked,
      )
      expectEvents(react({ followOtherPanes }, hot('s', start), { ports: own })).toBe('')
    })
  })

  test.each<[SignOutReason, string | null, number, number]>([
    [{ kind: 'person' }, 'u-alex', 1, 1],
    [{ kind: 'person' }, null, 0, 1],
    [{ kind: 'elsewhere' }, 'u-alex', 0, 0],
    [{ kind: 'expired' }, 'u-alex', 0, 0],
  ])('by %o of %s is told to %i other panes, and ends %i identities', (reason, userId, panes, identities) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const happening$ = hot('x', { x: Auth.signedOut({ reason, userId }) })
      expectEvents(react({ tellOtherPanes, endIdentity: signOutIdentity }, happening$)).toBe('')
      afterwards(() => {
        expect(ports.otherPanes.tellSignedOut.calls).toEqual(Array(panes).fill(['u-alex']))
        expect(ports.identity.signOut.calls).toHaveLength(identities)
      })
    })
  })
})

describe('the last user of this browser', () => {
  test('is known in their mailbox until they are forgotten', () => {
    const ports = fakePorts(createClock())
    const seen: (string | null)[] = []
    const look = () => readLastUser(ports).subscribe((userId) => seen.push(userId))
    look()
    writeLastUser(ports, session({ email: 'Alex.Kim@northwind.example' })).subscribe()
    look()
    ports.host.user.answers(of(hostUser({ email: 'maria@northwind.example' })), of(null), of(hostUser()))
    for (let times = 0; times < 3; times++) look()
    forgetLastUser(ports).subscribe()
    look()
    expect(seen).toEqual([null, 'u-alex', null, null, 'u-alex', null])
  })

  test.each([
    ['junk', 'junk'],
    ['a number', { email: 'alex.kim@northwind.example', userId: 7 }],
    ['no id', { email: 'alex.kim@northwind.example', userId: '' }],
  ])('is none where %s is stored', (_, stored) => {
    const ports = fakePorts(createClock())
    ports.storage.local.get.answers(of(stored))
    const seen: unknown[] = []
    readLastUser(ports).subscribe((userId) => seen.push(userId))
    expect(seen).toEqual([null])
  })
})

describe('the address', () => {
  const to = (path: string) => Router.navigated({ path })

  test('is followed from the start, and changed by the user', () => {
    withMarbles(({ hot, react, expectEvents, afterwards, ports }) => {
      const happening$ = hot('s-n', { s: App.started(), n: Router.navigationRequested({ to: '/help' }) })
      expectEvents(react({ followAddress, navigate: changeAddress }, happening$), '^ 9ms !').toBe('a-b', {
        a: to('/home'),
        b: to('/help'),
      })
      afterwards(() => {
        expect(ports.address.gone).toEqual(['/help'])
      })
    })
  })

  const profileLoaded = Profile.loaded({ value: profile() })
  const knownAtHome = [recovered, settingsLoaded(), profileLoaded]
  test.each<[string, readonly AppEvent[], AppEvent, readonly string[]]>([
    ['an unknown path', [], to('/nowhere'), ['/home']],
    ['home with a profile and settings', knownAtHome, to('/home'), ['/app/dashboard']],
    ['home without a profile', [recovered, settingsLoaded()], to('/home'), []],
    ['a profile at home', [to('/home'), recovered, settingsLoaded()], profileLoaded, ['/app/dashboard']],
    [
      'a profile at home that failed',
      [to('/home'), recovered, settingsLoaded()],
      Profile.loadFailed({ failure }),
      ['/app/dashboard'],
    ],
    ['a profile at home without settings', [to('/home'), recovered], profileLoaded, []],
    [
      'settings at home',
      [to('/home'), recovered, profileLoaded],
      settingsLoaded({ enableTelemetry: false }),
      ['/app/dashboard'],
    ],
    [
      'a changed setting at home',
      [to('/home'), recovered, settingsLoaded(), profileLoaded, Settings.resetRequested()],
      Settings.updated({ changes: {}, lasting: true }),
      ['/app/dashboard'],
    ],
    ['a profile elsewhere', [to('/about'), recovered, settingsLoaded()], profileLoaded, []],
    ['a path that may be open', [recovered], to('/app/dashboard'), []],
    ['a sign-in', [to('/loading')], recovered, ['/app/dashboard']],
    ['a sign-in at home', [to('/home')], recovered, []],
    [
      'a sign-out',
      [recovered, to('/app/dashboard')],
      signedOut(),
      [`/logout?redirectFrom=${encodeURIComponent('/app/dashboard')}`],
    ],
    [
      'a start without a session, before the settings are known',
      [to('/app/dashboard'), Settings.resetRequested()],
      Auth.sessionMissing(),
      [],
    ],
    [
      'a start without a session, before a silent sign-in',
      [to('/app/dashboard'), settingsLoaded()],
      Auth.sessionMissing(),
      [],
    ],
    [
      'a start without a session or a silent sign-in',
      [to('/app/dashboard'), settingsLoaded({ enableSilentSSO: false })],
      Auth.sessionMissing(),
      [`/logout?redirectFrom=${encodeURIComponent('/app/dashboard')}`],
    ],
    [
      'settings without a silent sign-in',
      [to('/app/dashboard'), Auth.sessionMissing()],
      settingsLoaded({ enableSilentSSO: false }),
      [`/logout?redirectFrom=${encodeURIComponent('/app/dashboard')}`],
    ],
    [
      'settings that cannot be read',
      [to('/app/dashboard'), Auth.sessionMissing()],
      Settings.loadFailed({ failure }),
      [`/logout?redirectFrom=${encodeURIComponent('/app/dashboard')}`],
    ],
    ['settings of a session', [recovered, to('/home')], settingsLoaded({ enableSilentSSO: false }), []],
  ])('is right after %s', (_, given, event, gone) => {
    withMarbles(({ hot, react, expectEvents, afterwards, ports }) => {
      expectEvents(react({ redirect: redirectToAllowedRoute }, hot('e', { e: event }), { given })).toBe('')
      afterwards(() => {
        expect(ports.address.gone).toEqual(gone)
      })
    })
  })

  test('/logout signs out, once', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const events = { d: to('/app/dashboard'), l: to('/logout') }
      expectEvents(react({ logOutAtLogoutRoute }, hot('d-l', events), { given: [recovered] })).toBe('--o', {
        o: Auth.signOutRequested({ reason: { kind: 'person' } }),
      })
      expectEvents(react({ logOutAtLogoutRoute }, hot('l', events), { given: [signedOut()] })).toBe('')
    })
  })
})
