/** The 17 calls of the add-in (specification, section 7). */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { DefaultChoice } from '../../../streams/organisation/events.ts'
import { isOpen, mayChooseDefault, visibleMetadata } from '../../../streams/organisation/rules.ts'
import {
  changedFields,
  definitionsOf,
  displayName,
  originalData,
  planOf,
  variableValues,
} from '../../../streams/organisation/selectors.ts'
import type { Release } from '../../../streams/organisation/release.ts'
import type { PersonState } from '../../../streams/organisation/state.ts'
import { BODY_LIMIT_BYTES, Refusal, type WebServer } from '../../server/webServer.ts'
import type { Bearers } from '../identity/bearers.ts'
import { invalidToken, type TokenReader } from '../identity/tokens.ts'
import type { AccountLinking } from '../identity/accountLinking.ts'
import { decodePhoto } from '../picture.ts'
import type { Owners } from '../owners.ts'
import type { Signatures } from '../signatures.ts'
import type { Caller, ServiceContext } from '../serviceContext.ts'
import type { Images } from './images.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The user of the request's bearer; set in the routes that need one. */
    caller: Caller
  }
}

export const SIGN_IN_PATH = '/authentication/addin/azure'
const DEFAULT_SIGNATURE_PATH = '/signatures-cache/api/v1/signature/addin'
export const DEFAULT_SIGNATURE_CALL = `GET ${DEFAULT_SIGNATURE_PATH}`

const PHOTO_BODY_LIMIT_BYTES = 2 * 1024 * 1024
/** Every value twice. */
const SAVE_BODY_LIMIT_BYTES = 2 * BODY_LIMIT_BYTES
const CONTRACT_HEADERS = ['X-Api-Version', 'X-Addin-Version', 'X-LSI-Version', 'X-Addin-Trigger']
/** The role of an administrator, in the identity provider's tokens. */
const ADMIN_ROLE = 'Signet.Publish'

const isNamed = (ids: string | null | undefined): ids is string => ids !== null && ids !== undefined
const text = v.pipe(v.string(), v.maxLength(4000))
const combinedIds = v.pipe(v.string(), v.minLength(1), v.maxLength(500))
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
const defaultSignature = v.pipe(
  v.object({
    master: v.nullish(combinedIds),
    reply: v.exactOptional(combinedIds),
    // By the address of the sender. A signature that is gone is ignored by the add-in.
    bySender: v.exactOptional(v.record(v.pipe(v.string(), v.maxLength(320)), combinedIds)),
  }),
  v.check(
    ({ master, reply, bySender }) => isNamed(master) || (reply === undefined && bySender !== undefined),
    'must have a master, or bySender alone',
  ),
  v.transform(({ master, ...others }): DefaultChoice => (isNamed(master) ? { master, ...others } : others)),
)
const metadataSchema = v.objectWithRest({ defaultSignature: v.exactOptional(defaultSignature) }, v.unknown())

const signInBody = v.object({
  accessToken: v.pipe(v.string(), v.minLength(1)),
  email: v.pipe(v.string(), v.maxLength(320), v.email()),
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
  // What the sender had of `data`, so that what others changed meanwhile stays.
  base: v.exactOptional(
    v.objectWithRest({ metadata: v.exactOptional(v.record(v.string(), v.unknown())) }, text),
  ),
})

export type CallsOptions = Readonly<{
  context: ServiceContext
  owners: Owners
  signatures: Signatures
  images: Images
  tokens: TokenReader
  bearers: Bearers
  accountLinking: AccountLinking
  /** Whether a sign-in is answered with the default signature, too. */
  sendsDefault: () => boolean
}>

