import { Insertion } from '../../../streams/message/insertion/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { ignoreElements, of, tap } from 'rxjs'
import { describe, expect, test } from 'vitest'
import {
  INSERTED_SIGNATURE_KEY,
  STOP_PUSH_KEY,
  followItem,
  followMessage,
  followRecipients,
  followTheme,
  readMessage,
  readUser,
  toPropertyRecord,
} from '../../../effects/message/mailbox.ts'
import {
  dismissNoticeWhenInserted,
  showNotices,
  reportMissingDefault,
} from '../../../effects/pane/notifications.ts'
import {
  followAddress,
  logOutAtLogoutRoute,
  changeAddress,
  redirectToAllowedRoute,
} from '../../../effects/pane/router.ts'
import { logOut } from '../../../effects/pane/auth.ts'
import { App } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Notifications } from '../../../streams/pane/notifications/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { withMarbles } from '../../support/marbles.ts'
import { mailboxPorts } from '../../support/ports.ts'
import {
  cachedSignature,
  compose,
  hostUser,
  message,
  profile,
  settingsLoaded,
  verification,
} from '../../support/state.ts'

const person = { kind: 'person' } as const
const open = (key: string) => Mailbox.itemChanged({ item: compose(key) })

test('[CLIENT-1] a record that is too long is kept without the names of the pictures, or not at all', () => {
  const trace = (names: number) => ({
    mark: 'm',
    words: [24, 1, 2] as const,
    copies: [1, 0] as const,
    seen: 'mark' as const,
    pictures: Array.from({ length: names }, () => 'n'.repeat(170)),
  })
  const stored = { combinedIds: 'c-1', hash: 'h', reply: false, manual: true, trace: trace(7) }
  expect(toPropertyRecord(stored, 'reply')).toEqual({ ...stored, composeType: 'reply' })
  expect(toPropertyRecord({ ...stored, trace: trace(8) }, 'reply')).toEqual({
    ...stored,
    composeType: 'reply',
    trace: { ...trace(8), pictures: null },
  })
  expect(toPropertyRecord({ ...stored, combinedIds: 'c'.repeat(1_500) }, 'reply')).toBeNull()
})

