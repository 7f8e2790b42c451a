import { median, quantile, spread, table, times } from './figures.ts'

/** One inserted signature. `ms` counts from the event, or from opening the pane, until the signature is in the message. */
export type Insertion = Readonly<{
  ms: number
  /** The calls to the mail client up to and including the call that sets the signature. */
  calls: number
  /** All calls and requests until the event is completed; null for the pane, which has no event. */
  whole: Readonly<{ calls: number; requests: number }> | null
}>

/** All insertions in one way, in the order of the rounds. */
export type Way = Readonly<{ name: string; insertions: readonly Insertion[] }>

/** The number if it is the same in each run, otherwise the range. */
function range(values: readonly number[]): string {
  const [least, most] = [quantile(values, 0), quantile(values, 1)]
  return least === most ? String(least) : `${String(least)}–${String(most)}`
}

/** The table of all ways, with ratios to the way `reference`. Throws `RangeError` when a way was not measured. */
export function launchTable(title: string, ways: readonly Way[], reference: string): string {
  const medianOf = ({ insertions }: Way) => median(insertions.map(({ ms }) => ms))
  const base = medianOf(ways.find(({ name }) => name === reference) ?? { name: reference, insertions: [] })
  return table(
    title,
    [
      '',
      'ms, median [least–most]',
      `vs. ${reference}`,
      'calls to the mail client',
      'calls until the event is completed',
      'requests until the event is completed',
    ],
    ways.map((way) => {
      const whole = way.insertions.map((each) => each.whole).filter((each) => each !== null)
      return [
        way.name,
        spread(way.insertions.map(({ ms }) => ms)),
        times(medianOf(way) / base),
        range(way.insertions.map(({ calls }) => calls)),
        ...(whole.length === 0
          ? ['', '']
          : [range(whole.map(({ calls }) => calls)), range(whole.map(({ requests }) => requests))]),
      ]
    }),
  )
}
