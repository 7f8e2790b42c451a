import { describe, expect, test } from 'vitest'
import { isFailed } from '../../../streams/kernel/failure.ts'
import { fieldPath, type Schema } from '../../../streams/kernel/schema.ts'
import { runSteps } from '../../../streams/kernel/steps.ts'
import { readInSteps } from '../../../streams/wire/reading.ts'
import { type Call, CALLS } from '../../../streams/wire/administration/calls.ts'
import * as requests from '../../../streams/wire/addinRequests.ts'
import * as signatures from '../../../streams/wire/signatures.ts'
import * as user from '../../../streams/wire/user.ts'

// Values are made from what each call declares, and changed in one field at a time. What a field accepts is said here by
// its kind alone, and not by the functions that read it.

const isSchema = (value: unknown): value is Schema<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<Schema<unknown>>).read === 'function'

const SCHEMAS: readonly (readonly [string, Schema<unknown>])[] = [
  ...Object.entries<Call>(CALLS).flatMap(([name, { params, query, body, answer }]) =>
    Object.entries({ params, query, body, answer }).map(
      ([part, schema]) => [`${name}, ${part}`, schema] as const,
    ),
  ),
  ...Object.entries({ ...signatures, ...user }).map(
    ([name, one]) => [name, (one as Partial<signatures.AddinCall<unknown>>).answer] as const,
  ),
  ...Object.entries(requests),
].flatMap(([name, schema]) => (isSchema(schema) ? [[name, schema] as const] : []))

/** One of them is what any value without parts takes. */
const LEAVES: readonly unknown[] = [
  ...[
    'x',
    0,
    1,
    true,
    '1',
    '2026-09-01',
    '2026-09-02',
    'UTC',
    'a@x.example',
    'x.example',
    'templates/a.html',
  ],
  ...['a.png', '0123456789abcdef'.repeat(2), 'a.b.c', '1.1.organisation', 'X', '', null, [], {}],
]

const isRead = (schema: Schema<unknown>, value: unknown): boolean =>
  told(() => schema.read(value, '')).at === null

const made = new Map<Schema<unknown>, readonly unknown[]>()

/** Values that the schema takes: the first with each field, the last without those that may be missing. */
function valuesOf(schema: Schema<unknown>): readonly unknown[] {
  const before = made.get(schema)
  if (before) return before
  const values = makeValues(schema)
    .filter((value) => value !== undefined && isRead(schema, value))
    .slice(0, 3)
  made.set(schema, values)
  return values
}

function makeValues(schema: Schema<unknown>): readonly unknown[] {
  const { fields, item, key, options, inner } = schema
  return inner
    ? [...valuesOf(inner), ...LEAVES, ...(schema.except === null ? [null] : [])]
    : fields
      ? [true, false].map((isFull) =>
          Object.fromEntries(
            Object.entries(fields).flatMap(([name, field]) => {
              const [first] = isFull || !field.isOptional ? valuesOf(field) : []
              return first === undefined ? [] : [[field.named ?? name, first]]
            }),
          ),
        )
      : item && key
        ? [
            Object.fromEntries(
              valuesOf(key)
                .slice(0, 1)
                .map((name) => [name, valuesOf(item)[0]]),
            ),
            {},
          ]
        : item
          ? [valuesOf(item).slice(0, 1), []]
          : options
            ? options.flatMap(valuesOf)
            : [...LEAVES, ...((schema.json?.['enum'] ?? []) as readonly unknown[])]
}

const KINDS: Readonly<Record<string, unknown>> = {
  string: '\0',
  number: -0.5,
  boolean: true,
  list: [],
  null: null,
}

/** The kinds of values that the schema can take; null when its declaration does not say. */
function kindsOf({
  fields,
  item,
  key,
  options,
  inner,
  except,
  json,
}: Schema<unknown>): readonly string[] | null {
  const several = (all: readonly (readonly string[] | null)[]) =>
    all.some((each) => each === null) ? null : all.flatMap((each) => each ?? [])
  if (inner) return several([kindsOf(inner), except === null ? ['null'] : []])
  if (fields) return ['object', 'list']
  if (item) return [key ? 'object' : 'list']
  if (options) return several(options.map(kindsOf))
  if (json?.['enum']) return (json['enum'] as readonly unknown[]).map((value) => typeof value)
  return typeof json?.['type'] === 'string' ? [json['type']] : null
}

/** What reading says: the value, or the place that is refused. */
function told(read: () => unknown): Readonly<{ value: unknown; at: string | null }> {
  try {
    return { value: read(), at: null }
  } catch (error) {
    if (!isFailed(error) || error.failure.kind !== 'malformed') throw error
    return { value: undefined, at: error.failure.at }
  }
}

type Json = Readonly<Record<string, unknown>>
type Place = Readonly<{
  at: string
  schema: Schema<unknown>
  put: (value: unknown) => unknown
  isField: boolean
}>

