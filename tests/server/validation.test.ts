import { fc, test } from '@fast-check/vitest'
import * as v from 'valibot'
import { afterAll, expect } from 'vitest'
import { finish } from '../../streams/kernel/steps.ts'
import { type Call, CALLS } from '../../src/calls/administration.ts'
import { checking } from '../../src/server/validation.ts'
import { document } from '../streams/organisation/arbitraries.ts'
import { cases } from '../support/cases.ts'

const bodies = Object.entries<Call>(CALLS).flatMap(([name, { body }]) =>
  body === undefined ? [] : [[name, body] as const],
)

/** What a check says of a value: the output, or the message and the place of the first issue. */
const told = ({
  issues,
  value,
}: Readonly<{ issues?: readonly v.BaseIssue<unknown>[] | undefined; value: unknown }>) => {
  const [issue] = issues ?? []
  return issue === undefined ? { value } : { message: issue.message, at: v.getDotPath(issue) }
}

const atOnce = (schema: v.GenericSchema, value: unknown) => {
  const { issues, output } = v.safeParse(schema, value, { abortEarly: true })
  return told({ issues, value: output })
}

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
)('checking in steps says of every body what valibot says at once', (good, path, change, by) => {
  const value = change === 'none' ? good : changed(good, path, change, by)
  for (const [name, schema] of bodies) {
    const expected = atOnce(schema, value)
    expect([name, told(finish(checking(schema, value)))]).toEqual([name, expected])
    if (name !== 'makePlan') continue
    if (!('message' in expected)) met.good += 1
    else if (expected.at?.includes('.') === true) met.inside += 1
  }
})

test.each([
  [999, 0],
  [1_000, 1],
  [2_500, 2],
])('a list of %i values is checked in so many pauses: %i', (count, pauses) => {
  const steps = checking(
    v.array(v.number()),
    Array.from({ length: count - 1 }, (_, index) => index),
  )
  let found = 0
  while (steps.next().done !== true) found += 1
  expect(found).toBe(pauses)
})

const strict = v.strictObject({ a: v.optional(v.array(v.number())) })
const either = v.union([v.array(v.number()), v.object({ b: v.array(v.string()) })])
const kinds = v.variant('kind', [
  v.object({ kind: v.literal('list'), items: v.array(v.number()) }),
  v.object({ kind: v.literal('names'), items: v.record(v.string(), v.number()) }),
])
const limited = v.pipe(
  v.array(v.string()),
  v.maxLength(2),
  v.transform((all) => all.length),
  v.maxValue(1),
)
test.each<[string, v.GenericSchema, unknown]>([
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
  ['nullable', v.nullable(v.array(v.number())), null],
  ['nullable', v.nullable(v.array(v.number())), undefined],
  ['nullable', v.nullable(v.array(v.number())), ['x']],
  ['with a default', v.optional(v.array(v.number()), [7]), undefined],
  ['names', v.record(v.pipe(v.string(), v.maxLength(1)), v.array(v.number())), { ab: [] }],
  ['names', v.record(v.pipe(v.string(), v.maxLength(1)), v.array(v.number())), { a: ['x'] }],
  ['names', v.record(v.string(), v.number()), JSON.parse('{"__proto__":1,"a":2,"constructor":3}')],
])('checking in steps says of a schema that is %s what valibot says: %#', (_, schema, value) => {
  expect(told(finish(checking(schema, value)))).toEqual(atOnce(schema, value))
})
