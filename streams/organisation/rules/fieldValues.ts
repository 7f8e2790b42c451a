/** Suggests values for conditions: those that people have in the directory. */
import { count } from '../../kernel/limits.ts'
import { list, nullable, object, oneOf, type OutOf, text } from '../../kernel/schema.ts'
import type { Steps } from '../../kernel/steps.ts'
import { foldText } from '../facts/searchTerms.ts'
import { isStorableText, MANAGER_PREFIX } from '../release/names.ts'

/**
 * The directory fields whose values are suggested. Only fields that many people share: never names, addresses, numbers
 * or dates.
 */
export const SUGGESTED_FIELDS = [
  'department',
  'companyName',
  'country',
  'state',
  'city',
  'officeLocation',
  'jobTitle',
] as const

/** What values are suggested for: groups, or a field of the person or of the manager. */
export const suggestedField = oneOf(
  'group',
  ...SUGGESTED_FIELDS,
  ...SUGGESTED_FIELDS.map((field) => `${MANAGER_PREFIX}${field}` as const),
)
export type SuggestedField = OutOf<typeof suggestedField>

export const isSuggestedField = (field: string): field is (typeof SUGGESTED_FIELDS)[number] =>
  (SUGGESTED_FIELDS as readonly string[]).includes(field)

/** The most frequent values first. `people` is null in an organisation with too many people to count. */
export const fieldValues = object({ values: list(object({ value: text, people: nullable(count) })) })
export type FieldValues = OutOf<typeof fieldValues>

/** A value, and how many people have it. */
export type CountedValue = Readonly<{ value: string; people: number }>

/** The most values in an answer. */
export const MAX_SUGGESTED = 50
/** Values with more characters are not suggested. */
export const MAX_SUGGESTED_CHARACTERS = 200

/** Whether a value contains the typed text. Ignores case, accents and surrounding spaces. */
export const containsTyped = (value: string, typed: string): boolean =>
  foldText(value).includes(foldText(typed.trim()))

/** Whether a line of a form can hold the value: a line has no surrounding spaces. */
const isLine = (value: string): boolean =>
  value !== '' && value === value.trim() && !/[\r\n]/.test(value) && isStorableText(value)

/** The first values that contain the typed text, in the given order, at most `MAX_SUGGESTED`. Tries one in each step. */
export function* suggestingValues(
  found: readonly CountedValue[],
  typed: string,
): Steps<readonly CountedValue[]> {
  const suggested: CountedValue[] = []
  for (const each of found) {
    if (suggested.length === MAX_SUGGESTED) break
    if (isLine(each.value) && containsTyped(each.value, typed)) suggested.push(each)
    yield
  }
  return suggested
}
