import { of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { LAST_PERSON } from '../../effects/auth.ts'
import { followDisplayLanguage, loadLanguage } from '../../effects/locale.ts'
import { loadProfile, loadProfileOnSignIn } from '../../effects/profile.ts'
import {
  SNAPSHOT,
  changeDefault,
  keepSnapshot,
  loadCache,
  loadOnSignIn,
  loadPages,
  pushDefault,
  reload,
  restoreSnapshot,
  turnPages,
} from '../../effects/signatures.ts'
import { App, type AppEvent } from '../../streams/app/events.ts'
import { Auth } from '../../streams/auth/events.ts'
import { Locale } from '../../streams/locale/events.ts'
import { Mailbox } from '../../streams/mailbox/events.ts'
import { ProfileEvents } from '../../streams/profile/events.ts'
import { type ListName, Signatures } from '../../streams/signatures/events.ts'
import { contentHash } from '../../streams/html/hash.ts'
import { type Marbles, withMarbles } from '../support/marbles.ts'
import { failing } from '../support/ports.ts'
import {
  cachedSignature,
  compose,
  hostUser,
  masterUuid,
  message,
  profile,
  session,
  signaturePage,
  signedInWriting,
} from '../support/state.ts'

const signedIn = [Auth.sessionRecovered({ session: session() })]
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
      expectEvents(happened$).toBe('f', { f: asked('fr') })
    })
  })

  test('is in use once its texts are there; a slow one is overtaken by the next', () => {
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
      const happening$ = hot('d-e-d', { d: asked('de'), e: asked('en') })
      expectEvents(react({ loadLanguage }, happening$)).toBe('d-e-d', { d: changed('de'), e: changed('en') })
      afterwards(() => {
        expect(ports.locales.load.calls).toEqual([['de']])
      })
    })
  })

  test('[I18N-2] that fails to load leaves English in use, and can be asked for again', () => {
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
  test('is loaded for whoever signs in', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const happened$ = react(
        { loadProfileOnSignIn, loadProfile },
        hot('v', { v: Auth.verified({ session: session() }) }),
      )
      expectEvents(happened$).toBe('(rl)', {
        r: ProfileEvents.loadRequested(),
        l: ProfileEvents.loaded({ profile: profile() }),
      })
    })
  })

  test('a new load leaves the old one; signing out leaves both; the next one works', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.user.answers(cold('10ms (p|)', { p: profile() }))
      const events = {
        r: ProfileEvents.reloadRequested(),
        o: signedOut,
        v: Auth.verified({ session: session() }),
      }
      const happened$ = react({ loadProfile }, hot('r 4ms r 4ms o 20ms (vr)', events), { given: signedIn })
      expectEvents(happened$).toBe('41ms l', { l: ProfileEvents.loaded({ profile: profile() }) })
      afterwards(() => {
        expect(ports.api.user.cancelled()).toBe(2)
      })
    })
  })

  test('a failure is told', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.api.user.answers(failing(failure))
      const happened$ = react({ loadProfile }, hot('r', { r: ProfileEvents.loadRequested() }), {
        given: signedIn,
      })
      expectEvents(happened$).toBe('f', { f: ProfileEvents.loadFailed({ failure }) })
    })
  })
})

