/** The 17 calls of the add-in (specification, section 7). */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { Refusal, type WebServer } from '../server/webServer.ts'
import { invalidToken, type Bearers } from './bearer.ts'
import { decodePhoto, PHOTOS_FOLDER } from './picture.ts'
import type { DefaultChoice, Person, Repository } from './repository.ts'
import type { Signatures } from './signatures.ts'
import { changedFields, changedValues, displayName, originalData, variableValues } from './variables.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The user of the request's bearer; set in the routes that need one. */
    person: Person
  }
}

const DEFAULT_SIGNATURE_PATH = '/signatures-cache/api/v1/signature/addin'
export const DEFAULT_SIGNATURE_CALL = `GET ${DEFAULT_SIGNATURE_PATH}`

const PHOTO_BODY_LIMIT_BYTES = 2 * 1024 * 1024
const CONTRACT_HEADERS = ['X-Api-Version', 'X-Addin-Version', 'X-LSI-Version', 'X-Addin-Trigger']

const text = v.pipe(v.string(), v.maxLength(4000))
const combinedIds = v.pipe(v.string(), v.minLength(1), v.maxLength(100))
const integer = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,6}$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(least),
    v.maxValue(most),
  )
const flag = v.pipe(
  v.picklist(['true', 'false']),
  v.transform((value) => value === 'true'),
)
const defaultSignature = v.object({
  master: combinedIds,
  reply: v.exactOptional(combinedIds),
  // By the address of the sender. A signature that is gone is ignored by the add-in.
  bySender: v.exactOptional(v.record(v.pipe(v.string(), v.maxLength(320)), combinedIds)),
})
const metadataSchema = v.objectWithRest({ defaultSignature: v.exactOptional(defaultSignature) }, v.unknown())

const signInBody = v.object({
  accessToken: v.pipe(v.string(), v.minLength(1)),
  email: v.pipe(v.string(), v.email()),
})
const addinInfoBody = v.object({
  package: v.union([v.string(), v.record(v.string(), v.unknown())]),
  context: v.pipe(v.array(v.unknown()), v.maxLength(50)),
  settings: v.record(v.string(), v.unknown()),
  beta: v.boolean(),
  navigator: v.union([v.string(), v.record(v.string(), v.unknown())]),
})
const cacheQuery = v.object({
  build_base64: v.optional(flag, 'false'),
  combined_ids: v.optional(combinedIds),
})
const listQuery = v.object({
  ...cacheQuery.entries,
  page: v.optional(integer(1, 100_000), '1'),
  per_page: v.optional(integer(1, 50), '5'),
})
const batchBody = v.object({ user_ids: v.pipe(v.array(v.string()), v.maxLength(200)) })
const variablesBody = v.object({
  data: v.objectWithRest({ metadata: v.exactOptional(metadataSchema) }, text),
  reset_fields: v.pipe(v.array(text), v.maxLength(200)),
})

export type CallsOptions = Readonly<{
  repository: Repository
  signatures: Signatures
  bearers: Bearers
  /** The address of the pictures, without a slash at the end. */
  imagesUrl: () => string
  /** Whether a sign-in is answered with the default signature, too. */
  sendsDefault: () => boolean
  /** Milliseconds since 1970. */
  now: () => number
}>

