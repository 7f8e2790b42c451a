/** Checks whether the variables of a folder name fields that the directory has. */
import type { Steps } from '../../../streams/kernel/steps.ts'
import { MANAGER_FIELDS } from '../../../streams/organisation/names.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release.ts'
import { RECORD_VARIABLES } from '../../../streams/organisation/selectors.ts'
import { type Finding, type Place, quote, reportTo } from './finding.ts'
import { createNearest, didYouMean } from './near.ts'

const count = (length: number): readonly number[] => Array.from({ length }, (_, index) => index)

/** Fields of Microsoft Graph and SCIM (`USER_PROPERTIES` in `directory/graph.ts`, `scim/graphUser.ts`). */
const USER_FIELDS: readonly string[] = [
  ...'displayName givenName surname jobTitle department companyName officeLocation mobilePhone'.split(' '),
  ...'faxNumber mail userPrincipalName streetAddress city state postalCode country employeeId'.split(' '),
  ...'preferredLanguage employeeHireDate'.split(' '),
  ...count(10).map((index) => `businessPhones.${index}`),
  ...count(15).map((index) => `onPremisesExtensionAttributes.extensionAttribute${index + 1}`),
]
const DIRECTORY_FIELDS: ReadonlySet<string> = new Set([
  ...USER_FIELDS,
  ...USER_FIELDS.map((field) => `${MANAGER_FIELDS}${field}`),
])

/** Names of one thing: the field of Microsoft Graph and SCIM, then names in Active Directory and in other tables. */
const NAMES_OF_ONE: readonly (readonly string[])[] = [
  ['businessPhones.0', 'telephoneNumber', 'phone', 'businessPhone', 'workPhone', 'telephone', 'phoneNumber'],
  ['mobilePhone', 'mobile', 'mobileNumber', 'cellPhone', 'cell'],
  ['faxNumber', 'facsimileTelephoneNumber', 'fax'],
  ['jobTitle', 'title', 'position'],
  ['companyName', 'company', 'organization'],
  ['officeLocation', 'physicalDeliveryOfficeName', 'office'],
  ['givenName', 'firstName', 'forename'],
  ['surname', 'sn', 'lastName', 'familyName'],
  ['displayName', 'cn', 'fullName', 'name'],
  ['mail', 'emailAddress'],
  ['streetAddress', 'street'],
  ['city', 'l', 'locality', 'town'],
  ['state', 'st', 'province', 'region'],
  ['postalCode', 'zip', 'zipCode', 'postcode'],
  ['country', 'c', 'co', 'countryOrRegion'],
  ['employeeId', 'employeeNumber'],
]
const plainName = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '')
const NAMES_BY_NAME = new Map(
  NAMES_OF_ONE.flatMap((names) => names.map((name) => [plainName(name), names] as const)),
)

/** The other name of the same thing that is among these fields; null without one. */
function otherName(field: string, fields: Iterable<string>): string | null {
  const start = field.startsWith(MANAGER_FIELDS) ? MANAGER_FIELDS : ''
  const names = NAMES_BY_NAME.get(plainName(field.slice(start.length)))?.map(plainName) ?? []
  const own = new Map([...fields].map((each) => [plainName(each), each]))
  const found = names.map((name) => own.get(plainName(start) + name) ?? null)
  return found.find((name) => name !== null && name !== field) ?? null
}

/** Whether Microsoft Graph and SCIM have a field. */
const isDirectoryField = (field: string): boolean =>
  DIRECTORY_FIELDS.has(field) || /^(?:manager\.)?businessPhones\.\d+$/.test(field)

const nearDirectoryField = createNearest(() => DIRECTORY_FIELDS)

/** The field of Microsoft Graph and SCIM that is probably meant by one that they do not have; null for other fields. */
export function* directoryFieldMeant(field: string): Steps<string | null> {
  return isDirectoryField(field) ? null : yield* nearDirectoryField(field)
}

/** The part that is meant when a field names a whole list or object: `businessPhones.0`; null for other fields. */
const partOf = (field: string, fields: Iterable<string>): string | null => {
  for (const one of fields) if (one.startsWith(`${field}.`)) return one
  return null
}

/**
 * Reports variables whose field no person has: they would be empty for all people. People of a file have its columns as
 * fields; people of a directory have the fields of the directory.
 *
 * @param columns the columns of `people.csv`; null when there is no `people.csv`
 * @param filled of these, those with a value for at least one person
 */
export function* checkFields(
  { variables }: ReleaseDocument,
  columns: ReadonlySet<string> | null,
  filled: ReadonlySet<string>,
  placeOf: (path: string) => Place,
): Steps<readonly Finding[]> {
  const nearColumn = createNearest(() => [...(columns ?? [])].filter((column) => !isDirectoryField(column)))
  const { findings, error, warn } = reportTo()
  for (const { path, from } of variables) {
    if (from === null || RECORD_VARIABLES.includes(path) || filled.has(from)) continue
    yield
    const place = placeOf(`variables.${path}.from`)
    const other = otherName(from, filled)
    const isKnown = columns?.has(from) === true
    if (isKnown || (isDirectoryField(from) && other !== null)) {
      // A `people.csv` for a trial may lack fields that the directory has.
      if (other !== null)
        warn(
          place,
          'otherField',
          `No person of people.csv has a value for ${quote(from)}, but they have one for ${quote(other)}, which is another name of the same thing.`,
        )
      continue
    }
    const column = yield* nearColumn(from)
    if (isDirectoryField(from) && column === null) continue
    const part = partOf(from, columns ?? []) ?? partOf(from, DIRECTORY_FIELDS)
    if (part !== null) {
      error(
        place,
        'unknownField',
        `${quote(from)} is a list or has parts, and no value itself.${didYouMean(part)}`,
      )
      continue
    }
    const meant = column ?? other ?? (yield* nearDirectoryField(from))
    // Without a `people.csv`, a file that is imported elsewhere may have this name.
    const suggested = meant ?? (columns === null ? otherName(from, USER_FIELDS) : null)
    const unknown =
      columns === null
        ? `No directory has the field ${quote(from)}, unless a file of people does: then put it here as people.csv.`
        : `people.csv has no column ${quote(from)}, and no directory has it: it is empty for all people.`
    // Without a `people.csv` here, the field may be a column of a file elsewhere, so the finding is only a warning.
    const report = columns === null && meant === null ? warn : error
    report(place, 'unknownField', `${unknown}${didYouMean(suggested)}`)
  }
  return findings
}
