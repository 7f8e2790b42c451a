import { MANAGER_PREFIX, WRITER_PREFIX } from '../../../streams/organisation/release/names.ts'
import type { TextKey, Translate } from './texts.ts'

/** The labels of variables and directory fields, by name. Undefined if an older service sends none. */
export type FieldLabels = Readonly<Record<string, string>> | undefined

/** Translated names of fields and variables. The keys have only lower-case letters and digits. */
const NAMES: ReadonlyMap<string, TextKey> = new Map<string, TextKey>([
  ['account', 'field.account'],
  ['addresses', 'field.addresses'],
  ['address', 'field.address'],
  ['businessphones0', 'field.phone'],
  ['city', 'field.city'],
  ['company', 'field.company'],
  ['companyname', 'field.company'],
  ['country', 'field.country'],
  ['department', 'field.department'],
  ['displayname', 'field.displayName'],
  ['email', 'field.email'],
  ['employeeid', 'field.employeeNumber'],
  ['employeenumber', 'field.employeeNumber'],
  ['fields', 'field.fields'],
  ['firstname', 'field.firstName'],
  ['givenname', 'field.firstName'],
  ['group', 'field.group'],
  ['groups', 'field.groups'],
  ['jobtitle', 'field.jobTitle'],
  ['language', 'field.language'],
  ['lastname', 'field.lastName'],
  ['legalline', 'field.legalLine'],
  ['mail', 'field.email'],
  ['manager', 'field.manager'],
  ['managerdisplayname', 'field.manager'],
  ['mobile', 'field.mobile'],
  ['mobilephone', 'field.mobile'],
  ['networkpage', 'field.networkPage'],
  ['office', 'field.office'],
  ['officelocation', 'field.office'],
  ['person', 'field.person'],
  ['phone', 'field.phone'],
  ['picture', 'field.picture'],
  ['preferredlanguage', 'field.language'],
  ['sender', 'field.sender'],
  ['surname', 'field.lastName'],
  ['telephonenumber', 'field.phone'],
  ['website', 'field.website'],
])

/** Splits a name into words: `cost_center`, `costCenter` and `cost.center` all become `Cost center`. */
function wordsOf(name: string): string {
  const words = name.replace(
    /([\p{Ll}\d])(\p{Lu})(?=\p{Ll})/gu,
    (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  )
  const apart = words.replace(/[_.]+/g, ' ').trim() || name
  return apart.charAt(0).toUpperCase() + apart.slice(1)
}

/**
 * The display name of a variable or directory field: the organisation's label, or else the translated name, or else the
 * words of its name.
 */
export function fieldName(name: string, labels: FieldLabels, t: Translate): string {
  const label = labels && Object.hasOwn(labels, name) ? labels[name] : undefined
  if (label !== undefined) return label
  const key = NAMES.get(name.replace(/[^\p{L}\d]/gu, '').toLowerCase())
  if (key) return t(key)
  if (name.startsWith(WRITER_PREFIX))
    return t('field.ofWriter', { field: fieldName(name.slice(WRITER_PREFIX.length), labels, t) })
  return name.startsWith(MANAGER_PREFIX)
    ? t('field.ofManager', { field: fieldName(name.slice(MANAGER_PREFIX.length), labels, t) })
    : wordsOf(name)
}