describe('the mail client', () => {
  test('gives the user', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      expectEvents(react({ readUser }, hot('s', { s: App.started() }))).toBe('u', {
        u: Mailbox.userRead({ user: hostUser() }),
      })
    })
  })

  test('[HOST-3] emits an event for each item in the pinned pane, and for none', () => {
    withMarbles(({ clock, hot, react, expectObservable, afterwards }) => {
      const { mailbox, ports } = mailboxPorts(clock)
      const seen: [number, string | null][] = []
      const first = mailbox.client.currentItem()?.key
      hot('10ms r 99ms c', { r: { type: 'reply' }, c: { type: 'switchTo', id: null } } as const).subscribe(
        (action) => mailbox.act(action),
      )
      const happened$ = react({ followItem }, hot('s', { s: App.started() }), { ports }).pipe(
        tap((event) => {
          if (event.type === 'mailbox/itemChanged')
            seen.push([clock.scheduler.now(), event.data.item?.key ?? null])
        }),
        ignoreElements(),
      )
      expectObservable(happened$, '^ 1s !').toBe('-')
      afterwards(() => {
        const reply = seen[2]?.[1]
        // During a switch the mail client has no item for a moment.
        expect(seen).toEqual([
          [0, first],
          [10, null],
          [40, reply],
          [110, null],
        ])
        expect(reply).toBeTypeOf('string')
        expect(reply).not.toBe(first)
      })
    })
  })

  test('emits the theme once for each change', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      const themes = { d: 'dark', l: 'light', n: null } as const
      cold('d-dl-n', themes).subscribe(ports.host.theme$)
      const changed = (theme: 'dark' | 'light' | null) => Mailbox.themeChanged({ theme })
      expectEvents(react({ followTheme }, hot('s', { s: App.started() })), '^------!').toBe('d--l-n', {
        d: changed('dark'),
        l: changed('light'),
        n: changed(null),
      })
    })
  })

  test('reads an opened message, with its earlier insertion', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const { host } = ports
      const to = [{ address: 'a@b.example', name: 'A' }]
      const stored = { combinedIds: 'c', hash: 'h', name: 'Standard', reply: true, manual: true }
      host.composeType.answers(of('reply' as const))
      host.from.answers(of({ address: 'me@b.example', name: 'Me' }))
      host.recipients.answers(of({ to, cc: [] }))
      host.customProperties.answers(of({ [STOP_PUSH_KEY]: true, other: 1 }))
      host.allSessionData.answers(of({ [INSERTED_SIGNATURE_KEY]: JSON.stringify(stored) }))
      expectEvents(react({ readMessage }, hot('a', { a: open('item-1') }))).toBe('m', {
        m: Mailbox.messageRead({
          itemKey: 'item-1',
          message: {
            composeType: 'reply',
            bodyType: 'html',
            from: { address: 'me@b.example', name: 'Me' },
            to,
            cc: [],
            stopPush: true,
            inserted: {
              combinedIds: 'c',
              hash: 'h',
              name: 'Standard',
              reply: true,
              origin: 'manual',
              trace: null,
            },
          },
        }),
      })
      afterwards(() => {
        expect(host.allSessionData.calls).toEqual([['item-1']])
        expect(host.customProperties.calls).toEqual([['item-1']])
      })
    })
  })

  test.each([
    ['nothing', null, null],
    ['no JSON', '{', null],
    ['another shape', '{"combinedIds":1}', null],
    ['null', 'null', null],
    [
      'the least',
      '{"combinedIds":"c","hash":"h","manual":"yes"}',
      { combinedIds: 'c', hash: 'h', name: '', reply: false, origin: 'default', trace: null },
    ],
    [
      'what an older version stored',
      '{"combinedIds":"c","hash":"h","name":"n","reply":true,"manual":true,"at":1}',
      { combinedIds: 'c', hash: 'h', name: 'n', reply: true, origin: 'manual', trace: null },
    ],
    [
      'what was put back',
      '{"combinedIds":"c","hash":"h","name":"n","reply":true,"manual":true,"putBack":true,"at":1}',
      { combinedIds: 'c', hash: 'h', name: 'n', reply: true, origin: 'putBack', trace: null },
    ],
    [
      'a default that was put back, which is not possible',
      '{"combinedIds":"c","hash":"h","name":"n","manual":false,"putBack":true}',
      { combinedIds: 'c', hash: 'h', name: 'n', reply: false, origin: 'default', trace: null },
    ],
  ] as const)('session data that holds %s is read field by field', (_, json, inserted) => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.host.allSessionData.answers(of(json === null ? {} : { [INSERTED_SIGNATURE_KEY]: json }))
      expectEvents(react({ readMessage }, hot('a', { a: open('item-1') }))).toBe('m', {
        m: Mailbox.messageRead({ itemKey: 'item-1', message: message({ from: null, inserted }) }),
      })
    })
  })

  const signature = '<div data-signet-id="c" data-signet-hash="h">Me</div>'
  const remembered = JSON.stringify({ combinedIds: 'c', hash: 'h', name: 'n', manual: true })
  const none = { composeType: 'newMail', combinedIds: '' }
  test.each<[string, unknown, string, string | null, boolean]>([
    ['none', undefined, '', remembered, false],
    ['one that is false', false, '', remembered, false],
    [
      'one beside the session that it was set in',
      { composeType: null, combinedIds: 'c' },
      '',
      remembered,
      true,
    ],
    ['one beside its signature', { composeType: 'newMail', combinedIds: 'c' }, signature, null, true],
    ['one for no signature', none, '', null, true],
    ['one without its signature', { composeType: 'newMail', combinedIds: 'c' }, '', null, false],
    ['one of another kind of message', { composeType: 'reply', combinedIds: '' }, '', null, false],
    ['one of an earlier version', true, '', null, true],
  ])('[SIG-8] a stop-push flag counts for its own message only: %s', (_, flag, body, session, stopPush) => {
    withMarbles(({ hot, react, ports, afterwards, expectObservable }) => {
      const read: boolean[] = []
      ports.host.customProperties.answers(of({ [STOP_PUSH_KEY]: flag }))
      ports.host.body.answers(of(body))
      ports.host.allSessionData.answers(of(session === null ? {} : { [INSERTED_SIGNATURE_KEY]: session }))
      expectObservable(
        react({ readMessage }, hot('a', { a: open('item-1') })).pipe(
          tap((event) => {
            if (event.type === 'mailbox/messageRead') read.push(event.data.message.stopPush)
          }),
          ignoreElements(),
        ),
        '^ 10ms !',
      ).toBe('-')
      afterwards(() => {
        expect(read).toEqual([stopPush])
      })
    })
  })

  test('prefers the signature of an interrupted insertion to older session data', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.host.body.answers(of(signature.replace('"h"', '"another"')))
      ports.host.allSessionData.answers(of({ [INSERTED_SIGNATURE_KEY]: remembered }))
      const inserted = {
        combinedIds: 'c',
        hash: 'another',
        name: '',
        reply: false,
        origin: 'manual',
        trace: null,
      } as const
      expectEvents(react({ readMessage }, hot('a', { a: open('item-1') }))).toBe('m', {
        m: Mailbox.messageRead({ itemKey: 'item-1', message: message({ from: null, inserted }) }),
      })
    })
  })

  test('cancels the reading of a message when another item opens, or none', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.host.composeType.answers(() => cold('10ms (k|)', { k: 'newMail' as const }))
      const happening$ = hot('a 4ms b 4ms n 20ms c', {
        a: open('item-1'),
        b: open('item-2'),
        n: Mailbox.itemChanged({ item: null }),
        c: open('item-3'),
      })
      expectEvents(react({ readMessage }, happening$)).toBe('41ms m', {
        m: Mailbox.messageRead({ itemKey: 'item-3', message: message({ from: null }) }),
      })
      afterwards(() => {
        expect(ports.host.composeType.cancelled()).toBe(2)
      })
    })
  })

  describe('the recipients', () => {
    const to = [{ address: 'a@b.example', name: 'A' }]
    const read = Mailbox.messageRead({ itemKey: 'item-1', message: message({ from: null }) })
    const changed = Mailbox.recipientsChanged({ itemKey: 'item-1', to, cc: [] })
    const opening = { s: App.started(), a: open('item-1'), n: Mailbox.itemChanged({ item: null }) }

    test('are read again at each change that the mail client reports', () => {
      withMarbles(({ cold, hot, react, ports, expectEvents }) => {
        ports.host.recipients.answers(() => cold('2ms (r|)', { r: { to, cc: [] } }))
        cold('10ms c 4ms c', { c: undefined }).subscribe(ports.host.recipientsChanged$)
        expectEvents(react({ followRecipients }, hot('(sam)', { ...opening, m: read }))).toBe(
          '12ms c 4ms c',
          {
            c: changed,
          },
        )
      })
    })

    test('are read again after the message, when they changed meanwhile', () => {
      withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
        ports.host.recipients.answers(of({ to: [], cc: [] }), of({ to, cc: [] }))
        ports.host.body.answers(() => cold('20ms (b|)', { b: '' }))
        cold('10ms c', { c: undefined }).subscribe(ports.host.recipientsChanged$)
        const effects = { readMessage, followRecipients }
        expectEvents(react(effects, hot('(sa)', opening))).toBe('20ms (mc)', { m: read, c: changed })
        afterwards(() => {
          expect(ports.host.recipients.calls).toEqual([['item-1'], ['item-1']])
        })
      })
    })

    test('are not read after the message closes, nor for a received message', () => {
      withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
        ports.host.recipients.answers(() => cold('10ms (r|)', { r: { to, cc: [] } }))
        cold('-----c----c----c', { c: undefined }).subscribe(ports.host.recipientsChanged$)
        const received = Mailbox.itemChanged({ item: { key: 'item-2', mode: 'read' } })
        const happening$ = hot('(sam)---n----r', { ...opening, m: read, r: received })
        expectEvents(react({ followRecipients }, happening$)).toBe('-')
        afterwards(() => {
          expect(ports.host.recipients.calls).toEqual([['item-1']])
          expect(ports.host.recipients.cancelled()).toBe(1)
        })
      })
    })
  })

  describe('changes that the mail client does not report', () => {
    const opening = {
      o: open('item-1'),
      m: Mailbox.messageRead({ itemKey: 'item-1', message: message() }),
    }
    const sales = { address: 'sales@northwind.example', name: 'Sales' }

    test('of sender and body type are polled every three seconds, and emitted once', () => {
      withMarbles(({ hot, react, ports, expectEvents }) => {
        ports.host.from.answers(() => of(sales))
        ports.host.bodyType.answers(of('html' as const), of('text' as const))
        const reaction$ = react({ followMessage }, hot('(om)', opening))
        expectEvents(reaction$, '^ 10s !').toBe('3s s 2999ms b', {
          s: Mailbox.senderChanged({ itemKey: 'item-1', from: sales }),
          b: Mailbox.bodyTypeChanged({ itemKey: 'item-1', bodyType: 'text' }),
        })
      })
    })

    test('are polled again after a slow reply, until the message closes', () => {
      withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
        ports.host.from.answers(() => of(message().from))
        ports.host.bodyType.answers(() => cold('5s (n|)', { n: null }))
        const happening$ = hot('(om) 9996ms x', {
          ...opening,
          x: Mailbox.itemChanged({ item: null }),
        })
        expectEvents(react({ followMessage }, happening$), '^ 30s !').toBe('-')
        afterwards(() => {
          expect(ports.host.from.calls).toHaveLength(2)
          expect(ports.host.bodyType.cancelled()).toBe(1)
        })
      })
    })
  })

  test('calls nothing for a received message', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const item = { key: 'item-1', mode: 'read' } as const
      expectEvents(react({ readMessage }, hot('a', { a: Mailbox.itemChanged({ item }) })), '^-!').toBe('-')
      afterwards(() => {
        expect(ports.sent).toEqual([])
      })
    })
  })
})

