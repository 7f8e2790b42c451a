/** Builds a person's card (vCard 3.0, RFC 2426). It contains only values that a signature shows. */
import type { PostalParts } from '../template/formats.ts'
import { MANAGER_PREFIX, WRITER_PREFIX } from '../release/names.ts'
import { POSTAL_ADDRESS } from '../release/release.ts'
import type { ShownValue } from '../template/template.ts'

/** The data for a card. */
export type CardSource = Readonly<{
  shown: readonly ShownValue[]
  /** The person's first and last name, to tell which is which in the shown name. */
  first: string
  last: string
  /** The parts of the postal address. */
  postal: PostalParts
  /** The lines of the postal address as `{{address}}` shows them; null if a variable has this name. */
  addressLines: readonly string[] | null
  /** The directory field of a variable; null for a variable without one. */
  fieldOf: (name: string) => string | null
}>

/** The size limit of a card in octets, so that phones can read its QR code. Lines that do not fit are left out. */
const MAX_OCTETS = 1_000
const LINE_OCTETS = 75

const PHONE = 'TEL;TYPE=WORK'
/**
 * The card properties for directory fields, by the names in Microsoft Graph and in files exported from Active
 * Directory.
 */
const OF_FIELDS: Readonly<Record<string, string>> = {
  mobilePhone: 'TEL;TYPE=CELL',
  mobile: 'TEL;TYPE=CELL',
  telephoneNumber: PHONE,
  faxNumber: 'TEL;TYPE=FAX',
  mail: 'EMAIL',
  userPrincipalName: 'EMAIL',
  jobTitle: 'TITLE',
}

/** The number of octets of a character in UTF-8. */
function octetsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}

const lengthOf = (text: string): number =>
  Array.from(text).reduce((octets, character) => octets + octetsOf(character), 0)

const escaped = (value: string): string =>
  value
    .trim()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** Folds a line into pieces of up to 75 octets. Every piece after the first begins with a space. */
function folded(line: string): string {
  const pieces: string[] = []
  let piece = ''
  let octets = 0
  for (const character of line) {
    const next = octetsOf(character)
    if (octets + next > LINE_OCTETS) {
      pieces.push(piece)
      piece = ' '
      octets = 1
    }
    piece += character
    octets += next
  }
  return [...pieces, piece].join('\r\n')
}

/** The card property for a shown value; null for a value without a property. */
function propertyOf({ kind, name }: ShownValue, field: string | null): string | null {
  if (name === 'email') return 'EMAIL'
  if (field !== null && Object.hasOwn(OF_FIELDS, field)) return OF_FIELDS[field] ?? null
  if (field?.startsWith('businessPhones.') === true || kind === 'tel' || kind === 'phone') return PHONE
  return kind === 'web' ? 'URL' : null
}

/**
 * Returns the address parts that the shown lines contain, in the order of a card. If the lines write the country
 * differently, the last line is the country.
 */
function placeOf(
  { street, city, state, postalCode, country }: PostalParts,
  lines: readonly string[],
): readonly string[] {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
  const text = plain(lines.join(' '))
  const shown = [street, city, state, postalCode].map((part) => (text.includes(plain(part)) ? part : ''))
  return [...shown, country === '' || text.includes(plain(country)) ? country : (lines.at(-1) ?? '')]
}

/** Writes the card as text, with CRLF at the end of each line; empty if no name is shown. */
export function cardText({ shown, first, last, postal, addressLines, fieldOf }: CardSource): string {
  const ofPerson = shown.filter(({ name }) =>
    [name, fieldOf(name) ?? ''].every(
      (each) => !each.startsWith(MANAGER_PREFIX) && !each.startsWith(WRITER_PREFIX),
    ),
  )
  const textOf = (is: (name: string, field: string | null) => boolean): string =>
    ofPerson.find(({ kind, name }) => kind === 'text' && is(name, fieldOf(name)))?.text ?? ''
  const ofField = (field: string): string => textOf((_, own) => own === field)
  const shownFirst = textOf((name, field) => name === 'first_name' || field === 'givenName')
  const shownLast = textOf((name, field) => name === 'last_name' || field === 'surname')
  const parts = [shownFirst, shownLast].filter((part) => part !== '')
  const whole = textOf((name, field) => name === 'display_name' || field === 'displayName') || parts.join(' ')
  if (whole.trim() === '') return ''
  const isMadeOfBoth = first !== '' && last !== '' && whole === `${first} ${last}`
  const names = isMadeOfBoth ? [last, first] : parts.length === 2 ? [shownLast, shownFirst] : ['', whole]

  const lines = [`FN:${escaped(whole)}`, `N:${names.map(escaped).join(';')};;;`]
  const seen = new Set<string>()
  /** Readable numbers come first, so that the same number as bare digits is recognised as a duplicate. */
  const byText = [...ofPerson].sort((one, other) => Number(one.kind === 'tel') - Number(other.kind === 'tel'))
  for (const value of byText) {
    const property = propertyOf(value, fieldOf(value.name))
    if (property === null) continue
    const key = property.startsWith('TEL') ? value.text.replace(/\D/g, '') : `${property} ${value.text}`
    if (seen.has(value.name) || seen.has(key)) continue
    seen.add(value.name)
    seen.add(key)
    lines.push(`${property}:${escaped(value.text)}`)
  }
  const organisation = [ofField('companyName'), ofField('department')]
  if (organisation.some((part) => part !== ''))
    lines.push(`ORG:${organisation.map(escaped).join(';').replace(/;$/, '')}`)
  const place = ofPerson.some(({ name }) => name === POSTAL_ADDRESS && addressLines !== null)
    ? placeOf(postal, addressLines ?? [])
    : ['streetAddress', 'city', 'state', 'postalCode', 'country'].map(ofField)
  if (place.some((part) => part !== '')) lines.push(`ADR;TYPE=WORK:;;${place.map(escaped).join(';')}`)

  const end = 'END:VCARD\r\n'
  let text = 'BEGIN:VCARD\r\nVERSION:3.0\r\n'
  for (const line of lines) {
    const next = `${text}${folded(line)}\r\n`
    if (lengthOf(next) + end.length <= MAX_OCTETS) text = next
  }
  return text + end
}
