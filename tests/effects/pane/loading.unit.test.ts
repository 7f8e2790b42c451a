import { of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { loadDefault } from '../../../effects/message/defaults.ts'
import { followDisplayLanguage, loadLanguage } from '../../../effects/pane/locale.ts'
import { loadProfile } from '../../../effects/pane/loads.ts'
import {
  copySignature,
  keepFavourites,
  loadSignaturePages,
  refreshSignatureLists,
  reloadAfterChange,
  restoreFavourites,
} from '../../../effects/pane/signatures.ts'
import { App } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { Locale } from '../../../streams/pane/locale/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { Variables } from '../../../streams/pane/variables/events.ts'
import { withMarbles } from '../../support/marbles.ts'
import { failing } from '../../support/ports.ts'
import {
  cachedSignature,
  listedSignature,
  masterId,
  profile,
  session,
  verification,
  signaturePage,
} from '../../support/state.ts'

const verified = Auth.verified(verification())
const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-alex' })
const failure = { kind: 'timeout' } as const

describe('the language', () => {
  const asked = (language: 'de' | 'fr' | 'en') => Locale.languageRequested({ language })
  const changed = (language: 'de' | 'fr' | 'en') => Locale.languageChanged({ language })

  test("[I18N-5] is that of the mail client's display language", () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      const host = { ...ports.host, displayLanguage: 'fr-CA' }
      const happened$ = react({ followDisplayLanguage }, hot('s', { s: App.started() }), {
        ports: { ...ports, host },
      })
      expectEvents(happened$).toBe('f', { f: Locale.displayLanguageRead({ language: 'fr' }) })
    })
  })

  test('is in use once its texts are loaded; the one requested last wins', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.locales.load.answers(cold('500ms (a|)', { a: undefined }), cold('100ms (a|)', { a: undefined }))
      const happening$ = hot('d 99ms f', { d: asked('de'), f: asked('fr') })
      expectEvents(react({ loadLanguage }, happening$)).toBe('200ms f', { f: changed('fr') })
      afterwards(() => {
        expect(ports.locales.load.calls).toEqual([['de'], ['fr']])
        expect(ports.locales.load.cancelled()).toBe(1)
      })
    })
  })

  test('[I18N-3] a language that is loaded is not loaded again', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const read = Locale.displayLanguageRead({ language: 'de' })
      const happening$ = hot('d-e-d', { d: read, e: asked('en') })
      expectEvents(react({ loadLanguage }, happening$)).toBe('d-e-d', { d: changed('de'), e: changed('en') })
      afterwards(() => {
        expect(ports.locales.load.calls).toEqual([['de']])
      })
    })
  })

  test('[I18N-2] that fails to load leaves English in use, and can be requested again', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.locales.load.answers(of(undefined), failing({ kind: 'network' }), of(undefined))
      const languages: string[] = []
      const happened$ = react({ loadLanguage }, hot('f 9ms d 9ms d', { f: asked('fr'), d: asked('de') }), {
        stores: ({ event$, state$ }) => event$.subscribe(() => languages.push(state$.value.locale.language)),
      })
      expectEvents(happened$).toBe('f 9ms x 9ms c', {
        f: changed('fr'),
        x: Locale.languageFailed({ language: 'de', failure: { kind: 'network' } }),
        c: changed('de'),
      })
      afterwards(() => {
        // After each question and each answer.
        expect(languages).toEqual(['en', 'fr', 'fr', 'en', 'en', 'de'])
      })
    })
  })
})