describe('a notice in the message', () => {
  const failed = (kind: 'default' | 'entry', failure: { kind: 'itemGone' } | { kind: 'timeout' }) =>
    Insertion.failed({
      id: 0,
      itemKey: 'item-1',
      target: kind === 'default' ? { kind } : { kind, entryId: 'u' },
      failure,
    })

  test('is shown for a failed default, but not for a failed choice or a closed item', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const happening$ = hot('abc', {
        a: failed('default', { kind: 'timeout' }),
        b: failed('entry', { kind: 'timeout' }),
        c: failed('default', { kind: 'itemGone' }),
      })
      const given = [Defaults.loaded({ value: cachedSignature() })]
      expectEvents(
        react({ tellOfMissingDefault: reportMissingDefault, showNotices }, happening$, { given }),
        '^---!',
      ).toBe('n', {
        n: Notifications.shown({
          itemKey: 'item-1',
          notice: { kind: 'defaultNotInserted', signature: 'Standard', reply: false },
        }),
      })
      afterwards(() => {
        expect(ports.host.showNotice.calls).toEqual([['item-1', 'defaultNotInserted: Standard']])
      })
    })
  })

  test('is dismissed after an insertion, once it has been shown', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.host.showNotice.answers(cold('10ms (a|)', { a: undefined }))
      const reason = { origin: 'manual', composeType: null, reply: false } as const
      const happening$ = hot('n-s', {
        n: Notifications.shown({
          itemKey: 'item-1',
          notice: { kind: 'defaultNotInserted', signature: '', reply: false },
        }),
        s: Insertion.succeeded({
          id: 0,
          itemKey: 'item-1',
          target: { kind: 'entry', entryId: 'u' },
          inMessage: { combinedIds: 'c', hash: 'h', name: 'n', reason },
          content: { html: '<p>n</p>', images: [] },
        }),
      })
      expectEvents(react({ dismissWhenInserted: dismissNoticeWhenInserted, showNotices }, happening$)).toBe(
        '--d',
        {
          d: Notifications.dismissed({ itemKey: 'item-1' }),
        },
      )
      afterwards(() => {
        expect(ports.sent.map(({ name, at }) => [name, at])).toEqual([
          ['host.showNotice', 0],
          ['host.dismissNotice', 10],
        ])
      })
    })
  })
})

