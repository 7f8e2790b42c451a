import { of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { readSenders } from '../../../effects/message/readSenders.ts'
import { loadSenders } from '../../../effects/pane/senders.ts'
import { App, type AppEvent } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Picture } from '../../../streams/pane/picture/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { SendersRead } from '../../../streams/message/senders/events.ts'
import type { Senders } from '../../../streams/message/senders/senders.ts'
import { MAX_ARRANGED_PAGES } from '../../../streams/pane/signatures/arrangement.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import type { ListedSignature, SignaturePage } from '../../../streams/wire/signatures.ts'
import { withMarbles } from '../../support/marbles.ts'
import { failing } from '../../support/ports.ts'
import {
  cachedSignature,
  compose,
  DAY_MS,
  image,
  listedSignature,
  profile,
  replyVersion,
  session,
  settingsLoaded,
  signedInWriting,
  withNotice,
} from '../../support/state.ts'

const SALES = 'sales@northwind.example'
const listOf = (count: number, email: string | null): readonly ListedSignature[] =>
  Array.from({ length: count }, (_, index) =>
    listedSignature({
      email,
      name: `${email ?? 'own'} ${index}`,
      combinedIds: `${email ?? 'own'}-${index}`,
      html: `<p>${index}</p>`,
    }),
  )
/** A page of `size` objects. */
const serving =
  (all: readonly ListedSignature[], size = 50) =>
  ({ page }: Readonly<{ page: number }>) =>
    of<SignaturePage>({ page, total: all.length, objects: all.slice((page - 1) * size, page * size) })

describe('reading what sender and recipients decide', () => {
  const query = { delegations: ['u-sales'], defaults: ['own-0'], bySender: {}, at: 7 }

  test('asks for 50 objects with images, and for all pages of a service that gives five', () => {
    withMarbles(({ ports, expectObservable, afterwards }) => {
      const own = listOf(12, null).map((each, index) =>
        index === 0 ? { ...each, audiences: ['in.example'] } : each,
      )
      ports.api.signatures.answers(serving(own, 5))
      ports.api.delegatedSignatures.answers(serving(listOf(7, SALES)))
      let found: Senders | null = null
      readSenders(ports.api, query).subscribe((senders) => (found = senders))
      expectObservable(of(null)).toBe('(n|)', { n: null })
      afterwards(() => {
        const asked = { withImages: true, perPage: 50 }
        expect(ports.api.signatures.calls).toEqual([1, 2, 3].map((page) => [{ ...asked, page }]))
        expect(ports.api.delegatedSignatures.calls).toEqual([[{ ...asked, page: 1, userIds: ['u-sales'] }]])
        expect(found).toMatchObject({ at: 7, audiences: { 'own-0': ['in.example'] } })
        expect(found?.others).toHaveLength(19)
      })
    })
  })

  test('asks no more than 20 times, not for delegations where there are none, and not after an empty page', () => {
    withMarbles(({ ports, afterwards }) => {
      ports.api.signatures.answers(serving(listOf(300, null), 5))
      ports.api.delegatedSignatures.answers(serving(listOf(300, SALES), 5))
      readSenders(ports.api, query).subscribe()
      afterwards(() => {
        const { signatures, delegatedSignatures } = ports.api
        expect(signatures.calls.length + delegatedSignatures.calls.length).toBe(20)
      })
    })
    withMarbles(({ ports, afterwards }) => {
      ports.api.signatures.answers(({ page }) => of({ page, total: 9, objects: [] }))
      readSenders(ports.api, { ...query, delegations: [] }).subscribe()
      afterwards(() => {
        expect(ports.api.signatures.calls).toHaveLength(1)
        expect(ports.api.delegatedSignatures.calls).toEqual([])
      })
    })
  })
})

