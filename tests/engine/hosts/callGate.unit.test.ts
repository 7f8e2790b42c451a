import fc from 'fast-check'
import { type SchedulerLike, VirtualTimeScheduler, map, merge, takeUntil, timer } from 'rxjs'
import { type RunHelpers, TestScheduler } from 'rxjs/testing'
import { describe, expect, test } from 'vitest'
import { type CallGate, createCallGate } from '../../../src/engine/hosts/callGate.ts'
import { Failed, type Failure } from '../../../streams/kernel/failure.ts'

type SendCall = Parameters<CallGate>[1]

const withMarbles = (run: (gate: CallGate, scheduler: TestScheduler, helpers: RunHelpers) => void): void => {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected))
  scheduler.run((helpers) => run(createCallGate({ time: { scheduler } }), scheduler, helpers))
}

/** Replies with `value` at each of these milliseconds after the call was sent. */
const replying =
  (scheduler: SchedulerLike, value: unknown, ...at: number[]): SendCall =>
  (done) => {
    for (const ms of at) scheduler.schedule(() => done({ ok: true, value: value as never }), ms)
  }

const silent: SendCall = () => undefined
const hostSilent = new Failed({ kind: 'hostSilent', call: 'x' })

/** The highest number of half-open intervals that share a moment. */
const maxOverlap = (intervals: readonly (readonly [from: number, to: number])[]): number =>
  Math.max(
    0,
    ...intervals.map(([moment]) => intervals.filter(([from, to]) => from <= moment && moment < to).length),
  )

