import { median, quantile, table, times } from './figures.ts'

/** A goal for a time that users wait: Signet takes at most `most` times as long as the reference. */
export type Goal = Readonly<{
  name: string
  reference: string
  most: number
  /** The times in the order of the rounds. */
  ours: readonly number[]
  theirs: readonly number[]
}>

/**
 * The table of goals: the ratio of the medians, the range of the ratios of single rounds, and whether the goal is
 * reached. Throws `RangeError` when a goal was not measured.
 */
export function goalTable(goals: readonly Goal[]): string {
  return table(
    'Goals',
    ['', 'vs.', 'goal', 'measured', 'in single rounds', 'result'],
    goals.map(({ name, reference, most, ours, theirs }) => {
      const ratio = median(ours) / median(theirs)
      const rounds = ours.map((each, round) => each / (theirs[round] ?? Number.NaN))
      return [
        name,
        reference,
        `at most ${times(most)}`,
        // Three digits, because 1.104 would look like 1.10.
        `${ratio.toFixed(3)}×`,
        `${times(quantile(rounds, 0))}–${times(quantile(rounds, 1))}`,
        ratio <= most ? 'reached' : 'missed',
      ]
    }),
  )
}