describe('the profile', () => {
  test('loads after sign-in', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      expectEvents(react({ loadProfile }, hot('v', { v: verified }))).toBe('l', {
        l: Profile.loaded({ value: profile() }),
      })
    })
  })

  test('a later load takes the place of the one under way; signing out ends it; the next session loads again', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.user.answers(cold('10ms (p|)', { p: profile() }))
      const changed = Defaults.changed({ id: 0, defaults: { master: 'c-1', reply: null } })
      const events = { v: verified, c: changed, o: signedOut }
      const happened$ = react({ loadProfile }, hot('v 4ms c 4ms o 20ms v', events))
      expectEvents(happened$).toBe('41ms l', { l: Profile.loaded({ value: profile() }) })
      afterwards(() => {
        expect(ports.api.user.cancelled()).toBe(2)
      })
    })
  })

  test('a failure is recorded, and retried on request of the user and at /home', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.api.user.answers(failing(failure), failing(failure), of(profile()))
      const happening$ = hot('v-h-r-r', {
        v: verified,
        h: Router.navigated({ path: '/home' }),
        r: App.retryRequested(),
      })
      expectEvents(react({ loadProfile }, happening$)).toBe('f-f-l', {
        f: Profile.loadFailed({ failure }),
        l: Profile.loaded({ value: profile() }),
      })
      afterwards(() => {
        expect(ports.api.user.calls).toHaveLength(3)
      })
    })
  })
})

