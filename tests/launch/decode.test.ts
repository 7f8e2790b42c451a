import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import * as wire from '../../src/engine/adapters/wire.ts'
import * as decode from '../../src/launch/decode.ts'
import type { Verified } from '../../streams/auth/events.ts'
import { isFailed } from '../../streams/kernel/failure.ts'
import { reveal } from '../../streams/kernel/secret.ts'
import type { UserProfile } from '../../streams/profile/events.ts'
import { PNG } from '../support/state.ts'
import { cases } from '../support/cases.ts'

// The launch program and the pane read the same answers: what one refuses, and what it gives, is what the other does.

const text = fc.string({ maxLength: 6 })
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const image = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      url: text,
      name: text,
      content: fc.constantFrom(PNG, '', 'x'),
      status: fc.nat(599),
    }),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
)
const images = fc.array(image, { maxLength: 3 })
const userId = fc.constantFrom('u-1', 'u-2')

const cachedSignature = fc.record(
  {
    name: text,
    user_id: userId,
    signature: text,
    reply: fc.option(text),
    reply_name: text,
    reply_combined_ids: text,
    combined_ids: text,
    base64_embedded_images: images,
  },
  { requiredKeys: ['name', 'user_id', 'signature', 'reply', 'combined_ids', 'base64_embedded_images'] },
)

const token = fc
  .tuple(userId, text, fc.nat())
  .map(([sub, email, exp]) => `x.${encode({ sub, email, exp })}.y`)
const verified = fc.record({
  data: fc.record(
    {
      access_token: fc.oneof(
        token,
        token.map((each) => `"${each}"`),
      ),
      signature: fc.option(cachedSignature),
    },
    { requiredKeys: ['access_token'] },
  ),
})

const signaturePage = fc.record({
  objects: fc.array(
    fc.record(
      {
        name: text,
        email: text,
        signature: text,
        combined_ids: text,
        base64_embedded_images: images,
        audiences: fc.array(text, { maxLength: 2 }),
        order: fc.integer(),
        collection: text,
        variants: fc.array(fc.record({ code: text, signature: text }), { maxLength: 2 }),
      },
      { requiredKeys: ['name', 'signature', 'combined_ids', 'base64_embedded_images'] },
    ),
    { maxLength: 3 },
  ),
  total: fc.nat(),
  page: fc.nat(),
})

const metadata = fc.record(
  {
    defaultSignature: fc.option(
      fc.record(
        {
          master: text,
          reply: fc.option(text),
          bySender: fc.oneof(
            fc.dictionary(fc.constantFrom('a@x.example', 'B@x.example'), fc.oneof(text, fc.integer())),
            fc.constantFrom(null, 1, 'a'),
          ),
        },
        { requiredKeys: ['master'] },
      ),
    ),
    other: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: [] },
)
/** What the pane reads besides stays as it is. */
const onlyOfPane = {
  email: 'a@example.com',
  is_admin: false,
  picture_url: null,
  auth_type: 'azure',
  client_name: 'Northwind',
  computed_variables: { display_name: 'Alex' },
}
const profile = fc.record(
  { id: text, delegations: fc.array(text, { maxLength: 3 }), metadata: fc.option(metadata) },
  { requiredKeys: ['id', 'delegations'] },
)

type Json = Record<string, unknown>
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null
const placesIn = (value: unknown): readonly Readonly<{ holder: Json; name: string }>[] =>
  isJson(value)
    ? Object.keys(value).flatMap((name) => [{ holder: value, name }, ...placesIn(value[name])])
    : []

/** A copy in which one value is missing or another, or that has one field more. */
function mutate(body: unknown, at: number, kind: 'missing' | 'other' | 'more', other: unknown): unknown {
  const copy = structuredClone(body)
  const places = placesIn(copy)
  const place = places[at % Math.max(places.length, 1)]
  if (place === undefined) return other
  const { holder, name } = place
  if (kind === 'more') holder['more'] = other
  else if (kind === 'other') holder[name] = other
  else if (Array.isArray(holder)) holder.splice(Number(name), 1)
  else Reflect.deleteProperty(holder, name)
  return copy
}
const mutation = fc.tuple(
  fc.nat(),
  fc.constantFrom('missing' as const, 'other' as const, 'more' as const),
  fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(null, '', 0, [], {})),
)
const mutated = (body: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(body, fc.array(mutation, { maxLength: 2 }))
    .map(([valid, changes]) => changes.reduce((given, change) => mutate(given, ...change), valid))

/** What is read, or where it is refused. */
function outcome(read: () => unknown): unknown {
  try {
    return { read: read() }
  } catch (error) {
    if (!isFailed(error)) throw error
    return error.failure
  }
}

const inPane =
  <Output>(
    schema: v.GenericSchema<unknown, Output>,
    shown: (output: Output) => unknown = (output) => output,
  ) =>
  (body: unknown): unknown => {
    const result = v.safeParse(schema, body)
    return result.success
      ? { read: shown(result.output) }
      : { kind: 'malformed', at: v.getDotPath(result.issues[0]) ?? 'body' }
  }
const withToken = ({ session, signature }: Verified) => ({
  session: { ...session, token: reveal(session.token) },
  signature,
})
const ofLaunch = ({ id, delegations, metadata: { defaultSignature } }: UserProfile) => ({
  id,
  delegations,
  defaultSignature: defaultSignature && { bySender: {}, ...defaultSignature },
})

describe('launch events and the pane read alike, or refuse at the same place:', () => {
  test.each<[string, fc.Arbitrary<unknown>, (body: unknown) => unknown, (body: unknown) => unknown]>([
    [
      'the answer of a sign-in',
      verified,
      (body) => withToken(decode.verified(body)),
      inPane(wire.verified, withToken),
    ],
    ['a cached signature', cachedSignature, decode.cachedSignature, inPane(wire.cachedSignature)],
    ['a page of signatures', signaturePage, decode.signaturePage, inPane(wire.signaturePage)],
    [
      'a profile',
      profile,
      decode.profile,
      (body) =>
        inPane(
          wire.profile,
          ofLaunch,
        )(isJson(body) && !Array.isArray(body) ? { ...onlyOfPane, ...body } : body),
    ],
  ])('%s', (_, body, read, readInPane) => {
    let refused = 0
    fc.assert(
      fc.property(mutated(body), (given) => {
        const found = outcome(() => read(given))
        expect(found).toEqual(readInPane(given))
        if (!Object.hasOwn(Object(found) as object, 'read')) refused++
      }),
      cases(200, 10_000),
    )
    expect(refused).toBeGreaterThan(0)
  })
})

test("a profile has the choices by sender, and none that is no signature's id", () => {
  const read = (bySender: unknown) =>
    decode.profile({
      id: 'u-1',
      delegations: [],
      metadata: { defaultSignature: { master: 'c-1', bySender } },
    }).defaultSignature
  expect(read({ 'sales@example.com': 'c-2', 'x@example.com': null })).toEqual({
    master: 'c-1',
    reply: null,
    bySender: { 'sales@example.com': 'c-2' },
  })
  for (const none of [undefined, null, 'c-2', 1]) expect(read(none)?.bySender).toEqual({})
})
