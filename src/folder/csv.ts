/** Reads CSV (RFC 4180) in one pass, for any given separator. */
import { runSteps, type Steps } from '../../streams/kernel/steps.ts'
import { hasText } from '../../streams/organisation/release/names.ts'

/** `line` is the number of the row's first line, from 1. */
export type CsvRow = Readonly<{ line: number; cells: readonly string[] }>

export type CsvRead = Readonly<{ rows: readonly CsvRow[]; problem: CsvProblem | null }>

export type CsvProblem = Readonly<{
  line: number
  column: number
  code: 'quote' | 'afterQuote' | 'unclosed' | 'tooManyCells' | 'tooManyRows' | 'longCell'
}>

const MAX_ROWS = 1_000_000
/** The number of characters per step, rounded up to whole rows. */
const STEP_CHARACTERS = 16 * 1024
const MAX_CELLS = 200
const MAX_CELL_CHARACTERS = 10_000

/** Excel uses semicolons where the decimal sign is a comma, and tabs in its text files. */
export const CSV_SEPARATORS = [',', ';', '\t'] as const
export type CsvSeparator = (typeof CSV_SEPARATORS)[number]

/**
 * Reads the rows of a CSV text up to the first problem. Quoted cells may contain separators, line ends and doubled
 * quotes. Lines end in CRLF or LF. A line that contains only separators is skipped.
 */
export const readCsv = (...of: Parameters<typeof readingCsv>): CsvRead => runSteps(readingCsv(...of))

/** `readCsv` in steps. */
export function* readingCsv(text: string, separator: CsvSeparator = ','): Steps<CsvRead> {
  const endsCell = `${separator}\r\n`
  const rows: CsvRow[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  let [line, lineStart] = [1, at]
  let stepUntil = STEP_CHARACTERS
  const fail = (code: CsvProblem['code'], where = at) => ({
    rows,
    problem: { line, column: where - lineStart + 1, code },
  })
  while (at < text.length) {
    if (at >= stepUntil) {
      yield
      stepUntil = at + STEP_CHARACTERS
    }
    const cells: string[] = []
    const startLine = line
    let isEnd = false
    while (!isEnd) {
      let cell = ''
      if (text[at] === '"') {
        const [openAt, openLine, openLineStart] = [at, line, lineStart]
        at++
        for (;;) {
          const quoteAt = text.indexOf('"', at)
          const part = text.slice(at, quoteAt < 0 ? text.length : quoteAt)
          if (quoteAt < 0)
            return {
              rows,
              problem: { line: openLine, column: openAt - openLineStart + 1, code: 'unclosed' },
            }
          for (let end = part.indexOf('\n'); end >= 0; end = part.indexOf('\n', end + 1)) {
            line++
            lineStart = at + end + 1
          }
          cell += part
          at = quoteAt + 1
          if (text[at] !== '"') break
          cell += '"'
          at++
          if (cell.length > MAX_CELL_CHARACTERS) return fail('longCell')
        }
        if (at < text.length && !endsCell.includes(text[at] ?? '')) return fail('afterQuote')
      } else {
        const from = at
        while (at < text.length && text[at] !== '"' && !endsCell.includes(text[at] ?? '')) at++
        if (text[at] === '"') return fail('quote')
        cell = text.slice(from, at)
      }
      if (cell.length > MAX_CELL_CHARACTERS) return fail('longCell')
      // Spreadsheets add empty cells at the end of a row, so empty cells beyond the limit are ignored.
      if (cells.length < MAX_CELLS) cells.push(cell)
      else if (hasText(cell)) return fail('tooManyCells')
      if (text[at] === separator) at++
      else isEnd = true
    }
    if (text[at] === '\r') at++
    if (text[at] === '\n') at++
    line++
    lineStart = at
    if (!cells.some(hasText)) continue
    if (rows.length === MAX_ROWS) return fail('tooManyRows')
    rows.push({ line: startLine, cells })
  }
  return { rows, problem: null }
}
