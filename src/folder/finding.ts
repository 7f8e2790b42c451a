import { countOffsetsUpTo } from '../../streams/kernel/offsets.ts'

/** A place in the folder. Lines and columns count from 1, columns in UTF-16 code units. */
export type Place = Readonly<{ file: string; line: number; column: number }>

/** A problem, described in a sentence. A folder with an error is rejected; warnings are allowed. */
export type Finding = Place & Readonly<{ level: 'error' | 'warning'; code: string; message: string }>

const findingOf =
  (level: Finding['level']) =>
  (place: Place, code: string, message: string): Finding => ({ ...place, level, code, message })
export const errorFinding = findingOf('error')
export const warningFinding = findingOf('warning')

/** Returns functions that add findings to a list, by default a new one. */
export function createFindingReport(findings: Finding[] = []) {
  const reporter = (find: typeof errorFinding) => (place: Place, code: string, message: string) => {
    findings.push(find(place, code, message))
    return null
  }
  return { findings, error: reporter(errorFinding), warn: reporter(warningFinding) }
}

/** Checks stop after this many findings, because nobody reads more. */
export const MAX_FINDINGS = 10_000

export type ReportFinding = ReturnType<typeof createFindingReport>['error']

/** The start of a file, for findings without a line. */
export const startOfFile = (file: string): Place => ({ file, line: 1, column: 1 })

/** Returns a function that converts an offset in the text to a place. */
export function createLocator(file: string, text: string): (offset: number) => Place {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    const line = countOffsetsUpTo(starts, offset)
    return { file, line, column: offset - (starts[line - 1] ?? 0) + 1 }
  }
}

/** Sorts findings by file, line and column. Findings at the same place keep their order. */
export const sortFindings = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted(
    (one, other) =>
      (one.file < other.file ? -1 : one.file > other.file ? 1 : 0) ||
      one.line - other.line ||
      one.column - other.column,
  )

const MAX_EXCERPT_CHARACTERS = 60

/** Quotes untrusted text in a sentence: on one line, without control characters, and cut to 60 characters. */
export function quoteUntrusted(text: string): string {
  const plain = text.slice(0, 4 * MAX_EXCERPT_CHARACTERS).replace(/[\p{C}\s]+/gu, ' ')
  const excerpt =
    plain.length > MAX_EXCERPT_CHARACTERS ? `${plain.slice(0, MAX_EXCERPT_CHARACTERS - 1)}…` : plain
  return `"${excerpt}"`
}

/** Joins words for a sentence: `a, b and c`. */
export const andList = (words: readonly string[]): string =>
  words.length < 2
    ? (words[0] ?? '')
    : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1] ?? ''}`

export const isErrorFinding = ({ level }: Finding): boolean => level === 'error'

export const hasErrorFinding = (findings: readonly Finding[]): boolean => findings.some(isErrorFinding)
