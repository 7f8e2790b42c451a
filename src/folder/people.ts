/** Reads `people.csv`. */
import {
  createRowReader,
  type PeopleRow,
  isFieldColumn,
  hasLostCharacter,
  isNameOfPerson,
  LOST_CHARACTER,
  namesOf,
  NO_NAMES_AS_IDS,
  lettersAndDigits,
} from './personRow.ts'
import {
  type CsvProblem,
  type CsvRow,
  readCsv,
  readingCsv,
  type CsvSeparator,
  CSV_SEPARATORS,
} from './csv.ts'
import { createNearestFinder, didYouMean } from './near.ts'
import { type Finding, quoteUntrusted, createFindingReport } from './finding.ts'
import { runSteps, mapInSteps, type Steps } from '../../streams/kernel/steps.ts'
import {
  hasText,
  isAddress,
  isFieldName,
  MANAGER_PREFIX,
  trimValue,
} from '../../streams/organisation/release/names.ts'
import { normaliseAddress } from '../values/mailAddress.ts'

export type PeopleRead = Readonly<{
  rows: readonly PeopleRow[]
  /** The columns that are directory fields. */
  fields: readonly string[]
  problems: readonly Finding[]
}>

const PROBLEMS: Readonly<Record<CsvProblem['code'], string>> = {
  quote:
    'A quote stands in a cell that does not begin with one; put the cell in quotes and double the quote.',
  afterQuote: 'After the closing quote of a cell there is the separator or the end of the line.',
  unclosed: 'The quote that opens here is never closed.',
  tooManyCells: 'The row has too many cells.',
  tooManyRows: 'There are too many rows.',
  longCell: 'The cell is too long.',
}

/** The first line with more than separators, quotes and spaces. */
function firstLine(text: string): string {
  for (const [line] of text.matchAll(/[^\r\n]+/g))
    if (/[^\s,;"\p{Default_Ignorable_Code_Point}]/u.test(line)) return line
  return ''
}

/** The line `sep=`, which sets the separator for Excel. Other programs may have added separators to it. */
const DECLARED = /^\uFEFF?"?sep=([^"])"?[,;\t]*$/i

/**
 * Finds the separator of a file. A first line `sep=` sets it; null if that separator is unknown. Otherwise it is the
 * separator that yields a heading "email", or else the separator that yields the most headings.
 */
function separatorOf(text: string): Readonly<{ separator: CsvSeparator | null; isDeclared: boolean }> {
  const line = firstLine(text)
  const [, declared] = DECLARED.exec(line) ?? []
  if (declared !== undefined)
    return { separator: CSV_SEPARATORS.find((each) => each === declared) ?? null, isDeclared: true }
  const read = CSV_SEPARATORS.map((separator) => ({
    separator,
    headings: (readCsv(line, separator).rows[0]?.cells ?? []).map(trimValue).filter(hasText),
  }))
  const [widest] = read.toSorted((one, other) => other.headings.length - one.headings.length)
  const found = read.find(({ headings }) => headings.includes('email')) ?? widest
  return { separator: found?.separator ?? ',', isDeclared: false }
}

/**
 * The column for a person's manager. A cell with the address of another row refers to that person; any other text is a
 * plain field.
 */
const MANAGER_COLUMN = 'manager'

/** Adds the fields of a person's manager to a row. The row's own cells take precedence. */
function withManager(row: PeopleRow, { record }: PeopleRow): PeopleRow {
  const { fields, addresses } = record
  const given = Object.entries({ mail: addresses[0] ?? '', ...fields })
  const managers = given.filter(([field]) => field !== MANAGER_COLUMN && !field.startsWith(MANAGER_PREFIX))
  const named = managers.map(([field, value]) => [`${MANAGER_PREFIX}${field}`, value] as const)
  const known = named.filter(([field, value]) => value !== '' && isFieldName(field))
  return { ...row, record: { ...row.record, fields: { ...Object.fromEntries(known), ...row.record.fields } } }
}

/** Only one row per step, because a row may be long. */
const STEP_ROWS = 1

/** Reads people's full names, in steps. Returns a function that checks whether an id is the name of a person. */
export function* readingNames(people: readonly PeopleRow[]): Steps<(id: string) => boolean> {
  const read = yield* mapInSteps(people, ({ record }) => namesOf(record).map(lettersAndDigits), STEP_ROWS)
  const names = new Set(read.flat())
  return (id) => id !== '' && names.has(lettersAndDigits(id))
}

/**
 * Reads people from a CSV text with headings in its first row. A row with a problem is skipped with a finding.
 *
 * @param pictures `<hash>.<extension>` of each picture by its path below `pictures/`. If null, the column "picture" is
 *   ignored with a warning
 */
export const readPeople = (...file: Parameters<typeof readingPeople>): PeopleRead =>
  runSteps(readingPeople(...file))

