import fc from 'fast-check'
import { concat, defer, ignoreElements, map, type Observable, of, timer } from 'rxjs'
import { describe, expect, test } from 'vitest'
import {
  type Claims,
  createClaims,
  signatureMarkFor,
  marksInSession,
  CLAIM_KEY_PREFIX,
} from '../../../effects/message/claim.ts'
import { withSessionMemory } from '../../../effects/pane/sessionMemory.ts'
import { createRuntimeId } from '../../../src/engine/runtimeId.ts'
import { composeBody } from '../../../src/playground/mailbox/body.ts'
import { contentIds, findSignatures } from '../../../streams/html/message.ts'
import { MAX_MARK_CHARACTERS } from '../../../streams/html/plan.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { pauseFor } from '../../../streams/kernel/time.ts'
import { createClock } from '../../support/clock.ts'
import { openPane } from '../../support/pane.ts'
import { failing, type FakePorts, fakePorts, silent$ } from '../../support/ports.ts'
import { image, listedSignature, masterId } from '../../support/state.ts'
import { cases } from '../../support/cases.ts'

const ITEM = 'item-1'
const KEY_OF_A = CLAIM_KEY_PREFIX + signatureMarkFor(ITEM, { runtimeId: 'a' })

/** The session data of one item, and runtimes that claim it. Each call takes as long as `delay` says. */
function arrange(delay: () => number = () => 0, startAt = 1_000_000) {
  const clock = createClock(startAt)
  const stored = new Map<string, string>()
  const later = <T>(work: () => T): Observable<T> => {
    const ms = delay()
    return ms === 0 ? defer(() => of(work())) : timer(ms, clock.scheduler).pipe(map(work))
  }
  const start = (runtimeId: string) => {
    const ports = fakePorts(clock, runtimeId)
    ports.host.setSessionData.answers((_, name, value) => later(() => void stored.set(name, value)))
    ports.host.allSessionData.answers(() => later(() => Object.fromEntries(stored)))
    const claims = createClaims(ports, () => true)
    const running = claims.run$.subscribe()
    return { ports, claims, kill: () => running.unsubscribe() }
  }
  /** The claims that stand. */
  const standing = () => [...stored].filter(([, value]) => value !== '').map(([name]) => name)
  return { clock, stored, standing, start }
}

/** Begins a work, and tells whether it may write. */
function begin(claims: Claims): () => boolean {
  let mayWrite = false
  claims.begin(ITEM)
  claims.granted(ITEM).subscribe(() => {
    mayWrite = true
  })
  return () => mayWrite
}
const end = (claims: Claims) => claims.end(ITEM).subscribe()

test.each([
  ['never stored is known in other messages, where it may be quoted', ['1', ''], { [KEY_OF_A]: '' }],
  ['stored once is not, though taking it back fails', [''], {}],
] as const)('[CLIENT-2] a mark that was %s', (_, refused, expected) => {
  const { host } = fakePorts(createClock(0))
  host.allSessionData.answers(of({}))
  host.setSessionData.answers((_item, _name, value) =>
    refused.includes(value as '')
      ? failing({ kind: 'host', call: 'sessionData.setAsync', code: 5001, name: 'x' })
      : of(undefined),
  )
  const remembering = withSessionMemory(host)
  for (const value of ['1', ''])
    remembering.setSessionData(ITEM, KEY_OF_A, value).subscribe({ error: () => {} })
  const seen: unknown[] = []
  remembering.allSessionData('item-2').subscribe((all) => seen.push(all))
  expect(seen).toEqual([expected])
})

test('the marks of an item are those of its claims, also of what was taken back', () => {
  expect(
    marksInSession({
      [`${CLAIM_KEY_PREFIX}a-1`]: '5',
      lsi_inserted: '{}',
      [`x${CLAIM_KEY_PREFIX}`]: '5',
      [`${CLAIM_KEY_PREFIX}b-2`]: '',
    }),
  ).toEqual(['a-1', 'b-2'])
})

