import { of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { forgetCachedDefaults, cacheDefault, restoreDefault } from '../../../effects/message/cachedDefault.ts'
import { App } from '../../../streams/pane/events.ts'
import { Auth, type SignOutReason } from '../../../streams/message/auth/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { LAUNCH_FACTS_KEY, parseLaunchFacts } from '../../../streams/launch/facts.ts'
import { MAX_CACHED_CHARACTERS, USABLE_COPY_MS } from '../../../streams/launch/cachedDefault.ts'
import { noSenders, type SenderSignature } from '../../../streams/message/senders/senders.ts'
import { SendersRead } from '../../../streams/message/senders/events.ts'
import { OWN_OWNER } from '../../../streams/message/signatures/entry.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { type Marbles, withMarbles } from '../../support/marbles.ts'
import {
  cachedSignature,
  hostUser,
  image,
  session,
  settingsLoaded,
  verification,
  withNotice,
} from '../../support/state.ts'

/** The key of the kept copy: the mailbox in lower case. */
const MAILBOX = 'alex.kim@northwind.example'
const signedIn = [Auth.sessionRecovered({ session: session() }), settingsLoaded()]
const signedOut = (reason: SignOutReason) => Auth.signedOut({ reason, userId: 'u-alex' })
/** A copy that was made at 5 ms: by then the user had not signed out yet. */
const signature = cachedSignature({ name: 'From storage' })
const copy = { email: MAILBOX, at: 5, signature, senders: noSenders }
const stored = { version: 1, value: copy }
const started = { s: App.started() }
const restored = { r: Defaults.restored({ signature, senders: noSenders }) }

const restoring = ({ hot, react, ports, expectEvents }: Marbles, kept: unknown = stored) => {
  ports.storage.kept.set(MAILBOX, kept).subscribe()
  return expectEvents(react({ restoreDefault }, hot('s', started)))
}

describe('the kept copy', () => {
  test('is restored before the service answers', () => {
    withMarbles((marbles) => {
      restoring(marbles).toBe('r', restored)
      marbles.afterwards(() => {
        expect(marbles.ports.sent.filter(({ name }) => name.startsWith('api.'))).toEqual([])
      })
    })
  })

  test.each<[string, unknown]>([
    ['of another mailbox', { ...stored, value: { ...copy, email: 'maria@northwind.example' } }],
    ['of another version', { ...stored, version: 2 }],
    ['of another shape', { ...stored, value: { ...copy, signature: { ...signature, images: 'junk' } } }],
    ['without senders', { ...stored, value: { ...copy, senders: { ...noSenders, others: [{}] } } }],
    ['that is 30 days old', { ...stored, value: { ...copy, at: -USABLE_COPY_MS } }],
    ['of a clock that was 30 days ahead', { ...stored, value: { ...copy, at: USABLE_COPY_MS } }],
    ['that is junk', 'junk'],
    ['that is null', null],
  ])('[AUTO-15] is ignored: one %s', (_, kept) => {
    withMarbles((marbles) => {
      restoring(marbles, kept).toBe('-')
    })
  })

  test('[AUTO-15] is ignored when it is from before the last sign-out, on whatever device', () => {
    for (const [signedOutAt, marbles] of [
      [4, 'r'],
      [5, '-'],
    ] as const)
      withMarbles((given) => {
        const host = {
          ...given.ports.host,
          roaming: { [LAUNCH_FACTS_KEY]: { ...parseLaunchFacts(null), signedOutAt } },
        }
        restoring({ ...given, ports: Object.assign(given.ports, { host }) }).toBe(marbles, restored)
      })
  })

  test('is not read while the mail client does not report the user of the mailbox', () => {
    withMarbles((marbles) => {
      marbles.ports.host.user.answers(of(null))
      restoring(marbles).toBe('-')
      marbles.afterwards(() => {
        expect(marbles.ports.storage.kept.get.calls).toEqual([])
      })
    })
  })

  test('is not restored after signing out', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      ports.storage.kept.get.answers(cold('10ms (s|)', { s: stored }))
      expectEvents(
        react({ restoreDefault }, hot('s-o', { ...started, o: signedOut({ kind: 'person' }) })),
      ).toBe('-')
    })
  })

  test('is made of the last answer, and found by the next pane', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.user.answers(of(hostUser()))
      const happening$ = hot('-----c 9ms s', { c: Defaults.loaded({ value: signature }), ...started })
      expectEvents(
        react({ keepDefault: cacheDefault, restoreDefault }, happening$, { given: signedIn }),
      ).toBe('15ms r', restored)
      afterwards(() => {
        expect(ports.storage.kept.content()).toEqual({ [MAILBOX]: stored })
      })
    })
  })

  test('is made of a sign-in that brought the default; one without it writes nothing', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const { set } = ports.storage.kept
      const happening$ = hot('-----v-w', {
        v: Auth.verified({ session: session(), signature }),
        w: Auth.verified(verification()),
      })
      expectEvents(react({ keepDefault: cacheDefault }, happening$), '^ 15ms !').toBe('-')
      afterwards(() => {
        expect(set.calls).toEqual([[MAILBOX, stored]])
      })
    })
  })

  test.each([
    ['new messages', 'slots'],
    ['replies', 'replySlots'],
  ] as const)('[BLOCK-5] gets a chosen signature with blocks for %s', (_, has) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.user.answers(of(hostUser()))
      ports.storage.kept.set(MAILBOX, stored).subscribe()
      const slots = withNotice('<p>Short</p>', '<p>Notice</p>')
      const short: SenderSignature = {
        name: 'Short',
        combinedIds: 'c-short',
        owner: OWN_OWNER,
        order: 1,
        audiences: [],
        images: [],
        ...(has === 'slots'
          ? { ...slots, reply: null }
          : { html: '<p>Short</p>', reply: slots.html, replySlots: slots.slots }),
      }
      const others = [short, { ...short, combinedIds: 'c-other' }]
      const chosen = Insertion.succeeded({
        id: 1,
        itemKey: 'item-1',
        target: { kind: 'entry', entryId: 'any' },
        inMessage: {
          name: 'Short',
          combinedIds: 'c-short',
          hash: '',
          reason: { origin: 'manual', composeType: 'reply', reply: true },
        },
        content: { html: '<p>Short</p>', images: [] },
      })
      const given = [...signedIn, SendersRead.loaded({ senders: { ...noSenders, others } })]
      expectEvents(react({ keepDefault: cacheDefault }, hot('c', { c: chosen }), { given }), '^ 9ms !').toBe(
        '-',
      )
      afterwards(() => {
        const kept = { ...copy, senders: { ...noSenders, others: [short] } }
        expect(ports.storage.kept.content()).toEqual({ [MAILBOX]: { version: 1, value: kept } })
      })
    })
  })

  test('is not made without a session', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      expectEvents(
        react({ keepDefault: cacheDefault }, hot('c', { c: Defaults.loaded({ value: signature }) })),
        '^-!',
      ).toBe('-')
      afterwards(() => {
        expect(ports.storage.kept.set.calls).toEqual([])
      })
    })
  })

  test('that is too large is not kept, and replaces the former one all the same', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.storage.kept.set(MAILBOX, stored).subscribe()
      const large = cachedSignature({
        images: [
          image('https://images.northwind.example/a.png', { content: 'A'.repeat(MAX_CACHED_CHARACTERS) }),
        ],
      })
      const happening$ = hot('c', { c: Defaults.loaded({ value: large }) })
      expectEvents(react({ keepDefault: cacheDefault }, happening$, { given: signedIn }), '^ 9ms !').toBe('-')
      afterwards(() => {
        expect(ports.storage.kept.content()).toEqual({})
      })
    })
  })

  /** The refusal of an account that is named unlike the mailbox. */
  const refusing = (status: number, code: string) => ({
    ...({ kind: 'http', status, code, data: null } as const),
    refused: { account: 'maria@northwind.example', mailbox: MAILBOX },
  })
  test.each<[boolean, SignOutReason]>([
    [true, { kind: 'person' }],
    [true, { kind: 'elsewhere' }],
    [true, { kind: 'signInFailed', failure: { kind: 'http', status: 401, code: null, data: null } }],
    [
      true,
      { kind: 'signInFailed', failure: { kind: 'http', status: 403, code: 'unknown_user', data: null } },
    ],
    [true, { kind: 'signInFailed', failure: { kind: 'http', status: 404, code: 'not_found', data: null } }],
    [true, { kind: 'signInFailed', failure: refusing(403, 'unknown_user') }],
    [false, { kind: 'signInFailed', failure: refusing(401, 'invalid_token') }],
    [false, { kind: 'signInFailed', failure: { kind: 'http', status: 400, code: null, data: null } }],
    [false, { kind: 'signInFailed', failure: { kind: 'http', status: 429, code: null, data: null } }],
    [false, { kind: 'signInFailed', failure: { kind: 'auth', code: 'host_13001' } }],
    [false, { kind: 'signInFailed', failure: { kind: 'network' } }],
    [false, { kind: 'signInFailed', failure: { kind: 'http', status: 500, code: null, data: null } }],
    [false, { kind: 'expired' }],
    [false, { kind: 'rejected', failure: { kind: 'http', status: 401, code: null, data: null } }],
    [false, { kind: 'rejected', failure: { kind: 'http', status: 404, code: null, data: null } }],
    [false, { kind: 'rejected', failure: { kind: 'http', status: 500, code: null, data: null } }],
  ])('[AUTO-7] is forgotten (%s) by a sign-out with %o', (isForgotten, reason) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.storage.kept.set(MAILBOX, stored).subscribe()
      expectEvents(react({ forgetCachedDefaults }, hot('o', { o: signedOut(reason) })), '^ 9ms !').toBe('-')
      afterwards(() => {
        expect(ports.storage.kept.content()).toEqual(isForgotten ? {} : { [MAILBOX]: stored })
      })
    })
  })
})