/** Each place within a value, with what changes it there; `undefined` leaves it out. */
function* placesIn(
  schema: Schema<unknown>,
  value: unknown,
  at = '',
  put = (one: unknown) => one,
): Generator<Place> {
  const { fields, item, key, inner, options, by } = schema
  if (typeof value !== 'object' || value === null) return
  if (inner) return yield* placesIn(inner, value, at, put)
  if (options) {
    const chosen = options.find((option) => isRead(option, value))
    // Of several forms, only those that name themselves say what belongs in each place.
    if (chosen && by !== undefined) yield* placesIn(chosen, value, at, put)
    return
  }
  const isField = fields !== undefined
  const parts: readonly (readonly [string, Schema<unknown>])[] = fields
    ? Object.entries(fields).map(([name, field]) => [field.named ?? name, field] as const)
    : item
      ? Object.keys(value).map((name) => [name, item] as const)
      : []
  for (const [name, part] of parts) {
    const changed = (one: unknown): unknown => {
      if (Array.isArray(value) && !isField) return put((value as unknown[]).with(Number(name), one))
      const { [name]: _, ...others } = value as Json
      return put(one === undefined ? others : { ...others, [name]: one })
    }
    yield { at: fieldPath(at, name), schema: part, put: changed, isField: isField && key === undefined }
    yield* placesIn(part, (value as Json)[name], fieldPath(at, name), changed)
  }
}

/** Whether nothing in the schema gives another value than was sent, or another name. */
const isAsSent = ({ fields, item, options, inner, then, named, json }: Schema<unknown>): boolean =>
  named === undefined &&
  (then === undefined || json !== undefined) &&
  [...Object.values(fields ?? {}), ...(options ?? []), item, inner].every(
    (part) => !part || isAsSent(part),
  ) &&
  (fields ?? item ?? options ?? inner ?? json) !== undefined

describe.each(SCHEMAS)('%s', (_, schema) => {
  const values = valuesOf(schema)
  const read = (value: unknown) => told(() => schema.read(value, ''))
  const places = values.slice(0, 1).flatMap((value) => [...placesIn(schema, value)])

  test('is read, at once as in steps', () => {
    for (const value of [...values, ...places.flatMap(({ put }) => [undefined, null, 'x', 1].map(put))])
      expect(read(value)).toEqual(told(() => runSteps(readInSteps(schema, value))))
    if (isAsSent(schema))
      for (const value of values.slice(0, 1)) expect(schema.read(value, '')).toEqual(value)
  })

  test('is refused where a field is missing that has to be there', () => {
    for (const { at, put, schema: part, isField } of places)
      if (isField && kindsOf(part) !== null) {
        const isMissed = read(put(undefined)).at === at
        expect({ at, isMissed }).toEqual({ at, isMissed: !isOptional(part) })
      }
  })

  test('is refused where a value is of a kind that does not belong there', () => {
    for (const { at, put, schema: part } of places) {
      const kinds = kindsOf(part)
      if (kinds)
        for (const [kind, value] of Object.entries({ ...KINDS, object: {} }))
          if (!kinds.includes(kind) && !(kind === 'number' && kinds.includes('integer')))
            expect({ at, kind, refused: read(put(value)).at }).toEqual({ at, kind, refused: at })
    }
  })

  test('is read without what is not declared, or refuses it', () => {
    for (const value of values)
      for (const { at, owner, put } of objectsIn(schema, value)) {
        const refused = owner.isStrict ? fieldPath(at, 'undeclared') : null
        expect({ at, refused: read(put({ undeclared: 1 })).at }).toEqual({ at, refused })
        if (!refused) expect(read(put({ undeclared: 1 }))).toEqual(read(value))
      }
  })
})

/** Whether a field may be missing. */
const isOptional = ({ isOptional: may, inner, except }: Schema<unknown>): boolean =>
  may === true || (inner !== undefined && except === undefined && isOptional(inner))

type Owner = Readonly<{ at: string; owner: Schema<unknown>; put: (more: Json) => unknown }>

/** Each declared object within a value, with what puts more fields into it. */
function* objectsIn(schema: Schema<unknown>, value: unknown): Generator<Owner> {
  const whole = { at: '', schema, put: (one: unknown) => one, isField: false }
  for (const { at, schema: part, put } of [whole, ...placesIn(schema, value)]) {
    let owner = part
    while (owner.inner) owner = owner.inner
    const here =
      at === ''
        ? value
        : at.split('.').reduce<unknown>((one, name) => (one as Json | undefined)?.[name], value)
    if (owner.fields && typeof here === 'object' && here !== null)
      yield { at, owner, put: (more) => put({ ...here, ...more }) }
  }
}

test('all calls are there, and for each schema a value', () => {
  expect(SCHEMAS.length).toBeGreaterThan(90)
  expect(SCHEMAS.filter(([, schema]) => valuesOf(schema).length === 0).map(([name]) => name)).toEqual([])
})