describe('a claim', () => {
  test('of a runtime that is alone is granted at once, and taken back at the end', () => {
    const { start, standing, stored, clock } = arrange()
    const { claims } = start('a')
    expect(begin(claims)()).toBe(true)
    expect(standing()).toEqual([KEY_OF_A])
    end(claims)
    expect(stored.get(KEY_OF_A)).toBe('')
    clock.advance(60_000)
    expect(standing()).toEqual([])
  })

  test.each([
    ['a', 'b'],
    ['b', 'a'],
  ])('[AUTO-11] of %s makes %s wait until its work has ended', (first, second) => {
    const { start, clock } = arrange()
    const [one, other] = [start(first), start(second)]
    expect(begin(one.claims)()).toBe(true)
    const mayWrite = begin(other.claims)
    clock.advance(300_000)
    expect(mayWrite()).toBe(false)
    end(one.claims)
    clock.advance(150)
    expect(mayWrite()).toBe(true)
  })

  test('[AUTO-11] of a runtime that died is waited for 20 seconds', () => {
    const { start, clock } = arrange()
    const [dead, other] = [start('a'), start('b')]
    begin(dead.claims)
    dead.kill()
    const mayWrite = begin(other.claims)
    clock.advance(19_900)
    expect(mayWrite()).toBe(false)
    clock.advance(300)
    expect(mayWrite()).toBe(true)
  })

  test('is shared by the works of one runtime, until the last one has ended', () => {
    const { start, standing, clock } = arrange()
    const { claims, ports } = start('a')
    begin(claims)
    expect(begin(claims)()).toBe(true)
    expect(ports.host.setSessionData.calls).toHaveLength(1)
    end(claims)
    clock.advance(1_000)
    expect(standing()).toEqual([KEY_OF_A])
    end(claims)
    expect(standing()).toEqual([])
  })

  test('that is begun while the former one is being taken back stands afterwards', () => {
    let ms = 0
    const { start, standing, clock } = arrange(() => ms)
    const { claims } = start('a')
    begin(claims)
    ms = 200
    end(claims)
    ms = 0
    const mayWrite = begin(claims)
    expect(claims.isHeld(ITEM)).toBe(false)
    clock.advance(1_000)
    expect(mayWrite()).toBe(true)
    expect(standing()).toEqual([KEY_OF_A])
  })

  test('of a runtime that never began is not asked for', () => {
    const { start } = arrange()
    const { claims, ports } = start('a')
    expect(claims.isHeld(ITEM)).toBe(true)
    let isGranted = false
    claims.granted(ITEM).subscribe(() => {
      isGranted = true
    })
    expect(isGranted).toBe(true)
    expect(ports.sent).toEqual([])
  })

  test('that was taken back is none, also at the beginning of time', () => {
    const { start, stored } = arrange(undefined, 0)
    stored.set(`${CLAIM_KEY_PREFIX}0`, '')
    expect(begin(start('a').claims)()).toBe(true)
  })

  test.each([20_000, -20_000])('[AUTO-11] is waited for until it is older than %i ms', (age) => {
    for (const [more, isGranted] of [
      [0, false],
      [Math.sign(age), true],
    ] as const) {
      const { start, stored } = arrange()
      stored.set(`${CLAIM_KEY_PREFIX}0`, String(1_000_000 - age - more))
      expect(begin(start('a').claims)()).toBe(isGranted)
    }
  })

  test('[AUTO-11] of the runtime with the smaller id counts where two begin at once', () => {
    const { start, clock } = arrange(() => 100)
    const [b, a] = ['b', 'a'].map((id) => begin(start(id).claims))
    clock.advance(10_000)
    expect([a?.(), b?.()]).toEqual([true, false])
  })

  test('that waits is renewed after five seconds, and not with each look', () => {
    const { start, clock } = arrange()
    begin(start('b').claims)
    const { claims, ports } = start('a')
    begin(claims)
    for (const [ms, times] of [
      [5_000, 1],
      [200, 2],
    ] as const) {
      clock.advance(ms)
      expect(ports.host.setSessionData.calls).toHaveLength(times)
    }
  })

  test('is ignored where its value is no time, and where it is another key', () => {
    const { start, stored } = arrange()
    stored.set(`${CLAIM_KEY_PREFIX}0`, 'junk')
    stored.set('lsi_inserted', '1000000')
    expect(begin(start('a').claims)()).toBe(true)
  })

  const goesWithout: readonly (readonly [string, (ports: FakePorts) => void, readonly string[], number])[] = [
    [
      'refuses session data',
      ({ host }) => {
        host.setSessionData.answers(
          failing({ kind: 'host', call: 'sessionData.setAsync', code: 5001, name: 'x' }),
        )
      },
      ['host'],
      1,
    ],
    [
      'has no longer the item',
      ({ host }) => {
        host.setSessionData.answers(failing({ kind: 'itemGone' }))
      },
      [],
      1,
    ],
    [
      'does not reply to it',
      ({ host }) => {
        host.setSessionData.answers(
          failing({ kind: 'hostSilent', call: 'sessionData.setAsync' }),
          of(undefined),
        )
      },
      ['hostSilent'],
      2,
    ],
    [
      'does not show it',
      ({ host }) => {
        host.allSessionData.answers(of(null))
      },
      [],
      2,
    ],
  ]
  test.each(goesWithout)(
    '[AUTO-11] work goes on without, where the mail client %s',
    (_, prepare, kinds, writes) => {
      const { start, stored, clock } = arrange()
      stored.set(`${CLAIM_KEY_PREFIX}0`, '1000000')
      const { claims, ports } = start('a')
      prepare(ports)
      expect(begin(claims)()).toBe(true)
      clock.advance(60_000)
      expect(claims.isHeld(ITEM)).toBe(true)
      end(claims)
      expect(ports.log.lines).toEqual(
        kinds.map((kind) => ({ level: 'warn', action: 'message_not_claimed', detail: { kind } })),
      )
      expect(ports.host.setSessionData.calls).toHaveLength(writes)
    },
  )

  test.each<readonly [string, (ports: FakePorts, all: Readonly<Record<string, string>>) => void]>([
    ['shows no session data', ({ host }, all) => host.allSessionData.answers(of(all), of(null))],
    [
      'does not reply',
      ({ host }, all) => {
        const silence = failing({ kind: 'hostSilent', call: 'sessionData.setAsync' })
        host.allSessionData.answers(of(all), of(null))
        host.setSessionData.answers(of(undefined), silence)
      },
    ],
  ])(
    '[AUTO-11] of another runtime is waited for once it is known, where the mail client then %s',
    (_, prepare) => {
      const { start, clock } = arrange()
      const { claims, ports } = start('a')
      prepare(ports, { [`${CLAIM_KEY_PREFIX}0`]: '1000000' })
      const mayWrite = begin(claims)
      clock.advance(19_900)
      expect(mayWrite()).toBe(false)
      clock.advance(400)
      expect(mayWrite()).toBe(true)
    },
  )

  test('that the mail client does not lower at once is lowered at the next look', () => {
    const { start, stored, clock } = arrange()
    stored.set(`${CLAIM_KEY_PREFIX}0`, '1000000')
    const { claims, ports } = start('a')
    let writes = 0
    ports.host.setSessionData.answers((_, name, value) => {
      writes += 1
      return writes === 2
        ? failing({ kind: 'hostSilent', call: 'sessionData.setAsync' })
        : defer(() => of(void stored.set(name, value)))
    })
    begin(claims)
    expect(stored.get(KEY_OF_A)).toBe('1000000')
    clock.advance(1_000)
    expect(stored.get(KEY_OF_A)).toBe('')
  })

  test('that cannot be taken back is logged, and the work has ended', () => {
    const { start } = arrange()
    const { claims, ports } = start('a')
    begin(claims)
    ports.host.setSessionData.answers(failing({ kind: 'itemGone' }))
    let hasEnded = false
    claims.end(ITEM).subscribe({ complete: () => (hasEnded = true) })
    expect(hasEnded).toBe(true)
    expect(ports.log.lines).toEqual([
      { level: 'warn', action: 'claim_not_taken_back', detail: { kind: 'itemGone' } },
    ])
  })

  test('that is too old is not renewed: another runtime may write by now', () => {
    const { start, clock } = arrange()
    const { claims, ports } = start('a')
    begin(claims)
    ports.host.setSessionData.answers(failing({ kind: 'hostSilent', call: 'sessionData.setAsync' }))
    clock.advance(14_500)
    ports.host.setSessionData.answers(of(undefined))
    clock.advance(10_000)
    expect(claims.isHeld(ITEM)).toBe(false)
    expect(ports.host.setSessionData.calls).toHaveLength(3)
  })

  test('is renewed while the work goes on, and lost when that fails for too long', () => {
    const { start, clock } = arrange()
    const { claims, ports } = start('a')
    begin(claims)
    clock.advance(100_000)
    expect(claims.isHeld(ITEM)).toBe(true)
    ports.host.setSessionData.answers(silent$)
    clock.advance(13_999)
    expect(claims.isHeld(ITEM)).toBe(true)
    clock.advance(1)
    expect(claims.isHeld(ITEM)).toBe(false)
  })

  test('that was lost is claimed again before the work goes on: another may write by now', () => {
    const { start, clock, stored } = arrange()
    const { claims, ports } = start('a')
    begin(claims)
    ports.host.setSessionData.answers(silent$)
    clock.advance(20_000)
    ports.host.setSessionData.answers((_, name, value) => defer(() => of(void stored.set(name, value))))
    const other = start('b')
    const mayOtherWrite = begin(other.claims)
    clock.advance(1_000)
    expect(mayOtherWrite()).toBe(true)
    let mayWrite = false
    claims.granted(ITEM).subscribe(() => {
      mayWrite = true
    })
    clock.advance(1_000)
    expect(mayWrite).toBe(false)
    end(other.claims)
    clock.advance(1_000)
    expect(mayWrite).toBe(true)
    expect(claims.isHeld(ITEM)).toBe(true)
  })

  test('[AUTO-11] lets one of three runtimes write at a time, however slow the calls are, and each in the end', () => {
    const work = fc.record({ by: fc.nat(2), at: fc.nat(3_000), ms: fc.nat(12_000) })
    const delays = fc.oneof(fc.constant([0]), fc.array(fc.nat(4_000), { minLength: 1, maxLength: 20 }))
    fc.assert(
      fc.property(fc.array(work, { minLength: 1, maxLength: 6 }), delays, (works, ms) => {
        let calls = 0
        const { start, clock, standing } = arrange(() => ms[calls++ % ms.length] ?? 0)
        const runtimes = ['b', 'a', 'c'].map((id) => start(id).claims)
        const writing: number[] = []
        let done = 0
        for (const { by, at, ms: takes } of works) {
          const claims = runtimes[by]
          if (!claims) continue
          clock.scheduler.schedule(() => {
            claims.begin(ITEM)
            concat(
              claims.granted(ITEM).pipe(ignoreElements()),
              defer(() => {
                expect(claims.isHeld(ITEM)).toBe(true)
                expect(writing.every((other) => other === by)).toBe(true)
                writing.push(by)
                return pauseFor(takes, clock)
              }),
              defer(() => {
                writing.splice(writing.indexOf(by), 1)
                return claims.end(ITEM)
              }),
            ).subscribe({ complete: () => (done += 1) })
          }, at)
        }
        clock.advance(3_600_000)
        expect(done).toBe(works.length)
        expect(standing()).toEqual([])
      }),
      cases(100, 10_000),
    )
  })
})