describe('the signatures', () => {
  const asked = (page: number) => Signatures.pageRequested({ list: 'own', epoch: 0, page })
  const wanted = (list: ListName) => Signatures.nextPageWanted({ list })

  test('[SIG-3] whoever signs in gets the default and the first page, asked for at the same time', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      const [page, signature] = [signaturePage(1), cachedSignature()]
      ports.api.signatures.answers(cold('30ms (p|)', { p: page }))
      ports.api.signature.answers(cold('50ms (s|)', { s: signature }))
      const happened$ = react(
        { loadOnSignIn, loadCache, turnPages, loadPages },
        hot('v', { v: Auth.verified({ session: session() }) }),
      )
      expectEvents(happened$).toBe('(cna) 25ms p 19ms s', {
        c: Signatures.cacheRequested(),
        n: wanted('own'),
        a: asked(1),
        p: Signatures.pageLoaded({ list: 'own', epoch: 0, page }),
        s: Signatures.cacheLoaded({ signature }),
      })
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

  test('[SIG-3] the next page is asked for on demand, once, and none after the last', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.signatures.answers(({ page }) => cold('10ms (p|)', { p: signaturePage(page, 5, 10) }))
      // The second demand comes while a page is on its way, the last when all are there.
      const happening$ = hot('w 4ms w 14ms w 14ms w', { w: wanted('own') })
      expectEvents(react({ turnPages, loadPages }, happening$, { given: signedIn }), '^ 60ms !').toBe(
        'a 9ms p 9ms b 9ms q',
        {
          a: asked(1),
          p: Signatures.pageLoaded({ list: 'own', epoch: 0, page: signaturePage(1, 5, 10) }),
          b: asked(2),
          q: Signatures.pageLoaded({ list: 'own', epoch: 0, page: signaturePage(2, 5, 10) }),
        },
      )
      afterwards(() => {
        expect(ports.api.signatures.calls.map(([{ page }]) => page)).toEqual([1, 2])
      })
    })
  })

  test('[SIG-3] a forced reload starts anew: the answer from before it is none', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.signatures.answers(
        cold('2500ms (p|)', { p: signaturePage(1, 1, 1) }),
        cold('10ms (p|)', { p: signaturePage(1) }),
      )
      ports.api.signature.answers(cold('30ms (s|)', { s: cachedSignature() }))
      const happening$ = hot('w 9ms r', {
        w: wanted('own'),
        r: Signatures.reloadRequested({ lists: ['own'] }),
      })
      const effects = { turnPages, loadPages, loadCache, reload }
      expectEvents(react(effects, happening$, { given: signedIn })).toBe('a 2009ms (cnbd) 4ms p 19ms s', {
        a: asked(1),
        c: Signatures.cacheRequested(),
        n: wanted('own'),
        d: wanted('delegated'),
        b: Signatures.pageRequested({ list: 'own', epoch: 1, page: 1 }),
        p: Signatures.pageLoaded({ list: 'own', epoch: 1, page: signaturePage(1) }),
        s: Signatures.cacheLoaded({ signature: cachedSignature() }),
      })
      afterwards(() => {
        expect(ports.api.signatures.cancelled()).toBe(1)
      })
    })
  })

  test('a failure is told, and the page can be asked for again', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.api.signatures.answers(failing(failure), of(signaturePage(1)))
      ports.api.signature.answers(failing(failure), of(cachedSignature()))
      const happening$ = hot('ac-ac', { a: asked(1), c: Signatures.cacheRequested() })
      expectEvents(react({ loadPages, loadCache }, happening$, { given: signedIn })).toBe('fg-pc', {
        f: Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure }),
        g: Signatures.cacheFailed({ failure }),
        p: Signatures.pageLoaded({ list: 'own', epoch: 0, page: signaturePage(1) }),
        c: Signatures.cacheLoaded({ signature: cachedSignature() }),
      })
    })
  })

  test('nobody who is not signed in loads any, and signing out leaves what is on its way', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.signatures.answers(cold('10ms (p|)', { p: signaturePage(1) }))
      ports.api.signature.answers(cold('10ms (s|)', { s: cachedSignature() }))
      const happening$ = hot('(wc) o (wc)', {
        w: wanted('own'),
        c: Signatures.cacheRequested(),
        o: signedOut,
      })
      const effects = { turnPages, loadPages, loadCache }
      expectEvents(react(effects, happening$, { given: signedIn }), '^ 50ms !').toBe('a', { a: asked(1) })
      afterwards(() => {
        expect([ports.api.signatures.calls.length, ports.api.signature.calls.length]).toEqual([1, 1])
        expect([ports.api.signatures.cancelled(), ports.api.signature.cancelled()]).toEqual([1, 1])
      })
    })
  })
})