/** `readPeople` in steps. */
export function* readingPeople(
  text: string,
  file: string,
  pictures: ReadonlyMap<string, string> | null,
): Steps<PeopleRead> {
  const { findings: problems, error, warn } = createFindingReport()
  const at = (line: number, column = 1) => ({ file, line, column })
  const refuse = (line: number, code: string, message: string) => error(at(line), code, message)
  const { separator, isDeclared } = separatorOf(text)
  if (separator === null) {
    refuse(
      1,
      'csv.separator',
      'The line "sep=" names another separator than a comma, a semicolon or a tab; save the file with one of these.',
    )
    return { rows: [], fields: [], problems }
  }
  const { rows: read, problem } = yield* readingCsv(text, separator)
  if (problem !== null) error(at(problem.line, problem.column), `csv.${problem.code}`, PROBLEMS[problem.code])

  const [first, ...others] = isDeclared ? read.slice(1) : read
  const named = (first?.cells ?? []).map(trimValue)
  const headings = named.slice(0, named.findLastIndex(hasText) + 1)
  const headingLine = first?.line ?? 1
  yield* checkHeadings(headings, headingLine, others, refuse)
  const isUnreadable = !headings.includes('email') || (problems.length > 0 && problem === null)
  if (isUnreadable) return { rows: [], fields: [], problems }

  if (pictures === null && headings.includes('picture'))
    warn(
      at(headingLine),
      'csv.pictureLeftOut',
      'The column "picture" is left out: pictures do not come with an import.',
    )

  const rows: PeopleRow[] = []
  const naming: PeopleRow[] = []
  const short: CsvRow[] = []
  const emailAt = headings.indexOf('email')
  /** Whether a short row continues on the next line, or is cut off at the end of the file. */
  const isBroken = (index: number): boolean => {
    const next = others[index + 1]
    return next === undefined
      ? !/[\r\n]$/.test(text)
      : !isAddress(trimValue(next.cells[emailAt] ?? '').toLowerCase())
  }
  const readRow = createRowReader(headings, pictures, refuse)
  for (const [index, written] of others.entries()) {
    if (index % STEP_ROWS === 0) yield
    const { line, cells } = written
    const isShort = cells.length < headings.length
    if (cells.findLastIndex(hasText) >= headings.length || (isShort && isBroken(index))) {
      refuse(line, 'csv.cells', `The row has ${cells.length} cells, the headings are ${headings.length}.`)
      continue
    }
    const row = readRow(written)
    if (row === null) continue
    rows.push(row)
    if (isShort) short.push(written)
    if (row.id !== null && isNameOfPerson(row.id, row.record)) naming.push(row)
  }

  const [few, ...alsoFew] = short
  if (few !== undefined) {
    const rest =
      alsoFew.length === 0
        ? ''
        : `, and so in ${alsoFew.length === 1 ? 'one other row' : `${alsoFew.length} other rows`}`
    warn(
      at(few.line),
      'csv.cells',
      `The row has ${few.cells.length} cells, the headings are ${headings.length}: the last ones count as empty${rest}.`,
    )
  }
  const [telling, ...more] = naming
  if (telling !== undefined) {
    const alike =
      more.length === 0
        ? ''
        : more.length === 1
          ? ', and so is one other'
          : `, and so are ${more.length} others`
    warn(
      at(telling.line),
      'csv.idNames',
      `The id ${quoteUntrusted(telling.id ?? '')} is the name or address of its person${alike}. ${NO_NAMES_AS_IDS}`,
    )
  }

  const fields = headings.filter(isFieldColumn)
  if (!fields.includes(MANAGER_COLUMN)) return { rows, fields, problems }
  const ofManagers = fields.map((field) => `${MANAGER_PREFIX}${field}`)
  const whole = yield* addingManagers(rows, (line, address) =>
    warn(
      at(line),
      'csv.manager',
      `The manager ${quoteUntrusted(address)} has no row: the fields of the manager are empty.`,
    ),
  )
  return { rows: whole, fields: [...fields, ...ofManagers], problems }
}

/** Reports columns without a name, with a repeated name, or with a name that is not a field, in steps. */
function* checkHeadings(
  headings: readonly string[],
  headingLine: number,
  rows: readonly CsvRow[],
  refuse: (line: number, code: string, message: string) => void,
): Steps<void> {
  if (!headings.includes('email')) {
    const meant = yield* createNearestFinder(() => headings)('email')
    refuse(
      headingLine,
      'csv.noEmail',
      `The first row has the names of the columns; "email" is missing.${didYouMean(meant)}`,
    )
    return
  }
  const unnamed = new Set(headings.flatMap((heading, index) => (heading === '' ? [index] : [])))
  if (unnamed.size > 0)
    for (const [row, { line, cells }] of rows.entries()) {
      if (row % STEP_ROWS === 0) yield
      for (const index of unnamed) {
        if (!hasText(cells[index] ?? '')) continue
        unnamed.delete(index)
        refuse(line, 'csv.column', `Column ${index + 1} has a text here, and no heading.`)
      }
    }
  for (const [index, heading] of headings.entries())
    if (heading === '') continue
    else if (headings.indexOf(heading) !== index)
      refuse(headingLine, 'csv.twice', `The column ${quoteUntrusted(heading)} is here twice.`)
    else if (!isFieldName(heading))
      refuse(headingLine, 'csv.column', `${quoteUntrusted(heading)} is not a name of a column.`)
    else if (hasLostCharacter(heading)) refuse(headingLine, 'csv.notUtf8', LOST_CHARACTER)
}

/** Adds the fields of people's managers to their rows, in steps. */
function* addingManagers(
  rows: readonly PeopleRow[],
  warnOfMissing: (line: number, address: string) => void,
): Steps<readonly PeopleRow[]> {
  const byAddress = new Map(
    rows.flatMap((row) => row.record.addresses.map((address) => [address, row] as const)),
  )
  return yield* mapInSteps(
    rows,
    (row) => {
      const address = normaliseAddress(row.record.fields[MANAGER_COLUMN] ?? '')
      const manager = byAddress.get(address)
      if (manager) return withManager(row, manager)
      if (isAddress(address)) warnOfMissing(row.line, address)
      return row
    },
    STEP_ROWS,
  )
}
