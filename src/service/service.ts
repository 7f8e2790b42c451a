/**
 * The signature service on top of a database: serves the calls of the add-in and the administration, pictures and SCIM.
 */
import type { Role } from '../../streams/wire/administration/insight.ts'
import type { DirectoryRun } from '../../streams/organisation/directory/directory.ts'
import { ADMINISTRATION_PATH } from '../../streams/wire/administration/calls.ts'
import { timeSlicer } from '../server/timeSlices.ts'
import { clientAddress } from '../server/clientAddress.ts'
import {
  createWebServer,
  NOT_FOUND_REFUSAL,
  type RoutePattern,
  type RequestHooks,
  type WebServer,
  type WebServerOptions,
} from '../server/webServer.ts'
import type { ConfiguredDirectory, PolledDirectory } from './directory/directory.ts'
import { addAdministration } from './http/administration/administration.ts'
import { operatorCalls } from './http/administration/operating.ts'
import { addAddinCalls } from './http/calls.ts'
import { addCards } from './http/cards.ts'
import { addCountedLinks } from './http/countedLinks.ts'
import { addDocuments } from './http/documents.ts'
import { addImages, createPictureCache } from './answers/images.ts'
import { reportWaitingRequests, createLookupLimit } from './http/limits.ts'
import { refusalFor } from './http/refusals.ts'
import { createBearers } from './identity/bearers.ts'
import { createKeyRing, type KeyRing } from './identity/keyRing.ts'
import { createTokenReader, invalidToken, type IdentityOptions, type TokenReader } from './identity/tokens.ts'
import type { CacheBound } from './organisation/leastRecent.ts'
import { openOrganisation, type SharedServices } from './organisation/organisation.ts'
import { createOrganisations, type Organisations } from './organisation/organisations.ts'
import { REAL_TIMERS, type Timers } from './operations/timers.ts'
import { createPublicAddresses, ORGANISATION_PATH_PREFIX } from './organisation/publicAddresses.ts'
import { addScim, SCIM_PATH } from './scim/scim.ts'
import {
  EMPTY_REGISTRY,
  OWN_ORGANISATION,
  type RegisteredOrganisation,
  type Registry,
} from './sql/registry.ts'
import type { Store } from './sql/store.ts'
import type { ServiceContext } from './context/serviceContext.ts'
import { createSharedCache } from './answers/sharedCache.ts'

export type ServiceOptions = IdentityOptions &
  Readonly<{
    /** The store of the organisation in the settings. */
    store: Store
    /** The other organisations; by default none. */
    others?: Readonly<{
      registry: Registry
      storeOf: (organisation: string) => Store
      /** The directory of a registered organisation. */
      directoryFor: (registered: RegisteredOrganisation, store: Store) => ConfiguredDirectory | null
      bound?: CacheBound
    }>
    /** The name for the organisation in the settings, used when it is founded. */
    organisation: string
    /** 32 bytes that encrypt the keys of bearers, and seal the addresses of QR codes and cards. */
    secret: Uint8Array
    /** The lifetime of the service's own bearers; 60 minutes by default. */
    bearerLifetimeSeconds?: number
    /** The service's public address, without a slash at the end. */
    publicUrl: () => string
    /** The origins of pages on other servers, exactly as a browser sends them. */
    origins: readonly string[]
    server?: Omit<WebServerOptions, 'refusalFor'>
    /** Watches requests, and answers some of them with faults. For the playground and tests. */
    watch?: RequestHooks | null
    /** Adds hooks for all routes. */
    prepare?: (app: WebServer) => Promise<void>
    /** Whether the response to a sign-in contains the default signature. */
    sendsDefault?: () => boolean
    /** Whether the default comes with `guard`, the checks before a message is sent. On by default. */
    isGuarding?: boolean
    /** Paths of templates that plans accept despite findings: the hostile templates of the demonstration. */
    uncheckedTemplates?: readonly string[]
    /** Called when a signature fails to render, with its id, the error and the organisation's id. */
    renderingFailed?: (signature: string, error: unknown, organisation: string) => void
    /** The directory of people. Without it, people are only imported. */
    directory?: ((store: Store) => PolledDirectory) | null
    /** The bearer that the directory sends to SCIM. If set, `directory` is ignored. */
    scimToken?: string | null
    /** The attributes of SCIM users that the settings name; by default none. */
    scimAttributes?: readonly string[]
    /** Called after each sync, with the organisation's id and the run. */
    synced?: (organisation: string, run: DirectoryRun) => void
    /** Called with the organisation's id and the unexpected error of a sync. */
    syncFailed?: (organisation: string, error: unknown) => void
    /** Milliseconds since 1970. */
    now?: () => number
    /** The timers of the background work. */
    timers?: Timers
  }>

export type Service = Readonly<{
  /** The web server, which is not listening yet. */
  app: WebServer
  routes: readonly RoutePattern[]
  /** The context of the organisation in the settings. */
  context: ServiceContext
  organisations: Organisations
  tokens: TokenReader
  /** The keys of the organisation in the settings. */
  keys: KeyRing
  /** Stops the background work. The store stays open. */
  close: () => Promise<void>
}>

/** The role for the whole installation. Only the tenants in the settings can assign it. */
const OPERATOR_ROLE: Role = 'Signet.Operate'
/** The memory limit for encoded default signatures. */
const ANSWERS_BYTES = 48 * 1024 * 1024

