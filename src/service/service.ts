/** The signature service: the calls of the add-in over a repository. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { createBearers, invalidToken } from './bearer.ts'
import { createControl } from '../server/control.ts'
import { demonstration } from './demonstration.ts'
import { openFolderRepository } from './folderRepository.ts'
import { decodePhoto, loadPictures, pictureMediaType } from './picture.ts'
import type { DefaultSignature, Person } from './repository.ts'
import { createSignatures, type Signatures } from './signatures.ts'
import { changedFields, changedValues, displayName, originalData, variableValues } from './variables.ts'
import {
  checked,
  done,
  jsonOf,
  ok,
  queryOf,
  Refusal,
  route,
  startWebServer,
  type Answer,
  type Call,
  type Route,
  type RunningServer,
} from '../server/webServer.ts'

export interface ServiceOptions {
  /** 0 takes any free port. */
  readonly port: number
  /** The folder that keeps what people change; made when it is not there. */
  readonly dataFolder: string
  /** Origins of the pages that may call, exactly as a browser sends them. */
  readonly origins: readonly string[]
  /** Address of the identity provider, as it stands in its tokens. */
  readonly issuer: string
  /** What its access tokens must be made out to. */
  readonly audience?: string
  /** Begins with the demonstration data, whatever the folder holds. */
  readonly reset?: boolean
  /** Offers `/_control`: faults, the journal of requests, maintenance, reset. */
  readonly control?: boolean
  /** Of the service's own bearers; 60 minutes when left out. */
  readonly bearerLifetimeSeconds?: number
  /** Milliseconds since 1970, for what expires. */
  readonly now?: () => number
}

export const defaultAudience = 'api://signet'

/** Where pictures that people sent stand below /images, named by their content. */
const photosFolder = 'photos/'
const photoName = /^[0-9a-f]{32}\.(png|jpg|gif|webp)$/
const photoBodyLimitBytes = 2 * 1024 * 1024
const requiredHeaders = ['X-Api-Version', 'X-Addin-Version', 'X-LSI-Version', 'X-Addin-Trigger']

const nothing = v.object({})
const text = v.pipe(v.string(), v.maxLength(4000))
const combinedIds = v.pipe(v.string(), v.minLength(1), v.maxLength(100))
const whole = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,6}$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(least),
    v.maxValue(most),
  )

const buildBase64 = v.optional(
  v.pipe(
    v.picklist(['true', 'false']),
    v.transform((value) => value === 'true'),
  ),
  'false',
)
const listQuery = v.object({
  build_base64: buildBase64,
  page: v.optional(whole(1, 100_000), '1'),
  per_page: v.optional(whole(1, 50), '5'),
  combined_ids: v.optional(combinedIds),
})
const defaultSignature = v.object({ master: combinedIds, reply: v.exactOptional(combinedIds) })
const metadata = v.objectWithRest({ defaultSignature: v.exactOptional(defaultSignature) }, v.unknown())
const variablesBody = v.object({
  data: v.objectWithRest({ metadata: v.exactOptional(metadata) }, text),
  reset_fields: v.pipe(v.array(text), v.maxLength(200)),
})
const addinInfoBody = v.object({
  package: v.union([v.string(), v.record(v.string(), v.unknown())]),
  context: v.pipe(v.array(v.unknown()), v.maxLength(50)),
  settings: v.record(v.string(), v.unknown()),
  beta: v.boolean(),
  navigator: v.union([v.string(), v.record(v.string(), v.unknown())]),
})

/**
 * Opens the data folder and listens on localhost.
 *
 * @throws when the folder or the port cannot be had
 */
