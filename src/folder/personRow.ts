/** Reads one row of `people.csv`. */
import { isAddress, isStorableText, trimValue } from '../../streams/organisation/release/names.ts'
import type { CsvRow } from './csv.ts'
import type { DirectoryRecord } from '../../streams/organisation/facts/events.ts'
import { normaliseAddress } from '../values/mailAddress.ts'
import { quoteUntrusted } from './finding.ts'

/** One person. `id` is null if the row has no id; `line` is the row's line in the file. */
export type PeopleRow = Readonly<{ id: string | null; record: DirectoryRecord; line: number }>

/** The columns with a special meaning. All other columns are directory fields. */
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

export const NO_NAMES_AS_IDS =
  'Recipients find ids in the source of a mail, and names and addresses change: leave the column empty, or take a number.'

/**
 * Whether a text contains U+FFFD, the replacement for bytes that are not UTF-8. Spreadsheets may use other encodings.
 */
export const hasLostCharacter = (text: string): boolean => text.includes('\ufffd')
export const LOST_CHARACTER = 'A character cannot be read; save the file as text in UTF-8.'

const listOf = (cell: string): readonly string[] =>
  cell
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Whether a column is a directory field. */
export const isFieldColumn = (heading: string): boolean =>
  heading !== '' && !(COLUMNS as readonly string[]).includes(heading)

/** The letters and digits of a text, in lower case and without accents. */
export const lettersAndDigits = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** The full names of a person: the display name, and the first and last name in both orders. */
export function namesOf({ fields }: DirectoryRecord): readonly string[] {
  const { givenName = '', surname = '', displayName = '' } = fields
  const isWhole = givenName !== '' && surname !== ''
  return [displayName, ...(isWhole ? [givenName + surname, surname + givenName] : [])]
}

/** Whether an id is a name or an address of the person. An id with three digits in a row counts as a number. */
export function isNameOfPerson(id: string, record: DirectoryRecord): boolean {
  if (/\d{3}/.test(id)) return false
  const { addresses, fields } = record
  const local = addresses.map((address) => address.slice(0, address.indexOf('@')))
  return [...namesOf(record), fields['surname'] ?? '', ...local, ...addresses].some(
    (name) => name !== '' && lettersAndDigits(name) === lettersAndDigits(id),
  )
}

/** The text of a cell without Excel's leading apostrophe, which marks numbers and formulas as text. */
const cellText = (cell: string): string => trimValue(cell).replace(/^'(?=[+=@(0])/, '')

/**
 * Returns a function that reads a row under these headings. It returns null for a row with a problem.
 *
 * @param pictures `<hash>.<extension>` of each picture by its path below `pictures/`
 */
export function createRowReader(
  headings: readonly string[],
  pictures: ReadonlyMap<string, string> | null,
  report: (line: number, code: string, message: string) => void,
) {
  const ids = new Map<string, number>()
  const owners = new Map<string, number>()
  const accounts = new Map<string, number>()

  return ({ line, cells: written }: CsvRow): PeopleRow | null => {
    const cells = written.map(cellText)
    const row = { isRefused: false }
    const refuse = (code: string, message: string) => {
      row.isRefused = true
      report(line, code, message)
    }
    const cell = (column: Column): string => cells[headings.indexOf(column)] ?? ''
    const unique = (known: Map<string, number>, key: string, what: string) => {
      const other = known.get(key)
      if (other !== undefined)
        refuse('csv.twice', `${what} ${quoteUntrusted(key)} is that of line ${other}, too.`)
      else known.set(key, line)
    }

    const addresses = [
      ...new Set(
        [cell('email'), cell('sign_in_name'), ...listOf(cell('addresses'))]
          .filter((address, index) => address !== '' || index === 0)
          .map(normaliseAddress),
      ),
    ]
    for (const address of addresses)
      if (isAddress(address)) unique(owners, address, 'The address')
      else refuse('csv.address', `${quoteUntrusted(address)} is not a mail address.`)

    const id = cell('id')
    if (id !== '' && !ID.test(id))
      refuse(
        'csv.id',
        id.includes('@')
          ? `The id ${quoteUntrusted(id)} is an address. ${NO_NAMES_AS_IDS}`
          : `The id ${quoteUntrusted(id)} has other characters than letters, digits, "_", "." and "-".`,
      )
    else if (id !== '') unique(ids, id, 'The id')

    const [tenant, oid] = [cell('tenant').toLowerCase(), cell('oid').toLowerCase()]
    if ((tenant === '') !== (oid === ''))
      refuse('csv.account', 'Of "tenant" and "oid" only one is here; they belong together.')
    else if (tenant !== '' && !(ACCOUNT_PART.test(tenant) && ACCOUNT_PART.test(oid)))
      refuse('csv.account', '"tenant" and "oid" are ids of the directory.')
    else if (tenant !== '') unique(accounts, `${tenant}/${oid}`, 'The account')

    const language = cell('language')
    if (language !== '' && !LANGUAGE.test(language))
      refuse('csv.language', `${quoteUntrusted(language)} is not a language; write "de" or "pt-BR".`)

    const path = cell('picture')
    const picture = path === '' ? null : (pictures?.get(path) ?? null)
    if (path !== '' && picture === null && pictures !== null)
      refuse('csv.picture', `There is no picture ${quoteUntrusted(`pictures/${path}`)}.`)

    if (!cells.every(isStorableText)) refuse('csv.text', 'A cell of the row is not text.')
    else if (cells.some(hasLostCharacter)) refuse('csv.notUtf8', LOST_CHARACTER)

    if (row.isRefused) return null
    const fields = headings.flatMap((heading, index) => {
      const value = cells[index] ?? ''
      return isFieldColumn(heading) && value !== '' ? [[heading, value] as const] : []
    })
    const record: DirectoryRecord = {
      addresses,
      account: tenant === '' ? null : { tenant, oid },
      language: language === '' ? null : language,
      fields: Object.fromEntries(fields),
      groups: [...new Set(listOf(cell('groups')))],
      picture,
    }
    return { id: id === '' ? null : id, record, line }
  }
}
