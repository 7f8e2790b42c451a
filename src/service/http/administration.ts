/** The calls of the administration: plans, releases, people. Access tokens are the identity provider's own. */
import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { Recorded } from '../../../streams/kernel/event.ts'
import type { DefaultChoice, PersonFact } from '../../../streams/organisation/events.ts'
import type { Condition, Period, Release, ReleaseDocument } from '../../../streams/organisation/release.ts'
import { compileRelease } from '../../../streams/organisation/release.ts'
import { portraitAddress, renderSignature } from '../../../streams/organisation/render.ts'
import {
  assignedSignatures,
  combinedIds,
  defaultChoice,
  delegatedAddresses,
  isOpen,
  mayChooseDefault,
  whichFits,
} from '../../../streams/organisation/rules.ts'
import { displayName } from '../../../streams/organisation/selectors.ts'
import type { PersonState } from '../../../streams/organisation/state.ts'
import { Refusal, type WebServer } from '../../server/webServer.ts'
import { checkDocument } from '../folder/checkFolder.ts'
import { documentSchema } from '../folder/document.ts'
import { MAX_FILES } from '../folder/files.ts'
import { readPeople } from '../folder/people.ts'
import { pictureFormat, pictureHash } from '../folder/pictures.ts'
import { createOwners, mailbox } from '../owners.ts'
import { createPlans, type PlannedPicture } from '../plans.ts'
import type { World } from '../world.ts'

export type Role = 'Signet.Read' | 'Signet.Publish' | 'Signet.People'

export type ApplicationReader = Readonly<{
  /** @throws Refusal 401 for a token that is not good, 503 when the identity provider is away */
  application: (accessToken: string) => Promise<Readonly<{ roles: readonly string[]; actor: string }>>
}>

/** Why a person has a signature, or has not. */
export type AssignedBecause = Readonly<{
  signature: string
  name: string
  isAssigned: boolean
  isDefault: boolean
  /** Which conditions fit; null when none does, or when `not` wins. */
  because: 'everyone' | readonly Condition[] | null
  during: Period | null
  isOpen: boolean
}>

/** What `GET /people/{id}` answers. */
export type Explained = Readonly<{
  person: PersonState
  name: string
  release: string
  at: number
  signatures: readonly AssignedBecause[]
  default: Readonly<{ choice: DefaultChoice; by: 'user' | 'organisation' }> | null
  mayChooseDefault: boolean
  mailboxes: readonly string[]
}>

/** What `GET /people/{id}/signatures` answers. */
export type Answered = Readonly<{
  release: string
  at: number
  signatures: readonly Readonly<{
    signature: string
    name: string
    isDefault: boolean
    html: string | null
  }>[]
}>

/** What `GET /export` answers: a release with its pictures by the hash of their content. */
export type Exported = Readonly<{
  release: string
  document: ReleaseDocument
  pictures: Readonly<Record<string, PlannedPicture>>
}>

/** What `GET /people/{id}/data` answers: everything that is kept of a person. Pictures by the hash of their content. */
export type PersonalData = Readonly<{
  person: PersonState
  facts: readonly Recorded<PersonFact>[]
  /** What the add-in told last about itself, and when, in milliseconds since 1970. */
  told: Readonly<{ told: unknown; at: number }> | null
  pictures: Readonly<Record<string, PlannedPicture>>
}>

export const ADMINISTRATION_PATH = '/api/administration/v1'
const BODY_LIMIT_BYTES = 20 * 1024 * 1024
const MAX_NOTE_CHARACTERS = 500
/** How many people a search answers, and how many it looks at for one answer. */
const MAX_FOUND = 50
const MAX_SEARCHED = 10_000
const SEARCHED_AT_ONCE = 500

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/))
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(320))
const idSchema = v.object({ id })
const note = v.pipe(v.string(), v.maxLength(MAX_NOTE_CHARACTERS))
/** The last moment that a Date has. */
const MAX_TIME = 8_640_000_000_000_000
const time = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MAX_TIME))
const timeText = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number), time)
const flag = v.optional(v.picklist(['true', 'false']), 'false')

const sentPictures = v.record(hash, v.string())
const missingSchema = v.object({ pictures: v.pipe(v.array(hash), v.maxLength(MAX_FILES)) })
const picturesSchema = v.object({ pictures: sentPictures })
const planSchema = v.object({
  document: documentSchema,
  pictures: v.optional(sentPictures, {}),
  at: v.optional(time),
})
const pageSchema = v.object({ after: v.optional(v.pipe(v.string(), v.maxLength(320))) })
const publishSchema = v.object({ plan: hash, note: v.optional(note, '') })
const rollbackSchema = v.object({ note: v.optional(note, '') })
const searchSchema = v.object({
  search: v.optional(v.pipe(v.string(), v.maxLength(320)), ''),
  after: v.optional(id),
})
const signaturesSchema = v.object({ release: v.optional(hash), at: v.optional(timeText), reply: flag })
const importSchema = v.object({ try: flag })
const maintenanceSchema = v.object({ status: v.nullable(v.picklist(['planned', 'active'])) })
const exportSchema = v.object({ release: v.optional(hash) })