describe('the default that an earlier pane left', () => {
  const signature = cachedSignature({ name: 'From storage' })
  const snapshot = { version: 1, owner: 'u-alex', signature }
  const started = { s: App.started() }
  const restoring = (
    { hot, react, ports, expectEvents }: Marbles,
    last: unknown = { email: 'alex.kim@northwind.example', userId: 'u-alex' },
    kept: unknown = snapshot,
  ) => {
    ports.storage.local.set(LAST_PERSON, last).subscribe()
    ports.storage.privateCache('u-alex').set(SNAPSHOT, kept).subscribe()
    return expectEvents(react({ restoreSnapshot }, hot('s', started)))
  }

  test('is known before any answer of the service', () => {
    withMarbles((marbles) => {
      restoring(marbles).toBe('s', { s: Signatures.snapshotRestored({ signature }) })
      marbles.afterwards(() => {
        expect(marbles.ports.sent.filter(({ name }) => name.startsWith('api.'))).toEqual([])
      })
    })
  })

  test.each<[string, unknown, unknown?]>([
    ['of another owner', undefined, { ...snapshot, owner: 'u-maria' }],
    ['of another version', undefined, { ...snapshot, version: 2 }],
    ['that is no snapshot', undefined, 'junk'],
    ['that is none', undefined, null],
    ["of another mailbox's person", { email: 'maria@northwind.example', userId: 'u-alex' }],
    ['of nobody', null],
    ['of somebody without an id', { email: 'alex.kim@northwind.example', userId: '' }],
  ])('is ignored: one %s', (_, last, kept = snapshot) => {
    withMarbles((marbles) => {
      restoring(marbles, last, kept).toBe('-')
    })
  })

  test('is not read while the mail client cannot tell whose mailbox it is', () => {
    withMarbles((marbles) => {
      marbles.ports.host.user.answers(of(null))
      restoring(marbles).toBe('-')
      marbles.afterwards(() => {
        expect(marbles.ports.storage.privateCache('u-alex').get.calls).toEqual([])
      })
    })
  })

  test('is not restored after signing out', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      ports.storage.local
        .set(LAST_PERSON, { email: 'alex.kim@northwind.example', userId: 'u-alex' })
        .subscribe()
      ports.storage.privateCache('u-alex').get.answers(cold('10ms (s|)', { s: snapshot }))
      expectEvents(react({ restoreSnapshot }, hot('s-o', { ...started, o: signedOut }))).toBe('-')
    })
  })

  test('is what the last answer was, kept for its owner and found by the next pane', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.user.answers(of(hostUser()))
      ports.storage.local
        .set(LAST_PERSON, { email: 'alex.kim@northwind.example', userId: 'u-alex' })
        .subscribe()
      const happening$ = hot('c 9ms s', { c: Signatures.cacheLoaded({ signature }), ...started })
      expectEvents(react({ keepSnapshot, restoreSnapshot }, happening$, { given: signedIn })).toBe('10ms r', {
        r: Signatures.snapshotRestored({ signature }),
      })
      afterwards(() => {
        expect(ports.storage.privateCache('u-alex').content()).toEqual({ [SNAPSHOT]: snapshot })
      })
    })
  })

  test('an answer that comes when nobody is signed in is kept for nobody', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      expectEvents(
        react({ keepSnapshot }, hot('c', { c: Signatures.cacheLoaded({ signature }) })),
        '^-!',
      ).toBe('-')
      afterwards(() => {
        expect(ports.sent).toEqual([])
      })
    })
  })
})

describe('changing the default', () => {
  test('signing out ends it, with what waits for its turn: nothing goes out for the next person', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents, afterwards }) => {
      ports.api.saveVariables.answers(cold('5ms (a|)', { a: { values: {}, changedFields: [] } }))
      const given = [...signedIn, ProfileEvents.loaded({ profile: profile() })]
      const happening$ = hot('m r 1ms o 1ms s', {
        m: Signatures.defaultChangeRequested({ combinedIds: '12-0', use: 'master' }),
        r: Signatures.defaultChangeRequested({ combinedIds: '13-0', use: 'reply' }),
        o: signedOut,
        s: Auth.verified({ session: session() }),
      })
      expectEvents(react({ changeDefault }, happening$, { given }), '^ 50ms !').toBe('')
      afterwards(() => {
        expect(ports.api.saveVariables.cancelled()).toBe(1)
        expect(ports.sent.map(({ name }) => name)).toEqual(['api.saveVariables'])
      })
    })
  })
})

