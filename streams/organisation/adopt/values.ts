/**
 * Indexes a person's values in the forms that a signature may show. A value can be looked up from any word of a text.
 */
import type { PersonState } from '../facts/state.ts'
import type { Meaning, Meanings } from './meanings.ts'
import { type Atom, collapseBlanks, readValue } from './reading.ts'

/** The longest value that is searched for. */
const MAX_VALUE_CHARACTERS = 1_000

/**
 * A person's value. `phone` and `tel` are the number as `{{phone …}}` and `{{tel …}}` write it; null if it is no
 * number.
 */
export type PersonValue = Readonly<{
  meaning: Meaning
  text: string
  phone: string | null
  tel: string | null
}>

/**
 * A node in a tree of values by atom: `values` end here, `next` has the longer ones. The key of an atom starts with a
 * space if a blank precedes it, except for a value's first atom.
 */
type Node = { readonly next: Map<string, Node>; readonly values: PersonValue[] }

export type ValueIndex = Readonly<{
  root: Node
  /** By the digits after `+`: `4930123450`. */
  international: ReadonlyMap<string, readonly PersonValue[]>
  /** By the national digits, without a leading 0: `30123450`. */
  national: ReadonlyMap<string, readonly PersonValue[]>
  /** By the national digits, for values without a country code. */
  withoutCountry: ReadonlyMap<string, readonly PersonValue[]>
  /** By the number as `{{tel …}}` writes it, with and without its extension. */
  dialled: ReadonlyMap<string, readonly PersonValue[]>
  /** By the mail address in lower case. */
  addresses: ReadonlyMap<string, readonly PersonValue[]>
  /** By the web address in the form of `webAddressKey`. */
  pages: ReadonlyMap<string, readonly PersonValue[]>
}>

/** The key in the tree for an atom that is not the first of its value. */
export const valueTreeKey = ({ key, before }: Atom): string => (before === '' ? key : ` ${key}`)

/** A country's calling code. Those with one or two digits are listed; all others have three. */
const COUNTRY = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/
/** The fewest digits of a number without its country. A shorter number is too common. */
const FEWEST_DIGITS = 7

/** A number's digits. `country`: they begin with a country code. */
export type Digits = Readonly<{ country: boolean; digits: string }>

/** The national digits of a number, without a leading 0; null if they are too few. */
export function nationalDigitsOf({ country, digits }: Digits): string | null {
  const local = (country ? digits.replace(COUNTRY, '') : digits).replace(/^0/, '')
  return local.length < FEWEST_DIGITS ? null : local
}

/** The digits of a text that begins with `+`, 00 or a digit. */
export const phoneDigitsIn = (text: string): Digits => {
  const start = text.trimStart()
  const isInternational = start.startsWith('+') || start.startsWith('00')
  // The 0 in parentheses is dialled only without the country code.
  const digits = (isInternational ? start.replace('(0)', '') : start).replace(/\D/g, '')
  if (!isInternational) return { country: false, digits }
  return { country: true, digits: start.startsWith('+') ? digits : digits.slice(2) }
}

const PHONE = /^[+(\d][\d\s()./-]*$/
const PHONE_START = /^[+(0]/
/** Parts of the names of phone number fields. */
export const PHONE_FIELD = /phone|mobile|fax|tel/i

/** Whether a value is a phone number, judged by its field name. */
const isOfPhone = ({ path, from }: Meaning): boolean =>
  PHONE_FIELD.test(path ?? '') || PHONE_FIELD.test(from ?? '')

/** Whether a value is a phone number, judged by its format and field name. */
function isPhone(meaning: Meaning, text: string): boolean {
  if (!PHONE.test(text) || text.replace(/\D/g, '').length < FEWEST_DIGITS - 1) return false
  return PHONE_START.test(text) || isOfPhone(meaning)
}

/** A web address in normal form, for comparison; null for any other text. */
export function webAddressKey(text: string): string | null {
  const [, scheme = '', host = '', rest = ''] =
    /^(https?):\/\/([^/?#]{1,255})([^]{0,1999})$/i.exec(text.trim()) ?? []
  return host === '' ? null : `${scheme.toLowerCase()}://${host.toLowerCase()}${rest.replace(/\/$/, '')}`
}

function add(values: Map<string, PersonValue[]>, key: string, value: PersonValue): void {
  const known = values.get(key)
  if (known) known.push(value)
  else values.set(key, [value])
}

/** Writes a person's phone numbers; null for a text without a number. */
type Numbers = Readonly<{ phone: (text: string) => string | null; tel: (text: string) => string | null }>

export function valueIndexOf(meanings: Meanings, person: PersonState, { phone, tel }: Numbers): ValueIndex {
  const root: Node = { next: new Map(), values: [] }
  const international = new Map<string, PersonValue[]>()
  const national = new Map<string, PersonValue[]>()
  const withoutCountry = new Map<string, PersonValue[]>()
  const dialled = new Map<string, PersonValue[]>()
  const addresses = new Map<string, PersonValue[]>()
  const pages = new Map<string, PersonValue[]>()
  for (const meaning of meanings.all) {
    const text = collapseBlanks(meanings.valueOf(meaning, person)).trim()
    if (text === '' || text.length > MAX_VALUE_CHARACTERS) continue
    const isNumber = isPhone(meaning, text)
    const isRead = isNumber || isOfPhone(meaning)
    const value = { meaning, text, phone: isRead ? phone(text) : null, tel: isRead ? tel(text) : null }
    const atoms = readValue(text)
    if (!atoms.some(({ kind }) => kind === 'word')) continue
    let node = root
    for (const [index, atom] of atoms.entries()) {
      const step = index === 0 ? atom.key : valueTreeKey(atom)
      const next = node.next.get(step) ?? { next: new Map<string, Node>(), values: [] }
      node.next.set(step, next)
      node = next
    }
    node.values.push(value)
    if (isNumber) {
      const digits = phoneDigitsIn(text)
      const local = nationalDigitsOf(digits)
      if (digits.country) add(international, digits.digits, value)
      if (local !== null) add(digits.country ? national : withoutCountry, local, value)
    }
    if (value.tel !== null)
      for (const number of new Set([value.tel, value.tel.replace(/;.*/, '')])) add(dialled, number, value)
    if (/^[^@\s]+@[^@\s]+$/.test(text)) add(addresses, text.toLowerCase(), value)
    const page = webAddressKey(text)
    if (page !== null) add(pages, page, value)
  }
  return { root, international, national, withoutCountry, dialled, addresses, pages }
}

/** The values that are equal to a number. */
export function valuesWithNumber(values: ValueIndex, digits: Digits): readonly PersonValue[] {
  const exact = digits.country ? (values.international.get(digits.digits) ?? []) : []
  const local = nationalDigitsOf(digits)
  if (local === null) return exact
  const others = digits.country
    ? (values.withoutCountry.get(local) ?? [])
    : [...(values.withoutCountry.get(local) ?? []), ...(values.national.get(local) ?? [])]
  return [...exact, ...others]
}
