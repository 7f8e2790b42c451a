/** Checks a value by a schema of valibot in steps: a large one must not keep the process from others. */
import * as v from 'valibot'
import type { Steps } from '../../streams/kernel/steps.ts'

type Issue = v.BaseIssue<unknown>

/** The outcome of a schema, as valibot has it. Without `issues` the value is what the schema gives. */
export type Checked = Readonly<{ typed: boolean; value: unknown; issues?: [Issue, ...Issue[]] | undefined }>

type Schema = v.GenericSchema
/** What of valibot's schemas is read here. */
type Parts = Readonly<{
  type: string
  pipe?: readonly [Schema, ...(Schema | v.GenericPipeAction)[]]
  entries?: Readonly<Record<string, Schema>>
  item?: Schema
  /** The schema of a record's keys; the name of a variant's key. */
  key?: Schema | string
  value?: Schema
  options?: readonly Schema[]
  wrapped?: Schema
}>

const FIRST_ISSUE = { abortEarly: true } as const
/** So many values are checked in one step. */
const STEP_VALUES = 1_000

type Pace = { left: number }
type Place = Readonly<{
  type: 'array' | 'object'
  origin: 'key' | 'value'
  input: unknown
  key: unknown
  value: unknown
}>

/** The same as valibot's `safeParse` with `abortEarly`. */
export const checking = (schema: Schema, value: unknown): Steps<Checked> =>
  check(schema, value, { left: STEP_VALUES })

const partsOf = (schema: Schema) => schema as unknown as Parts

/** Valibot itself, at once. */
const checkAtOnce = (schema: Schema | v.GenericPipeAction, value: unknown): Checked =>
  (schema as Schema)['~run']({ value }, FIRST_ISSUE)

const CONTAINERS: ReadonlySet<string> = new Set(['array', 'record', 'object', 'strict_object', 'variant'])
const WRAPPERS: ReadonlySet<string> = new Set(['optional', 'exact_optional', 'nullable'])

const large = new WeakMap<Schema, boolean>()

/** Whether values of a schema can have others in them. */
function isLarge(schema: Schema): boolean {
  const known = large.get(schema)
  if (known !== undefined) return known
  const { type, wrapped, options = [] } = partsOf(schema)
  // A pipe has the type and the parts of its first schema.
  const found =
    CONTAINERS.has(type) ||
    (WRAPPERS.has(type) && wrapped !== undefined && isLarge(wrapped)) ||
    (type === 'union' && options.some(isLarge))
  large.set(schema, found)
  return found
}

function* check(schema: Schema, value: unknown, pace: Pace): Steps<Checked> {
  pace.left -= 1
  if (pace.left <= 0) {
    pace.left = STEP_VALUES
    yield
  }
  if (!isLarge(schema)) return checkAtOnce(schema, value)
  const parts = partsOf(schema)
  if (parts.pipe !== undefined) return yield* checkPipe(parts.pipe, value, pace)
  if (WRAPPERS.has(parts.type)) {
    const isThere = value !== undefined && value !== null
    return isThere && parts.wrapped ? yield* check(parts.wrapped, value, pace) : checkAtOnce(schema, value)
  }
  if (parts.type === 'union') return yield* checkUnion(schema, value, pace)
  const isObject = typeof value === 'object' && value !== null
  if (!isObject || (parts.type === 'array' && !Array.isArray(value))) return checkAtOnce(schema, value)
  switch (parts.type) {
    case 'array':
      return yield* checkArray(parts, value as readonly unknown[], pace)
    case 'record':
      return yield* checkRecord(parts, value as Readonly<Record<string, unknown>>, pace)
    case 'variant':
      return yield* checkVariant(schema, value as Readonly<Record<string, unknown>>, pace)
    case 'object':
    case 'strict_object':
      return yield* checkObject(parts, value as Readonly<Record<string, unknown>>, pace)
    default:
      return checkAtOnce(schema, value)
  }
}

