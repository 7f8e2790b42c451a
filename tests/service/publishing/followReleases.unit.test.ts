import { describe, expect, it } from 'vitest'
import {
  FOLLOW_INTERVAL_MS,
  type FollowedState,
  followReleases,
} from '../../../src/service/publishing/followReleases.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import { Organisation, type OrganisationFact } from '../../../streams/organisation/facts/events.ts'
import { compileRelease, type ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { createTimers } from '../../support/timers.ts'

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

/** A stream of facts that grows, and what is read of it. `read` comes before each reading of the stream. */
async function following(over: Readonly<{ read?: () => Promise<void> }> = {}) {
  const timers = createTimers()
  const clock = { isSetBack: false }
  const ending = new AbortController()
  const stream: Recorded<OrganisationFact>[] = []
  const reads: number[] = []
  const releases: string[] = []
  const seen: FollowedState[] = []
  const followed = followReleases(
    async (from) => {
      reads.push(from)
      await over.read?.()
      return stream.slice(from)
    },
    async (id) => {
      releases.push(id)
      return compileRelease(id, document(id))
    },
    { ...timers, now: () => timers.now() - (clock.isSetBack ? 3_600_000 : 0) },
  )
  const initial = followed.current()
  followed.poll(ending.signal)

  /** Lets the time pass, and notes what is known after each reading. */
  async function pass(ms: number) {
    for (let left = ms; left >= 0; left -= FOLLOW_INTERVAL_MS / 2) {
      await timers.pass(Math.min(left, FOLLOW_INTERVAL_MS / 2))
      const now = followed.current()
      if (now !== initial && now !== seen.at(-1)) seen.push(now)
    }
  }
  await pass(0)
  return {
    clock,
    reads,
    releases,
    seen,
    ending,
    ask: () => void followed.read(),
    pass,
    append: (...facts: OrganisationFact[]) => {
      for (const fact of facts) stream.push({ ...fact, meta: { seq: stream.length, at: 0, source: 'test' } })
    },
    last: () => seen.at(-1),
  }
}

describe('following the releases of an organisation', () => {
  it('reads at once and after each interval, from the version that it knows', async () => {
    const { pass, reads, append, last } = await following()
    append(founded, published('a'))
    await pass(FOLLOW_INTERVAL_MS - 1)
    expect(reads).toEqual([0])
    await pass(1)
    expect(reads).toEqual([0, 0])
    expect(last()?.release?.document.organisation).toBe('a')
    append(published('b'))
    await pass(2 * FOLLOW_INTERVAL_MS)
    expect(reads).toEqual([0, 0, 2, 3])
    expect(last()?.state?.history.map(({ release }) => release)).toEqual(['b', 'a'])
  })

  it('reads a release once, and tells when the stream was last read', async () => {
    const { pass, releases, append, seen, last } = await following()
    append(founded, published('a'))
    await pass(3 * FOLLOW_INTERVAL_MS)
    expect(releases).toEqual(['a'])
    expect(new Set(seen.slice(1).map(({ release }) => release)).size).toBe(1)
    expect(seen.map(({ release }) => release?.id)).toEqual([undefined, 'a', 'a', 'a'])
    expect(last()?.readAt).toBe(3 * FOLLOW_INTERVAL_MS)
  })

  it('keeps what it knows when a read fails, and goes on with the next', async () => {
    let fails = false
    const { pass, append, last, seen } = await following({
      read: async () => {
        if (fails) throw new Error('away')
      },
    })
    append(founded, published('a'))
    await pass(FOLLOW_INTERVAL_MS)
    fails = true
    append(published('b'))
    await pass(3 * FOLLOW_INTERVAL_MS)
    expect([seen.length, last()?.release?.id, last()?.readAt]).toEqual([2, 'a', FOLLOW_INTERVAL_MS])
    fails = false
    await pass(FOLLOW_INTERVAL_MS)
    expect(last()?.release?.id).toBe('b')
  })

  it('reads once more, and no more, for all that asked during a slow read', async () => {
    let endSlow = () => {}
    const slow = new Promise<void>((_, reject) => {
      endSlow = () => reject(new Error('slow'))
    })
    let isSlow = true
    const { pass, ask, reads, append, last } = await following({
      read: () => (isSlow ? slow : Promise.resolve()),
    })
    append(founded, published('a'))
    await pass(1)
    for (let asks = 0; asks < 5; asks += 1) ask()
    await pass(3 * FOLLOW_INTERVAL_MS)
    expect([reads.length, last()]).toEqual([1, undefined])
    isSlow = false
    endSlow()
    await pass(0)
    expect([reads.length, last()?.release?.id]).toEqual([2, 'a'])
  })

  it('goes on while the clock is set back', async () => {
    const { clock, pass, ask, reads, append, last } = await following()
    await pass(FOLLOW_INTERVAL_MS)
    append(founded, published('a'))
    clock.isSetBack = true
    ask()
    await pass(0)
    expect([reads.length, last()?.release?.id]).toEqual([3, 'a'])
  })

  it('reads at once for what is asked, and stops when it is left', async () => {
    const { pass, ask, reads, append, last, ending } = await following()
    await pass(FOLLOW_INTERVAL_MS / 2)
    append(founded, published('a'))
    ask()
    await pass(0)
    expect([reads.length, last()?.release?.id]).toEqual([2, 'a'])
    ending.abort()
    await pass(10 * FOLLOW_INTERVAL_MS)
    expect(reads).toHaveLength(2)
  })
})
