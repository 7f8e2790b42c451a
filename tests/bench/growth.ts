import { CASES, type Case } from '../growth/cases.ts'
import { digits, table } from './figures.ts'

/** The highest allowed ratio of times for twice the length. Linear work has 2, quadratic work 4. */
const MAX_GROWTH = 2.5

/** The shortest sample, so that the clock and the scheduler hardly matter. */
const SAMPLE_MS = 3
const LAST_SIZE = 32_000

/** On a machine whose speed varies, three samples of the short input were all slow in one of twelve runs. */
const FEWEST_ROUNDS = 8
const MAX_ROUNDS = 30

/** The processor time of this process, which leaves out waits on a busy machine. */
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
 * The ratio of the times for an input of twice the length and for the input itself. Measures both in turns and compares
 * the fastest runs, because a busy machine only makes runs slower. Doubles the length only until a run takes long enough:
 * work that is not linear shows even with short input.
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
      // Takes as long as the other sample, so that interruptions affect both alike.
      measure(() => run(once), 2 * times),
    )
    long = Math.min(
      long,
      measure(() => run(twice), times),
    )
    if (round >= FEWEST_ROUNDS && long <= MAX_GROWTH * short) break
  }
  // Work that does not depend on the length can take less than the clock's resolution.
  return short === 0 ? 1 : long / short
}

const SLOWEST = 20

/**
 * Measures how the time of parsers for foreign text grows. Tests already check that their steps grow in proportion to the
 * length (`tests/growth`). Only the time shows the engine's own work with texts and memory.
 */
export function measureGrowth(note: (line: string) => void): string {
  const measured = CASES.map((each, index) => {
    if (index % 100 === 0) note(`${String(index)} of ${String(CASES.length)} …`)
    return { title: each.title, growth: growthOf(each) }
  }).sort((a, b) => b.growth - a.growth)
  const over = measured.filter(({ growth }) => growth > MAX_GROWTH).length
  return `${table(
    'Growth of the time when the length doubles',
    ['', 'times as long'],
    measured.slice(0, SLOWEST).map(({ title, growth }) => [title, digits(growth)]),
  )}
${String(over)} of ${String(measured.length)} cases take more than ${digits(MAX_GROWTH)} times as long. The compiler or the garbage collector can cause a single high value; measure again.
`
}
