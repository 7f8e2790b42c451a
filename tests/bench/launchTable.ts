import { median, quantile, spread, table, times } from './figures.ts'

/** One signature that was put in. `ms` from the event, or from opening the pane, until it was in the message. */
export type Insertion = Readonly<{
  ms: number
  /** The calls to the mail client until then, the one that sets the signature included. */
  calls: number
  /** Until the event was completed; null for the pane, which goes on. */
  whole: Readonly<{ calls: number; requests: number }> | null
}>

/** All insertions of one kind, in the order of the rounds. */
export type Way = Readonly<{ name: string; insertions: readonly Insertion[] }>

/** A number that is the same in each run, or its range. */
function range(values: readonly number[]): string {
  const [least, most] = [quantile(values, 0), quantile(values, 1)]
  return least === most ? String(least) : `${String(least)}–${String(most)}`
}

/** The table of the ways, each with its ratio to the one named `reference`. Throws `RangeError` when one is missing. */
export function launchTable(title: string, ways: readonly Way[], reference: string): string {
  const medianOf = ({ insertions }: Way) => median(insertions.map(({ ms }) => ms))
  const base = medianOf(ways.find(({ name }) => name === reference) ?? { name: reference, insertions: [] })
  return table(
    title,
    [
      '',
      'ms, median [least–most]',
      `to ${reference}`,
      'calls until then',
      'calls until completed',
      'requests to the service until completed',
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