describe('the address of the pane', () => {
  const routing = { followAddress, navigate: changeAddress, redirect: redirectToAllowedRoute }
  const events = { s: App.started(), v: Auth.verified(verification()) }
  const at = (path: string) => Router.navigated({ path })

  test('is followed, and redirected to a permitted route', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.address.path$.next('/')
      const known = { p: Profile.loaded({ value: profile() }), q: settingsLoaded() }
      expectEvents(react(routing, hot('s 9ms v-p-q', { ...events, ...known }))).toBe('(ah) 10ms d', {
        a: at('/'),
        h: at('/home'),
        d: at('/app/dashboard'),
      })
      afterwards(() => {
        expect(ports.address.gone).toEqual(['/home', '/app/dashboard'])
      })
    })
  })

  test('signs out at /logout, and leads to /home', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const effects = { ...routing, logOutAtLogoutRoute, logOut }
      const given = [Auth.verified(verification()), at('/app/dashboard')]
      expectEvents(react(effects, hot('l', { l: at('/logout') }), { given })).toBe('(ox)', {
        o: Auth.signOutRequested({ reason: person }),
        x: Auth.signedOut({ reason: person, userId: 'u-alex' }),
      })
      afterwards(() => {
        expect(ports.address.gone).toEqual(['/home'])
      })
    })
  })
})
