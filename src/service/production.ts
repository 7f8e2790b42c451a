/** Runs the service for an operator: opens its store, pages, limits and log, and a port for the operator. */
import { resolve } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { type DestinationStream, pino } from 'pino'
import { ADMINISTRATION_PATH } from '../../streams/wire/administration/calls.ts'
import { listen, type RunningServer } from '../server/webServer.ts'
import { registeredDirectoryConnector, settingsDirectoryConnector } from './directory/connect.ts'
import { SIGN_IN_PATH } from './http/calls.ts'
import { addRequestLimits } from './http/limits.ts'
import { addPages } from './http/pages.ts'
import { createMonitoring } from './operations/operations.ts'
import { ORGANISATION_PATH_PREFIX } from './organisation/publicAddresses.ts'
import { SCIM_PATH } from './scim/scim.ts'
import { createService } from './service.ts'
import { pageConfigForAllTenants, type Settings } from './settings.ts'
import { createRegistry, MISSING_TENANTS_MESSAGE, OWN_ORGANISATION } from './sql/registry.ts'
import { MAX_STORED_RUNS } from './sql/directoryRuns.ts'
import { openDatabase } from './sql/openStore.ts'
import { rowSecurityRemedyOf, readRowSecurity } from './sql/rowSecurity.ts'
import { createStore } from './sql/store.ts'
import { watchWrites } from './sql/writes.ts'
import { VERSION } from './operations/version.ts'
import type { Caller, ServiceContext } from './context/serviceContext.ts'
import { PlainError } from '../server/reasons.ts'

/** The output of `npm run build`, in the working folder. */
const PAGES_FOLDER = 'dist/production/www'

/** The time that running requests have to end after the service begins to stop. */
export const SHUTDOWN_GRACE_MS = 10_000

/** The request limit of an organisation in a minute at one instance. It covers the busiest hour of 160,000 people. */
const REQUESTS_OF_ORGANISATION = 60_000

export type RunningService = RunningServer &
  Readonly<{
    /** The address of `/live`, `/ready` and `/metrics`, without a slash at the end. `context` is for tests. */
    internalUrl: string
    context: ServiceContext
  }>

/**
 * Starts the service, and resolves when it listens on both ports. `close` refuses new connections, and gives running
 * requests 10 s to end.
 *
 * @param output receives the log, one line of JSON at a time
 * @throws Error with a message for the operator
 */
export async function startProduction(
  settings: Settings,
  output: DestinationStream,
  pagesFolder = resolve(PAGES_FOLDER),
): Promise<RunningService> {
  const { identity, publicUrl, secret } = settings
  const log = pino({ level: settings.log, base: null, timestamp: pino.stdTimeFunctions.isoTime }, output)
  const operations = createMonitoring({
    log,
    organisation: OWN_ORGANISATION,
    secret,
    signInPath: SIGN_IN_PATH,
    personOf,
  })
  const closing: (() => Promise<unknown>)[] = []
  let isClosing = false
  const close = async () => {
    isClosing = true
    for (const end of closing.splice(0)) await end()
  }

  try {
    const database = await openDatabase(settings.database)
    const wall = await readRowSecurity(database)
    if (wall.missing.length > 0) log.warn(rowSecurityRemedyOf(wall))
    const writes = watchWrites(database, {
      now: () => Date.now(),
      failed: operations.storeFailed,
      changed: operations.writesChanged,
    })
    const storeOf = (organisation: string) => createStore(writes.driver, organisation)
    const store = storeOf(OWN_ORGANISATION)
    closing.unshift(() => store.close())
    const registry = createRegistry(writes.driver)
    const isAlone = (await registry.page('', 1)).length === 0
    if (!isAlone && identity.tenants.length === 0) throw new PlainError(MISSING_TENANTS_MESSAGE)
    const service = await createService({
      store,
      others: {
        registry,
        storeOf,
        directoryFor: registeredDirectoryConnector(settings),
      },
      organisation: settings.organisation,
      ...identity,
      secret,
      publicUrl: () => publicUrl,
      origins: settings.origins,
      server: {
        trustedProxies: settings.trustedProxies,
        graceMs: SHUTDOWN_GRACE_MS,
        onFailure: operations.failed,
        onRefusal: operations.refused,
      },
      async prepare(app) {
        operations.watch(app)
        addRequestLimits(app, {
          signInPath: SIGN_IN_PATH,
          programPaths: [ADMINISTRATION_PATH, SCIM_PATH],
          personOf,
          organisationOf,
          isVerified,
          ofOrganisation: REQUESTS_OF_ORGANISATION,
          now: Date.now,
        })
        await addPages(app, {
          folder: pagesFolder,
          config: isAlone ? settings.pages : pageConfigForAllTenants(settings),
          publicUrl,
        })
      },
      renderingFailed: operations.renderingFailed,
      isGuarding: settings.isGuarding,
      directory: settingsDirectoryConnector(settings),
      scimToken: settings.directory?.kind === 'scim' ? settings.directory.token : null,
      scimAttributes: settings.directory?.kind === 'scim' ? settings.directory.attributes : [],
      synced: operations.synced,
      syncFailed: operations.syncFailed,
    })
    closing.unshift(() => service.close())
    const { releases } = service.context
    const internal = operations.createInternal({
      async ping() {
        await store.ping()
        const problem = await writes.problem()
        if (problem !== null) throw problem
      },
      lately: writes.lately,
      behindMs: releases.behindMs,
      publishedAt: () => releases.state().history[0]?.at ?? null,
      ...(settings.directory === null ? {} : { syncs: () => store.directory.runs(MAX_STORED_RUNS + 1) }),
      isClosing: () => isClosing,
      inMemory: service.organisations.size,
      now: Date.now,
    })
    // The internal server closes last, so that `/ready` reports until the end that the service is closing.
    closing.push(() => internal.close())
    const internalUrl = await internal.listen(settings.internalListen)
    const { url } = await listen(service.app, settings.listen.port, settings.listen.host)
    log.info({ version: VERSION, url, internalUrl, publicUrl }, 'listening')
    return { url, internalUrl, context: service.context, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The user in the verified bearer, prefixed with the organisation unless it is `default`; null for none. */
function personOf({ caller, organisation }: FastifyRequest): string | null {
  const id = (caller as Caller | undefined)?.person.id
  if (id === undefined) return null
  return organisation.id === OWN_ORGANISATION ? id : `${organisation.id} ${id}`
}

/** Whether a verified token has identified the organisation of the request. */
const isVerified = ({ organisation }: FastifyRequest): boolean =>
  (organisation as typeof organisation | undefined) !== undefined

/**
 * The organisation of the signed-in user; null for none, and for `default`. Requests for links and pictures in mails do
 * not count, because strangers could then use up an organisation's limit.
 */
function organisationOf({ organisation, routeOptions }: FastifyRequest): string | null {
  const known = organisation as typeof organisation | undefined
  if (known === undefined || known.id === OWN_ORGANISATION) return null
  return routeOptions.url?.startsWith(ORGANISATION_PATH_PREFIX) === true ? null : known.id
}
