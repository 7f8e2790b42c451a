import { fc, test } from '@fast-check/vitest'
import { afterAll, expect } from 'vitest'
import { runSteps } from '../../../streams/kernel/steps.ts'
import { type Call, CALLS } from '../../../streams/wire/administration/calls.ts'
import { isFailed } from '../../../streams/kernel/failure.ts'
import { readInSteps } from '../../../streams/wire/reading.ts'
import { listUpTo, textUpTo } from '../../../streams/kernel/limits.ts'
import {
  list,
  looseObject,
  mapSchema,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  type Schema,
  strictObject as strictOf,
  text,
  union,
  variant,
  withCheck,
} from '../../../streams/kernel/schema.ts'
import { document } from '../organisation/arbitraries.ts'
import { cases } from '../../support/cases.ts'

const bodies = Object.entries<Call>(CALLS).flatMap(([name, { body }]) =>
  body === undefined ? [] : [[name, body] as const],
)

/** What reading says of a value: the output, or what was expected and the place. */
const told = (read: () => unknown) => {
  try {
    return { value: read() }
  } catch (error) {
    if (!isFailed(error) || error.failure.kind !== 'malformed') throw error
    return { message: error.cause, at: error.failure.at }
  }
}
const inSteps = (schema: Schema<unknown>, value: unknown) => told(() => runSteps(readInSteps(schema, value)))
const atOnce = (schema: Schema<unknown>, value: unknown) => told(() => schema.read(value, ''))

/** As a folder has them: a hash is one, and a person is selected. */
const folderDocument = document.map(
  (each) =>
    JSON.parse(
      JSON.stringify(each).replaceAll('c0ffee', 'c'.repeat(32)).replaceAll('"for":[]', '"for":"everyone"'),
    ) as unknown,
)

const json = fc.jsonValue({ maxDepth: 3 })
const pictures = fc.dictionary(fc.constantFrom('a'.repeat(32), 'b', '__proto__'), fc.oneof(fc.string(), json))
const body = fc.oneof(
  { weight: 4, arbitrary: fc.record({ document: folderDocument, at: fc.nat() }) },
  fc.record({ document: folderDocument, pictures: fc.oneof(pictures, fc.constantFrom(null, undefined)) }),
  fc.record({ files: fc.dictionary(fc.string(), fc.oneof(fc.string(), json)) }),
  fc.record({ pictures: fc.oneof(pictures, fc.array(fc.oneof(fc.constant('a'.repeat(32)), json))) }),
  json,
)

/** The value with one part of it replaced, left out, or with a part more. */
function changed(
  value: unknown,
  path: readonly number[],
  change: 'replace' | 'remove' | 'add',
  by: unknown,
): unknown {
  const [first = 0, ...rest] = path
  if (typeof value !== 'object' || value === null || path.length === 0) return by
  const entries = Object.entries(value)
  const at = entries.length === 0 ? -1 : first % entries.length
  const inside = entries.flatMap(([key, part], index): [string, unknown][] => {
    if (index !== at) return [[key, part]]
    if (rest.length > 0) return [[key, changed(part, rest, change, by)]]
    return change === 'remove'
      ? []
      : change === 'add'
        ? [
            [key, part],
            [`${key}x`, by],
          ]
        : [[key, by]]
  })
  return Array.isArray(value) ? inside.map(([, part]) => part) : Object.fromEntries(inside)
}

/** Of the checks of a document: how many it passed, and how many found something inside of it. */
const met = { good: 0, inside: 0 }
afterAll(() => {
  expect(met.good).toBeGreaterThan(5)
  expect(met.inside).toBeGreaterThan(5)
})

test.prop(
  [body, fc.array(fc.nat(20), { maxLength: 7 }), fc.constantFrom('replace', 'remove', 'add', 'none'), json],
  cases(500),
)('reading in steps gives of every body what reading at once gives', (good, path, change, by) => {
  const value = change === 'none' ? good : changed(good, path, change, by)
  for (const [name, schema] of bodies) {
    const expected = atOnce(schema, value)
    expect([name, inSteps(schema, value)]).toEqual([name, expected])
    if (name !== 'makePlan') continue
    if (!('message' in expected)) met.good += 1
    else if (expected.at?.includes('.') === true) met.inside += 1
  }
})

test.each([
  [999, 0],
  [1_000, 1],
  [2_500, 2],
])('a list of %i values is read in so many pauses: %i', (count, pauses) => {
  const steps = readInSteps(
    list(number),
    Array.from({ length: count - 1 }, (_, index) => index),
  )
  let found = 0
  while (steps.next().done !== true) found += 1
  expect(found).toBe(pauses)
})

const strict = strictOf({ a: optional(list(number)) })
const either = union(list(number), object({ b: list(text) }))
const kinds = variant(
  'kind',
  object({ kind: oneOf('list'), items: list(number) }),
  object({ kind: oneOf('names'), items: record(number) }),
)
const open = looseObject({ a: mapSchema(number, (value) => value + 1), c: optional(text) })
const limited = withCheck(
  mapSchema(listUpTo(text, 2), (all) => all.length),
  (count) => count <= 1,
  'one at most',
)
test.each([
  [{ a: 1, b: [2] }, { value: { a: 2, b: [2] } }],
  [
    { a: 1, c: null },
    { message: 'a string', at: 'c' },
  ],
  [{ b: 1 }, { message: 'a number', at: 'a' }],
])('of %j, fields that are not declared stay: %j', (value, expected) => {
  expect(atOnce(open, value)).toEqual(expected)
})
test.each<[string, Schema<unknown>, unknown]>([
  ['loose', open, { a: 1, b: [2] }],
  ['loose', open, { b: 1 }],
  ['strict', strict, {}],
  ['strict', strict, { a: undefined }],
  ['strict', strict, { a: null }],
  ['strict', strict, { a: ['x'] }],
  ['strict', strict, { a: [], c: 1 }],
  ['strict', strict, []],
  ['strict', strict, null],
  ['strict', strict, 'x'],
  ['either', either, [1]],
  ['either', either, ['x']],
  ['either', either, { b: ['x'] }],
  ['either', either, { b: [1] }],
  ['either', either, 7],
  ['kinds', kinds, { kind: 'list', items: [1] }],
  ['kinds', kinds, { kind: 'list', items: ['x'] }],
  ['kinds', kinds, { kind: 'names', items: { a: 1 } }],
  ['kinds', kinds, { kind: 'names', items: { a: 'x' } }],
  ['kinds', kinds, { kind: 'names', items: [] }],
  ['kinds', kinds, { kind: 'other', items: [] }],
  ['kinds', kinds, { items: [] }],
  ['kinds', kinds, []],
  ['limited', limited, []],
  ['limited', limited, ['a']],
  ['limited', limited, ['a', 'b']],
  ['limited', limited, ['a', 'b', 'c']],
  ['limited', limited, ['a', 7]],
  ['nullable', nullable(list(number)), null],
  ['nullable', nullable(list(number)), undefined],
  ['nullable', nullable(list(number)), ['x']],
  ['with a default', optional(list(number), [7]), undefined],
  ['names', record(list(number), textUpTo(1)), { ab: [] }],
  ['names', record(list(number), textUpTo(1)), { a: ['x'] }],
  ['names', record(number), JSON.parse('{"__proto__":1,"a":2,"constructor":3}')],
])('reading in steps gives of a schema that is %s what reading at once gives: %#', (_, schema, value) => {
  expect(inSteps(schema, value)).toEqual(atOnce(schema, value))
})
