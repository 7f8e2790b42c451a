import { of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import {
  dismissLaunchNotice,
  dismissNoticeWhenInserted,
  showNotices,
  reportMissingDefault,
} from '../../../effects/pane/notifications.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { Insertion, type InsertionTarget } from '../../../streams/message/insertion/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { LAUNCH_RECORD_KEY } from '../../../streams/launch/record.ts'
import { Notifications } from '../../../streams/pane/notifications/events.ts'
import { noSenders } from '../../../streams/message/senders/senders.ts'
import { type Marbles, withMarbles } from '../../support/marbles.ts'
import { failing } from '../../support/ports.ts'
import { cachedSignature, signedInWriting } from '../../support/state.ts'

const ITEM = 'item-1'
const refused: Failure = { kind: 'host', call: 'body.setSignatureAsync', code: 5001, name: 'x' }
const failed = (target: InsertionTarget, failure: Failure = refused) =>
  Insertion.failed({ id: 1, itemKey: ITEM, target, failure })
const succeeded = (itemKey = ITEM) =>
  Insertion.succeeded({
    id: 1,
    itemKey,
    target: { kind: 'default' },
    content: { html: '', images: [] },
    inMessage: {
      name: '',
      combinedIds: '',
      hash: '',
      reason: { origin: 'default', composeType: null, reply: false },
    },
  })
const shown = (signature: string) =>
  Notifications.shown({ itemKey: ITEM, notice: { kind: 'defaultNotInserted', signature, reply: false } })
const dismissed = Notifications.dismissed({ itemKey: ITEM })

describe('a default that could not be inserted', () => {
  const restored = Defaults.restored({ signature: cachedSignature(), senders: noSenders })

  test.each<[string, ReturnType<typeof failed>, readonly ReturnType<typeof shown>[]]>([
    ['its name', failed({ kind: 'default' }), [shown('Standard')]],
    ['nothing of a choice of the user', failed({ kind: 'none' }), []],
    ['nothing where the item is gone', failed({ kind: 'default' }, { kind: 'itemGone' }), []],
  ])('is told by %s', (_, event, expected) => {
    withMarbles(({ hot, react, expectEvents }) => {
      const given = [...signedInWriting(ITEM), restored]
      const [s] = expected
      expectEvents(
        react({ tellOfMissingDefault: reportMissingDefault }, hot('f', { f: event }), { given }),
      ).toBe(s ? 's' : '', s ? { s } : {})
    })
  })

  test('is told without a name where none is known', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const happened$ = react(
        { tellOfMissingDefault: reportMissingDefault },
        hot('f', { f: failed({ kind: 'default' }) }),
      )
      expectEvents(happened$).toBe('s', { s: shown('') })
    })
  })

  test('is told no longer once a signature is in the same message', () => {
    withMarbles(({ hot, react, expectEvents }) => {
      const happening$ = hot('o-s-s', { o: succeeded('item-2'), s: succeeded() })
      expectEvents(
        react({ dismissWhenInserted: dismissNoticeWhenInserted }, happening$, { given: [shown('')] }),
      ).toBe('--d', {
        d: dismissed,
      })
      expectEvents(
        react({ dismissWhenInserted: dismissNoticeWhenInserted }, hot('s', { s: succeeded() })),
      ).toBe('')
    })
  })
})

test('notices are shown in the message, and removed, one after the other', () => {
  withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
    ports.host.showNotice.answers(cold('9ms (d|)', { d: undefined }))
    expectEvents(react({ showNotices }, hot('sd', { s: shown('Standard'), d: dismissed })), '^ 50ms !').toBe(
      '',
    )
    afterwards(() => {
      const sent = ports.sent.map(({ name, args, at }) => [name, ...args, at])
      expect(sent).toEqual([
        ['host.showNotice', ITEM, 'defaultNotInserted: Standard', 0],
        ['host.dismissNotice', ITEM, 9],
      ])
    })
  })
})

describe('the notice of a launch event', () => {
  const record = { outcome: 'offline', at: 1, ms: 2, age: 3, runtime: 'page', told: ['offline'] }
  const dismissing = (
    stored: object | null,
    check: (ports: Marbles['ports']) => void,
    prepare: (ports: Marbles['ports']) => unknown = () => undefined,
  ) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.sessionData.answers(of(stored && JSON.stringify(stored)))
      prepare(ports)
      expectEvents(react({ dismissLaunchNotice }, hot('s', { s: succeeded() }))).toBe('')
      afterwards(() => {
        expect(ports.host.sessionData.calls).toEqual([[ITEM, LAUNCH_RECORD_KEY]])
        check(ports)
      })
    })
  }

  test('is removed once a signature is in the message, and forgotten', () => {
    dismissing(record, ({ host }) => {
      expect(host.dismissLaunchNotice.calls).toEqual([[ITEM]])
      expect(host.setSessionData.calls).toEqual([
        [ITEM, LAUNCH_RECORD_KEY, JSON.stringify({ ...record, told: [] })],
      ])
    })
  })

  test.each([
    ['without a launch event', null],
    ['whose launch event told nothing', { ...record, told: [] }],
  ])('is not removed from a message %s', (_, stored) => {
    dismissing(stored, ({ host }) => {
      expect(host.dismissLaunchNotice.calls).toEqual([])
      expect(host.setSessionData.calls).toEqual([])
    })
  })

  test('that cannot be removed is logged', () => {
    dismissing(
      record,
      ({ log }) => {
        expect(log.lines).toEqual([
          { level: 'warn', action: 'launch_notice_not_dismissed', detail: { kind: 'host' } },
        ])
      },
      ({ host }) => {
        host.setSessionData.answers(failing(refused))
      },
    )
  })
})
