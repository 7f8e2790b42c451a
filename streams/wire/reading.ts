import type { Steps } from '../kernel/steps.ts'
import {
  readArray,
  readObject,
  fieldNamesIn,
  optionFor,
  fieldPath,
  refuseValue,
  refuseUnknownFields,
  type Schema,
} from '../kernel/schema.ts'
import { isFailed } from '../kernel/failure.ts'

/** The number of values to read in one step. */
const STEP_VALUES = 1_000

type Pace = { left: number }

/**
 * Reads a value like `schema.read`, but in steps, so that a large value does not block other requests.
 * @throws Failed `malformed` with the first invalid position
 */
export const readInSteps = <Out>(schema: Schema<Out>, value: unknown): Steps<Out> =>
  read(schema, value, '', { left: STEP_VALUES }) as Steps<Out>

function* read(schema: Schema<unknown>, value: unknown, at: string, pace: Pace): Steps<unknown> {
  const { fields, item, key, options, by, inner, then } = schema
  pace.left -= 1
  if (pace.left <= 0) {
    pace.left = STEP_VALUES
    yield
  }
  if (inner !== undefined && value !== undefined && value !== schema.except) {
    const result = yield* read(inner, value, at, pace)
    return then ? then(result, at) : result
  }
  if (fields !== undefined) {
    const body = readObject(value, at)
    const result: Record<string, unknown> = {}
    for (const [name, field] of Object.entries(fields)) {
      const { named: from = name } = field
      const one = yield* read(field, body[from], fieldPath(at, from), pace)
      if (one !== undefined) result[name] = one
    }
    if (schema.isStrict) refuseUnknownFields(fields, body, at)
    return result
  }
  if (item !== undefined && key !== undefined) {
    if (Array.isArray(value)) return refuseValue(at, 'an object')
    const body = readObject(value, at)
    const result: Record<string, unknown> = {}
    for (const name of fieldNamesIn(body)) {
      const place = fieldPath(at, name)
      result[key.read(name, place)] = yield* read(item, body[name], place, pace)
    }
    return result
  }
  if (item !== undefined) {
    const result: unknown[] = []
    for (const [index, one] of readArray(value, at).entries())
      result.push(yield* read(item, one, fieldPath(at, String(index)), pace))
    return result
  }
  if (options !== undefined) {
    if (by !== undefined) return yield* read(optionFor(options, by, value, at), value, at, pace)
    for (const option of options)
      try {
        return yield* read(option, value, at, pace)
      } catch (error) {
        if (!isFailed(error)) throw error
      }
    return refuseValue(at, 'one of its forms')
  }
  // A value without parts, or a missing field.
  return schema.read(value, at)
}

/** Why a schema rejected a value; null for any other error. */
export const mismatchIn = (error: unknown): string | null =>
  isFailed(error) && error.failure.kind === 'malformed'
    ? `${error.failure.at}: must be ${String(error.cause)}`
    : null
