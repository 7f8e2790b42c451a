import { describe, expect, it } from 'vitest'
import {
  type BackgroundOptions,
  CORRECTIONS_INTERVAL_MS,
  createBackgroundWork,
  DELETION_INTERVAL_MS,
  PEOPLE_INDEX_INTERVAL_MS,
} from '../../../src/service/organisation/backgroundWork.ts'
import { DomainError } from '../../../src/service/operations/domainError.ts'
import { CLICKS_KEPT_MS } from '../../../streams/organisation/figures/clicks.ts'
import { TELEMETRY_KEPT_MS } from '../../../streams/organisation/figures/reported.ts'
import { dayOf } from '../../../streams/organisation/release/names.ts'
import { createTimers } from '../../support/timers.ts'

const START = 1_790_000_000_000
const DAY_MS = 24 * 60 * 60 * 1000

const away = () => Promise.reject(new Error('away'))
const never = () => new Promise<never>(() => {})
const unused = () => {
  throw new Error('not asked')
}

type Calls = Omit<BackgroundOptions['store'], 'words' | 'order' | 'directory'> &
  BackgroundOptions['store']['words'] &
  BackgroundOptions['store']['order']

/** The work of an organisation without a directory. */
function keeping(
  { index = async () => null, fill = async () => null, ...calls }: Partial<Calls>,
  write: BackgroundOptions['people']['write'] = unused,
) {
  const timers = createTimers(START)
  const ending = new AbortController()
  createBackgroundWork({
    store: {
      dropOldReported: async () => undefined,
      dropOldClicks: async () => undefined,
      dropExpired: async () => undefined,
      peopleCorrectedUntil: async () => [],
      ...calls,
      words: { index },
      order: { fill },
      directory: { isWaiting: never },
    },
    people: { write },
    releases: { current: () => null, state: unused },
    directory: null,
    source: null,
    now: timers.now,
    timers,
  }).begin(ending.signal)
  return { timers, ending }
}

function dropping(over: (times: number) => Promise<void> = async () => undefined) {
  const told: number[] = []
  const clicks: string[] = []
  const plans: number[] = []
  const kept = keeping({
    dropOldReported: (before) => over(told.push(before)),
    async dropOldClicks(day) {
      clicks.push(day)
    },
    async dropExpired(at) {
      plans.push(at)
    },
  })
  return { ...kept, told, clicks, plans }
}

describe('dropping old data', () => {
  it('drops what was told more than 90 days ago, and plans that are over, at once and every hour', async () => {
    const { timers, told, plans, ending } = dropping()
    expect(TELEMETRY_KEPT_MS).toBe(90 * DAY_MS)
    const begun = plans[0] ?? 0
    expect(told).toEqual([begun - 90 * DAY_MS])
    await timers.pass(DELETION_INTERVAL_MS - 1)
    expect(plans).toHaveLength(1)
    await timers.pass(1)
    expect(plans).toEqual([begun, begun + DELETION_INTERVAL_MS])
    expect(told).toEqual(plans.map((at) => at - 90 * DAY_MS))
    ending.abort()
    await timers.pass(10 * DELETION_INTERVAL_MS)
    expect(plans).toHaveLength(2)
  })

  it('drops clicks of more than 400 days ago, although reports are not dropped', async () => {
    const { timers, clicks, plans } = dropping(away)
    await timers.pass(DELETION_INTERVAL_MS)
    expect(CLICKS_KEPT_MS).toBe(400 * DAY_MS)
    expect(clicks).toEqual(plans.map((at) => dayOf(at - 400 * DAY_MS)))
  })

  it('tries again after an hour, and drops plans although the other fails', async () => {
    const { timers, told, plans } = dropping((times) => (times === 1 ? away() : Promise.resolve()))
    expect([told.length, plans.length]).toEqual([1, 1])
    await timers.pass(DELETION_INTERVAL_MS)
    expect([told.length, plans.length]).toEqual([2, 2])
  })
})

function indexing(answer: (times: number) => Promise<string | null>) {
  const asked: (string | null)[] = []
  return { ...keeping({ index: (after) => answer(asked.push(after)) }), asked }
}

describe('indexing people', () => {
  it('stores the missing order of people, batch by batch', async () => {
    const asked: (string | null)[] = []
    const { timers } = keeping({
      async fill(after) {
        asked.push(after)
        return asked.length === 1 ? 'm' : null
      },
    })
    await timers.pass(0)
    expect(asked).toEqual([null, 'm'])
  })

  it('[SCALE-4] stores the words of batch after batch at once, and looks for more every ten minutes', async () => {
    const { timers, ending, asked } = indexing(async (times) =>
      times === 1 ? 'm' : times === 2 ? 'z' : null,
    )
    await timers.pass(0)
    expect(asked).toEqual([null, 'm', 'z'])
    await timers.pass(PEOPLE_INDEX_INTERVAL_MS - 1)
    expect(asked).toHaveLength(3)
    await timers.pass(1)
    expect(asked).toEqual([null, 'm', 'z', null])
    ending.abort()
    await timers.pass(5 * PEOPLE_INDEX_INTERVAL_MS)
    expect([asked.length, PEOPLE_INDEX_INTERVAL_MS]).toEqual([4, 600_000])
  })

  it('begins again after a failed batch, at the next time', async () => {
    const { timers, asked } = indexing(async (times) => (times === 1 ? 'm' : times === 2 ? away() : null))
    await timers.pass(0)
    expect(asked).toEqual([null, 'm'])
    await timers.pass(PEOPLE_INDEX_INTERVAL_MS)
    expect(asked).toEqual([null, 'm', null])
  })

  it('begins no second batch while one runs', async () => {
    const { timers, asked } = indexing(never)
    await timers.pass(10 * PEOPLE_INDEX_INTERVAL_MS)
    expect(asked).toEqual([null])
  })
})

describe('corrections of people', () => {
  it('[PERSON-1] end after their last day, at once and every ten minutes, although one person was erased', async () => {
    const days: string[] = []
    const written: unknown[] = []
    const { timers, ending } = keeping(
      {
        async peopleCorrectedUntil(day) {
          days.push(day)
          return [
            { id: 'gone', until: '2026-01-01' },
            { id: 'maria', until: '2026-01-02' },
          ]
        },
      },
      async (id, command, actor) => {
        if (id === 'gone') throw new DomainError('not_found', 'There is no such person.')
        written.push([id, command, actor])
        return null as never
      },
    )
    await timers.pass(0)
    const day = dayOf(START)
    expect(days).toEqual([day])
    expect(written).toEqual([['maria', { type: 'endCorrections', day }, 'calendar']])
    await timers.pass(CORRECTIONS_INTERVAL_MS)
    expect([days.length, written.length, CORRECTIONS_INTERVAL_MS]).toEqual([2, 2, 600_000])
    ending.abort()
    await timers.pass(CORRECTIONS_INTERVAL_MS)
    expect(days).toHaveLength(2)
  })
})
