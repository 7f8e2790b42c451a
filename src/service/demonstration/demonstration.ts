/**
 * Runs the service with the demonstration organisation and test controls in one process, for the playground and tests.
 */
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { maintenanceStatus } from '../../../streams/wire/administration/publishing.ts'
import type { PersonFact } from '../../../streams/organisation/facts/events.ts'
import { withFacts } from '../../../streams/organisation/facts/reducer.ts'
import { canonicalText } from '../../../streams/organisation/release/release.ts'
import { createTestControl } from '../../server/control.ts'
import { listen, urlOf, type RunningServer, type WebServer } from '../../server/webServer.ts'
import { DEFAULT_SIGNATURE_CALL } from '../http/calls.ts'
import { indexPeople } from '../organisation/backgroundWork.ts'
import { releaseIdOf } from '../publishing/plans.ts'
import { createService, type Service } from '../service.ts'
import { openStore } from '../sql/openStore.ts'
import { StoreUnavailable } from '../sql/problems.ts'
import type { Store } from '../sql/store.ts'
import type { ServiceContext } from '../context/serviceContext.ts'
import { type Colleague, colleagueReports, factsOfColleague } from './colleagues.ts'
import {
  demonstrationStartingAt,
  readDemonstration,
  DEMONSTRATION_FACTS,
  type Demonstration,
} from './northwind.ts'

export type DemonstrationOptions = Readonly<{
  /** 0 takes any free port. */
  port: number
  /** The data folder, which is created if it does not exist. */
  dataFolder: string
  /** Opens the store to use instead of the database in the data folder. */
  open?: () => Promise<Store>
  /** The allowed origins of pages, exactly as a browser sends them. */
  origins: readonly string[]
  /** The address of the identity provider. `{tenant}` is replaced by the id of each tenant. */
  issuer: string
  tenants?: readonly string[]
  /** The accepted audiences of access tokens. */
  tokenAudiences?: readonly string[]
  /** Replaces existing data with the demonstration data. */
  reset?: boolean
  /** Adds 235 generated colleagues to the five people, as in the playground. */
  colleagues?: boolean
  /** Offers `/_control`: faults, the clock, the request journal, maintenance and reset. */
  control?: boolean
  /** The lifetime of the service's own bearers; 60 minutes by default. */
  bearerLifetimeSeconds?: number
  /** The clock for the expiry of bearers and plans, in milliseconds since 1970. */
  now?: () => number
}>

export const DEFAULT_AUDIENCE = 'api://signet'
export const DEMONSTRATION_SCOPE = 'access_as_user'
const ACTOR = 'demonstration'

/** The demonstration has no secret data, so this secret is public. */
export const DEMONSTRATION_SECRET = createHash('sha256').update('signet demonstration').digest()

/** `context` is for tests. */
export type RunningDemonstration = RunningServer & Readonly<{ context: ServiceContext }>

/**
 * Opens the data and listens on localhost.
 *
 * @throws when the data cannot be opened or the port is not free
 */
