import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { answerOf, credentials, launchProfile, nothingChanged } from './answers.ts'
import { isFailed } from '../../../streams/kernel/failure.ts'
import { READ_PLAN, type UserProfile } from '../../../streams/wire/user.ts'
import type { Read } from '../../../streams/kernel/schema.ts'
import { reveal, type Secret } from '../../../streams/kernel/secret.ts'
import { cases } from '../../support/cases.ts'
import { PNG } from '../../support/state.ts'
import * as schemas from '../../support/wireSchemas.ts'

// Each answer of the service is declared a second time, with valibot: what one refuses, and what it gives, the other does.

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

const cachedSignatureBody = fc.record(
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
const verifiedBody = fc.record({
  data: fc.record(
    {
      access_token: fc.oneof(
        token,
        token.map((each) => `"${each}"`),
      ),
      signature: fc.option(cachedSignatureBody),
    },
    { requiredKeys: ['access_token'] },
  ),
})

const signaturePageBody = fc.record({
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
          master: fc.oneof(text, fc.constantFrom('', null)),
          reply: fc.option(text),
          bySender: fc.oneof(
            fc.dictionary(fc.constantFrom('a@x.example', 'B@x.example'), fc.oneof(text, fc.integer())),
            fc.constantFrom(null, 1, 'a'),
          ),
        },
        { requiredKeys: [] },
      ),
    ),
    other: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: [] },
)
const launchProfileBody = fc.record(
  { id: text, delegations: fc.array(text, { maxLength: 3 }), metadata: fc.option(metadata) },
  { requiredKeys: ['id', 'delegations'] },
)
/** What the pane reads besides. */
const onlyOfPane = {
  email: 'a@example.com',
  is_admin: false,
  picture_url: null,
  auth_type: 'azure',
  client_name: 'Northwind',
  computed_variables: { display_name: 'Alex' },
}
const profileBody = fc
  .tuple(
    launchProfileBody,
    fc.record(
      {
        email: text,
        is_admin: fc.boolean(),
        picture_url: fc.option(text),
        auth_type: text,
        language: text,
        client_name: text,
        computed_variables: fc.record({ display_name: text }),
      },
      {
        requiredKeys: ['email', 'is_admin', 'picture_url', 'auth_type', 'client_name', 'computed_variables'],
      },
    ),
  )
  .map(([ofLaunch, others]) => ({ ...ofLaunch, ...others }))

const name = fc.oneof(text, fc.constantFrom('metadata', '__proto__', 'constructor', 'prototype', 'toString'))
/** As an answer has them: `__proto__` is a field like any other. */
const texts = fc
  .array(fc.tuple(name, fc.option(text)), { maxLength: 3 })
  .map((fields): unknown => JSON.parse(JSON.stringify(Object.fromEntries(fields))))
const definitionsBody = fc.record({
  objects: fc.array(
    fc.record({
      path: text,
      lookups: fc.dictionary(name, text, { maxKeys: 2 }),
      metas: fc.record(
        {
          custom_type: fc.option(text),
          display_name: fc.option(text),
          hidden: fc.boolean(),
          non_editable: fc.boolean(),
          resettable: fc.boolean(),
        },
        { requiredKeys: ['custom_type', 'hidden', 'non_editable', 'resettable'] },
      ),
    }),
    { maxLength: 3 },
  ),
})
const changed = fc.array(text, { maxLength: 3 })
const statesBody = fc.record({ id: text, changed_fields: changed, original_data: texts })
const savedBody = fc.record({ data: texts, changed_fields: changed })
const maintenanceBody = fc.record({
  data: fc.record({ status: fc.constantFrom(null, 'planned', 'active', 'done') }),
})
const configurationBody = fc.record({
  config: fc.record({
    addin: fc.record(
      { signature_by_default: fc.constantFrom<unknown>(true, false, 'true', 1, null) },
      { requiredKeys: [] },
    ),
  }),
})

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
function outcome<Output>(read: Read<Output>, body: unknown): unknown {
  try {
    return { read: shown(read(body, '')) }
  } catch (error) {
    if (!isFailed(error)) throw error
    return error.failure
  }
}
const declared = (schema: v.GenericSchema, body: unknown): unknown => {
  const result = v.safeParse(schema, body)
  return result.success
    ? { read: shown(result.output) }
    : { kind: 'malformed', at: v.getDotPath(result.issues[0]) ?? 'body' }
}
/** With what a secret hides. */
const shown = (read: unknown): unknown => {
  const { session: within, token: hidden } = (read ?? {}) as { session?: object; token?: Secret }
  if (within) return { ...(read as object), session: shown(within) }
  return hidden ? { ...(read as object), token: reveal(hidden) } : read
}