describe('the signatures', () => {
  const next = Signatures.nextPageRequested({ list: 'own' })
  const pageLoaded = (page: number, count = 5, total = count, epoch = 0) =>
    Signatures.pageLoaded({ list: 'own', epoch, page: signaturePage(page, count, total) })

  test('[SIG-3] default and first page load at the same time after sign-in', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.signatures.answers(cold('30ms (p|)', { p: signaturePage(1) }))
      ports.api.signature.answers(cold('50ms (s|)', { s: cachedSignature() }))
      expectEvents(react({ loadDefault, loadPages: loadSignaturePages }, hot('v', { v: verified }))).toBe(
        '30ms p 19ms s',
        {
          p: pageLoaded(1),
          s: Defaults.loaded({ value: cachedSignature() }),
        },
      )
      afterwards(() => {
        expect(ports.sent.map(({ name, at }) => [name, at])).toEqual([
          ['api.signature', 0],
          ['api.signatures', 0],
        ])
        expect(ports.api.signatures.calls).toEqual([[{ page: 1, withImages: false }]])
        expect(ports.api.signature.calls).toEqual([[{}]])
      })
    })
  })

  test('a default that came with the sign-in is not asked for, until it is to be loaded again', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      const newer = cachedSignature({ name: 'Newer' })
      ports.api.signature.answers(cold('5ms (s|)', { s: newer }))
      const happening$ = hot('v 9ms r 9ms m', {
        v: Auth.verified({ session: session(), signature: cachedSignature() }),
        r: App.retryRequested(),
        m: Signatures.refreshRequested(),
      })
      expectEvents(react({ loadDefault }, happening$)).toBe('25ms s', {
        s: Defaults.loaded({ value: newer }),
      })
      afterwards(() => {
        expect(ports.sent.map(({ name, at }) => [name, at])).toEqual([['api.signature', 20]])
      })
    })
  })

  test('[CHOOSE-4] a search loads page after page', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      ports.api.signatures.answers(({ page }) => cold('10ms (p|)', { p: signaturePage(page, 5, 15) }))
      const happening$ = hot('v 19ms s', {
        v: verified,
        s: Signatures.searched({ query: 'short', shared: false }),
      })
      expectEvents(react({ loadPages: loadSignaturePages }, happening$), '^ 60ms !').toBe(
        '10ms p 19ms q 9ms r',
        {
          p: pageLoaded(1, 5, 15),
          q: pageLoaded(2, 5, 15),
          r: pageLoaded(3, 5, 15),
        },
      )
    })
  })

  const favourites = (...ids: readonly string[]) => Signatures.favouritesRestored({ favourites: ids })
  /** Everything but the lists is known. */
  const known = (...ids: readonly string[]) => [
    verified,
    Profile.loaded({ value: profile() }),
    Defaults.loaded({ value: cachedSignature({ combinedIds: 'c-1-0' }) }),
    Signatures.recentRestored({ recent: [] }),
    favourites(...ids),
  ]

  test('[SIG-3] pages load ahead, one after the other, until a favourite is found, and no further', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      ports.api.signatures.answers(({ page }) => cold('10ms (p|)', { p: signaturePage(page, 5, 40) }))
      const given = known('c-3-2')
      const happening$ = hot('l', { l: pageLoaded(1, 5, 40) })
      expectEvents(react({ loadPages: loadSignaturePages }, happening$, { given }), '^ 60ms !').toBe(
        '10ms q 9ms r',
        {
          q: pageLoaded(2, 5, 40),
          r: pageLoaded(3, 5, 40),
        },
      )
    })
  })

  test('a reload fetches the pages up to that of a favourite, one after the other, and none after the end', () => {
    const given = [...known('c-3-2'), ...[1, 2, 3].map((page) => pageLoaded(page, 5, 40))]
    for (const total of [40, 8])
      withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
        const answer = (page: number) => signaturePage(page, Math.min(5, total - 5 * (page - 1)), total)
        ports.api.signatures.answers(({ page }) => cold('10ms (p|)', { p: answer(page) }))
        const pages = total === 40 ? [1, 2, 3] : [1, 2]
        const own = { page: pages.length, total, objects: pages.flatMap((page) => answer(page).objects) }
        expectEvents(
          react({ refreshLists: refreshSignatureLists }, hot('r', { r: Signatures.refreshRequested() }), {
            given,
          }),
        ).toBe(total === 40 ? '30ms r' : '20ms r', {
          r: Signatures.refreshed({ epoch: 0, own, delegated: null }),
        })
        afterwards(() => {
          expect(ports.api.signatures.calls.map(([{ page }]) => page)).toEqual(pages)
        })
      })
  })

  test('stored favourites are restored at the sign-in, also when there are none', () => {
    for (const stored of [['c-2', 'c-1'], []])
      withMarbles(({ hot, react, ports, expectEvents }) => {
        const value = { version: 1, owner: 'u-alex', value: stored }
        if (stored.length > 0) ports.storage.privateDrafts('u-alex').get.answers(of(value))
        expectEvents(react({ restoreFavourites }, hot('v', { v: verified }))).toBe('f', {
          f: favourites(...stored),
        })
      })
  })

  test('favourites are written one after the other, and not before they were read', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      const { get, set, content } = ports.storage.privateDrafts('u-alex')
      get.answers(cold('50ms (w|)', { w: null }), (key) => of(content()[key]))
      const mark = (combinedIds: string) => Signatures.favouriteChanged({ combinedIds, isFavourite: true })
      const happening$ = hot('v p f a b', {
        v: verified,
        p: pageLoaded(1),
        f: favourites(),
        a: mark('c-1-1'),
        b: mark('c-1-2'),
      })
      expectEvents(react({ keepFavourites }, happening$), '^ 100ms !').toBe('')
      afterwards(() => {
        expect(set.calls.map(([, value]) => (value as { value: unknown }).value)).toEqual([
          ['c-1-1'],
          ['c-1-1', 'c-1-2'],
        ])
      })
    })
  })

  test('[SIG-3] the next page loads on request, once, and none after the last', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.signatures.answers(({ page }) => cold('10ms (p|)', { p: signaturePage(page, 5, 10) }))
      // The first and the third request come while a page is on its way, the last when all are loaded.
      const happening$ = hot('v 4ms n 14ms n 4ms n 9ms n', { v: verified, n: next })
      expectEvents(react({ loadPages: loadSignaturePages }, happening$), '^ 60ms !').toBe('10ms p 19ms q', {
        p: pageLoaded(1, 5, 10),
        q: pageLoaded(2, 5, 10),
      })
      afterwards(() => {
        expect(ports.api.signatures.calls.map(([{ page }]) => page)).toEqual([1, 2])
        expect(ports.api.signatures.cancelled()).toBe(0)
      })
    })
  })

  test('[SIG-3] a page that is loaded is not asked for again, and a failed one only when it is asked for', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.signatures.answers(
        cold('10ms (p|)', { p: signaturePage(1, 5, 10) }),
        failing({ kind: 'timeout' }),
        cold('10ms (p|)', { p: signaturePage(2, 5, 10) }),
      )
      const [home, list] = ['/app/dashboard', '/app/signatures/main'].map((path) =>
        Router.navigated({ path }),
      )
      const happening$ = hot('v 19ms l-h-l-n 9ms h-l-n 19ms n-h', {
        v: verified,
        n: next,
        h: home ?? next,
        l: list ?? next,
      })
      expectEvents(react({ loadPages: loadSignaturePages }, happening$), '^ 99ms !').toBe(
        '10ms p 15ms f 23ms q',
        {
          p: pageLoaded(1, 5, 10),
          f: Signatures.pageFailed({ list: 'own', epoch: 0, page: 2, failure: { kind: 'timeout' } }),
          q: pageLoaded(2, 5, 10),
        },
      )
      afterwards(() => {
        expect(ports.api.signatures.calls.map(([{ page }]) => page)).toEqual([1, 2, 2])
      })
    })
  })

  test('[SIG-3] a change resets the list and loads it again after 2 s; an earlier answer is ignored', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.signatures.answers(
        cold('2500ms (p|)', { p: signaturePage(1, 1, 1) }),
        cold('10ms (p|)', { p: signaturePage(1) }),
      )
      ports.api.signature.answers(of(cachedSignature()), cold('30ms (s|)', { s: cachedSignature() }))
      const saved = Variables.saved({ sent: {}, saved: { values: {}, changedFields: [] } })
      const effects = { loadPages: loadSignaturePages, loadDefault, reloadAfterChange }
      const loaded = Defaults.loaded({ value: cachedSignature() })
      expectEvents(react(effects, hot('v 9ms r', { v: verified, r: saved }))).toBe(
        's 2009ms d 9ms p 19ms s',
        { s: loaded, d: Signatures.reloadDue(), p: pageLoaded(1, 5, 5, 1) },
      )
      afterwards(() => {
        expect(ports.api.signatures.cancelled()).toBe(1)
      })
    })
  })

  test('a failure is recorded, and "Try again" loads what failed', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.api.signatures.answers(failing(failure), of(signaturePage(1)))
      ports.api.signature.answers(failing(failure), of(cachedSignature()))
      const happening$ = hot('v----r', { v: verified, r: App.retryRequested() })
      expectEvents(react({ loadDefault, loadPages: loadSignaturePages }, happening$)).toBe('(gf)-(cp)', {
        f: Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure }),
        g: Defaults.loadFailed({ failure }),
        p: pageLoaded(1),
        c: Defaults.loaded({ value: cachedSignature() }),
      })
    })
  })

  test('no request without a session, and signing out cancels those under way', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.signatures.answers(cold('10ms (p|)', { p: signaturePage(1) }))
      ports.api.signature.answers(cold('10ms (s|)', { s: cachedSignature() }))
      const happening$ = hot('(nr)v-o-(nr)', { n: next, r: App.retryRequested(), v: verified, o: signedOut })
      expectEvents(react({ loadPages: loadSignaturePages, loadDefault }, happening$), '^ 50ms !').toBe('')
      afterwards(() => {
        expect([ports.api.signatures.calls.length, ports.api.signature.calls.length]).toEqual([1, 1])
        expect([ports.api.signatures.cancelled(), ports.api.signature.cancelled()]).toEqual([1, 1])
      })
    })
  })

  test('a refresh requested during another one starts no second request', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.signatures.answers(cold('10ms (p|)', { p: signaturePage(1, 2) }))
      const given = [verified, pageLoaded(1)]
      const happening$ = hot('r 4ms r', { r: Signatures.refreshRequested() })
      expectEvents(react({ refreshLists: refreshSignatureLists }, happening$, { given })).toBe('10ms r', {
        r: Signatures.refreshed({ epoch: 0, own: signaturePage(1, 2), delegated: null }),
      })
      afterwards(() => {
        expect(ports.api.signatures.calls).toHaveLength(1)
      })
    })
  })
})

