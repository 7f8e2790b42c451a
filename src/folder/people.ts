/** Reads `people.csv`. */
import type { DirectoryRecord } from '../../streams/organisation/facts/events.ts'
import { finish, mapping, type Steps } from '../../streams/kernel/steps.ts'
import { type CsvProblem, readCsv, readingCsv, type Separator, SEPARATORS } from './csv.ts'
import { type Finding, quote, reportTo } from './finding.ts'
import {
  hasText,
  isAddress,
  isField,
  isText,
  MANAGER_FIELDS,
  trimmed,
} from '../../streams/organisation/release/names.ts'
import { oneAddress } from '../values/mailAddress.ts'
import { createNearest, didYouMean } from './near.ts'

/** One person. `id` is null without a column for it; `line` is the row's line in the file. */
export type DirectoryRow = Readonly<{ id: string | null; record: DirectoryRecord; line: number }>

export type PeopleRead = Readonly<{
  rows: readonly DirectoryRow[]
  /** The columns that are fields of the directory. */
  fields: readonly string[]
  problems: readonly Finding[]
}>

/** The columns with a meaning of their own. All other columns are fields of the directory. */
const COLUMNS = [
  'email',
  'id',
  'sign_in_name',
  'addresses',
  'groups',
  'tenant',
  'oid',
  'language',
  'picture',
] as const
type Column = (typeof COLUMNS)[number]

const ID = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/
const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/
const ACCOUNT_PART = /^[A-Za-z0-9-]{1,100}$/

const PROBLEMS: Readonly<Record<CsvProblem['code'], string>> = {
  quote:
    'A quote stands in a cell that does not begin with one; put the cell in quotes and double the quote.',
  afterQuote: 'After the closing quote of a cell there is the separator or the end of the line.',
  unclosed: 'The quote that opens here is never closed.',
  tooManyCells: 'The row has too many cells.',
  tooManyRows: 'There are too many rows.',
  longCell: 'The cell is too long.',
}

const NO_NAMES =
  'Recipients find ids in the source of a mail, and names and addresses change: leave the column empty, or take a number.'

/** Whether a text has U+FFFD, which replaces bytes that are not UTF-8. Spreadsheets may use other encodings. */
const isLost = (text: string): boolean => text.includes('\ufffd')
const LOST = 'A character cannot be read; save the file as text in UTF-8.'

const listOf = (cell: string): readonly string[] =>
  cell
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** The first line with a character other than separators, quotes and spaces. */
function firstLine(text: string): string {
  for (const [line] of text.matchAll(/[^\r\n]+/g))
    if (/[^\s,;"\p{Default_Ignorable_Code_Point}]/u.test(line)) return line
  return ''
}

/** The line with which a file tells Excel its separator. A program that does not know it may add separators. */
const DECLARED = /^\uFEFF?"?sep=([^"])"?[,;\t]*$/i

/**
 * Finds the separator of a file: the one in the line `sep=`, if the file begins so; else the separator by which a
 * heading is "email"; else the separator that gives the most headings. Null for a line `sep=` with another character.
 */
function separatorOf(text: string): Readonly<{ separator: Separator | null; isDeclared: boolean }> {
  const line = firstLine(text)
  const [, declared] = DECLARED.exec(line) ?? []
  if (declared !== undefined)
    return { separator: SEPARATORS.find((each) => each === declared) ?? null, isDeclared: true }
  const read = SEPARATORS.map((separator) => ({
    separator,
    headings: (readCsv(line, separator).rows[0]?.cells ?? []).map(trimmed).filter(hasText),
  }))
  const [widest] = read.toSorted((one, other) => other.headings.length - one.headings.length)
  const found = read.find(({ headings }) => headings.includes('email')) ?? widest
  return { separator: found?.separator ?? ',', isDeclared: false }
}

/** The letters and digits of a text, in lower case and without accents. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** The full names of a person: the displayed name, and the first and last name in both orders. */
function namesOf({ fields }: DirectoryRecord): readonly string[] {
  const { givenName = '', surname = '', displayName = '' } = fields
  const isWhole = givenName !== '' && surname !== ''
  return [displayName, ...(isWhole ? [givenName + surname, surname + givenName] : [])]
}

/** Whether an id is a name or an address of the person. An id with three digits in a row does not count. */
function isNaming(id: string, record: DirectoryRecord): boolean {
  if (/\d{3}/.test(id)) return false
  const { addresses, fields } = record
  const local = addresses.map((address) => address.slice(0, address.indexOf('@')))
  return [...namesOf(record), fields['surname'] ?? '', ...local, ...addresses].some(
    (name) => name !== '' && plain(name) === plain(id),
  )
}