describe('pushing the default', () => {
  const signature = cachedSignature()
  const hash = contentHash(signature.html)
  const loaded = Signatures.cacheLoaded({ signature })
  const due = { d: Signatures.defaultDue({ itemKey: 'item-1', hash }) }
  const target = { kind: 'default' } as const
  const content = { html: signature.html, images: [] }
  const push = (
    { hot, react, expectEvents }: Marbles,
    marble: string,
    events: Record<string, AppEvent>,
    given: readonly AppEvent[],
  ) => expectEvents(react({ pushDefault }, hot(marble, events), { given }), '^ 100ms !')

  test('[SIG-8] as soon as message and default are both known, in either order, once', () => {
    withMarbles((marbles) => {
      push(marbles, 'c-c', { c: loaded }, signedInWriting('item-1')).toBe('d', due)
    })
    withMarbles((marbles) => {
      const read = { m: Mailbox.messageRead({ itemKey: 'item-1', message: message() }) }
      const open = Mailbox.itemChanged({ item: compose('item-1') })
      push(marbles, 'm-m', read, [...signedIn, loaded, open]).toBe('d', due)
    })
    withMarbles((marbles) => {
      const restored = { r: Signatures.snapshotRestored({ signature }), c: loaded }
      push(marbles, 'r-c', restored, signedInWriting('item-1')).toBe('d', due)
    })
  })

  test('[SIG-8] a reply gets the reply version', () => {
    withMarbles((marbles) => {
      push(marbles, 'c', { c: loaded }, signedInWriting('item-1', { composeType: 'reply' })).toBe('d', {
        d: Signatures.defaultDue({ itemKey: 'item-1', hash: contentHash(signature.reply ?? '') }),
      })
    })
  })

  test('[SIG-8] not where the message carries the stop-push flag', () => {
    withMarbles((marbles) => {
      push(marbles, 'c', { c: loaded }, signedInWriting('item-1', { stopPush: true })).toBe('-')
    })
  })

  test('not into a message that is only read, nor where none is open', () => {
    for (const item of [{ key: 'item-1', mode: 'read' } as const, null])
      withMarbles((marbles) => {
        push(marbles, 'c', { c: loaded }, [...signedIn, Mailbox.itemChanged({ item })]).toBe('-')
      })
  })

  test('not after it failed; a newer default is tried', () => {
    withMarbles((marbles) => {
      const newer = cachedSignature({ html: '<p>Newer</p>' })
      const failed = Signatures.insertionFailed({ id: 1, itemKey: 'item-1', target, failure })
      const events = { c: loaded, f: failed, n: Signatures.cacheLoaded({ signature: newer }) }
      // The due default is the event with the number 1.
      push(marbles, 'c-f-c-n', events, signedInWriting('item-1')).toBe('d-----n', {
        ...due,
        n: Signatures.defaultDue({ itemKey: 'item-1', hash: contentHash(newer.html) }),
      })
    })
  })

  test('a newer default waits until the one before is in, and then replaces it', () => {
    withMarbles((marbles) => {
      const newer = cachedSignature({ html: '<p>Newer</p>' })
      const reason = { origin: 'default', composeType: 'newMail', reply: false } as const
      const inMessage = { combinedIds: signature.combinedIds, hash, name: signature.name, reason }
      const events = {
        c: loaded,
        n: Signatures.cacheLoaded({ signature: newer }),
        s: Signatures.insertionSucceeded({ id: 1, itemKey: 'item-1', target, inMessage, content }),
      }
      push(marbles, 'c-n-s', events, signedInWriting('item-1')).toBe('d---n', {
        ...due,
        n: Signatures.defaultDue({ itemKey: 'item-1', hash: contentHash(newer.html) }),
      })
    })
  })

  test('not over a choice of the person', () => {
    withMarbles((marbles) => {
      const uuid = masterUuid(1, 0)
      const reason = { origin: 'manual', composeType: 'newMail', reply: false } as const
      const inMessage = { combinedIds: 'c-1-0', hash: 'h', name: 'Signature 1.1', reason }
      const events = {
        p: Signatures.chosen({ uuid, itemKey: 'item-1' }),
        c: loaded,
        s: Signatures.insertionSucceeded({
          id: 0,
          itemKey: 'item-1',
          target: { kind: 'entry', uuid },
          inMessage,
          content,
        }),
      }
      push(marbles, 'p-c-s-c', events, signedInWriting('item-1')).toBe('-')
    })
  })
})