describe('[SIG-4] a refresh while others share their signatures', () => {
  test('asks for those who share now, and no longer for the former', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      const known = (...delegations: readonly string[]) => Profile.loaded({ value: profile({ delegations }) })
      const given = [
        verified,
        known('u-2'),
        Signatures.pageLoaded({ list: 'own', epoch: 0, page: signaturePage(1, 2) }),
        Signatures.pageLoaded({ list: 'delegated', epoch: 0, page: signaturePage(1, 0) }),
      ]
      ports.api.signatures.answers(cold('10ms (p|)', { p: signaturePage(1, 2) }))
      ports.api.delegatedSignatures.answers(cold('10ms (p|)', { p: signaturePage(1, 0) }))
      const happening$ = hot('r 4ms p', { r: Signatures.refreshRequested(), p: known('u-3') })
      expectEvents(react({ refreshLists: refreshSignatureLists }, happening$, { given })).toBe('15ms r', {
        r: Signatures.refreshed({ epoch: 0, own: signaturePage(1, 2), delegated: signaturePage(1, 0) }),
      })
      afterwards(() => {
        expect(ports.api.delegatedSignatures.calls.map(([{ userIds }]) => userIds)).toEqual([
          ['u-2'],
          ['u-3'],
        ])
      })
    })
  })
})