/** Text of a cell without the apostrophe with which Excel marks numbers and formulas as text. */
const cellText = (cell: string): string => trimmed(cell).replace(/^'(?=[+=@(0])/, '')

/** The column whose cell may be the address of another row: that of the person's manager. Else it is a field. */
const MANAGER_COLUMN = 'manager'

/** The row with the fields of its manager, which its own cells win over. */
function withManager(row: DirectoryRow, { record }: DirectoryRow): DirectoryRow {
  const { fields, addresses } = record
  const given = Object.entries({ mail: addresses[0] ?? '', ...fields })
  const managers = given.filter(([field]) => field !== MANAGER_COLUMN && !field.startsWith(MANAGER_FIELDS))
  const named = managers.map(([field, value]) => [`${MANAGER_FIELDS}${field}`, value] as const)
  const known = named.filter(([field, value]) => value !== '' && isField(field))
  return { ...row, record: { ...row.record, fields: { ...Object.fromEntries(known), ...row.record.fields } } }
}

/** A row may be long. */
const STEP_ROWS = 1

/** Reads the full names of people, in steps, and returns a function that tells whether an id is one of the names. */
export function* readingNames(people: readonly DirectoryRow[]): Steps<(id: string) => boolean> {
  const read = yield* mapping(people, ({ record }) => namesOf(record).map(plain), STEP_ROWS)
  const names = new Set(read.flat())
  return (id) => id !== '' && names.has(plain(id))
}

/**
 * The people of a CSV text, whose first row has the headings. A row with a problem is left out, and is a finding.
 *
 * @param pictures `<hash>.<extension>` of each picture by its path below `pictures/`. Null leaves the column "picture"
 *   out, with a warning
 */
export const readPeople = (...file: Parameters<typeof readingPeople>): PeopleRead =>
  finish(readingPeople(...file))

/** `readPeople` in steps. */
export function* readingPeople(
  text: string,
  file: string,
  pictures: ReadonlyMap<string, string> | null,
): Steps<PeopleRead> {
  const { findings: problems, error, warn } = reportTo()
  const refuse = (line: number, code: string, message: string, column = 1) =>
    error({ file, line, column }, code, message)
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
  if (problem !== null) refuse(problem.line, `csv.${problem.code}`, PROBLEMS[problem.code], problem.column)

  const [first, ...others] = isDeclared ? read.slice(1) : read
  const named = (first?.cells ?? []).map(trimmed)
  const headings = named.slice(0, named.findLastIndex(hasText) + 1)
  const headingLine = first?.line ?? 1
  if (!headings.includes('email')) {
    const meant = yield* createNearest(() => headings)('email')
    refuse(
      headingLine,
      'csv.noEmail',
      `The first row has the names of the columns; "email" is missing.${didYouMean(meant)}`,
    )
    return { rows: [], fields: [], problems }
  }
  const unnamed = new Set(headings.flatMap((heading, index) => (heading === '' ? [index] : [])))
  if (unnamed.size > 0)
    for (const [row, { line, cells }] of others.entries()) {
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
      refuse(headingLine, 'csv.twice', `The column ${quote(heading)} is here twice.`)
    else if (!isField(heading))
      refuse(headingLine, 'csv.column', `${quote(heading)} is not a name of a column.`)
    else if (isLost(heading)) refuse(headingLine, 'csv.notUtf8', LOST)
  if (problems.length > 0 && problem === null) return { rows: [], fields: [], problems }

  if (pictures === null && headings.includes('picture'))
    warn(
      { file, line: headingLine, column: 1 },
      'csv.pictureLeftOut',
      'The column "picture" is left out: pictures do not come with an import.',
    )

  const isColumn = (heading: string) => (COLUMNS as readonly string[]).includes(heading)
  const rows: DirectoryRow[] = []
  const ids = new Map<string, number>()
  const owners = new Map<string, number>()
  const accounts = new Map<string, number>()
  const naming: Readonly<{ line: number; id: string }>[] = []
  const short: Readonly<{ line: number; cells: number }>[] = []
  const emailAt = headings.indexOf('email')
  /** Whether a row with few cells goes on in the next line, or was cut off at the end of the file. */
  const isBroken = (index: number): boolean => {
    const next = others[index + 1]
    return next === undefined
      ? !/[\r\n]$/.test(text)
      : !isAddress(trimmed(next.cells[emailAt] ?? '').toLowerCase())
  }

  for (const [index, { line, cells: written }] of others.entries()) {
    if (index % STEP_ROWS === 0) yield
    const before = problems.length
    const cells = written.map(cellText)
    const isShort = cells.length < headings.length
    if (cells.findLastIndex(hasText) >= headings.length || (isShort && isBroken(index))) {
      refuse(line, 'csv.cells', `The row has ${cells.length} cells, the headings are ${headings.length}.`)
      continue
    }
    const cell = (column: Column): string => cells[headings.indexOf(column)] ?? ''
    const unique = (known: Map<string, number>, key: string, what: string) => {
      const other = known.get(key)
      if (other !== undefined)
        refuse(line, 'csv.twice', `${what} ${quote(key)} is that of line ${other}, too.`)
      else known.set(key, line)
    }

    const addresses = [
      ...new Set(
        [cell('email'), cell('sign_in_name'), ...listOf(cell('addresses'))]
          .filter((address, index) => address !== '' || index === 0)
          .map(oneAddress),
      ),
    ]
    for (const address of addresses)
      if (isAddress(address)) unique(owners, address, 'The address')
      else refuse(line, 'csv.address', `${quote(address)} is not a mail address.`)

    const id = cell('id')
    if (id !== '' && !ID.test(id))
      refuse(
        line,
        'csv.id',
        id.includes('@')
          ? `The id ${quote(id)} is an address. ${NO_NAMES}`
          : `The id ${quote(id)} has other characters than letters, digits, "_", "." and "-".`,
      )
    else if (id !== '') unique(ids, id, 'The id')

    const [tenant, oid] = [cell('tenant').toLowerCase(), cell('oid').toLowerCase()]
    if ((tenant === '') !== (oid === ''))
      refuse(line, 'csv.account', 'Of "tenant" and "oid" only one is here; they belong together.')
    else if (tenant !== '' && !(ACCOUNT_PART.test(tenant) && ACCOUNT_PART.test(oid)))
      refuse(line, 'csv.account', '"tenant" and "oid" are ids of the directory.')
    else if (tenant !== '') unique(accounts, `${tenant}/${oid}`, 'The account')

    const language = cell('language')
    if (language !== '' && !LANGUAGE.test(language))
      refuse(line, 'csv.language', `${quote(language)} is not a language; write "de" or "pt-BR".`)

    const path = cell('picture')
    const picture = path === '' ? null : (pictures?.get(path) ?? null)
    if (path !== '' && picture === null && pictures !== null)
      refuse(line, 'csv.picture', `There is no picture ${quote(`pictures/${path}`)}.`)

    if (!cells.every(isText)) refuse(line, 'csv.text', 'A cell of the row is not text.')
    else if (cells.some(isLost)) refuse(line, 'csv.notUtf8', LOST)

    if (problems.length > before) continue
    const fields = headings.flatMap((heading, index) => {
      const value = cells[index] ?? ''
      return heading !== '' && !isColumn(heading) && value !== '' ? [[heading, value] as const] : []
    })
    const record: DirectoryRecord = {
      addresses,
      account: tenant === '' ? null : { tenant, oid },
      language: language === '' ? null : language,
      fields: Object.fromEntries(fields),
      groups: [...new Set(listOf(cell('groups')))],
      picture,
    }
    rows.push({ id: id === '' ? null : id, record, line })
    if (isShort) short.push({ line, cells: cells.length })
    if (id !== '' && isNaming(id, record)) naming.push({ line, id })
  }
  const [few, ...alsoFew] = short
  if (few !== undefined)
    warn(
      { file, line: few.line, column: 1 },
      'csv.cells',
      `The row has ${few.cells} cells, the headings are ${headings.length}: the last ones count as empty${
        alsoFew.length === 0
          ? ''
          : `, and so in ${alsoFew.length === 1 ? 'one other row' : `${alsoFew.length} other rows`}`
      }.`,
    )
  const [telling, ...more] = naming
  const alike =
    more.length === 0
      ? ''
      : more.length === 1
        ? ', and so is one other'
        : `, and so are ${more.length} others`
  if (telling !== undefined)
    warn(
      { file, line: telling.line, column: 1 },
      'csv.idNames',
      `The id ${quote(telling.id)} is the name or address of its person${alike}. ${NO_NAMES}`,
    )
  const fields = headings.filter((heading) => heading !== '' && !isColumn(heading))
  if (!fields.includes(MANAGER_COLUMN)) return { rows, fields, problems }
  const byAddress = new Map(
    rows.flatMap((row) => row.record.addresses.map((address) => [address, row] as const)),
  )
  const whole = yield* mapping(
    rows,
    (row) => {
      const address = oneAddress(row.record.fields[MANAGER_COLUMN] ?? '')
      const manager = byAddress.get(address)
      if (manager) return withManager(row, manager)
      if (isAddress(address))
        warn(
          { file, line: row.line, column: 1 },
          'csv.manager',
          `The manager ${quote(address)} has no row: the fields of the manager are empty.`,
        )
      return row
    },
    STEP_ROWS,
  )
  return { rows: whole, fields: [...fields, ...fields.map((field) => `${MANAGER_FIELDS}${field}`)], problems }
}
