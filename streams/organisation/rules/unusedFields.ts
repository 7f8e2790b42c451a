/** Finds corrected fields that a release no longer uses. */
import { correctionsOf, type LayeredValues } from '../facts/corrections.ts'
import { MANAGER_PREFIX } from '../release/names.ts'
import type { Condition, Release, ReleaseDocument, Selection } from '../release/release.ts'
import { COUNTRY_FIELD } from '../release/selectors.ts'

/** The fields of the postal address and of phone numbers, which need no variable. */
const FIELDS_OF_FORMATS = ['streetAddress', 'postalCode', 'city', 'state', COUNTRY_FIELD]

const fieldsOf = (condition: Condition): readonly string[] => {
  if (condition.by === 'field' || condition.by === 'test') return [condition.field]
  return condition.by === 'manager'
    ? condition.conditions.flatMap(fieldsOf).map((field) => `${MANAGER_PREFIX}${field}`)
    : []
}

const selectionsIn = (document: ReleaseDocument): readonly Selection[] => [
  document.chooseDefault,
  ...(document.guard ?? []).flatMap((rule) => (rule.missing === 'signature' ? rule.selection : [])),
  ...[...document.signatures, ...document.mailboxes, ...(document.blocks ?? [])].map(
    ({ selection }) => selection,
  ),
]

/** The corrected fields of a person that no variable and no rule of a release uses. */
export function unusedCorrections(
  { document }: Pick<Release, 'document'>,
  person: LayeredValues,
): readonly string[] {
  const corrected = Object.keys(correctionsOf(person).fields)
  if (corrected.length === 0) return []
  const used = new Set([
    ...FIELDS_OF_FORMATS,
    ...[...document.variables, document.plan].flatMap(({ from }) => from ?? []),
    ...selectionsIn(document).flatMap((selection) => [
      ...(selection.for === 'everyone' ? [] : selection.for.flat().flatMap(fieldsOf)),
      ...selection.not.flat().flatMap(fieldsOf),
    ]),
  ])
  const isUsed = (field: string) =>
    used.has(field) || (field.startsWith(MANAGER_PREFIX) && used.has(field.slice(MANAGER_PREFIX.length)))
  return corrected.filter((field) => !isUsed(field))
}
