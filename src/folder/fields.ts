/** Checks that the directory has the fields that a folder's variables and templates use. */
import { runSteps, type Steps } from '../../streams/kernel/steps.ts'
import { isDirectoryExtension } from '../../streams/organisation/directory/attributes.ts'
import { MANAGER_PREFIX, WRITER_PREFIX } from '../../streams/organisation/release/names.ts'
import { POSTAL_ADDRESS, type ReleaseDocument } from '../../streams/organisation/release/release.ts'
import { COUNTRY_FIELD, RECORD_VARIABLES } from '../../streams/organisation/release/selectors.ts'
import { variablesIn } from '../../streams/organisation/template/template.ts'
import type { ExpandedTemplate } from './expanded.ts'
import { type Finding, type Place, quoteUntrusted, createFindingReport } from './finding.ts'
import { createNearestFinder, didYouMean } from './near.ts'

const count = (length: number): readonly number[] => Array.from({ length }, (_, index) => index)

/** Fields of Microsoft Graph and SCIM (`USER_PROPERTIES` in `directory/graphEntries.ts`, `scim/graphUser.ts`). */
const USER_FIELDS: readonly string[] = [
  ...'displayName givenName surname jobTitle department companyName officeLocation mobilePhone'.split(' '),
  ...'faxNumber mail userPrincipalName streetAddress city state postalCode country employeeId'.split(' '),
  ...'preferredLanguage employeeHireDate'.split(' '),
  ...count(10).map((index) => `businessPhones.${index}`),
  ...count(15).map((index) => `onPremisesExtensionAttributes.extensionAttribute${index + 1}`),
]
const DIRECTORY_FIELDS: ReadonlySet<string> = new Set([
  ...USER_FIELDS,
  ...USER_FIELDS.map((field) => `${MANAGER_PREFIX}${field}`),
])

/**
 * Groups of field names with the same meaning. Each begins with the Microsoft Graph and SCIM name, followed by names
 * from Active Directory and other tables.
 */
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

/** The synonym of a field name among these fields; null if there is none. */
function otherName(field: string, fields: Iterable<string>): string | null {
  const start = field.startsWith(MANAGER_PREFIX) ? MANAGER_PREFIX : ''
  const names = NAMES_BY_NAME.get(plainName(field.slice(start.length)))?.map(plainName) ?? []
  const own = new Map([...fields].map((each) => [plainName(each), each]))
  const found = names.map((name) => own.get(plainName(start) + name) ?? null)
  return found.find((name) => name !== null && name !== field) ?? null
}

/**
 * Whether Microsoft Graph or SCIM has a field. A directory extension may be there, because the settings of the service
 * name the ones to read.
 */
const isDirectoryField = (field: string): boolean =>
  DIRECTORY_FIELDS.has(field) ||
  /^(?:manager\.)?businessPhones\.\d+$/.test(field) ||
  isDirectoryExtension(field.startsWith(MANAGER_PREFIX) ? field.slice(MANAGER_PREFIX.length) : field)

const nearDirectoryField = createNearestFinder(() => DIRECTORY_FIELDS)

/**
 * The Microsoft Graph or SCIM field that an unknown field probably means; null if none is near or the field is known.
 */
export const likelyDirectoryField = (field: string): string | null =>
  isDirectoryField(field) ? null : runSteps(nearDirectoryField(field))

/** The first item of a field that is a list or object, such as `businessPhones.0`; null for other fields. */
const partOf = (field: string, fields: Iterable<string>): string | null => {
  for (const one of fields) if (one.startsWith(`${field}.`)) return one
  return null
}

/** The fields of a postal address that `{{address}}` shows. */
const ADDRESS_FIELDS = ['streetAddress', 'postalCode', 'city', 'state', COUNTRY_FIELD]
/** The fields that `{{manager.…}}` shows without a variable. */
const WITHOUT_VARIABLE: Readonly<Record<string, string>> = { display_name: 'displayName', email: 'mail' }

/**
 * The fields that the used templates read, each with the place that first reads it: in a variable, or in a template for
 * fields of the manager and of the postal address.
 */