describe('the call gate', () => {
  test('[SAFE-7] runs at most three calls at once, and ends every call, under any client and callers', () => {
    const behaviour = fc.record({
      replies: fc.array(fc.integer({ min: 1, max: 9_000 }), { maxLength: 3 }),
      throws: fc.boolean(),
      startsAt: fc.integer({ min: 0, max: 4_000 }),
      leavesAfter: fc.option(fc.integer({ min: 0, max: 9_000 }), { freq: 4 }),
    })
    fc.assert(
      fc.property(fc.array(behaviour, { maxLength: 25 }), (calls) => {
        const scheduler = new VirtualTimeScheduler()
        const gate = createCallGate({ time: { scheduler } })
        const busy: [number, number][] = []
        let ended = 0
        let left = 0
        for (const { replies, throws, startsAt, leavesAfter } of calls) {
          scheduler.schedule(() => {
            const call$ = gate<string>('x', (done) => {
              if (throws) throw new Error('at once')
              busy.push([scheduler.now(), scheduler.now() + Math.min(5_000, ...replies)])
              replying(scheduler, 'a', ...replies)(done as never)
            })
            const subscription = call$.subscribe({ complete: () => (ended += 1), error: () => (ended += 1) })
            if (leavesAfter !== null) {
              scheduler.schedule(() => {
                if (!subscription.closed) left += 1
                subscription.unsubscribe()
              }, leavesAfter)
            }
          }, startsAt)
        }
        scheduler.flush()
        expect(maxOverlap(busy)).toBeLessThanOrEqual(3)
        expect(ended + left).toBe(calls.length)
      }),
      { numRuns: 300 },
    )
  })

  test('[SAFE-7] sends a fourth call when one of three has ended', () => {
    withMarbles((gate, scheduler, { expectObservable }) => {
      const call = (value: string) => gate('x', replying(scheduler, value, 10))
      expectObservable(merge(call('a'), call('b'), call('c'), call('d'))).toBe('10ms (abc) 5ms (d|)')
    })
  })

  test('[SAFE-7] fails a call without a reply with hostSilent after five seconds', () => {
    withMarbles((gate, _, { expectObservable }) => {
      expectObservable(gate('x', silent)).toBe('5s #', {}, hostSilent)
    })
  })

  test('[SAFE-7] starts the time limit of a waiting call when it is sent', () => {
    withMarbles((gate, _, { expectObservable }) => {
      for (let first = 0; first < 3; first += 1)
        expectObservable(gate('x', silent)).toBe('5s #', {}, hostSilent)
      expectObservable(gate('x', silent, 2_000)).toBe('7s #', {}, hostSilent)
    })
  })

  test('[SAFE-7] ignores late replies, and frees a slot only once', () => {
    withMarbles((gate, scheduler, { expectObservable }) => {
      for (let first = 0; first < 3; first += 1) {
        expectObservable(gate('x', replying(scheduler, 'late', 5_500, 5_600))).toBe('5s #', {}, hostSilent)
      }
      const later = (value: string) => gate('x', replying(scheduler, value, 1_000))
      expectObservable(merge(later('a'), later('b'), later('c'), later('d'))).toBe('6s (abc) 995ms (d|)')
    })
  })

  test('[SAFE-7] ignores a second reply', () => {
    withMarbles((gate, scheduler, { expectObservable }) => {
      expectObservable(gate('x', replying(scheduler, 'a', 10, 10, 20))).toBe('10ms (a|)')
    })
  })

  test('[SAFE-7] retries a call that the client refuses as one too many, until its time limit', () => {
    withMarbles((gate, scheduler, { expectObservable }) => {
      const refusedUntil =
        (ms: number): SendCall =>
        (done) =>
          scheduler.now() < ms
            ? done({ ok: false, error: { code: 5100, name: 'API Call Failed', message: '' } })
            : done({ ok: true, value: 'a' })
      expectObservable(gate('x', refusedUntil(600))).toBe('750ms (a|)')
      expectObservable(gate('x', refusedUntil(60_000))).toBe('5s #', {}, hostSilent)
    })
  })

  test('[SAFE-7] retries a call for a second with a code that may pass', () => {
    const expectMarble = (call: string, code: number, ms: number, marble: string) => {
      withMarbles((gate, scheduler, { expectObservable }) => {
        const error = { code, name: 'GenericResponseError', message: '' }
        const send: SendCall = (done) =>
          done(scheduler.now() < ms ? { ok: false, error } : { ok: true, value: 'a' })
        const failed = new Failed({ kind: 'host', call, code, name: error.name })
        expectObservable(gate(call, send)).toBe(marble, { a: 'a' }, failed)
      })
    }
    for (const [call, code] of [
      ['loadCustomPropertiesAsync', 9020],
      ['customProperties.saveAsync', 9020],
      ['body.getAsync', 5001],
      ['body.getAsync', 0],
      ['body.setSignatureAsync', 5001],
      ['addFileAttachmentFromBase64Async', 5018],
      ['addFileAttachmentFromBase64Async', 9007],
      ['sessionData.setAsync', 0],
    ] as const) {
      expectMarble(call, code, 1_000, '1s (a|)')
      expectMarble(call, code, 1_001, '1s #')
    }
    expectMarble('body.getAsync', 9020, 1, '#')
    expectMarble('body.getTypeAsync', 5001, 1, '#')
  })

  test.each([
    ['addFileAttachmentFromBase64Async', 9000],
    ['body.setSignatureAsync', 5000],
    ['body.setSignatureAsync', 2006],
    ['notificationMessages.removeAsync', 9024],
    ['auth.getAccessToken', 13006],
  ])('sends %s once when the code is %i, which does not pass', (call, code) => {
    withMarbles((gate, _, { expectObservable, flush }) => {
      let sent = 0
      const refused$ = gate(call, (done) => {
        sent += 1
        done({ ok: false, error: { code, name: 'N', message: '' } })
      })
      expectObservable(refused$).toBe('#', {}, new Failed({ kind: 'host', call, code, name: 'N' }))
      flush()
      expect(sent).toBe(1)
    })
  })

  test('[HOST-11] stops trying a write again at its time limit', () => {
    withMarbles((gate, scheduler, { expectObservable }) => {
      const call = 'body.setSignatureAsync'
      const slow: SendCall = (done) =>
        scheduler.schedule(() => done({ ok: false, error: { code: 5001, name: 'N', message: '' } }), 2_000)
      expectObservable(gate(call, slow)).toBe('5s #', {}, new Failed({ kind: 'hostSilent', call }))
    })
  })

  test('[HOST-11] sends no write again once another item is open', () => {
    withMarbles((gate, scheduler, { expectObservable }) => {
      const moved: SendCall = (done) => {
        if (scheduler.now() > 0) throw new Failed({ kind: 'itemGone' })
        done({ ok: false, error: { code: 5001, name: 'N', message: '' } })
      }
      expectObservable(gate('body.setAsync', moved)).toBe('250ms #', {}, new Failed({ kind: 'itemGone' }))
    })
  })

  test('sends nothing after an unsubscribe while the call waits', () => {
    withMarbles((gate, scheduler, { expectObservable, flush }) => {
      let sent = 0
      for (let first = 0; first < 3; first += 1) gate('x', replying(scheduler, 'a', 10)).subscribe()
      const waiting$ = gate('x', () => (sent += 1))
      expectObservable(waiting$.pipe(takeUntil(timer(5, scheduler)))).toBe('5ms |')
      flush()
      expect(sent).toBe(0)
    })
  })

  test('keeps the slot after an unsubscribe until the client replies', () => {
    withMarbles((gate, scheduler, { expectObservable }) => {
      const leaving = () => gate('x', replying(scheduler, 'a', 100)).pipe(takeUntil(timer(10, scheduler)))
      for (let first = 0; first < 3; first += 1) expectObservable(leaving()).toBe('10ms |')
      expectObservable(gate('x', replying(scheduler, 'b', 1))).toBe('101ms (b|)')
    })
  })

  test.each<[string, unknown, Failure]>([
    [
      'an error with a number',
      Object.assign(new RangeError('r'), { code: 5101 }),
      { kind: 'host', call: 'x', code: 5101, name: 'RangeError' },
    ],
    ['an error without one', new TypeError('t'), { kind: 'host', call: 'x', code: 0, name: 'TypeError' }],
    ['a value that is no error', 'what', { kind: 'host', call: 'x', code: 0, name: 'Error' }],
    ['a failure', new Failed({ kind: 'itemGone' }), { kind: 'itemGone' }],
  ])('fails with what the client throws at once: %s', (_, thrown, failure) => {
    withMarbles((gate, scheduler, { expectObservable }) => {
      const throwing$ = gate('x', () => {
        throw thrown
      })
      expectObservable(throwing$).toBe('#', {}, new Failed(failure))
      // The slot is free again.
      const call = (value: string) => gate('x', replying(scheduler, value, 10))
      expectObservable(merge(call('a'), call('b'), call('c'))).toBe('10ms (abc|)')
    })
  })

  test.each<[number, Failure]>([
    [9008, { kind: 'host', call: 'x', code: 9008, name: 'N' }],
    [9030, { kind: 'itemGone' }],
  ])('fails with the code %i of the reply', (code, failure) => {
    withMarbles((gate, _, { expectObservable }) => {
      const refused$ = gate<string>('x', (done) =>
        done({ ok: false, error: { code, name: 'N', message: 'm' } }),
      )
      expectObservable(refused$.pipe(map(String))).toBe('#', {}, new Failed(failure))
    })
  })
})