export async function createService(options: ServiceOptions): Promise<RunningServer> {
  const {
    issuer,
    origins,
    audience = defaultAudience,
    bearerLifetimeSeconds = 3600,
    now: clock = Date.now,
  } = options
  const control = options.control === true ? createControl(clock) : null
  const now = control?.now ?? clock
  const repository = await openFolderRepository(options.dataFolder, demonstration, {
    startOver: options.reset === true,
  })
  const pictures = await loadPictures()
  const bearers = createBearers({
    issuer,
    audience,
    key: await repository.bearerKey(),
    lifetimeSeconds: bearerLifetimeSeconds,
    now,
  })

  return startWebServer({
    port: options.port,
    origins,
    watch: control,
    routes: (url) => {
      const images = route('GET', '/images/*', async (call) => {
        const path = call.url.pathname.slice('/images/'.length)
        const [bytes, mediaType] = [await pictureBytes(path), pictureMediaType(path)]
        if (bytes === null || mediaType === null)
          throw new Refusal(404, 'not_found', 'There is no such picture.')
        return { status: 200, bytes, mediaType }
      })
      const known = [...routes(url), images]
      const more = [
        route('PUT', '/_control/maintenance', async (call) => {
          const body = v.object({ status: v.nullable(v.picklist(['planned', 'active'])) })
          await repository.setMaintenance(checked(body, jsonOf(call), 'invalid_body').status)
          return done
        }),
        route('POST', '/_control/reset', async () => {
          await repository.reset()
          return done
        }),
      ]
      return control === null ? known : [...known, ...control.routes(known, more, origins)]
    },
  })

  function routes(url: string): Route[] {
    const imagesUrl = `${url}/images`
    const signatures = createSignatures(repository, url, pictureBytes)

    return [
      ownRoute('POST', '/authentication/addin/azure', async (call) => {
        const body = v.object({
          accessToken: v.pipe(v.string(), v.minLength(1)),
          email: v.pipe(v.string(), v.email()),
        })
        const { accessToken, email } = checked(body, jsonOf(call), 'invalid_body')
        const vouched = await bearers.vouchedEmail(accessToken)
        if (vouched.toLowerCase() !== email.toLowerCase()) {
          throw invalidToken('The access token is that of another mailbox.')
        }
        const person = await repository.personByEmail(email)
        if (person === null) throw new Refusal(403, 'unknown_user', 'The organisation has no such mailbox.')
        return ok({ data: { access_token: await bearers.issue(person) } })
      }),

      personalRoute('GET', '/authentication/access-token', nothing, async ({ person }) =>
        ok({ data: { access_token: await bearers.issue(person) } }),
      ),

      personalRoute('PUT', '/api/addin/user/addin-info', nothing, async ({ call, person }) => {
        const info = checked(addinInfoBody, jsonOf(call), 'invalid_body')
        const receivedAt = new Date(now()).toISOString()
        await repository.changePerson(person.id, (before) => ({ ...before, addinInfo: { receivedAt, info } }))
        return done
      }),

      personalRoute('GET', '/api/addin/user', nothing, async ({ person }) => {
        const definitions = await repository.definitions()
        return ok({
          id: person.id,
          email: person.email,
          is_admin: person.isAdmin,
          picture_url: variableValues(person, imagesUrl)['picture_url'],
          auth_type: 'azure',
          ...(person.language === undefined ? {} : { language: person.language }),
          client_name: person.clientName,
          computed_variables: { display_name: displayName(person) },
          delegations: person.delegations,
          metadata: person.metadata,
          changed_fields: changedFields(person, definitions),
          original_data: originalData(person, definitions),
        })
      }),

      personalRoute('GET', '/api/addin/user/photo', nothing, async ({ person }) => photoAnswer(person)),

      personalRoute(
        'PUT',
        '/api/addin/user/photo',
        nothing,
        async ({ call, person }) => {
          const { photo } = checked(v.object({ photo: v.string() }), jsonOf(call), 'invalid_body')
          const { bytes, extension } = decodePhoto(photo)
          const digest = createHash('sha256').update(person.id).update(bytes).digest('hex').slice(0, 32)
          const name = `${digest}.${extension}`
          await repository.keepPhoto(name, bytes)
          return photoAnswer(await replacePhoto(person, `${photosFolder}${name}`))
        },
        photoBodyLimitBytes,
      ),

      personalRoute('DELETE', '/api/addin/user/photo', nothing, async ({ person }) => {
        await replacePhoto(person, null)
        return done
      }),

      personalRoute(
        'GET',
        '/signatures-cache/api/v1/signature/addin',
        v.object({ build_base64: buildBase64, combined_ids: v.optional(combinedIds) }),
        async ({ person, query }) =>
          ok(await signatures.cache(person, query.combined_ids, query.build_base64)),
      ),

      personalRoute('GET', '/signatures-cache/api/v1/signatures', listQuery, async ({ person, query }) =>
        ok(await signatures.list([person], query, false)),
      ),

      personalRoute(
        'POST',
        '/signatures-cache/api/v1/signatures/get/batch',
        listQuery,
        async ({ call, person, query }) => {
          const body = v.object({ user_ids: v.pipe(v.array(v.string()), v.maxLength(200)) })
          const { user_ids } = checked(body, jsonOf(call), 'invalid_body')
          if (!user_ids.every((id) => person.delegations.includes(id))) {
            throw new Refusal(
              403,
              'not_delegated',
              'Not all of these people share their signatures with you.',
            )
          }
          const people = await Promise.all([...new Set(user_ids)].map((id) => repository.person(id)))
          const owners = people.filter((owner) => owner !== null)
          return ok(await signatures.list(owners, query, true))
        },
      ),

      personalRoute(
        'PUT',
        '/signatures-cache/api/v2/signature/default',
        nothing,
        async ({ call, person }) => {
          const { combined_ids } = checked(
            v.object({ combined_ids: combinedIds }),
            jsonOf(call),
            'invalid_body',
          )
          await signatures.visible(person, combined_ids)
          await repository.changePerson(person.id, (before) => {
            if (!before.mayChooseDefault) throw defaultNotAllowed()
            return before.metadata.defaultSignature?.master === combined_ids
              ? before
              : { ...before, metadata: { ...before.metadata, defaultSignature: { master: combined_ids } } }
          })
          return done
        },
      ),

      personalRoute('GET', '/api/addin/variables', nothing, async () =>
        ok({ objects: await repository.definitions() }),
      ),

      personalRoute('GET', '/api/addin/user/variables', nothing, async ({ person }) =>
        ok({ values: variableValues(person, imagesUrl) }),
      ),

      personalRoute('PUT', '/api/addin/user/variables_with_options', nothing, async ({ call, person }) => {
        const { data, reset_fields } = checked(variablesBody, jsonOf(call), 'invalid_body')
        const { metadata: nextMetadata, ...values } = data
        const definitions = await repository.definitions()
        await refuseUnseen(signatures, person, nextMetadata?.defaultSignature)
        const changed = await repository.changePerson(person.id, (before) => {
          const current = variableValues(before, imagesUrl)
          const change = { values: values as Record<string, string>, resetFields: reset_fields }
          const after = { ...before, values: changedValues(before, definitions, current, change) }
          if (nextMetadata === undefined) return after
          const isSameDefault = sameDefault(before.metadata.defaultSignature, nextMetadata.defaultSignature)
          if (!isSameDefault && !before.mayChooseDefault) throw defaultNotAllowed()
          return { ...after, metadata: nextMetadata }
        })
        const now = changed ?? person
        return ok({ data: variableValues(now, imagesUrl), changed_fields: changedFields(now, definitions) })
      }),

      personalRoute('GET', '/api/addin/subscription', nothing, async ({ person }) =>
        ok({ plan_id: person.planId }),
      ),

      personalRoute('GET', '/api/addin/maintenance', nothing, async () =>
        ok({ data: { status: await repository.maintenance() } }),
      ),

      personalRoute('GET', '/api/addin/configs', nothing, async ({ person }) =>
        ok({ config: { addin: { signature_by_default: person.mayChooseDefault } } }),
      ),
    ]

    function photoAnswer({ photo }: Person): Answer {
      return ok({ data: { url: photo === null ? null : `${imagesUrl}/${photo}` } })
    }
  }

  async function pictureBytes(path: string): Promise<Uint8Array | null> {
    if (!path.startsWith(photosFolder)) return pictures.get(path) ?? null
    const name = path.slice(photosFolder.length)
    return photoName.test(name) ? repository.photo(name) : null
  }

  /** Points the person at another picture, then forgets the one before. */
  async function replacePhoto(person: Person, photo: string | null): Promise<Person> {
    let former = person.photo
    const changed = await repository.changePerson(person.id, (before) => {
      former = before.photo
      return { ...before, photo }
    })
    if (former !== null && former !== photo && former.startsWith(photosFolder)) {
      await repository.dropPhoto(former.slice(photosFolder.length))
    }
    return changed ?? person
  }

  /** A route of the contract: the add-in's headers are there. */
  function ownRoute(
    method: Route['method'],
    path: string,
    answer: (call: Call) => Promise<Answer>,
    bodyLimit?: number,
  ): Route {
    const withHeaders = async (call: Call): Promise<Answer> => {
      const missing = requiredHeaders.find((name) => (call.headers[name.toLowerCase()] ?? '') === '')
      if (missing !== undefined) throw new Refusal(400, 'header_missing', `The header ${missing} is missing.`)
      return answer(call)
    }
    return route(method, path, withHeaders, bodyLimit === undefined ? {} : { bodyLimit })
  }

  /** A route of the contract for somebody who is signed in. */
  function personalRoute<Query extends v.GenericSchema>(
    method: Route['method'],
    path: string,
    querySchema: Query,
    answer: (given: {
      readonly call: Call
      readonly person: Person
      readonly query: v.InferOutput<Query>
    }) => Promise<Answer>,
    bodyLimit?: number,
  ): Route {
    const forPerson = async (call: Call): Promise<Answer> => {
      const person = await repository.person(await bearers.personId(call.headers.authorization))
      if (person === null) throw invalidToken('The bearer is that of somebody who is gone.')
      return answer({ call, person, query: checked(querySchema, queryOf(call), 'invalid_query') })
    }
    return ownRoute(method, path, forPerson, bodyLimit)
  }
}

const defaultNotAllowed = () =>
  new Refusal(409, 'default_not_allowed', 'The organisation does not let you choose a default signature.')

function sameDefault(one: DefaultSignature | undefined, other: DefaultSignature | undefined): boolean {
  return one?.master === other?.master && one?.reply === other?.reply
}

async function refuseUnseen(
  signatures: Signatures,
  person: Person,
  wanted: DefaultSignature | undefined,
): Promise<void> {
  if (wanted === undefined) return
  await signatures.visible(person, wanted.master)
  if (wanted.reply !== undefined) await signatures.visible(person, wanted.reply)
}
