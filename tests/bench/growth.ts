import { CASES, type Case } from '../growth/cases.ts'
import { digits, table } from './figures.ts'

/** The most that twice the length may cost in measured time. Linear work costs 2, quadratic work 4. */
const MAX_GROWTH = 2.5

/** A sample has at least this much work, so that the clock and the scheduler do not decide. */
const SAMPLE_MS = 3
const LAST_SIZE = 32_000

/** On a machine whose speed varies, three samples of the short input were all slow in one of twelve runs. */
const FEWEST_ROUNDS = 8
const MAX_ROUNDS = 30

/** The time that this process has computed: not the time that it has waited for a busy machine. */
function computedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function measure(work: () => unknown, times: number): number {
  const start = computedMs()
  for (let time = 0; time < times; time++) work()
  return (computedMs() - start) / times
}

const fastest = (samples: number, sample: () => number): number =>
  Math.min(...Array.from({ length: samples }, sample))

/**
 * How much longer `run` takes for an input of twice the length. Both lengths are measured in turns and the fastest run
 * of each counts: a busy machine only makes runs slower. Work that is not linear needs no long input to show, so the
 * length ends where a run takes long enough.
 */
function growthOf({ make: makeInput, run, length: firstSize }: Case): number {
  let length = firstSize
  let took = 0
  for (; length < LAST_SIZE; length *= 2) {
    const input = makeInput(length)
    took = fastest(3, () => measure(() => run(input), 1))
    if (took >= SAMPLE_MS) break
  }
  const times = Math.max(1, Math.ceil(SAMPLE_MS / Math.max(2 * took, 0.001)))
  const once = makeInput(length)
  const twice = makeInput(2 * length)
  let short = Infinity
  let long = Infinity
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    short = Math.min(
      short,
      // As long as the other sample: what interrupts one of them interrupts both.
      measure(() => run(once), 2 * times),
    )
    long = Math.min(
      long,
      measure(() => run(twice), times),
    )
    if (round >= FEWEST_ROUNDS && long <= MAX_GROWTH * short) break
  }
  // Work that does not depend on the length can be too short for the clock.
  return short === 0 ? 1 : long / short
}

const SLOWEST = 20

/**
 * How the time of what reads foreign text grows. That the steps grow in proportion to the length is tested
 * (`tests/growth`); what an engine does with texts and memory shows in time alone.
 */
export function measureGrowth(note: (line: string) => void): string {
  const measured = CASES.map((each, index) => {
    if (index % 100 === 0) note(`${String(index)} of ${String(CASES.length)} …`)
    return { title: each.title, growth: growthOf(each) }
  }).sort((a, b) => b.growth - a.growth)
  const over = measured.filter(({ growth }) => growth > MAX_GROWTH).length
  return `${table(
    'Time for twice the length',
    ['', 'times as long'],
    measured.slice(0, SLOWEST).map(({ title, growth }) => [title, digits(growth)]),
  )}
${String(over)} of ${String(measured.length)} take more than ${digits(MAX_GROWTH)} times as long. A length at which the compiler or the collector begins something else can show alone; measure again.
`
}