function* checkPipe(
  [first, ...rest]: NonNullable<Parts['pipe']>,
  value: unknown,
  pace: Pace,
): Steps<Checked> {
  let checked = yield* check(first, value, pace)
  for (const action of rest) {
    // With an issue nothing is changed any more, and what was to be changed is not what it should be.
    if (checked.issues !== undefined && action.kind !== 'validation') return { ...checked, typed: false }
    if (checked.issues !== undefined || action.kind === 'metadata') continue
    // A second schema would need steps of its own; no call has one for what is large.
    checked = (action as Schema)['~run'](checked as never, FIRST_ISSUE)
  }
  return checked
}

const failed = ({ issues }: Checked, value: unknown, place: Place): Checked => {
  for (const issue of issues ?? []) {
    const path = place.origin === 'key' ? [] : (issue.path ?? [])
    Object.assign(issue, { path: [place, ...path] })
  }
  return { typed: false, value, issues }
}

function* checkArray({ item = v.unknown() }: Parts, input: readonly unknown[], pace: Pace): Steps<Checked> {
  const output: unknown[] = []
  for (const [key, value] of input.entries()) {
    const checked = yield* check(item, value, pace)
    if (checked.issues !== undefined)
      return failed(checked, output, { type: 'array', origin: 'value', input, key, value })
    output.push(checked.value)
  }
  return { typed: true, value: output }
}

const UNSAFE_KEYS: readonly string[] = ['__proto__', 'prototype', 'constructor']

function* checkRecord(
  { key: keySchema, value: valueSchema }: Parts,
  input: Readonly<Record<string, unknown>>,
  pace: Pace,
): Steps<Checked> {
  const output: Record<string, unknown> = {}
  for (const key in input) {
    if (!Object.hasOwn(input, key) || UNSAFE_KEYS.includes(key)) continue
    const value = input[key]
    for (const origin of ['key', 'value'] as const) {
      const isKey = origin === 'key'
      const checked = yield* check((isKey ? keySchema : valueSchema) as Schema, isKey ? key : value, pace)
      if (checked.issues !== undefined)
        return failed(checked, output, { type: 'object', origin, input, key, value })
      if (!isKey) output[key] = checked.value
    }
  }
  return { typed: true, value: output }
}

function* checkObject(parts: Parts, input: Readonly<Record<string, unknown>>, pace: Pace): Steps<Checked> {
  const { type, entries = {} } = parts
  const output: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(entries)) {
    const value = input[key]
    // Without the value valibot itself knows what is to become of it.
    if (!(key in input)) {
      const only = checkAtOnce(v.object({ [key]: schema }), {})
      if (only.issues !== undefined) return failedAt(only, output, input)
      Object.assign(output, only.value)
      continue
    }
    const checked = yield* check(schema, value, pace)
    if (checked.issues !== undefined)
      return failed(checked, output, { type: 'object', origin: 'value', input, key, value })
    output[key] = checked.value
  }
  if (type === 'strict_object')
    for (const key in input)
      if (!Object.hasOwn(entries, key))
        return failedAt(checkAtOnce(v.strictObject({}), { [key]: input[key] }), output, input)
  return { typed: true, value: output }
}

/** What was found in a stand-in for the input. */
const failedAt = ({ issues }: Checked, value: unknown, input: unknown): Checked => {
  for (const { path } of issues ?? []) for (const place of path ?? []) Object.assign(place, { input })
  return { typed: false, value, issues }
}

function* checkUnion(schema: Schema, value: unknown, pace: Pace): Steps<Checked> {
  const outcomes: Checked[] = []
  for (const option of partsOf(schema).options ?? []) {
    const checked = yield* check(option, value, pace)
    if (checked.typed && checked.issues === undefined) return checked
    outcomes.push(checked)
  }
  // Valibot puts them together; each option answers what it found.
  const options = (partsOf(schema).options ?? []).map((option, index) => ({
    ...option,
    '~run': () => outcomes[index],
  }))
  return checkAtOnce({ ...schema, options } as Schema, value)
}

function* checkVariant(schema: Schema, input: Readonly<Record<string, unknown>>, pace: Pace): Steps<Checked> {
  const { key, options = [] } = partsOf(schema)
  const name = typeof key === 'string' ? key : ''
  for (const option of options) {
    const discriminator = partsOf(option).entries?.[name]
    if (discriminator && name in input && checkAtOnce(discriminator, input[name]).issues === undefined)
      return yield* check(option, input, pace)
  }
  // None fits, so that none is run.
  return checkAtOnce(schema, input)
}
