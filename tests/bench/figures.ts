/** The quantile `share` (0 to 1), which is one of the measured values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const found = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (found === undefined) throw new RangeError('Nothing was measured')
  return found
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** A number with about three significant digits and thousands separators. */
export const digits = (value: number): string =>
  value.toLocaleString('en-US', {
    maximumFractionDigits: value >= 100 ? 0 : value >= 10 ? 1 : 2,
    minimumFractionDigits: value >= 100 ? 0 : value >= 10 ? 1 : 2,
  })

/** Median and range: `median [least–most]`. */
export const spread = (values: readonly number[]): string =>
  `${digits(median(values))} [${digits(quantile(values, 0))}–${digits(quantile(values, 1))}]`

export const times = (ratio: number): string => `${ratio.toFixed(2)}×`

/** Formats bytes as kB. */
export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

/** A Markdown table, also readable in a terminal. The first column is left-aligned, the others right-aligned. */
export function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => (line[column] ?? '').length)))
  const written = lines.map((line) => {
    const cells = widths.map((width, column) => {
      const cell = line[column] ?? ''
      return column === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    return `| ${cells.join(' | ')} |`
  })
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [`### ${title}`, '', written[0], rule, ...written.slice(1), ''].join('\n')
}
