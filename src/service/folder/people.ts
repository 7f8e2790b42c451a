/** Reads `people.csv`. */
import type { DirectoryRecord } from '../../../streams/organisation/events.ts'
import { finish, type Steps } from '../../../streams/kernel/steps.ts'
import { type CsvProblem, readingCsv } from './csv.ts'
import { type Finding, findError, findWarning, quote } from './finding.ts'
import { isAddress, isField, isText } from '../../calls/names.ts'

/** One person. `id` is null when the file does not tell it; `line` is that of the row in the file. */
export type DirectoryRow = Readonly<{ id: string | null; record: DirectoryRecord; line: number }>

/** The columns that are no field of the directory. */
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
  afterQuote: 'After the closing quote of a cell there is a comma or the end of the line.',
  unclosed: 'The quote that opens here is never closed.',
  tooManyCells: 'The row has too many cells.',
  tooManyRows: 'There are too many rows.',
  longCell: 'The cell is too long.',
}

/** Bytes that are no UTF-8 were read as this character: spreadsheets save CSV in other encodings. */
const isLost = (text: string): boolean => text.includes('\ufffd')
const LOST = 'A character cannot be read; save the file as text in UTF-8.'

const listOf = (cell: string): readonly string[] =>
  cell
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/**
 * The people of a CSV text with a row of headings. Rows with a problem are left out and told with their line.
 *
 * @param pictures `<hash>.<extension>` of the pictures that are kept, by their path below `pictures/`; null where
 *   pictures do not come with the text: the column is left out, with a warning
 */
export const readPeople = (...file: Parameters<typeof readingPeople>): PeopleRead =>
  finish(readingPeople(...file))

export type PeopleRead = Readonly<{ rows: readonly DirectoryRow[]; problems: readonly Finding[] }>

const STEP_ROWS = 100

/** The same in steps. */
export function* readingPeople(
  text: string,
  file: string,
  pictures: ReadonlyMap<string, string> | null,
): Steps<PeopleRead> {
  const problems: Finding[] = []
  const refuse = (line: number, code: string, message: string, column = 1) =>
    problems.push(findError({ file, line, column }, code, message))
  const { rows: read, problem } = yield* readingCsv(text)
  if (problem !== null) refuse(problem.line, `csv.${problem.code}`, PROBLEMS[problem.code], problem.column)

  const [first, ...others] = read
  const headings = (first?.cells ?? []).map((cell) => cell.trim())
  const firstLine = first?.line ?? 1
  if (!headings.includes('email')) {
    refuse(firstLine, 'csv.noEmail', 'The first row has the names of the columns; "email" is missing.')
    return { rows: [], problems }
  }
  for (const [index, heading] of headings.entries())
    if (headings.indexOf(heading) !== index)
      refuse(firstLine, 'csv.twice', `The column ${quote(heading)} is here twice.`)
    else if (!isField(heading)) refuse(firstLine, 'csv.column', `${quote(heading)} is no name of a column.`)
    else if (isLost(heading)) refuse(firstLine, 'csv.notUtf8', LOST)
  if (problems.length > 0 && problem === null) return { rows: [], problems }

  if (pictures === null && headings.includes('picture'))
    problems.push(
      findWarning(
        { file, line: firstLine, column: 1 },
        'csv.pictureLeftOut',
        'The column "picture" is left out: pictures do not come with an import.',
      ),
    )

  const isColumn = (heading: string) => (COLUMNS as readonly string[]).includes(heading)
  const rows: DirectoryRow[] = []
  const ids = new Map<string, number>()
  const owners = new Map<string, number>()
  const accounts = new Map<string, number>()

  for (const [index, { line, cells }] of others.entries()) {
    if (index % STEP_ROWS === 0) yield
    const before = problems.length
    if (cells.length !== headings.length) {
      refuse(line, 'csv.cells', `The row has ${cells.length} cells, the headings are ${headings.length}.`)
      continue
    }
    const cell = (column: Column): string => cells[headings.indexOf(column)]?.trim() ?? ''
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
          .map((address) => address.toLowerCase()),
      ),
    ]
    for (const address of addresses)
      if (isAddress(address)) unique(owners, address, 'The address')
      else refuse(line, 'csv.address', `${quote(address)} is no mail address.`)

    const id = cell('id')
    if (id !== '' && !ID.test(id)) refuse(line, 'csv.id', `The id ${quote(id)} has other characters.`)
    else if (id !== '') unique(ids, id, 'The id')

    const [tenant, oid] = [cell('tenant').toLowerCase(), cell('oid').toLowerCase()]
    if ((tenant === '') !== (oid === ''))
      refuse(line, 'csv.account', 'Of "tenant" and "oid" only one is here; they belong together.')
    else if (tenant !== '' && !(ACCOUNT_PART.test(tenant) && ACCOUNT_PART.test(oid)))
      refuse(line, 'csv.account', '"tenant" and "oid" are ids of the directory.')
    else if (tenant !== '') unique(accounts, `${tenant}/${oid}`, 'The account')

    const language = cell('language')
    if (language !== '' && !LANGUAGE.test(language))
      refuse(line, 'csv.language', `${quote(language)} is no language; write "de" or "pt-BR".`)

    const path = cell('picture')
    const picture = path === '' ? null : (pictures?.get(path) ?? null)
    if (path !== '' && picture === null && pictures !== null)
      refuse(line, 'csv.picture', `There is no picture ${quote(`pictures/${path}`)}.`)

    if (!cells.every(isText)) refuse(line, 'csv.text', 'A cell of the row is no text.')
    else if (cells.some(isLost)) refuse(line, 'csv.notUtf8', LOST)

    if (problems.length > before) continue
    const fields = headings.flatMap((heading, index) => {
      const value = cells[index]?.trim() ?? ''
      return !isColumn(heading) && value !== '' ? [[heading, value] as const] : []
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
  }
  return { rows, problems }
}