export async function addCalls(app: WebServer, options: CallsOptions): Promise<void> {
  const { context, owners, signatures, images, tokens, bearers, accountLinking, sendsDefault } = options
  const { store, people, releases, now } = context

  await app.register(async (contract: WebServer) => {
    contract.addHook('onRequest', async ({ headers }) => {
      const missing = CONTRACT_HEADERS.find((name) => !headers[name.toLowerCase()])
      if (missing !== undefined) throw new Refusal(400, 'header_missing', `The header ${missing} is missing.`)
    })

    contract.post(SIGN_IN_PATH, { schema: { body: signInBody } }, async ({ body }) => {
      const user = await tokens.verifyAccessToken(body.accessToken)
      const person = await accountLinking.signIn(user, body.email)
      const isAdmin = user.roles.includes(ADMIN_ROLE)
      const at = now()
      const access_token = await bearers.issue({
        person: person.id,
        account: user.account,
        email: body.email,
        isAdmin,
        authTime: at,
      })
      const caller = { person, release: published(), isAdmin, at }
      const signature = sendsDefault() ? await signatures.cacheOrNull(caller) : null
      return { data: { access_token, ...(signature === null ? {} : { signature }) } }
    })

    // From memory, without a row: every pane asks again and again.
    contract.get('/api/addin/maintenance', async ({ headers }) => {
      await bearers.read(headers.authorization)
      return { data: { status: releases.state().maintenance } }
    })

    contract.register(async (personal: WebServer) => {
      personal.decorateRequest('caller')
      personal.addHook('onRequest', async (request: FastifyRequest, reply) => {
        const { person: id, account, isAdmin } = await bearers.read(request.headers.authorization)
        const person = await store.person(id)
        if (person?.active !== true)
          throw invalidToken('The token belongs to a person who has left the organisation.')
        const { tenant, oid } = person.account ?? {}
        if (tenant !== account.tenant || oid !== account.oid)
          throw invalidToken('The token belongs to an account that the person no longer has.')
        const release = published()
        request.caller = { person, release, isAdmin, at: now() }
        reply.header('X-Signet-Release', release.id)
      })
      addPersonalCalls(personal)
    })
  })

  function published(): Release {
    const release = releases.current()
    if (release === null)
      throw new Refusal(503, 'unavailable', 'The organisation has not published anything.')
    return release
  }

  /**
   * Answers 304 when the client has the answer already. The tag is made of what the answer depends on, so that nothing
   * is rendered for it: the release, what is open now, the rows of the user and of `others`, and the request. Rows as a whole: one that was erased and imported again, or rebuilt, has a revision that it had before.
   */
  async function conditional<Body>(
    request: FastifyRequest,
    reply: FastifyReply,
    others: readonly PersonState[],
    answer: () => Promise<Body> | Body,
  ): Promise<Body | FastifyReply> {
    const { person, release, isAdmin, at } = request.caller
    const rows = [person, ...others]
    const depends = [context.publicUrl(), release.id, openWindows(release, at), isAdmin, rows, request.url]
    const tag = `"${createHash('sha256').update(JSON.stringify(depends)).digest('base64url').slice(0, 22)}"`
    reply.headers({ ETag: tag, 'Cache-Control': 'private, no-cache' })
    return matches(request.headers['if-none-match'], tag) ? reply.code(304).send() : answer()
  }

  function addPersonalCalls(personal: WebServer): void {
    personal.get('/authentication/access-token', async ({ headers }) => {
      const bearer = await bearers.read(headers.authorization)
      bearers.renewable(bearer.authTime)
      return { data: { access_token: await bearers.issue(bearer) } }
    })

    personal.put(
      '/api/addin/user/addin-info',
      { schema: { body: addinInfoBody } },
      async ({ body: info, caller: { person, at } }, reply) => {
        await store.keepReported(person.id, info, at)
        return reply.code(204).send()
      },
    )

    personal.get('/api/addin/user', async (request, reply) => {
      const { person, release, isAdmin } = request.caller
      const delegated = await owners.delegated(request.caller)
      return conditional(request, reply, delegated, () => ({
        id: person.id,
        email: person.addresses[0] ?? '',
        is_admin: isAdmin,
        picture_url: images.addressOf(person),
        auth_type: 'azure',
        ...(person.language === null ? {} : { language: person.language }),
        client_name: release.document.organisation,
        computed_variables: { display_name: displayName(release, person) },
        delegations: delegated.map(({ id }) => id),
        metadata: visibleMetadata(release, person),
        changed_fields: changedFields(release, person),
        original_data: originalData(release, person),
      }))
    })

    personal.get('/api/addin/user/photo', async (request, reply) =>
      conditional(request, reply, [], () => photoUrl(request.caller.person)),
    )
    personal.put(
      '/api/addin/user/photo',
      { bodyLimit: PHOTO_BODY_LIMIT_BYTES, schema: { body: v.object({ photo: v.string() }) } },
      async ({ body, caller: { person } }) => {
        const { bytes, extension, mediaType } = decodePhoto(body.photo)
        // Named with the owner, so that it can be deleted with them.
        const hash = createHash('sha256').update(person.id).update(bytes).digest('hex').slice(0, 32)
        await store.keepPicture(hash, { mediaType, bytes })
        return photoUrl(
          await replacePhoto(person, { type: 'changePicture', picture: `${hash}.${extension}` }),
        )
      },
    )
    personal.delete('/api/addin/user/photo', async ({ caller: { person } }, reply) => {
      await replacePhoto(person, { type: 'removePicture' })
      return reply.code(204).send()
    })

    personal.get(DEFAULT_SIGNATURE_PATH, { schema: { querystring: cacheQuery } }, async (request, reply) => {
      const { combined_ids, build_base64 } = request.query
      const chosen = await signatures.chosen(request.caller, combined_ids)
      return conditional(request, reply, chosen.owners, () =>
        signatures.cache(request.caller, chosen, build_base64),
      )
    })
    personal.get(
      '/signatures-cache/api/v1/signatures',
      { schema: { querystring: listQuery } },
      async (request, reply) => {
        const { caller, query } = request
        return conditional(request, reply, [], () => signatures.list(caller, [caller.person], query, false))
      },
    )
    personal.post(
      '/signatures-cache/api/v1/signatures/get/batch',
      { schema: { body: batchBody, querystring: listQuery } },
      async ({ body: { user_ids }, caller, query }) => {
        const delegated = new Map((await owners.delegated(caller)).map((owner) => [owner.id, owner]))
        const found = [...new Set(user_ids)].map((id) => delegated.get(id))
        if (!found.every((owner) => owner !== undefined)) {
          throw new Refusal(403, 'not_delegated', 'Not all of these people share their signatures with you.')
        }
        return signatures.list(caller, found, query, true)
      },
    )
    personal.put(
      '/signatures-cache/api/v2/signature/default',
      { schema: { body: v.object({ combined_ids: combinedIds }) } },
      async ({ body: { combined_ids: master }, caller }, reply) => {
        await refuseInvisible(caller, [master])
        await people.write(caller.person.id, { type: 'chooseDefault', combinedIds: master }, caller.person.id)
        return reply.code(204).send()
      },
    )

    personal.get('/api/addin/variables', async (request, reply) =>
      conditional(request, reply, [], () => ({ objects: definitionsOf(request.caller.release) })),
    )
    personal.get('/api/addin/user/variables', async (request, reply) =>
      conditional(request, reply, [], () => ({
        values: valuesOf(request.caller.release, request.caller.person),
      })),
    )
    personal.put(
      '/api/addin/user/variables_with_options',
      { bodyLimit: SAVE_BODY_LIMIT_BYTES, schema: { body: variablesBody } },
      async ({ body, caller }) => {
        const { person, release } = caller
        const { metadata, ...values } = body.data
        const before = new Set(namedIn(person.metadata.defaultSignature))
        await refuseInvisible(
          caller,
          namedIn(metadata?.defaultSignature).filter((ids) => !before.has(ids)),
        )
        const command = {
          type: 'saveValues',
          values: values as Record<string, string>,
          resetFields: body.reset_fields,
          ...(metadata === undefined ? {} : { metadata }),
          ...(body.base === undefined ? {} : { base: baseOf(body.base) }),
        } as const
        const after = await people.write(person.id, command, person.id)
        return { data: valuesOf(release, after), changed_fields: changedFields(release, after) }
      },
    )

    personal.get('/api/addin/subscription', async (request, reply) =>
      conditional(request, reply, [], () => ({
        plan_id: planOf(request.caller.release, request.caller.person),
      })),
    )
    personal.get('/api/addin/configs', async (request, reply) =>
      conditional(request, reply, [], () => ({
        config: {
          addin: { signature_by_default: mayChooseDefault(request.caller.release, request.caller.person) },
        },
      })),
    )
  }

  /** A user who may not choose is refused for that by the write. */
  async function refuseInvisible(caller: Caller, wanted: readonly string[]): Promise<void> {
    if (mayChooseDefault(caller.release, caller.person)) await signatures.visible(caller, wanted)
  }

  const valuesOf = (release: Release, person: PersonState) =>
    variableValues(release, person, { pictureUrl: images.addressOf(person) })

  function photoUrl(person: PersonState) {
    return { data: { url: person.picture === null ? null : images.addressOf(person) } }
  }

  /** Sets the user's picture, then deletes the previous one, which nothing else names. */
  async function replacePhoto(
    { id }: PersonState,
    command: Parameters<ServiceContext['people']['write']>[1],
  ): Promise<PersonState> {
    const before = await store.person(id)
    const after = await people.write(id, command, id)
    const [previous, current] = [before?.picture ?? null, after.picture]
    if (previous !== null && previous !== current) await images.drop(previous)
    return after
  }
}

const baseOf = ({ metadata, ...values }: NonNullable<v.InferOutput<typeof variablesBody>['base']>) => ({
  values: values as Record<string, string>,
  metadata,
})

/** The signatures that a choice names. */
const namedIn = ({ master, reply, bySender = {} }: DefaultChoice = {}): readonly string[] =>
  [master, reply, ...Object.values(bySender)].filter(isNamed)

/** The signatures with a period that are in it: what one of them changes, no publish does. */
const openWindows = ({ document }: Release, at: number): readonly string[] =>
  document.signatures.flatMap(({ id, during }) => (during !== null && isOpen(during, at) ? [id] : []))

/** Whether a header `If-None-Match` names the tag. */
const matches = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  (header === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))
