import { expect } from 'vitest'

/** The most that twice the length may cost. Linear work costs 2, quadratic work 4. */
export const MOST_GROWTH = 2.5

/** A sample has at least this much work, so that the clock and the scheduler do not decide. */
const SAMPLE_MS = 3
const LAST_SIZE = 32_000

/** On a machine whose speed varies, three samples of the short input were all slow in one of twelve runs. */
const FEWEST_ROUNDS = 8
const MOST_ROUNDS = 30

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
function growth<Input>(
  makeInput: (length: number) => Input,
  run: (input: Input) => unknown,
  firstSize: number,
): number {
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
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    short = Math.min(
      short,
      // As long as the other sample: what interrupts one of them interrupts both.
      measure(() => run(once), 2 * times),
    )
    long = Math.min(
      long,
      measure(() => run(twice), times),
    )
    if (round >= FEWEST_ROUNDS && long <= MOST_GROWTH * short) break
  }
  return long / short
}

/**
 * The compiler improves the work between two samples, once; and between two lengths an array can become one that the
 * collector treats as large. Neither happens at every length.
 */
const FIRST_SIZES = [500, 360, 640, 430]

/** Fails unless the time of `run` grows in proportion to the length of its input, however slow the machine. */
export function growsLinearly<Input>(
  makeInput: (length: number) => Input,
  run: (input: Input) => unknown,
): void {
  // Among mutants, measuring would take hours, and a slow one would be no proof.
  if (process.env['GROWTH'] === 'unmeasured') {
    run(makeInput(500))
    return
  }
  let least = Infinity
  for (const firstSize of FIRST_SIZES) {
    least = Math.min(least, growth(makeInput, run, firstSize))
    if (least <= MOST_GROWTH) break
  }
  expect(least, 'times as long for twice the length').toBeLessThanOrEqual(MOST_GROWTH)
}
