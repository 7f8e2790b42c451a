/** Schemas with limits, for requests. */
import { list, mapSchema, number, oneOf, optional, record, type Schema, text, withCheck } from './schema.ts'

export const textUpTo = (maxLength: number, minLength = 0) =>
  withCheck(
    text,
    ({ length }) => length <= maxLength && length >= minLength,
    minLength > 0 ? `a text of ${minLength} to ${maxLength} characters` : `at most ${maxLength} characters`,
    minLength > 0 ? { minLength, maxLength } : { maxLength },
  )

export const nonEmptyText = withCheck(text, Boolean, 'a text that is not empty', { minLength: 1 })

export const textMatching = (pattern: RegExp, expected: string) =>
  withCheck(text, (value) => pattern.test(value), expected, { pattern: pattern.source })

export const listUpTo = <Out, In>(item: Schema<Out, In>, maxItems: number, minItems = 0) =>
  withCheck(
    list(item),
    ({ length }) => length <= maxItems && length >= minItems,
    minItems > 0 ? `${minItems} to ${maxItems} entries` : `at most ${maxItems} entries`,
    minItems > 0 ? { minItems, maxItems } : { maxItems },
  )

export const recordUpTo = <Out, In>(item: Schema<Out, In>, maxProperties: number, key?: Schema<string>) =>
  withCheck(
    record(item, key),
    (all) => Object.keys(all).length <= maxProperties,
    `at most ${maxProperties} entries`,
    { maxProperties },
  )

export const integer = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  withCheck(
    number,
    (value) => Number.isSafeInteger(value) && value >= minimum && value <= maximum,
    `a whole number from ${minimum}${maximum < Number.MAX_SAFE_INTEGER ? ` to ${maximum}` : ''}`,
    { type: 'integer', minimum, ...(maximum < Number.MAX_SAFE_INTEGER ? { maximum } : {}) },
  )

/** A whole number in a query. */
export const integerText = (minimum: number, maximum: number) => {
  const { read } = integer(minimum, maximum)
  return mapSchema(textMatching(/^\d{1,15}$/, 'a whole number'), (digits, at) => read(Number(digits), at))
}

/** A boolean in a query; false if it is missing. */
export const queryFlag = optional(
  mapSchema(oneOf('true', 'false'), (value) => value === 'true'),
  false,
)

/** The latest moment that a `Date` can represent, in milliseconds since 1970. */
export const MAX_TIME = 8_640_000_000_000_000

export const count = integer(0)
/** A moment, in milliseconds since 1970. */
export const time = integer(0, MAX_TIME)