const shipped: readonly (readonly [string, fc.Arbitrary<unknown>, Read<unknown>, v.GenericSchema])[] = [
  ['the answer of a sign-in', verifiedBody, answerOf((api) => api.verify(credentials)), schemas.verified],
  ['a renewed session', verifiedBody, answerOf((api) => api.renew()), schemas.session],
  ['a cached signature', cachedSignatureBody, answerOf((api) => api.signature({})), schemas.cachedSignature],
  [
    'a page of signatures',
    signaturePageBody,
    answerOf((api) => api.signatures({ page: 1, withImages: true })),
    schemas.signaturePage,
  ],
  ['a profile', profileBody, answerOf((api) => api.user()), schemas.profile],
  ['the maintenance', maintenanceBody, answerOf((api) => api.maintenance()), schemas.maintenance],
  ['the states of variables', statesBody, answerOf((api) => api.variableStates()), schemas.variableStates],
  [
    'the definitions of variables',
    definitionsBody,
    answerOf((api) => api.variableDefinitions()),
    schemas.definitions,
  ],
  [
    'the values of variables',
    fc.record({ values: texts }),
    answerOf((api) => api.variableValues()),
    schemas.values,
  ],
  [
    'saved variables',
    savedBody,
    answerOf((api) => api.saveVariables(nothingChanged)),
    schemas.savedVariables,
  ],
  [
    'a picture',
    fc.record({ data: fc.record({ url: fc.option(text) }) }),
    answerOf((api) => api.photo()),
    schemas.photo,
  ],
  [
    'a saved picture',
    fc.record({ data: fc.record({ url: text }) }),
    answerOf((api) => api.savePhoto('')),
    schemas.savedPhoto,
  ],
  [
    'a plan',
    fc.record({ plan_id: text }),
    (body, at) => READ_PLAN.answer.read(body, at).plan,
    schemas.planId,
  ],
  ['the configuration', configurationBody, answerOf((api) => api.configuration()), schemas.configuration],
]

describe('is read as it is declared, or refused at the same place:', () => {
  test.each(shipped)('%s', (_, body, read, schema) => {
    const counts = { read: 0, refused: 0 }
    fc.assert(
      fc.property(mutated(body), (given) => {
        const found = outcome(read, given)
        expect(found).toEqual(declared(schema, given))
        counts[Object.hasOwn(Object(found) as object, 'read') ? 'read' : 'refused']++
      }),
      cases(100, 10_000),
    )
    expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(0)
  })

  test('a profile by launch events, which read less of it, and what else is in it may be anything', () => {
    const ofLaunch = ({ id, delegations, metadata: { defaultSignature } }: UserProfile) => ({
      id,
      delegations,
      chosen: defaultSignature && {
        reply: defaultSignature.reply,
        bySender: defaultSignature.bySender ?? null,
      },
    })
    /** Launch events do not read it. */
    const withMaster = (given: object) => {
      const { metadata: kept } = given as { metadata?: unknown }
      if (!isJson(kept) || !isJson((kept as { defaultSignature?: unknown }).defaultSignature)) return given
      const { defaultSignature } = kept as { defaultSignature: object }
      return { ...given, metadata: { ...kept, defaultSignature: { ...defaultSignature, master: 'c-1' } } }
    }
    const ofPane = v.pipe(schemas.profile, v.transform(ofLaunch))
    fc.assert(
      fc.property(mutated(launchProfileBody), (given) => {
        const whole = isJson(given) && !Array.isArray(given) ? withMaster({ ...onlyOfPane, ...given }) : given
        expect(outcome(launchProfile, given)).toEqual(declared(ofPane, whole))
      }),
      cases(100, 10_000),
    )
  })

  test('none of the shapes is left out', () => {
    expect(shipped.map(([, , , schema]) => schema)).toEqual(
      expect.arrayContaining(Object.values(schemas) as v.GenericSchema[]),
    )
  })
})

test("a profile has the choices by sender, and none that is no signature's id", () => {
  const read = (bySender: unknown) =>
    launchProfile({
      id: 'u-1',
      delegations: [],
      metadata: { defaultSignature: { master: 'c-1', bySender } },
    }).chosen
  expect(read({ 'sales@example.com': 'c-2', 'x@example.com': null })).toEqual({
    reply: null,
    bySender: { 'sales@example.com': 'c-2' },
  })
  for (const none of [null, 'c-2', 1]) expect(read(none)?.bySender).toEqual({})
  expect(read(undefined)?.bySender).toBeNull()
})