describe('copying', () => {
  const { objects } = signaturePage(1, 2)
  const given = [
    verified,
    Signatures.pageLoaded({ list: 'own', epoch: 0, page: { page: 1, total: 2, objects } }),
  ]
  const wish = (index: number) => Signatures.copyRequested({ entryId: masterId(1, index) })
  const done = (index: number) => Signatures.copied({ entryId: masterId(1, index) })

  test('[CHOOSE-7] a second wish replaces the first in the clipboard, and both are told', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.clipboard.write.answers(cold('50ms (w|)', { w: undefined }), cold('20ms (w|)', { w: undefined }))
      const happening$ = hot('a 9ms b', { a: wish(0), b: wish(1) })
      expectEvents(react({ copy: copySignature }, happening$, { given })).toBe('50ms a 19ms b', {
        a: done(0),
        b: done(1),
      })
      afterwards(() => {
        expect(ports.clipboard.write.calls.map(([{ html }]) => html)).toEqual(objects.map(({ html }) => html))
        expect(ports.clipboard.write.cancelled()).toBe(0)
      })
    })
  })

  test('[CHOOSE-7] a copy has the addresses of its links and pictures, and the text', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const html =
        '<p>Alex, <a href="https://northwind.example/" title="Northwind">site</a><img src="https://cdn.northwind.example/a.png"></p>'
      const page = { page: 1, total: 1, objects: [listedSignature({ html })] }
      const listed = Signatures.pageLoaded({ list: 'own', epoch: 0, page })
      const happened$ = react({ copy: copySignature }, hot('a', { a: wish(0) }), {
        given: [verified, listed],
      })
      expectEvents(happened$).toBe('a', { a: done(0) })
      afterwards(() => {
        expect(ports.clipboard.write.calls).toEqual([
          [{ html, text: 'Alex, site <https://northwind.example/>' }],
        ])
      })
    })
  })

  test('[CHOOSE-7] a wish is not lost behind one that the browser does not answer for five seconds', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      ports.clipboard.write.answers(cold('-'), cold('(w|)', { w: undefined }))
      const refused = Signatures.copyFailed({ entryId: wish(0).data.entryId, failure: { kind: 'clipboard' } })
      expectEvents(
        react({ copy: copySignature }, hot('a 9ms b', { a: wish(0), b: wish(1) }), { given }),
      ).toBe('5000ms (ab)', { a: refused, b: done(1) })
    })
  })
})
