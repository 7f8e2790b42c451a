import { describe, expect, expectTypeOf, test } from 'vitest'
import { isFailed } from '../../../streams/kernel/failure.ts'
import { runSteps } from '../../../streams/kernel/steps.ts'
import { emailAddress } from '../../../streams/wire/addinRequests.ts'
import {
  integer,
  integerText,
  listUpTo,
  textMatching,
  recordUpTo,
  textUpTo,
  queryFlag,
} from '../../../streams/kernel/limits.ts'
import { mismatchIn, readInSteps } from '../../../streams/wire/reading.ts'
import {
  anything,
  flag,
  type InOf,
  list,
  mapSchema,
  namedInJson,
  nullable,
  number,
  object,
  oneOf,
  optional,
  orNull,
  type OutOf,
  record,
  type Schema,
  strictObject,
  text,
  union,
  variant,
  withCheck,
} from '../../../streams/kernel/schema.ts'

/** What is read, or what is wrong: at once, and in steps. */
function read(schema: Schema<unknown>, value: unknown): unknown {
  const outcomes = [() => schema.read(value, ''), () => runSteps(readInSteps(schema, value))].map((run) => {
    try {
      return { value: run() }
    } catch (error) {
      if (!isFailed(error)) throw error
      return mismatchIn(error)
    }
  })
  expect(outcomes[1]).toEqual(outcomes[0])
  return outcomes[0]
}

const kinds = variant(
  'kind',
  object({ kind: oneOf('one', 'another'), n: number }),
  object({ kind: oneOf('text'), text }),
)
const either = union(number, list(text))

