/** Checks the names of variables, signatures, directory fields, domains and addresses, in releases and requests. */

const VARIABLE = /^[A-Za-z]\w{0,99}$/
/** Forbidden as variables: `else` is a template keyword, the other two are properties of every object. */
const NO_VARIABLES: readonly string[] = ['else', 'constructor', 'prototype']

/** Whether a text can be a variable's name: a letter, then letters, digits and `_`. */
export const isVariableName = (text: string): boolean => VARIABLE.test(text) && !NO_VARIABLES.includes(text)

export const SIGNATURE_ID_PATTERN = /^[a-z0-9_]{1,60}$/
const FIELD = /^[^\p{C}\s][^\p{C}]{0,99}$/u
/** Forbidden field names, because every object has these properties. */
export const FORBIDDEN_FIELDS: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** Whether a text can be the name of a directory field, such as `businessPhones.0`. */
export const isFieldName = (text: string): boolean =>
  FIELD.test(text) && text === text.trim() && !FORBIDDEN_FIELDS.includes(text)

/** The keys of conditions that are not directory fields. */
export const CONDITION_KEYS = ['group', 'person', 'address', 'language'] as const

/** The prefix of the manager's fields in a person's record. */
export const MANAGER_PREFIX = 'manager.'

/** The prefix of the values of the person who writes, in templates. */
export const WRITER_PREFIX = 'writer.'

/** Whether a condition can select by the value of a field with this name. */
export const isValueField = (name: string): boolean =>
  isFieldName(name) && !(CONDITION_KEYS as readonly string[]).includes(name)

/** Whether a condition can test a field with this name. `manager` with tests would be a condition on the manager. */
export const isTestableField = (name: string): boolean => isValueField(name) && name !== 'manager'

const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/

/** Whether a text can be a language tag: `de`, `pt-BR`. */
export const isLanguageTag = (text: string): boolean => LANGUAGE.test(text)

const DOMAIN = /^[^\s\p{C}@/\\:;,*!"<>()[\]]{1,253}$/u
const LOCAL_PART = /^[^\s\p{C}@\\:;,"<>()[\]]{1,64}$/u

/** Whether a text is a domain in lower case. */
export const isDomain = (text: string): boolean =>
  DOMAIN.test(text) && text === text.toLowerCase() && text.includes('.')

function isAddressLike(text: string, isLocal: (local: string) => boolean): boolean {
  const at = text.indexOf('@')
  return at > 0 && isLocal(text.slice(0, at)) && text === text.toLowerCase()
}

/** Whether a text is an address in lower case. */
export const isAddress = (text: string): boolean =>
  isAddressLike(text, (local) => LOCAL_PART.test(local) && !local.includes('*')) &&
  isDomain(text.slice(text.indexOf('@') + 1))

/** Whether a text is an address in lower case, with `*` for any characters: `*@sales.northwind.example`. */
export const isAddressPattern = (text: string): boolean =>
  isAddressLike(text, (local) => LOCAL_PART.test(local)) &&
  isDomain(text.slice(text.indexOf('@') + 1).replaceAll('*', 'x'))

const LIST_NAME = /^[A-Za-z][\w-]{0,59}$/
/** Forbidden as names of recipient lists: the first three name other recipients, the rest properties of every object. */
const NO_LISTS: readonly string[] = ['everyone', 'internal', 'external', 'constructor', 'prototype']

/** Whether a text can be the name of a recipient list: a letter, then letters, digits, `_` and `-`. */
export const isListName = (text: string): boolean => LIST_NAME.test(text) && !NO_LISTS.includes(text)

/** Whether a text is a domain or an address, in lower case. In audiences, `#` and `!` at the start have a meaning. */
export const isRecipient = (text: string): boolean =>
  (isDomain(text) || isAddress(text)) && !/^[#!]/.test(text)

/** Parses the share of a block: a whole number from 1 to 100; null for any other text. */
export const blockShareIn = (text: string): number | null =>
  /^(?:[1-9]\d?|100)$/.test(text) ? Number(text) : null

/** The most times that hours may have. */
export const MAX_SPANS = 50
/** The most days that a block may open before the days that a person enters. */
export const MAX_DAYS_BEFORE = 366

/** Parses the days that a block opens earlier: a whole number from 0 to `MAX_DAYS_BEFORE`; null for any other text. */
export const blockDaysBeforeIn = (text: string): number | null =>
  /^\d{1,3}$/.test(text) && Number(text) <= MAX_DAYS_BEFORE ? Number(text) : null

/** What a share divides after its number: `30 each mail` is 30 % of the messages, not of the people. */
export const EACH_MAIL = ' each mail'

export const DAY_MS = 24 * 60 * 60 * 1000

/** The UTC day of a moment in milliseconds since 1970: `2026-09-01`. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The start of the UTC day of a moment. Both are in milliseconds since 1970. */
export const startOfDay = (at: number): number => at - (at % DAY_MS)

/** The number of a day such as `2026-12-01`, in days since 1970. */
export const dayNumberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS

/** Whether a text is a calendar day: `2026-09-01`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** The day at the start of a text: `2026-09-01` in `2026-09-01T08:00:00+02:00`; null without a day. */
export const dayIn = (text: string): string | null => {
  const day = text.slice(0, DAY_CHARACTERS)
  return isDay(day) && !/^\d/.test(text.slice(DAY_CHARACTERS)) ? day : null
}

const DAY_CHARACTERS = '2026-09-01'.length

/** Whether a text is a time zone that `Intl` knows, such as `Europe/Berlin`. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return text.length <= 60
  } catch {
    return false
  }
}

/** Whether a file can contain the text: no zero characters, no unpaired surrogates. */
export const isStorableText = (text: string): boolean => !/[\0\p{Cs}]/u.test(text)

/**
 * Whether a text has a visible character. Spaces of any width and invisible characters do not count, because tables
 * pasted from web pages have them in empty cells.
 */
export const hasText = (text: string): boolean => /[^\s\p{Default_Ignorable_Code_Point}]/u.test(text)

/** A value without surrounding spaces; empty for a value without visible characters. */
export const trimValue = (value: string): string => (hasText(value) ? value.trim() : '')
