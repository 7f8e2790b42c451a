/** Checks whether fields of the directory in a folder exist. */
import type { Steps } from '../../../streams/kernel/steps.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release.ts'
import { RECORD_VARIABLES } from '../../../streams/organisation/selectors.ts'
import { type Finding, type Place, quote, reportTo } from './finding.ts'
import { createNearest, didYouMean } from './near.ts'

const count = (length: number): readonly number[] => Array.from({ length }, (_, index) => index)

/** Fields of Microsoft Graph and SCIM (`USER_PROPERTIES` in `directory/graph.ts`, `scim/graphUser.ts`). */
const DIRECTORY_FIELDS: ReadonlySet<string> = new Set([
  ...'displayName givenName surname jobTitle department companyName officeLocation mobilePhone'.split(' '),
  ...'faxNumber mail userPrincipalName streetAddress city state postalCode country employeeId'.split(' '),
  'preferredLanguage',
  ...count(10).map((index) => `businessPhones.${index}`),
  ...count(15).map((index) => `onPremisesExtensionAttributes.extensionAttribute${index + 1}`),
  'manager.displayName',
])

/** Whether Microsoft Graph and SCIM have a field. */
const isDirectoryField = (field: string): boolean =>
  DIRECTORY_FIELDS.has(field) || /^businessPhones\.\d+$/.test(field)

/** The part of a list or of an object that is probably meant: `businessPhones.0`. */
const partOf = (field: string, fields: Iterable<string>): string | null => {
  for (const one of fields) if (one.startsWith(`${field}.`)) return one
  return null
}

/**
 * A variable from a field that no person has is empty for all. People of a file have the fields of its columns; those
 * of a directory have its fields.
 *
 * @param columns those of `people.csv`; null where there is none
 */
export function* checkFields(
  { variables }: ReleaseDocument,
  columns: ReadonlySet<string> | null,
  placeOf: (path: string) => Place,
): Steps<readonly Finding[]> {
  const nearColumn = createNearest(() => [...(columns ?? [])].filter((column) => !isDirectoryField(column)))
  const nearField = createNearest(() => DIRECTORY_FIELDS)
  const { findings, error, warn } = reportTo()
  for (const { path, from } of variables) {
    if (from === null || RECORD_VARIABLES.includes(path) || columns?.has(from) === true) continue
    yield
    const place = placeOf(`variables.${path}.from`)
    const column = yield* nearColumn(from)
    // A file for a trial may lack fields of the directory.
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
    const meant = column ?? (yield* nearField(from))
    const unknown =
      columns === null
        ? `No directory has the field ${quote(from)}, unless a file of people does: then put it here as people.csv.`
        : `people.csv has no column ${quote(from)}, and no directory has it: it is empty for all people.`
    // Without people, a field that resembles none may be a column of a file elsewhere.
    const report = columns === null && meant === null ? warn : error
    report(place, 'unknownField', `${unknown}${didYouMean(meant)}`)
  }
  return findings
}