test('a mark is never longer than the one that signatures are measured with', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2200, 0) }), fc.string(), (at, itemKey) => {
      const runtimeId = createRuntimeId({ scheduler: createClock(at).scheduler })
      expect(signatureMarkFor(itemKey, { runtimeId }).length).toBeLessThanOrEqual(MAX_MARK_CHARACTERS)
    }),
  )
})

describe('an insertion that lost its claim', () => {
  test('takes its pictures back, begins again, and is whole', () => {
    const paths = ['a.png', 'b.png', 'c.png', 'd.png']
    const own = [
      listedSignature({
        html: paths.map((path) => `<img src="https://cdn.northwind.example/${path}">`).join(''),
        images: paths.map((path) => image(`https://cdn.northwind.example/${path}`)),
      }),
    ]
    const { app, clock, mailbox, message, itemKey } = openPane({ own })
    clock.advance(10_000)
    const before = mailbox.calls.length
    mailbox.delay('addFileAttachmentFromBase64Async', 9_000)
    app.record(Insertion.chosen({ entryId: masterId(1, 0), itemKey: itemKey() }))
    clock.advance(1_000)
    mailbox.silence('sessionData.setAsync')
    clock.advance(18_000)
    expect(message().body.signature).not.toContain('a.png')
    mailbox.restore()
    clock.advance(60_000)
    const calls = mailbox.calls.slice(before).map(({ name }) => name)
    expect(calls.filter((name) => name === 'addFileAttachmentFromBase64Async')).toHaveLength(8)
    const body = composeBody(message())
    expect(findSignatures(body)).toHaveLength(1)
    expect(message().attachments.map(({ contentId }) => contentId)).toEqual([...contentIds(body)])
    expect(contentIds(body).size).toBe(4)
  })
})