export async function addAdministration(
  app: WebServer,
  world: World,
  reader: ApplicationReader,
): Promise<void> {
  await app.register((scope: WebServer) => addCalls(scope, world, reader), { prefix: ADMINISTRATION_PATH })
}

async function addCalls(app: WebServer, world: World, reader: ApplicationReader): Promise<void> {
  const { store, people, releases, publicUrl, now } = world
  const plans = createPlans(world)
  const owners = createOwners(store)
  const actors = new WeakMap<FastifyRequest, string>()

  /** Before the body is read, so that a stranger's is not. */
  const withRole = (role: Role) => ({
    onRequest: async (request: FastifyRequest) => {
      const [, token] = /^Bearer (\S{1,16384})$/i.exec(request.headers.authorization ?? '') ?? []
      if (token === undefined) throw new Refusal(401, 'invalid_token', 'The access token is missing.')
      const { roles, actor } = await reader.application(token)
      if (!roles.includes(role))
        throw new Refusal(403, 'role_missing', `The access token does not have the role ${role}.`)
      actors.set(request, actor)
    },
  })
  const actorOf = (request: FastifyRequest): string => actors.get(request) ?? 'unknown'

  /** By id or by any address, also one who left. */
  const kept = (idOrAddress: string): Promise<PersonState | null> =>
    idOrAddress.includes('@') ? store.personByAddress(idOrAddress.toLowerCase()) : store.person(idOrAddress)

  const orRefuse = (person: PersonState | null): PersonState => {
    if (!person) throw new Refusal(404, 'not_found', 'There is no such person.')
    return person
  }

  /** A mailbox that only the release knows is found by its address. */
  async function find(idOrAddress: string): Promise<PersonState> {
    const address = idOrAddress.toLowerCase()
    const isMailbox = (releases.current()?.mailboxOf(address) ?? null) !== null
    return orRefuse((await kept(idOrAddress)) ?? (isMailbox ? mailbox(address) : null))
  }

  const published = (): Release => {
    const release = releases.current()
    if (!release) throw new Refusal(404, 'not_found', 'Nothing is published yet.')
    return release
  }

  /** A release that is kept, or that of a plan; without an id the published one. */
  async function releaseOf(releaseOrPlan: string | undefined): Promise<Release> {
    if (releaseOrPlan === undefined) return published()
    const release = await releases.of(releaseOrPlan)
    if (release) return release
    const { plan, document } = await plans.read(releaseOrPlan)
    return compileRelease(plan.release, document)
  }

  const ownersOf = async (person: PersonState, release: Release) =>
    new Map((await owners.delegated({ person, release })).map((owner) => [owner.id, owner]))

  // A text, not JSON: an import may be larger than other bodies, and it is read once.
  app.addContentTypeParser(
    'text/csv',
    { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
    (_, text, done) => {
      done(null, text)
    },
  )

  app.post(
    '/pictures/missing',
    { ...withRole('Signet.Read'), bodyLimit: BODY_LIMIT_BYTES, schema: { body: missingSchema } },
    async ({ body }) => ({ missing: await plans.missing(body.pictures) }),
  )

  app.post(
    '/pictures',
    { ...withRole('Signet.Read'), bodyLimit: BODY_LIMIT_BYTES, schema: { body: picturesSchema } },
    async ({ body }, reply) => {
      await keepPictures(body.pictures)
      return reply.code(201).send({})
    },
  )

  app.post(
    '/plans',
    { ...withRole('Signet.Read'), bodyLimit: BODY_LIMIT_BYTES, schema: { body: planSchema } },
    async ({ body }, reply) => {
      refuseBroken(body.document, body.at ?? now())
      await keepPictures(body.pictures)
      return reply.code(201).send(await plans.make(body.document, body.at ?? now()))
    },
  )

  app.get('/plans/:id', { ...withRole('Signet.Read'), schema: { params: idSchema } }, async ({ params }) => {
    const { plan } = await plans.read(params.id)
    return plan
  })

  app.get(
    '/plans/:id/people',
    { ...withRole('Signet.Read'), schema: { params: idSchema, querystring: pageSchema } },
    async ({ params, query }) => plans.people(params.id, query.after ?? null),
  )

  app.post(
    '/releases',
    { ...withRole('Signet.Publish'), schema: { body: publishSchema } },
    async (request, reply) => {
      const { plan, document, pictures } = await plans.read(request.body.plan)
      for (const name of pictures) {
        const picture = await plans.picture(name)
        if (picture)
          await store.keepPicture(name, {
            mediaType: picture.mediaType,
            bytes: Buffer.from(picture.base64, 'base64'),
          })
      }
      // Before its pictures are looked for: what a release names is not dropped with a person any more.
      await store.keepRelease(plan.release, document)
      const wanted = Object.values(document.pictures)
      const there = await store.hasPictures(wanted)
      const missing = wanted.find((name) => !there.has(name))
      if (missing !== undefined)
        throw new Refusal(422, 'picture_invalid', `The picture ${missing} is missing: plan once more.`)
      const { history } = await releases.write(
        { type: 'publish', release: plan.release, base: plan.base, note: request.body.note },
        actorOf(request),
      )
      return reply.code(201).send({ release: plan.release, history })
    },
  )

  app.get('/releases', withRole('Signet.Read'), async () => ({
    current: releases.current()?.id ?? null,
    maintenance: releases.state().maintenance,
    history: releases.state().history,
  }))

  app.post(
    '/releases/:id/rollback',
    { ...withRole('Signet.Publish'), schema: { params: idSchema, body: rollbackSchema } },
    async (request) => {
      const { history } = await releases.write(
        { type: 'rollBack', release: request.params.id, note: request.body.note },
        actorOf(request),
      )
      return { release: request.params.id, history }
    },
  )

  app.get(
    '/people',
    { ...withRole('Signet.Read'), schema: { querystring: searchSchema } },
    async ({ query: { search, after } }) => {
      const release = releases.current()
      const wanted = search.trim().toLowerCase()
      const found: PersonState[] = []
      const exact = after === undefined && wanted.includes('@') ? await store.personByAddress(wanted) : null
      if (exact) return { people: [briefly(exact, release)], next: null }
      let last = after ?? null
      for (let searched = 0; searched < MAX_SEARCHED; searched += SEARCHED_AT_ONCE) {
        const page = await store.people(last, SEARCHED_AT_ONCE)
        for (const person of page) {
          if (isFound(person, wanted)) found.push(person)
          last = person.id
          if (found.length === MAX_FOUND)
            return { people: found.map((each) => briefly(each, release)), next: last }
        }
        if (page.length < SEARCHED_AT_ONCE)
          return { people: found.map((each) => briefly(each, release)), next: null }
      }
      return { people: found.map((each) => briefly(each, release)), next: last }
    },
  )

  app.get(
    '/people/:id',
    {
      ...withRole('Signet.Read'),
      schema: { params: idSchema, querystring: v.object({ at: v.optional(timeText) }) },
    },
    async ({ params, query }): Promise<Explained> => {
      const person = await find(params.id)
      const release = published()
      const at = query.at ?? now()
      const choice = defaultChoice(release, person, at, await ownersOf(person, release))
      return {
        person,
        name: displayName(release, person),
        release: release.id,
        at,
        signatures: explain(release, person, at, choice?.choice.master ?? null),
        default: choice,
        mayChooseDefault: mayChooseDefault(release, person),
        mailboxes: delegatedAddresses(release, person),
      }
    },
  )

  app.get(
    '/people/:id/signatures',
    { ...withRole('Signet.Read'), schema: { params: idSchema, querystring: signaturesSchema } },
    async ({ params, query }): Promise<Answered> => {
      const person = await find(params.id)
      const release = await releaseOf(query.release)
      const at = query.at ?? now()
      const use = query.reply === 'true' ? 'reply' : 'signature'
      const pictures = `${publicUrl()}/images`
      const addresses = { pictures, pictureUrl: portraitAddress(pictures, person.picture) }
      const master = defaultChoice(release, person, at, await ownersOf(person, release))?.choice.master
      return {
        release: release.id,
        at,
        signatures: assignedSignatures(release, person, at).map((signature) => ({
          signature: signature.id,
          name: signature.name,
          isDefault: combinedIds(signature.id, person.id) === master,
          html:
            renderSignature(release, signature, use, person, addresses) ??
            renderSignature(release, signature, 'signature', person, addresses),
        })),
      }
    },
  )

  app.get(
    '/people/:id/data',
    { ...withRole('Signet.People'), schema: { params: idSchema } },
    async ({ params }): Promise<PersonalData> => {
      const person = orRefuse(await kept(params.id))
      const facts = await store.personFacts(person.id, 0)
      return {
        person,
        facts,
        told: await store.told(person.id),
        pictures: await picturesOf(hashesIn(facts)),
      }
    },
  )

  app.delete(
    '/people/:id',
    { ...withRole('Signet.People'), schema: { params: idSchema } },
    async (request) => {
      const { id: person } = orRefuse(await kept(request.params.id))
      await people.erase(person, actorOf(request))
      return { erased: person }
    },
  )

  app.post(
    '/people/import',
    {
      ...withRole('Signet.People'),
      bodyLimit: BODY_LIMIT_BYTES,
      schema: { body: v.string(), querystring: importSchema },
    },
    async (request) => {
      const { rows, problems } = readPeople(request.body, 'people.csv', null)
      const result = await people.importRows(rows, actorOf(request), request.query.try === 'true')
      return { ...result, problems }
    },
  )

  app.put(
    '/maintenance',
    { ...withRole('Signet.Publish'), schema: { body: maintenanceSchema } },
    async (request) => {
      const { maintenance } = await releases.write(
        { type: 'setMaintenance', status: request.body.status },
        actorOf(request),
      )
      return { status: maintenance }
    },
  )

  app.get(
    '/export',
    { ...withRole('Signet.Read'), schema: { querystring: exportSchema } },
    async ({ query }): Promise<Exported> => {
      const { id: release, document } = await releaseOf(query.release)
      return { release, document, pictures: await picturesOf(Object.values(document.pictures)) }
    },
  )

  /** Those of these hashes that are kept. */
  async function picturesOf(hashes: readonly string[]): Promise<Readonly<Record<string, PlannedPicture>>> {
    const pictures: Record<string, PlannedPicture> = {}
    for (const name of new Set(hashes)) {
      const picture = await store.picture(name)
      if (picture)
        pictures[name] = {
          mediaType: picture.mediaType,
          base64: Buffer.from(picture.bytes).toString('base64'),
        }
    }
    return pictures
  }

  /** What is sent must be what its hash says. */
  async function keepPictures(sent: Readonly<Record<string, string>>): Promise<void> {
    const pictures = Object.entries(sent).map(([name, base64]) => {
      const bytes = Buffer.from(base64, 'base64')
      const format = pictureHash(bytes) === name ? pictureFormat(bytes) : null
      if (!format)
        throw new Refusal(
          422,
          'picture_invalid',
          `The picture ${name} is not exactly one PNG, JPEG, GIF or WebP of that content and at most 1 MB.`,
        )
      return [name, { mediaType: format.mediaType, base64: bytes.toString('base64') }] as const
    })
    for (const [name, picture] of pictures) await plans.keepPicture(name, picture)
  }
}

/** What `signet check` refuses of the document itself must not be published, also when it comes over the wire. */
function refuseBroken(document: ReleaseDocument, at: number): void {
  const found = checkDocument(document, at).find(({ level }) => level === 'error')
  if (found === undefined) return
  const { file, line, column, message } = found
  throw new Refusal(422, 'template_invalid', `${file}:${line}:${column}: ${message}`)
}

/** Every signature of a release: whether the person has it, and why. */
export function explain(
  release: Release,
  person: PersonState,
  at: number,
  master: string | null,
): readonly AssignedBecause[] {
  const assigned = new Set(assignedSignatures(release, person, at).map((signature) => signature.id))
  return release.document.signatures.map((signature) => ({
    signature: signature.id,
    name: signature.name,
    isAssigned: assigned.has(signature.id),
    isDefault: combinedIds(signature.id, person.id) === master,
    because: whichFits(signature.selection, person),
    during: signature.during,
    isOpen: isOpen(signature.during, at),
  }))
}

const isFound = (person: PersonState, wanted: string): boolean =>
  [...person.addresses, ...Object.values(person.directory), ...Object.values(person.values)].some((text) =>
    text.toLowerCase().includes(wanted),
  )

/** The hashes of every picture that was a person's. */
const hashesIn = (facts: readonly PersonFact[]): readonly string[] =>
  facts
    .flatMap((each) => {
      switch (each.type) {
        case 'person/imported':
          return [each.data.record.picture]
        case 'person/directoryChanged':
          return [each.data.changed.picture]
        case 'person/pictureChanged':
          return [each.data.picture]
        default:
          return []
      }
    })
    .flatMap((picture) => picture?.split('.', 1) ?? [])

const briefly = (person: PersonState, release: Release | null) => ({
  id: person.id,
  address: person.addresses[0] ?? person.id,
  name: release ? displayName(release, person) : '',
  isActive: person.active,
})