export async function startDemonstration(options: DemonstrationOptions): Promise<RunningDemonstration> {
  const { issuer, origins, tenants = [], now: clock = Date.now } = options
  const control = options.control === true ? createTestControl(clock) : null
  const now = control?.now ?? clock
  const folder = join(options.dataFolder, 'database')
  const store = await (options.open?.() ?? openStore({ kind: 'embedded', folder }))
  try {
    const content = demonstrationStartingAt(now(), await readDemonstration(options))
    if (options.reset === true) await store.clear()
    let app: WebServer | null = null
    const service = await createService({
      store,
      organisation: content.document.organisation,
      tenants,
      authority: issuer,
      tokenAudiences: options.tokenAudiences ?? [DEFAULT_AUDIENCE],
      scope: DEMONSTRATION_SCOPE,
      secret: DEMONSTRATION_SECRET,
      ...(options.bearerLifetimeSeconds === undefined
        ? {}
        : { bearerLifetimeSeconds: options.bearerLifetimeSeconds }),
      publicUrl: () => (app === null ? '' : urlOf(app)),
      origins,
      watch: control,
      // If the call for the default signature has a fault, the sign-in omits the signature. The pane then makes the
      // call.
      sendsDefault: () => control?.hasFault(DEFAULT_SIGNATURE_CALL) !== true,
      // Lets plans accept the published hostile signatures of the demonstration.
      uncheckedTemplates: content.difficult,
      renderingFailed: (signature, error) =>
        process.stderr.write(`The signature ${signature} could not be rendered: ${String(error)}\n`),
      now,
    })
    app = service.app
    const isNew = service.context.releases.current() === null
    if (isNew) await fill(service, content)
    const restore = createRestore(service, content)
    control?.addTo(app, {
      routes: service.routes,
      origins,
      addOwn(own) {
        own.put('/maintenance', { schema: { body: maintenanceStatus } }, async ({ body }, reply) => {
          await service.context.releases.write({ type: 'setMaintenance', status: body.status }, ACTOR)
          return reply.code(204).send()
        })
        own.post('/reset', async (_, reply) => {
          await restore()
          return reply.code(204).send()
        })
      },
    })
    const running = await listen(app, options.port)
    let isClosed = false
    // Stores the words of the colleagues while the service answers. Until then, a search reads all of them.
    if (isNew)
      void indexPeople(store).catch((error: unknown) => {
        // The background work of the next start stores the rest.
        if (!isClosed && !(error instanceof StoreUnavailable)) throw error
      })
    return {
      url: running.url,
      context: service.context,
      async close() {
        isClosed = true
        await service.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Stores the pictures, the people with their values, and the release. */
async function fill(service: Service, content: Demonstration): Promise<void> {
  for (const [hash, picture] of content.pictures) await service.context.store.keepPicture(hash, picture)
  await fillPeople(service, content)
  await publish(service, content)
}

async function fillPeople({ context }: Service, { people, colleagues }: Demonstration): Promise<void> {
  await context.people.importRows(people, ACTOR, false)
  for (const [id, facts] of Object.entries(DEMONSTRATION_FACTS)) await saved(context, id, facts)
  if (colleagues.length > 0) await addColleagues(context, colleagues)
}

/** Adds the colleagues in few statements, because `npm start` waits for them. */
async function addColleagues(
  { store, now }: ServiceContext,
  colleagues: readonly Colleague[],
): Promise<void> {
  const signed = { actor: ACTOR, at: now() }
  const people = colleagues.flatMap((colleague) => {
    const facts = factsOfColleague(colleague, signed.at)
    const person = withFacts(null, facts, colleague.id, signed)
    return person === null ? [] : { person, facts }
  })
  await store.addPeople(people, signed)
  await store.addReports(colleagueReports(signed.at))
}

async function publish(
  { context: { store, releases } }: Service,
  { document }: Demonstration,
): Promise<void> {
  const release = releaseIdOf(document)
  await store.keepRelease(release, document)
  await releases.write({ type: 'publish', release, base: releases.current()?.id ?? null, note: '' }, ACTOR)
}

/** The number of people a reset reads. It exceeds the demonstration's number, so a reset notices an added person. */
const MAX_PEOPLE = 1_000

/**
 * Restores the people, their reports and the release. Bearers stay valid. Tests reset often, so unchanged rows are not
 * rewritten.
 */
function createRestore(service: Service, content: Demonstration): () => Promise<void> {
  const { store, releases } = service.context
  const rowsOf = (isActive: boolean) =>
    store.order.places(
      { by: 'name', department: null },
      { isActive, isDescending: false, after: null, limit: MAX_PEOPLE },
    )
  const rows = async () =>
    canonicalText([
      await rowsOf(true),
      await rowsOf(false),
      await store.reportedByPeople(null, MAX_PEOPLE, 0),
    ])
  let filled: string | null = null
  return async () => {
    await releases.write({ type: 'setMaintenance', status: null }, ACTOR)
    if (filled === null || filled !== (await rows())) {
      await store.clearPeople()
      await fillPeople(service, content)
      await indexPeople(store)
      filled = await rows()
    }
    await publish(service, content)
  }
}

/** Appends the facts of a person's saved values, including values that the organisation locks. */
async function saved(
  { store, now }: ServiceContext,
  id: string,
  facts: readonly PersonFact[],
): Promise<void> {
  const before = await store.person(id)
  if (before === null) throw new Error(`The demonstration has no person ${id}.`)
  const signed = { actor: id, at: now() }
  const after = withFacts(before, facts, id, signed)
  await store.appendPerson(id, before.revision, facts, after, signed)
}
