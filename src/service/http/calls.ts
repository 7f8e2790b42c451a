/** The 17 calls of the add-in (specification, section 7). */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  defaultBody,
  delegatedBody,
  type Dependency,
  DEPENDS_ON,
  listQuery,
  photoBody,
  signatureQuery,
  signInBody,
  telemetryBody,
  variablesBody,
} from '../../../streams/wire/addinRequests.ts'
import type { InOf, Schema } from '../../../streams/kernel/schema.ts'
import { READ_DELEGATED, READ_SIGNATURE, READ_SIGNATURES, SIGN_IN } from '../../../streams/wire/signatures.ts'
import {
  DELETE_PHOTO,
  READ_CONFIGURATION,
  READ_DEFINITIONS,
  READ_MAINTENANCE,
  READ_PHOTO,
  READ_PLAN,
  type READ_STATES,
  READ_USER,
  READ_VALUES,
  RENEW,
  SAVE_DEFAULT,
  SAVE_PHOTO,
  SAVE_VARIABLES,
  SEND_TELEMETRY,
} from '../../../streams/wire/user.ts'
import type { DefaultChoice } from '../../../streams/organisation/facts/events.ts'
import { mayChooseDefault, visibleMetadata } from '../../../streams/organisation/rules/rules.ts'
import {
  changedFields,
  definitionsOf,
  displayName,
  originalData,
  planOf,
  variableValues,
} from '../../../streams/organisation/release/selectors.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { clientAddress } from '../../server/clientAddress.ts'
import { BODY_LIMIT_BYTES, Refusal, type WebServer } from '../../server/webServer.ts'
import type { Bearers } from '../identity/bearers.ts'
import { invalidToken, type TokenReader } from '../identity/tokens.ts'
import type { Organisation } from '../organisation/organisation.ts'
import type { Organisations } from '../organisation/organisations.ts'
import { decodePhoto } from '../answers/picture.ts'
import { encoded } from '../answers/signatures.ts'
import type { Caller, ServiceContext } from '../context/serviceContext.ts'
import type { Images } from '../answers/images.ts'
import { isNamed, tagOf } from '../answers/tags.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The organisation that follows from who signed in, or from a public address; not set before it is known. */
    organisation: Organisation
    /** The user whom the request's bearer names; only set in routes that need a user. */
    caller: Caller
  }
}

export const SIGN_IN_PATH = SIGN_IN.path
export const DEFAULT_SIGNATURE_CALL = `${READ_SIGNATURE.method} ${READ_SIGNATURE.path}`

/** The address at which the add-in asks for its default signature. */
const DEFAULT_URL = `${READ_SIGNATURE.path}?build_base64=true`

/** The type of an answer that is encoded already; the same as of other answers. */
const JSON_TYPE = 'application/json; charset=utf-8'
const PHOTO_BODY_LIMIT_BYTES = 2 * 1024 * 1024
/** A save may contain every value twice: the new value, and the value that it was changed from. */
const SAVE_BODY_LIMIT_BYTES = 2 * BODY_LIMIT_BYTES
const CONTRACT_HEADERS = ['X-Api-Version', 'X-Addin-Version', 'X-LSI-Version', 'X-Addin-Trigger'].map(
  (name) => [name.toLowerCase(), name] as const,
)
/** The role of an administrator, as tokens of the identity provider name it. */
const ADMIN_ROLE = 'Signet.Publish'

/** What a handler is given for each thing that its response depends on. */
type Given = Readonly<{
  release: Pick<Caller, 'release'>
  periods: Pick<Caller, 'at'>
  person: Pick<Caller, 'person' | 'isAdmin'>
  owners: Readonly<{ owners: readonly PersonState[] }>
  request: object
}>
type AllOf<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
type GivenBy<D extends Dependency> = AllOf<{ [Name in D]: Given[Name] }[D]>

/** The response of a handler, in the shape that its call declares. */
type AnswerTo<Call extends Readonly<{ answer: unknown }>> = Promise<InOf<Call['answer']>>

export type CallsOptions = Readonly<{
  organisations: Pick<Organisations, 'of' | 'ofTenant'>
  tokens: TokenReader
  bearers: Bearers
  /** Whether the response to a sign-in contains the default signature. */
  sendsDefault: () => boolean
  /** As of `createService`. */
  isGuarding: () => boolean
}>