test.each<[Schema<unknown>, unknown, unknown]>([
  [text, 'a', { value: 'a' }],
  [text, 1, 'body: must be a string'],
  [text, undefined, 'body: must be a string'],
  [number, 1.5, { value: 1.5 }],
  [number, '1', 'body: must be a number'],
  [flag, false, { value: false }],
  [flag, 0, 'body: must be a boolean'],
  [anything, undefined, { value: undefined }],
  [oneOf(1, 2), 2, { value: 2 }],
  [oneOf(1, 2), '2', 'body: must be one of 1, 2'],
  [nullable(text), null, { value: null }],
  [nullable(text), undefined, 'body: must be a string'],
  [list(text), ['a', 'b'], { value: ['a', 'b'] }],
  [list(text), ['a', 1], '1: must be a string'],
  [list(text), { length: 0 }, 'body: must be a list'],
  [record(number), { a: 1, b: 2 }, { value: { a: 1, b: 2 } }],
  [record(number), { a: 'x' }, 'a: must be a number'],
  [record(number), [], 'body: must be an object'],
  [record(number), null, 'body: must be an object'],
  [record(number, textUpTo(1)), { ab: 1 }, 'ab: must be at most 1 characters'],
  [
    record(number),
    JSON.parse('{"__proto__":"x","constructor":"x","prototype":"x","a":1}'),
    { value: { a: 1 } },
  ],
  [
    object({ a: text, b: list(object({ c: number })) }),
    { a: '', b: [{ c: 1, d: 2 }], e: 3 },
    { value: { a: '', b: [{ c: 1 }] } },
  ],
  [
    object({ a: text, b: list(object({ c: number })) }),
    { a: '', b: [{ c: 1 }, {}] },
    'b.1.c: must be a number',
  ],
  [object({ a: text }), 'x', 'body: must be an object'],
  [object({ html: namedInJson('signature', text) }), { signature: 'x', html: 'y' }, { value: { html: 'x' } }],
  [object({ html: namedInJson('signature', text) }), { html: 'y' }, 'signature: must be a string'],
  [object({ a: optional(text) }), {}, { value: {} }],
  [object({ a: optional(text) }), { a: null }, 'a: must be a string'],
  [object({ a: optional(text, 'x') }), {}, { value: { a: 'x' } }],
  [object({ a: namedInJson('b', optional(nullable(text), 'x')) }), { b: null }, { value: { a: null } }],
  [strictObject({ a: optional(text) }), { a: 'x' }, { value: { a: 'x' } }],
  [strictObject({ a: optional(text) }), { b: 1 }, 'b: must be left out'],
  [mapSchema(text, (value) => value.length), 'abc', { value: 3 }],
  [object({ a: mapSchema(optional(text), (value) => value ?? 'none') }), {}, { value: { a: 'none' } }],
  [withCheck(list(number), (all) => all.length > 1, 'two at least'), [1], 'body: must be two at least'],
  [withCheck(list(number), (all) => all.length > 1, 'two at least'), [1, 'x'], '1: must be a number'],
  [orNull(object({ a: text })), { a: 1 }, { value: null }],
  [either, 1, { value: 1 }],
  [either, ['a'], { value: ['a'] }],
  [either, [1], 'body: must be one of its forms'],
  [kinds, { kind: 'another', n: 1 }, { value: { kind: 'another', n: 1 } }],
  [kinds, { kind: 'text', text: 'x' }, { value: { kind: 'text', text: 'x' } }],
  [kinds, { kind: 'text', n: 1 }, 'text: must be a string'],
  [kinds, { kind: 'none' }, 'kind: must be a known kind'],
  [kinds, [], 'kind: must be a known kind'],
  [kinds, null, 'body: must be an object'],
  [textUpTo(2), 'ab', { value: 'ab' }],
  [textUpTo(2), 'abc', 'body: must be at most 2 characters'],
  [textUpTo(2, 1), '', 'body: must be a text of 1 to 2 characters'],
  [textMatching(/^a$/, 'an a'), 'b', 'body: must be an a'],
  [listUpTo(text, 1), ['a', 'b'], 'body: must be at most 1 entries'],
  [listUpTo(text, 2, 1), [], 'body: must be 1 to 2 entries'],
  [recordUpTo(text, 1), { a: 'x', b: 'y' }, 'body: must be at most 1 entries'],
  [integer(1), 1, { value: 1 }],
  [integer(1), 1.5, 'body: must be a whole number from 1'],
  [integer(1, 2), 3, 'body: must be a whole number from 1 to 2'],
  [integer(1), 2 ** 53, 'body: must be a whole number from 1'],
  [integerText(1, 20), '20', { value: 20 }],
  [integerText(1, 20), '21', 'body: must be a whole number from 1 to 20'],
  [integerText(1, 20), '1.5', 'body: must be a whole number'],
  [queryFlag, 'true', { value: true }],
  [queryFlag, 'false', { value: false }],
  [queryFlag, undefined, { value: false }],
  [queryFlag, 'yes', 'body: must be one of true, false'],
  [emailAddress, 'a.b+c@x-y.example', { value: 'a.b+c@x-y.example' }],
  [emailAddress, "O'Hara@x.example", { value: "O'Hara@x.example" }],
  [emailAddress, 'a\u0000@x.example', 'body: must be an e-mail address'],
  [emailAddress, 'a@b', 'body: must be an e-mail address'],
  [emailAddress, 'a b@x.example', 'body: must be an e-mail address'],
  [emailAddress, `${'a'.repeat(320)}@x.example`, 'body: must be at most 320 characters'],
])(
  '%# is read at once and in steps, or refused with the place and what belongs there',
  (schema, value, outcome) => {
    expect(read(schema, value)).toEqual(outcome)
  },
)

test('another error than a mismatch is no sentence', () => {
  expect(mismatchIn(new Error('disk full'))).toBeNull()
})

describe('a schema gives both sides their types', () => {
  const entry = object({
    html: namedInJson('signature', text),
    note: optional(text),
    order: optional(number, 0),
    until: mapSchema(nullable(text), (day) => (day === null ? null : Date.parse(day))),
  })

  test('what is read', () => {
    expect(read(entry, { signature: '<p>', until: '1970-01-02' })).toEqual({
      value: { html: '<p>', order: 0, until: 86_400_000 },
    })
    expectTypeOf<OutOf<typeof entry>>().toEqualTypeOf<{
      readonly html: string
      readonly note?: string
      readonly order: number
      readonly until: number | null
    }>()
  })

  test('what is written', () => {
    expectTypeOf<InOf<typeof entry>>().toEqualTypeOf<{
      readonly signature: string
      readonly note?: string
      readonly order?: number
      readonly until: string | null
    }>()
  })
})