export async function addCalls(app: WebServer, options: CallsOptions): Promise<void> {
  const { repository, signatures, bearers, imagesUrl, sendsDefault, now } = options

  await app.register(async (contract: WebServer) => {
    contract.addHook('onRequest', async ({ headers }) => {
      const missing = CONTRACT_HEADERS.find((name) => !headers[name.toLowerCase()])
      if (missing !== undefined) throw new Refusal(400, 'header_missing', `The header ${missing} is missing.`)
    })

    contract.post('/authentication/addin/azure', { schema: { body: signInBody } }, async ({ body }) => {
      const { accessToken, email } = body
      const vouched = await bearers.vouchedEmail(accessToken)
      if (vouched.toLowerCase() !== email.toLowerCase())
        throw invalidToken('The access token is that of another mailbox.')
      const person = await repository.personByEmail(email)
      if (person === null) throw new Refusal(403, 'unknown_user', 'The organisation has no such mailbox.')
      const access_token = await bearers.issue(person)
      const signature = sendsDefault() ? await defaultSignatureOf(person) : null
      return { data: { access_token, ...(signature === null ? {} : { signature }) } }
    })

    contract.register(async (personal: WebServer) => {
      personal.decorateRequest('person')
      personal.addHook('onRequest', async (request: FastifyRequest) => {
        const person = await repository.person(await bearers.personId(request.headers.authorization))
        if (person === null) throw invalidToken('The bearer is of a person who has left the organisation.')
        request.person = person
      })
      addPersonalCalls(personal)
    })
  })

  function addPersonalCalls(personal: WebServer): void {
    personal.get('/authentication/access-token', async ({ person }) => ({
      data: { access_token: await bearers.issue(person) },
    }))

    personal.put(
      '/api/addin/user/addin-info',
      { schema: { body: addinInfoBody } },
      async ({ body: info, person }, reply) => {
        const receivedAt = new Date(now()).toISOString()
        await repository.changePerson(person.id, (before) => ({ ...before, addinInfo: { receivedAt, info } }))
        return reply.code(204).send()
      },
    )

    personal.get('/api/addin/user', async ({ person }) => {
      const definitions = await repository.definitions()
      return {
        id: person.id,
        email: person.email,
        is_admin: person.isAdmin,
        picture_url: variableValues(person, imagesUrl())['picture_url'],
        auth_type: 'azure',
        ...(person.language === undefined ? {} : { language: person.language }),
        client_name: person.clientName,
        computed_variables: { display_name: displayName(person) },
        delegations: person.delegations,
        metadata: person.metadata,
        changed_fields: changedFields(person, definitions),
        original_data: originalData(person, definitions),
      }
    })

    personal.get('/api/addin/user/photo', async ({ person }) => photoUrl(person))
    personal.put(
      '/api/addin/user/photo',
      { bodyLimit: PHOTO_BODY_LIMIT_BYTES, schema: { body: v.object({ photo: v.string() }) } },
      async ({ body, person }) => {
        const { bytes, extension } = decodePhoto(body.photo)
        const digest = createHash('sha256').update(person.id).update(bytes).digest('hex').slice(0, 32)
        const name = `${digest}.${extension}`
        await repository.keepPhoto(name, bytes)
        return photoUrl(await replacePhoto(person, PHOTOS_FOLDER + name))
      },
    )
    personal.delete('/api/addin/user/photo', async ({ person }, reply) => {
      await replacePhoto(person, null)
      return reply.code(204).send()
    })

    personal.get(DEFAULT_SIGNATURE_PATH, { schema: { querystring: cacheQuery } }, async ({ person, query }) =>
      signatures.cache(person, query.combined_ids, query.build_base64),
    )
    personal.get(
      '/signatures-cache/api/v1/signatures',
      { schema: { querystring: listQuery } },
      async ({ person, query }) => signatures.list([person], query, false),
    )
    personal.post(
      '/signatures-cache/api/v1/signatures/get/batch',
      { schema: { body: batchBody, querystring: listQuery } },
      async ({ body: { user_ids }, person, query }) => {
        if (!user_ids.every((id) => person.delegations.includes(id))) {
          throw new Refusal(403, 'not_delegated', 'Not all of these people share their signatures with you.')
        }
        const owners = await Promise.all([...new Set(user_ids)].map((id) => repository.person(id)))
        return signatures.list(
          owners.filter((owner) => owner !== null),
          query,
          true,
        )
      },
    )
    personal.put(
      '/signatures-cache/api/v2/signature/default',
      { schema: { body: v.object({ combined_ids: combinedIds }) } },
      async ({ body: { combined_ids: master }, person }, reply) => {
        await signatures.visible(person, master)
        await repository.changePerson(person.id, (before) => {
          if (!before.mayChooseDefault) throw defaultNotAllowed()
          return before.metadata.defaultSignature?.master === master
            ? before
            : { ...before, metadata: { ...before.metadata, defaultSignature: { master } } }
        })
        return reply.code(204).send()
      },
    )

    personal.get('/api/addin/variables', async () => ({ objects: await repository.definitions() }))
    personal.get('/api/addin/user/variables', async ({ person }) => ({
      values: variableValues(person, imagesUrl()),
    }))
    personal.put(
      '/api/addin/user/variables_with_options',
      { schema: { body: variablesBody } },
      async ({ body, person }) => {
        const { metadata, ...values } = body.data
        const definitions = await repository.definitions()
        await refuseInvisible(person, metadata?.defaultSignature)
        const changed = await repository.changePerson(person.id, (before) => {
          const current = variableValues(before, imagesUrl())
          const change = { values: values as Record<string, string>, resetFields: body.reset_fields }
          const after = { ...before, values: changedValues(before, definitions, current, change) }
          if (metadata === undefined) return after
          if (!isSameDefault(before.metadata, metadata) && !before.mayChooseDefault) throw defaultNotAllowed()
          return { ...after, metadata }
        })
        const after = changed ?? person
        return {
          data: variableValues(after, imagesUrl()),
          changed_fields: changedFields(after, definitions),
        }
      },
    )

    personal.get('/api/addin/subscription', async ({ person }) => ({ plan_id: person.planId }))
    personal.get('/api/addin/maintenance', async () => ({ data: { status: await repository.maintenance() } }))
    personal.get('/api/addin/configs', async ({ person }) => ({
      config: { addin: { signature_by_default: person.mayChooseDefault } },
    }))
  }

  /** What the call for the default would answer with images; null where it would refuse. */
  async function defaultSignatureOf(person: Person): Promise<object | null> {
    try {
      return await signatures.cache(person, undefined, true)
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  }

  function photoUrl({ photo }: Person) {
    return { data: { url: photo === null ? null : `${imagesUrl()}/${photo}` } }
  }

  /** Sets the user's picture, then deletes the previous one. */
  async function replacePhoto(person: Person, photo: string | null): Promise<Person> {
    let previous = person.photo
    const changed = await repository.changePerson(person.id, (before) => {
      previous = before.photo
      return { ...before, photo }
    })
    if (previous !== photo && previous?.startsWith(PHOTOS_FOLDER))
      await repository.dropPhoto(previous.slice(PHOTOS_FOLDER.length))
    return changed ?? person
  }

  async function refuseInvisible(person: Person, wanted: DefaultChoice | undefined): Promise<void> {
    for (const ids of [wanted?.master, wanted?.reply])
      if (ids !== undefined) await signatures.visible(person, ids)
  }
}

const defaultNotAllowed = () =>
  new Refusal(409, 'default_not_allowed', 'The organisation does not let you choose a default signature.')

function isSameDefault(one: Person['metadata'], other: Person['metadata']): boolean {
  return (
    one.defaultSignature?.master === other.defaultSignature?.master &&
    one.defaultSignature?.reply === other.defaultSignature?.reply
  )
}