/** @throws StoreUnavailable; PlainError when the secret does not decrypt the keys */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { store, secret, publicUrl, origins, now = Date.now, timers = REAL_TIMERS } = options
  const { renderingFailed = () => {}, isGuarding = true, others } = options
  const tenants = options.tenants.map((tenant) => tenant.toLowerCase())
  const scimToken = options.scimToken ?? null
  const storeOf = (id: string) => (id === OWN_ORGANISATION ? store : (others?.storeOf(id) ?? store))
  const scimUrl = () => `${publicUrl()}${SCIM_PATH}`
  const installation = { registry: others?.registry ?? EMPTY_REGISTRY, storeOf, now }
  const directory: ConfiguredDirectory | null =
    scimToken === null
      ? (options.directory?.(store) ?? null)
      : { kind: 'scim', attributes: options.scimAttributes ?? [] }
  const shared: SharedServices = {
    installation,
    operator: operatorCalls(installation, () => ({
      name: own.context.releases.state().name,
      tenants,
      directory:
        directory !== null && 'intervalMs' in directory && directory.intervalMs !== null
          ? { kind: 'graph', minutes: directory.intervalMs / 60_000 }
          : directory && { kind: 'scim' },
    })),
    pictures: createPictureCache(),
    answers: createSharedCache(ANSWERS_BYTES, (answer: Buffer) => answer.length),
    uncheckedTemplates: new Set(options.uncheckedTemplates),
    synced: options.synced,
    syncFailed: options.syncFailed,
    secret,
    scimUrl,
    renderingFailed,
    isGuarding,
    now,
    timers,
  }
  const ownKeys = await createKeyRing(store, secret, now)
  const own = await openOrganisation(
    {
      id: OWN_ORGANISATION,
      name: options.organisation,
      tenants: options.tenants,
      store,
      publicUrl,
      directory,
      isResident: true,
    },
    shared,
  )
  const organisations = createOrganisations({
    shared,
    own,
    ownKeys,
    tenants,
    scimToken,
    publicUrl,
    places: createPublicAddresses(secret),
    directoryFor: (registered) => others?.directoryFor(registered, storeOf(registered.id)) ?? null,
    ...(others?.bound === undefined ? {} : { bound: others.bound }),
  })
  const tokens = createTokenReader({ ...options, now, hasTenant: organisations.hasTenant })
  const bearers = createBearers({
    keysOf: organisations.keysOf,
    lifetimeSeconds: options.bearerLifetimeSeconds ?? 3600,
    now,
  })

  const { app, routes } = await createWebServer(origins, options.watch ?? null, {
    ...options.server,
    refusalFor,
  })
  app.decorateRequest('organisation')
  reportWaitingRequests(app, [ADMINISTRATION_PATH, SCIM_PATH], timeSlicer)
  await options.prepare?.(app)
  await addPublic(app, organisations, now)
  await addAddinCalls(app, {
    organisations,
    tokens,
    bearers,
    sendsDefault: options.sendsDefault ?? (() => true),
    isGuarding: () => isGuarding,
  })
  await addDocuments(app, () => own.links.isCounting())
  await addAdministration(app, {
    unknown: own.administration,
    async application(accessToken, request) {
      const { roles, signInName, account } = await tokens.applicationToken(accessToken, () =>
        clientAddress(request),
      )
      const organisation = await organisations.ofTenant(account.tenant)
      if (organisation === null) throw invalidToken('The organisation is not there any more.')
      request.organisation = organisation
      // Other organisations' tenants may assign roles, except the operator role.
      const given = organisation === own ? roles : roles.filter((role) => role !== OPERATOR_ROLE)
      const actor = signInName || account.oid
      return { roles: given, actor, account, handlers: organisation.administration }
    },
  })
  await addScim(app, {
    base: scimUrl,
    async resourcesOf(token, request) {
      const organisation = await organisations.ofScimToken(token, () => clientAddress(request))
      if (organisation !== null) request.organisation = organisation
      return organisation?.scim ?? null
    },
  })
  return {
    app,
    routes,
    organisations,
    tokens,
    context: own.context,
    keys: ownKeys,
    async close() {
      // Closes the web server first, because running requests may wait to read back the release that they publish.
      await app.close()
      await organisations.end()
    },
  }
}

/**
 * Adds the resources and links in mails, which need no sign-in. They are at the root for `default`, else below the
 * organisation's own path.
 */
async function addPublic(app: WebServer, organisations: Organisations, now: () => number): Promise<void> {
  // Shared by all organisations, so that a client cannot multiply its lookups by naming several of them.
  const [links, cards] = [createLookupLimit(now), createLookupLimit(now)]
  const addTo = (scope: WebServer) => {
    addImages(scope)
    addCountedLinks(scope, links)
    addCards(scope, cards)
  }
  await app.register(async (scope: WebServer) => {
    scope.addHook('onRequest', async (request) => {
      request.organisation = organisations.own
    })
    addTo(scope)
  })
  await app.register(
    async (scope: WebServer) => {
      scope.addHook('onRequest', async (request) => {
        const { place } = request.params as Readonly<{ place: string }>
        const organisation = await organisations.at(place)
        if (organisation === null) throw NOT_FOUND_REFUSAL
        request.organisation = organisation
      })
      addTo(scope)
    },
    { prefix: `${ORGANISATION_PATH_PREFIX}/:place` },
  )
}