function* fieldsRead(
  { variables }: ReleaseDocument,
  expandedOf: ReadonlyMap<string, ExpandedTemplate | null>,
  placeOf: (path: string) => Place,
): Steps<ReadonlyMap<string, Place>> {
  const fromOf = new Map(variables.map(({ path, from }) => [path, from]))
  const places = new Map<string, Place>()
  const read = (field: string | null | undefined, place: () => Place) => {
    if (field && !places.has(field)) places.set(field, place())
  }
  for (const expanded of expandedOf.values()) {
    yield
    if (expanded === null) continue
    for (const use of expanded.uses)
      for (const name of variablesIn(use)) {
        const inTemplate = () => expanded.placeOf(use.at)
        const managed = name.startsWith(MANAGER_PREFIX) ? name.slice(MANAGER_PREFIX.length) : null
        const field = managed === null ? null : (fromOf.get(managed) ?? WITHOUT_VARIABLE[managed])
        if (field) read(MANAGER_PREFIX + field, inTemplate)
        else if (name === POSTAL_ADDRESS && !fromOf.has(POSTAL_ADDRESS))
          for (const each of ADDRESS_FIELDS) read(each, inTemplate)
        else {
          const variable = name.startsWith(WRITER_PREFIX) ? name.slice(WRITER_PREFIX.length) : name
          if (!RECORD_VARIABLES.includes(variable))
            read(fromOf.get(variable), () => placeOf(`variables.${variable}.from`))
        }
      }
  }
  return places
}

/**
 * Warns of a template that shows nothing because people have its field under another name. `checkFields` reports fields
 * that are in neither the directory nor `people.csv`. A trial `people.csv` may lack directory fields, so these are only
 * warnings.
 *
 * @param columns the columns of `people.csv`; null if there is no `people.csv`
 * @param filled the columns with a value for at least one person
 */
export function* findingUnfilledFields(
  document: ReleaseDocument,
  expandedOf: ReadonlyMap<string, ExpandedTemplate | null>,
  columns: ReadonlySet<string> | null,
  filled: ReadonlySet<string>,
  placeOf: (path: string) => Place,
): Steps<readonly Finding[]> {
  const { findings, warn } = createFindingReport()
  for (const [field, place] of yield* fieldsRead(document, expandedOf, placeOf)) {
    yield
    if (filled.has(field) || !(columns?.has(field) === true || isDirectoryField(field))) continue
    const other = otherName(field, filled)
    if (other !== null)
      warn(
        place,
        'otherField',
        `No person of people.csv has a value for ${quoteUntrusted(field)}, but they have one for ${quoteUntrusted(other)}, which is another name of the same thing.`,
      )
  }
  return findings
}

/**
 * Reports variables with a field that no person has, because they would be empty for everyone. People from a file have
 * its columns as fields; other people have the fields of the directory.
 *
 * @param columns the columns of `people.csv`; null if there is no `people.csv`
 * @param filled the columns with a value for at least one person
 */
export function* checkFields(
  { variables }: ReleaseDocument,
  columns: ReadonlySet<string> | null,
  filled: ReadonlySet<string>,
  placeOf: (path: string) => Place,
): Steps<readonly Finding[]> {
  const nearColumn = createNearestFinder(() =>
    [...(columns ?? [])].filter((column) => !isDirectoryField(column)),
  )
  const { findings, error, warn } = createFindingReport()
  for (const { path, from } of variables) {
    if (from === null || RECORD_VARIABLES.includes(path) || filled.has(from)) continue
    yield
    const place = placeOf(`variables.${path}.from`)
    const other = otherName(from, filled)
    const isKnown = columns?.has(from) === true
    if (isKnown || (isDirectoryField(from) && other !== null)) continue
    const column = yield* nearColumn(from)
    if (isDirectoryField(from) && column === null) continue
    const part = partOf(from, columns ?? []) ?? partOf(from, DIRECTORY_FIELDS)
    if (part !== null) {
      error(
        place,
        'unknownField',
        `${quoteUntrusted(from)} is a list or has parts, and no value itself.${didYouMean(part)}`,
      )
      continue
    }
    const meant = column ?? other ?? likelyDirectoryField(from)
    // Without a `people.csv`, the name may be a column of a file that is imported elsewhere.
    const suggested = meant ?? (columns === null ? otherName(from, USER_FIELDS) : null)
    const unknown =
      columns === null
        ? `No directory has the field ${quoteUntrusted(from)}, unless a file of people does: then put it here as people.csv.`
        : `people.csv has no column ${quoteUntrusted(from)}, and no directory has it: it is empty for all people.`
    // Without a `people.csv`, the field may be a column of a file elsewhere, so this is only a warning.
    const report = columns === null && meant === null ? warn : error
    report(place, 'unknownField', `${unknown}${didYouMean(suggested)}`)
  }
  return findings
}