describe('loading it in the pane', () => {
  const standard = cachedSignature({ combinedIds: 'own-0', reply: replyVersion('<p>Re</p>', null) })
  const ids = { combinedIds: 'own-0', name: 'Standard' }
  const hash = contentHash(standard.html)
  const pageLoaded = (objects: readonly ListedSignature[], total = objects.length) =>
    Signatures.pageLoaded({ list: 'own', epoch: 0, page: { page: 1, total, objects } })
  const theirs = (objects: readonly ListedSignature[], total = objects.length) =>
    Signatures.pageLoaded({ list: 'delegated', epoch: 0, page: { page: 1, total, objects } })
  const own = listOf(1, null)
  const inMessage = {
    ...ids,
    hash,
    reason: { origin: 'default', composeType: 'newMail', reply: false },
  } as const
  /** The default is in the message. */
  const inserted: readonly AppEvent[] = [
    Insertion.defaultDue({ itemKey: 'item-1', hash }),
    Insertion.succeeded({
      id: -1,
      itemKey: 'item-1',
      target: { kind: 'default' },
      inMessage,
      content: { html: standard.html, images: [] },
    }),
  ]
  const delegating = Profile.loaded({ value: profile({ delegations: ['u-sales'] }) })
  const read: readonly AppEvent[] = [
    ...signedInWriting('item-1', { inserted: { ...ids, hash, reply: false, origin: 'default' } }),
    Defaults.loaded({ value: standard }),
  ]
  const settled = Insertion.settled({ id: 0 })
  const loaded = (at: number, over: Partial<Senders> = {}) =>
    SendersRead.loaded({ senders: { at, audiences: { 'own-0': [] }, bySender: {}, others: [], ...over } })
  const requests = (ports: Readonly<{ sent: readonly Readonly<{ name: string }>[] }>) =>
    ports.sent.map(({ name }) => name)

  test('makes no request where the loaded lists say everything', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const given = [...read, Profile.loaded({ value: profile() }), pageLoaded(own)]
      expectEvents(react({ loadSenders }, hot('s', { s: settled }), { given })).toBe('s', { s: loaded(0) })
      afterwards(() => {
        expect(ports.sent).toEqual([])
      })
    })
    // The default is another user's, and its list is whole.
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const given = [...read, Profile.loaded({ value: profile() }), pageLoaded([listedSignature()])]
      expectEvents(react({ loadSenders }, hot('s', { s: settled }), { given })).toBe('s', { s: loaded(0) })
      afterwards(() => {
        expect(ports.sent).toEqual([])
      })
    })
  })

  const all = ['api.signatures', 'api.delegatedSignatures']
  test.each<[string, readonly AppEvent[], readonly string[]]>([
    ['pages of the shared list are missing', [delegating, pageLoaded(own), theirs(listOf(5, SALES), 7)], all],
    [
      'images of a shared signature are missing',
      [
        delegating,
        pageLoaded(own),
        theirs([listedSignature({ email: SALES, html: '<img src="https://a.example/x.png">' })]),
      ],
      all,
    ],
    [
      'images of its reply version are missing',
      [
        delegating,
        pageLoaded(own),
        theirs([
          listedSignature({
            email: SALES,
            variants: [{ code: 'reply', html: '<td background="https://a.example/x.png">' }],
          }),
        ]),
      ],
      all,
    ],
    [
      'pages of the own list are missing, which may be for another own address',
      [Profile.loaded({ value: profile() }), pageLoaded(own, 30)],
      ['api.signatures'],
    ],
    [
      'the default is not for everyone, and pages of the own list are missing',
      [
        Profile.loaded({ value: profile() }),
        pageLoaded([{ ...listedSignature(ids), audiences: ['a.example'] }], 7),
      ],
      ['api.signatures'],
    ],
    [
      'the default is on none of the pages that are loaded to find it',
      [
        Profile.loaded({ value: profile() }),
        ...Array.from({ length: MAX_ARRANGED_PAGES }, (_, index) =>
          Signatures.pageLoaded({
            list: 'own',
            epoch: 0,
            page: { page: index + 1, total: 60, objects: [listedSignature({ combinedIds: `c-${index}` })] },
          }),
        ),
      ],
      ['api.signatures'],
    ],
    [
      'the user chose a signature for a sender that is on none of the loaded pages',
      [
        Profile.loaded({
          value: profile({
            metadata: {
              defaultSignature: { master: 'own-0', reply: null, bySender: { [SALES]: 'own-9' } },
              others: {},
            },
          }),
        }),
        pageLoaded(own, 12),
      ],
      ['api.signatures'],
    ],
    [
      'the default of replies is not for everyone, and pages of the own list are missing',
      [
        Profile.loaded({ value: profile() }),
        Defaults.loaded({
          value: { ...standard, reply: replyVersion('<p>Re</p>', { name: 'Re', combinedIds: 'own-1' }) },
        }),
        pageLoaded([...own, { ...listedSignature({ combinedIds: 'own-1' }), audiences: ['a.example'] }], 12),
      ],
      ['api.signatures'],
    ],
    [
      'one of their own signatures has slots, and pages of the own list are missing',
      [
        Profile.loaded({ value: profile() }),
        pageLoaded([...own, { ...listedSignature(), ...withNotice('<p>Other</p>', 'Notice') }], 12),
      ],
      ['api.signatures'],
    ],
  ])('makes requests where %s', (_, events, expected) => {
    withMarbles(({ hot, react, ports, afterwards, expectObservable }) => {
      ports.api.signatures.answers(serving(listOf(1, null)))
      ports.api.delegatedSignatures.answers(serving(listOf(1, SALES)))
      expectObservable(
        react({ loadSenders }, hot('s', { s: settled }), { given: [...read, ...events] }),
        '^ 9ms !',
      )
      afterwards(() => {
        expect(requests(ports)).toEqual(expected)
      })
    })
  })

  test('makes none where the images are there', () => {
    withMarbles(({ hot, react, ports, afterwards, expectObservable }) => {
      const html = '<img src="https://a.example/x.png">'
      const whole = listedSignature({ email: SALES, html, images: [image('https://a.example/x.png')] })
      const given = [...read, delegating, pageLoaded(own), theirs([whole])]
      expectObservable(react({ loadSenders }, hot('s', { s: settled }), { given }), '^ 9ms !')
      afterwards(() => {
        expect(ports.sent).toEqual([])
      })
    })
  })

  const lists = [pageLoaded(own), theirs(listOf(5, SALES), 7)]
  const chosen = { master: 'own-0', reply: null }
  const waiting: readonly [string, readonly AppEvent[]][] = [
    ['the profile', [...read, ...lists]],
    ['the default', [...signedInWriting('item-1', { stopPush: true }), delegating, ...lists]],
    [
      'the new default',
      [...read, delegating, ...lists, Defaults.changed({ id: 0, defaults: chosen }), delegating],
    ],
    [
      'the new choice',
      [
        ...[...read, delegating, ...lists, Defaults.changed({ id: 0, defaults: chosen })],
        Defaults.loaded({ value: standard }),
      ],
    ],
    ['the own list', [...read, delegating, theirs(listOf(5, SALES), 7)]],
    ['the shared list', [...read, delegating, pageLoaded(own)]],
    ['the settings', [...read, delegating, ...lists, Auth.sessionRecovered({ session: session() })]],
    [
      'the item',
      [
        Auth.sessionRecovered({ session: session() }),
        settingsLoaded(),
        Defaults.loaded({ value: standard }),
        delegating,
        ...lists,
      ],
    ],
    ['the message', [...read, delegating, ...lists, Mailbox.itemChanged({ item: compose('item-2') })]],
    [
      'the first signature, which is due',
      [...signedInWriting('item-1'), Defaults.loaded({ value: standard }), delegating, ...lists],
    ],
    [
      'the first signature, which is being inserted',
      [
        ...signedInWriting('item-1'),
        Defaults.loaded({ value: standard }),
        delegating,
        ...lists,
        ...inserted.slice(0, 1),
      ],
    ],
    [
      'the refresh of the lists',
      [...read, delegating, ...lists, Signatures.refreshRequested(), Defaults.loaded({ value: standard })],
    ],
    [
      'a session',
      [...read, delegating, ...lists, Auth.signedOut({ reason: { kind: 'person' }, userId: null })],
    ],
  ]
  test.each(waiting)('waits for %s', (_, given) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      expectEvents(react({ loadSenders }, hot('s', { s: settled }), { given }), '^ 9ms !').toBe('-')
      afterwards(() => {
        expect(ports.sent).toEqual([])
      })
    })
  })

  test('asks once, a day later again, and not after a failure until the service is back, or the user retries', () => {
    const given = [...read, delegating, ...lists]
    const found = listOf(1, SALES)
    withMarbles(({ hot, react, ports, afterwards, expectObservable }) => {
      ports.api.signatures.answers(serving(own))
      ports.api.delegatedSignatures.answers(serving(found))
      const happening$ = hot(`s-s ${DAY_MS - 4}ms s-s`, { s: settled })
      expectObservable(react({ loadSenders }, happening$, { given }), `^ ${DAY_MS + 9}ms !`)
      afterwards(() => {
        expect(ports.api.signatures.calls).toHaveLength(2)
        expect(ports.sent.at(-1)?.at).toBe(DAY_MS + 1)
      })
    })
    for (const again of [App.serviceReachable(), App.retryRequested()])
      withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
        const failure = { kind: 'network' } as const
        ports.api.signatures.answers(failing(failure), serving(own))
        ports.api.delegatedSignatures.answers(serving(found))
        const events = { s: settled, r: again }
        expectEvents(react({ loadSenders }, hot('s-s-r-s', events), { given })).toBe('f---l', {
          f: SendersRead.loadFailed({ failure }),
          l: loaded(4, {
            others: [
              {
                name: `${SALES} 0`,
                combinedIds: `${SALES}-0`,
                owner: SALES,
                order: 0,
                audiences: [],
                html: '<p>0</p>',
                reply: null,
                images: [],
              },
            ],
          }),
        })
        afterwards(() => {
          expect(ports.api.signatures.calls).toHaveLength(2)
        })
      })
  })

  test('asks again after a refresh, for another default, and for another choice', () => {
    const page = { page: 1, total: 1, objects: own }
    const other = { ...standard, combinedIds: 'own-1' }
    const choosing = profile({
      delegations: ['u-sales'],
      metadata: {
        defaultSignature: { master: 'own-0', reply: null, bySender: { [SALES]: 'own-0' } },
        others: {},
      },
    })
    const again: readonly AppEvent[] = [
      Signatures.refreshed({
        epoch: 0,
        own: page,
        delegated: { page: 1, total: 9, objects: listOf(5, SALES) },
      }),
      Defaults.loaded({ value: { ...other, html: standard.html } }),
      Profile.loaded({ value: choosing }),
    ]
    for (const event of again)
      withMarbles(({ hot, react, ports, afterwards, expectObservable }) => {
        ports.api.signatures.answers(serving(own))
        ports.api.delegatedSignatures.answers(serving(listOf(1, SALES)))
        const given = [...read, delegating, ...lists]
        const events = { s: settled, e: event }
        expectObservable(react({ loadSenders }, hot('s-s-e-s', events), { given }), '^ 99ms !')
        afterwards(() => {
          expect(ports.api.signatures.calls).toHaveLength(2)
          expect(ports.sent.at(-1)?.at).toBe(4)
        })
      })
  })

  test('asks again when the service has rendered the signatures after a change', () => {
    withMarbles(({ hot, react, ports, afterwards, expectObservable }) => {
      ports.api.signatures.answers(serving(own))
      ports.api.delegatedSignatures.answers(serving(listOf(1, SALES)))
      const again = (list: 'own' | 'delegated', objects: readonly ListedSignature[]) =>
        Signatures.pageLoaded({ list, epoch: 1, page: { page: 1, total: 7, objects } })
      const events = {
        s: settled,
        d: Picture.deleted(),
        r: Signatures.reloadDue(),
        o: again('own', own),
        t: again('delegated', listOf(5, SALES)),
        l: Defaults.loaded({ value: standard }),
      }
      const given = [...read, delegating, ...lists]
      expectObservable(react({ loadSenders }, hot('s-d-r-o-t-l-s', events), { given }), '^ 99ms !')
      afterwards(() => {
        expect(ports.api.signatures.calls).toHaveLength(2)
        expect(ports.sent.at(-1)?.at).toBe(10)
      })
    })
  })

  test('is ended by signing out', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.signatures.answers(cold('9ms (p|)', { p: { page: 1, total: 1, objects: own } }))
      const events = { s: settled, o: Auth.signedOut({ reason: { kind: 'person' }, userId: null }) }
      const given = [...read, delegating, ...lists]
      expectEvents(react({ loadSenders }, hot('s-o', events), { given })).toBe('-')
      afterwards(() => {
        expect(ports.api.signatures.cancelled()).toBe(1)
      })
    })
  })
})
