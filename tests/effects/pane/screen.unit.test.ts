import { NEVER } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { loadScreen, SCREEN_LOAD_LIMIT_MS } from '../../../effects/pane/screen.ts'
import { App, type AppEvent } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Screen, type ScreenReason } from '../../../streams/pane/screen/events.ts'
import { MAX_SCREEN_WAIT_MS } from '../../../streams/pane/screen/rules.ts'
import { withMarbles } from '../../support/marbles.ts'
import { failing } from '../../support/ports.ts'

const effects = { loadScreen }
const target = { kind: 'default' } as const
const inMessage = {
  combinedIds: '12-0',
  hash: 'h1',
  name: 'Short',
  reason: { origin: 'default', composeType: 'newMail', reply: false },
} as const
const started: Readonly<Record<string, AppEvent>> = {
  a: App.started(),
  i: Mailbox.itemChanged({ item: { key: 'i1', mode: 'compose' } }),
  d: Insertion.defaultDue({ itemKey: 'i1', hash: 'h1' }),
  s: Insertion.succeeded({
    id: 2,
    itemKey: 'i1',
    target,
    inMessage,
    content: { html: '<p>A</p>', images: [] },
  }),
  f: Insertion.failed({ id: 2, itemKey: 'i1', target, failure: { kind: 'timeout' } }),
  r: Mailbox.itemChanged({ item: { key: 'i2', mode: 'read' } }),
  o: Auth.signedOut({ reason: { kind: 'signInFailed', failure: { kind: 'network' } }, userId: null }),
}
const due = (reason: ScreenReason) => ({ x: Screen.due({ reason }), y: Screen.loaded() })

describe('the code of the screen is loaded', () => {
  test('[START-4] when the mail client has the signature, and not while it is being inserted', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      expectEvents(react(effects, hot('aid 697ms s', started)), '^ 3s !').toBe('700ms (xy)', due('told'))
    })
  })

  test('[START-4] when no signature is due: an item in reading mode', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      expectEvents(react(effects, hot('a 99ms r', started)), '^ 3s !').toBe('100ms (xy)', due('noneDue'))
    })
  })

  test.each(['f', 'o'])('[START-4] when only the user can go on: after %s', (happened) => {
    withMarbles(({ hot, react, expectEvents }) => {
      expectEvents(react(effects, hot(`aid 97ms ${happened}`, started)), '^ 3s !').toBe(
        '100ms (xy)',
        due('person'),
      )
    })
  })

  test('[START-4] 1,500 ms after the pane was opened, when nothing else asks for it', () => {
    expect(MAX_SCREEN_WAIT_MS).toBe(1_500)
    withMarbles(({ hot, react, expectEvents }) => {
      expectEvents(react(effects, hot('400ms a', started)), '^ 3s !').toBe('1500ms (xy)', due('late'))
    })
  })

  test('once only', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      expectEvents(react(effects, hot('ar 9ms id 97ms s 2s f', started)), '^ 5s !').toBe(
        '-(xy)',
        due('noneDue'),
      )
      afterwards(() => {
        expect(ports.screen.load.calls).toHaveLength(1)
      })
    })
  })

  test('and a failure to load it is recorded, at once or after the limit', () => {
    const failed = (failure: Parameters<typeof Screen.loadFailed>[0]['failure']) => ({
      x: Screen.due({ reason: 'noneDue' }),
      y: Screen.loadFailed({ failure }),
    })
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.screen.load.answers(failing({ kind: 'network' }))
      expectEvents(react(effects, hot('ar', started)), '^ 9s !').toBe('-(xy)', failed({ kind: 'network' }))
    })
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.screen.load.answers(NEVER)
      expectEvents(react(effects, hot('ar', started)), '^ 60s !').toBe(
        `-x ${String(SCREEN_LOAD_LIMIT_MS - 1)}ms y`,
        failed({ kind: 'timeout' }),
      )
    })
  })
})