export async function addCalls(app: WebServer, options: CallsOptions): Promise<void> {
  const { organisations, tokens, bearers, sendsDefault, isGuarding } = options

  const readBearer = (request: FastifyRequest) =>
    bearers.read(request.headers.authorization, () => clientAddress(request))

  /** The content of the bearer of a request, and the organisation that signed it. */
  async function signedIn(request: FastifyRequest) {
    const bearer = await readBearer(request)
    const organisation = await organisations.of(bearer.organisation)
    if (organisation === null) throw invalidToken('The organisation is not there any more.')
    return { bearer, organisation }
  }

  await app.register(async (contract: WebServer) => {
    contract.addHook('onRequest', ({ headers }, _, done) => {
      const [, missing] = CONTRACT_HEADERS.find(([lower]) => !headers[lower]) ?? []
      if (missing !== undefined) throw new Refusal(400, 'header_missing', `The header ${missing} is missing.`)
      done()
    })

    contract.post(
      SIGN_IN.path,
      { schema: { body: signInBody } },
      async (request, reply): Promise<InOf<typeof SIGN_IN.answer> | FastifyReply> => {
        const { body } = request
        const user = await tokens.verifyAccessToken(body.accessToken, () => clientAddress(request))
        const organisation = await organisations.ofTenant(user.account.tenant)
        if (organisation === null) throw invalidToken('The organisation is not there any more.')
        request.organisation = organisation
        const { context, accountLinking } = organisation
        const person = await accountLinking.signIn(user, body.email)
        const isAdmin = user.roles.includes(ADMIN_ROLE)
        const at = context.now()
        const access_token = await bearers.issue({
          organisation: organisation.id,
          person: person.id,
          account: user.account,
          email: body.email,
          isAdmin,
          authTime: at,
        })
        const caller = { person, release: published(context), isAdmin, at }
        if (!sendsDefault()) return { data: { access_token } }
        const before = `{"data":{"access_token":${JSON.stringify(access_token)},"signature":`
        const signature = await defaultAnswer(organisation, caller)
        return reply.type(JSON_TYPE).send(Buffer.concat([Buffer.from(before), signature, Buffer.from('}}')]))
      },
    )

    // This call responds from memory, because every pane polls it.
    contract.get(READ_MAINTENANCE.path, async (request): AnswerTo<typeof READ_MAINTENANCE> => {
      request.organisation = (await signedIn(request)).organisation
      return { data: { status: request.organisation.context.releases.state().maintenance } }
    })

    contract.register(async (personal: WebServer) => {
      personal.decorateRequest('caller')
      personal.addHook('onRequest', async (request: FastifyRequest, reply) => {
        const { bearer, organisation } = await signedIn(request)
        const { person: id, account, isAdmin } = bearer
        const { context } = organisation
        request.organisation = organisation
        const person = await context.store.person(id)
        if (person?.active !== true)
          throw invalidToken('The token belongs to a person who has left the organisation.')
        const { tenant, oid } = person.account ?? {}
        if (tenant !== account.tenant || oid !== account.oid)
          throw invalidToken('The token belongs to an account that the person no longer has.')
        const release = published(context)
        request.caller = { person, release, isAdmin, at: context.now() }
        reply.header('X-Signet-Release', release.id)
      })
      addPersonalCalls(personal)
    })
  })

  function published({ releases }: ServiceContext): Release {
    const release = releases.current()
    if (release === null)
      throw new Refusal(503, 'unavailable', 'The organisation has not published anything.')
    return release
  }

  const tagFor = (
    { context }: Organisation,
    caller: Caller,
    dependsOn: readonly Dependency[],
    asked: Readonly<{ url: string; owners: readonly PersonState[] }>,
  ) => tagOf({ publicUrl: context.publicUrl(), isGuarding: isGuarding() }, caller, dependsOn, asked)

  /** Responds with 304 when the client has the current response. */
  async function conditional<const D extends Dependency, Answer>(
    request: FastifyRequest,
    reply: FastifyReply,
    dependsOn: readonly D[],
    answer: (given: GivenBy<D>, tag: string) => Promise<Answer> | Answer,
    owners: readonly PersonState[] = [],
  ): Promise<Answer | FastifyReply> {
    const { caller, url, headers } = request
    const tag = tagFor(request.organisation, caller, dependsOn, { url, owners })
    reply.headers({ ETag: `"${tag}"`, 'Cache-Control': 'private, no-cache' })
    return isNamed(tag, headers['if-none-match'])
      ? reply.code(304).send()
      : answer({ ...caller, owners } as unknown as GivenBy<D>, tag)
  }

  /** The encoded response with this tag. It is cached if it has all its pictures, which may only be late. */
  async function encodedAnswer(
    { answers }: Organisation,
    tag: string,
    render: () => Promise<InOf<typeof READ_SIGNATURE.answer>>,
  ): Promise<Buffer> {
    const known = answers.get(tag)
    if (known !== null) return known
    const answer = await render()
    const body = encoded(answer)
    if (answer.base64_embedded_images.every(({ status }) => status === 200)) answers.set(tag, body)
    return body
  }

  /** The default signature with its pictures, as the call for it sends it. */
  async function defaultAnswer(organisation: Organisation, caller: Caller): Promise<Buffer> {
    const { signatures } = organisation
    const { owners, chosen } = await signatures.asked(caller, undefined)
    const tag = tagFor(organisation, caller, DEPENDS_ON.signature, { url: DEFAULT_URL, owners })
    return encodedAnswer(organisation, tag, () => signatures.cache(caller, chosen(), true))
  }

  function addPersonalCalls(personal: WebServer): void {
    const get = <In, const D extends Dependency>(
      { path }: Readonly<{ path: string; answer: Schema<unknown, In> }>,
      dependsOn: readonly D[],
      answer: (given: GivenBy<D>, images: Images) => In,
    ) =>
      personal.get(path, async (request, reply) =>
        conditional(request, reply, dependsOn, (given) => answer(given, request.organisation.images)),
      )

    personal.get(RENEW.path, async (request): AnswerTo<typeof RENEW> => {
      const bearer = await readBearer(request)
      bearers.renewable(bearer.authTime)
      return { data: { access_token: await bearers.issue(bearer) } }
    })

    personal.put(
      SEND_TELEMETRY.path,
      { schema: { body: telemetryBody } },
      async ({ body: info, caller: { person, at }, organisation }, reply) => {
        await organisation.context.store.keepReported(person.id, info, at)
        return reply.code(204).send()
      },
    )

    personal.get(READ_USER.path, async (request, reply) => {
      const { images, owners: ownersOf } = request.organisation
      return conditional(
        request,
        reply,
        DEPENDS_ON.user,
        ({
          person,
          release,
          isAdmin,
          owners,
        }): InOf<typeof READ_USER.answer & typeof READ_STATES.answer> => ({
          id: person.id,
          email: person.addresses[0] ?? '',
          is_admin: isAdmin,
          picture_url: images.addressOf(person),
          auth_type: 'azure',
          ...(person.language === null ? {} : { language: person.language }),
          client_name: release.document.organisation,
          computed_variables: { display_name: displayName(release, person) },
          delegations: owners.map(({ id }) => id),
          metadata: visibleMetadata(release, person),
          changed_fields: changedFields(release, person),
          original_data: originalData(release, person),
        }),
        await ownersOf.delegated(request.caller),
      )
    })

    get(READ_PHOTO, DEPENDS_ON.photo, ({ person }, images) => ({
      data: { url: person.picture === null ? null : images.addressOf(person) },
    }))
    personal.put(
      SAVE_PHOTO.path,
      { bodyLimit: PHOTO_BODY_LIMIT_BYTES, schema: { body: photoBody } },
      async ({ body, caller: { person }, organisation }): AnswerTo<typeof SAVE_PHOTO> => {
        const { bytes, extension, mediaType } = decodePhoto(body.photo)
        // The hash includes the id of the person, so that erasing the person may delete the picture.
        const hash = createHash('sha256').update(person.id).update(bytes).digest('hex').slice(0, 32)
        await organisation.context.store.keepPicture(hash, { mediaType, bytes })
        const picture = `${hash}.${extension}`
        const after = await replacePhoto(organisation, person, { type: 'changePicture', picture })
        return { data: { url: organisation.images.addressOf(after) } }
      },
    )
    personal.delete(DELETE_PHOTO.path, async ({ caller: { person }, organisation }, reply) => {
      await replacePhoto(organisation, person, { type: 'removePicture' })
      return reply.code(204).send()
    })

    personal.get(READ_SIGNATURE.path, { schema: { querystring: signatureQuery } }, async (request, reply) => {
      const { combined_ids, build_base64 } = request.query
      const { signatures } = request.organisation
      const { owners, chosen } = await signatures.asked(request.caller, combined_ids)
      return conditional(
        request,
        reply,
        DEPENDS_ON.signature,
        async (caller, tag) => {
          const render = () => signatures.cache(caller, chosen(), build_base64)
          return reply.type(JSON_TYPE).send(await encodedAnswer(request.organisation, tag, render))
        },
        owners,
      )
    })
    personal.get(READ_SIGNATURES.path, { schema: { querystring: listQuery } }, async (request, reply) => {
      const { query, organisation } = request
      return conditional(request, reply, DEPENDS_ON.signatures, (caller) =>
        organisation.signatures.list(caller, [caller.person], query, false),
      )
    })
    personal.post(
      READ_DELEGATED.path,
      { schema: { body: delegatedBody, querystring: listQuery } },
      async ({
        body: { user_ids },
        caller,
        query,
        organisation: { owners, signatures },
      }): AnswerTo<typeof READ_DELEGATED> => {
        const delegated = new Map((await owners.delegated(caller)).map((owner) => [owner.id, owner]))
        const found = [...new Set(user_ids)].map((id) => delegated.get(id))
        if (!found.every((owner) => owner !== undefined)) {
          throw new Refusal(403, 'not_delegated', 'Not all of these people share their signatures with you.')
        }
        return signatures.list(caller, found, query, true)
      },
    )
    personal.put(
      SAVE_DEFAULT.path,
      { schema: { body: defaultBody } },
      async ({ body: { combined_ids: master }, caller, organisation }, reply) => {
        await refuseInvisible(organisation, caller, [master])
        const { people } = organisation.context
        await people.write(caller.person.id, { type: 'chooseDefault', combinedIds: master }, caller.person.id)
        return reply.code(204).send()
      },
    )

    get(READ_DEFINITIONS, DEPENDS_ON.definitions, ({ release }) => ({ objects: definitionsOf(release) }))
    get(READ_VALUES, DEPENDS_ON.values, ({ release, person }, images) => ({
      values: valuesOf(images, release, person),
    }))
    personal.put(
      SAVE_VARIABLES.path,
      { bodyLimit: SAVE_BODY_LIMIT_BYTES, schema: { body: variablesBody } },
      async ({ body, caller, organisation }): AnswerTo<typeof SAVE_VARIABLES> => {
        const { person, release } = caller
        const { data, reset_fields: resetFields, base } = body
        const before = new Set(namedIn(person.metadata.defaultSignature))
        await refuseInvisible(
          organisation,
          caller,
          namedIn(data.metadata?.defaultSignature).filter((ids) => !before.has(ids)),
        )
        const command = { type: 'saveValues', ...data, resetFields, base } as const
        const after = await organisation.context.people.write(person.id, command, person.id)
        return {
          data: valuesOf(organisation.images, release, after),
          changed_fields: changedFields(release, after),
        }
      },
    )

    get(READ_PLAN, DEPENDS_ON.plan, ({ release, person }) => ({ plan_id: planOf(release, person) }))
    get(READ_CONFIGURATION, DEPENDS_ON.configuration, ({ release, person }) => ({
      config: { addin: { signature_by_default: mayChooseDefault(release, person) } },
    }))
  }

  /** Refuses signatures that the user does not see. The write itself refuses a user who may not choose. */
  async function refuseInvisible(
    { signatures }: Organisation,
    caller: Caller,
    wanted: readonly string[],
  ): Promise<void> {
    if (mayChooseDefault(caller.release, caller.person)) await signatures.visible(caller, wanted)
  }

  const valuesOf = (images: Images, release: Release, person: PersonState) =>
    variableValues(release, person, { pictureUrl: images.addressOf(person) })

  /** Changes the user's picture, then deletes the previous picture, unless something else names it. */
  async function replacePhoto(
    { context: { store, people }, images }: Organisation,
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

/** The signatures that a choice of the default names. */
const namedIn = ({ master, reply, bySender = {} }: DefaultChoice = {}): readonly string[] =>
  [master, reply, ...Object.values(bySender)].filter((ids) => ids !== undefined)
