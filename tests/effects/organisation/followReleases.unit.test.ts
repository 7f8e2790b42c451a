import { type Observable, of, Subject, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import {
  FOLLOW_INTERVAL_MS,
  type Followed,
  followReleases,
} from '../../../effects/organisation/followReleases.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import { Organisation, type OrganisationFact } from '../../../streams/organisation/facts/events.ts'
import { compileRelease, type ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { createClock } from '../../support/clock.ts'

const document = (organisation: string): ReleaseDocument => ({
  version: 1,
  organisation,
  internal: [],
  chooseDefault: { for: 'everyone', not: [] },
  plan: { from: null, value: null },
  variables: [],
  signatures: [],
  mailboxes: [],
  templates: {},
  pictures: {},
})

const founded = Organisation.founded({ name: 'Northwind', tenants: [] })
const published = (release: string) => Organisation.releasePublished({ release, base: null, note: '' })

/** A stream of facts that grows, and what is read of it. */
function following(over: Readonly<{ read?: (from: number) => Observable<never> | null }> = {}) {
  const clock = createClock()
  const asked$ = new Subject<void>()
  const stream: Recorded<OrganisationFact>[] = []
  const reads: number[] = []
  const releases: string[] = []
  const seen: Followed[] = []
  const subscription = followReleases(
    {
      facts(from) {
        reads.push(from)
        return over.read?.(from) ?? of(stream.slice(from))
      },
      release(id) {
        releases.push(id)
        return of(compileRelease(id, document(id)))
      },
    },
    asked$,
    clock,
  ).subscribe((followed) => seen.push(followed))
  return {
    clock,
    asked$,
    reads,
    releases,
    seen,
    subscription,
    append: (...facts: OrganisationFact[]) => {
      for (const fact of facts) stream.push({ ...fact, meta: { seq: stream.length, at: 0, source: 'test' } })
    },
    last: () => seen.at(-1),
  }
}

describe('following the releases of an organisation', () => {
  it('reads at once and after each interval, from the version that it knows', () => {
    const { clock, reads, append, last } = following()
    clock.advance(0)
    append(founded, published('a'))
    clock.advance(FOLLOW_INTERVAL_MS - 1)
    expect(reads).toEqual([0])
    clock.advance(1)
    expect(reads).toEqual([0, 0])
    expect(last()?.release?.document.organisation).toBe('a')
    append(published('b'))
    clock.advance(2 * FOLLOW_INTERVAL_MS)
    expect(reads).toEqual([0, 0, 2, 3])
    expect(last()?.state?.history.map(({ release }) => release)).toEqual(['b', 'a'])
  })

  it('reads a release once, and tells when the stream was last read', () => {
    const { clock, releases, append, seen, last } = following()
    append(founded, published('a'))
    clock.advance(3 * FOLLOW_INTERVAL_MS)
    expect(releases).toEqual(['a'])
    expect(new Set(seen.slice(1).map(({ release }) => release)).size).toBe(1)
    expect(seen.map(({ release }) => release?.id)).toEqual([undefined, 'a', 'a', 'a'])
    expect(last()?.readAt).toBe(3 * FOLLOW_INTERVAL_MS)
  })

  it('keeps what it knows when a read fails, and goes on with the next', () => {
    let fails = false
    const { clock, append, last, seen } = following({
      read: () => (fails ? throwError(() => new Error('away')) : null),
    })
    append(founded, published('a'))
    clock.advance(FOLLOW_INTERVAL_MS)
    fails = true
    append(published('b'))
    clock.advance(3 * FOLLOW_INTERVAL_MS)
    expect([seen.length, last()?.release?.id, last()?.readAt]).toEqual([2, 'a', FOLLOW_INTERVAL_MS])
    fails = false
    clock.advance(FOLLOW_INTERVAL_MS)
    expect(last()?.release?.id).toBe('b')
  })

  it('reads once more, and no more, for all that asked during a slow read', () => {
    const slow$ = new Subject<never>()
    let isSlow = true
    const { clock, asked$, reads, append, last } = following({ read: () => (isSlow ? slow$ : null) })
    append(founded, published('a'))
    clock.advance(1)
    for (let asks = 0; asks < 5; asks += 1) asked$.next()
    clock.advance(3 * FOLLOW_INTERVAL_MS)
    expect([reads.length, last()]).toEqual([1, undefined])
    isSlow = false
    slow$.complete()
    expect([reads.length, last()?.release?.id]).toEqual([2, 'a'])
  })

  it('goes on while the clock is set back', () => {
    const { clock, asked$, reads, append, last } = following()
    clock.advance(FOLLOW_INTERVAL_MS)
    append(founded, published('a'))
    const { scheduler } = clock
    const forward = scheduler.now.bind(scheduler)
    scheduler.now = () => forward() - 3_600_000
    asked$.next()
    expect([reads.length, last()?.release?.id]).toEqual([3, 'a'])
  })

  it('reads at once for what is asked, and stops when it is left', () => {
    const { clock, asked$, reads, append, last, subscription } = following()
    clock.advance(FOLLOW_INTERVAL_MS / 2)
    append(founded, published('a'))
    asked$.next()
    expect([reads.length, last()?.release?.id]).toEqual([2, 'a'])
    subscription.unsubscribe()
    clock.advance(10 * FOLLOW_INTERVAL_MS)
    expect(reads).toHaveLength(2)
  })
})
