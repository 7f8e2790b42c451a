/** The signature service over a store: the calls of the add-in and of the administration, pictures, SCIM. */
import { randomUUID } from 'node:crypto'
import { asyncScheduler, defer, type SchedulerLike } from 'rxjs'
import { dropOld } from '../../effects/organisation/dropOld.ts'
import { writeClicks } from '../../effects/organisation/writeClicks.ts'
import type { DirectoryRun } from '../../streams/organisation/directory.ts'
import { dayOf } from '../../streams/organisation/names.ts'
import {
  createWebServer,
  type RouteName,
  type Watch,
  type WebServer,
  type WebServerOptions,
} from '../server/webServer.ts'
import { createClicks } from './clicks.ts'
import { addAdministration } from './http/administration/administration.ts'
import { addCalls } from './http/calls.ts'
import { addCards } from './http/cards.ts'
import { addCountedLinks, createCountedUrl } from './http/countedLinks.ts'
import { addDocuments } from './http/documents.ts'
import { addImages } from './http/images.ts'
import { refusalFor } from './http/refusals.ts'
import { createBearers } from './identity/bearers.ts'
import { createKeyRing, type KeyRing } from './identity/keyRing.ts'
import { createTokenReader, type IdentityOptions, type TokenReader } from './identity/tokens.ts'
import { createAccountLinking } from './identity/accountLinking.ts'
import { createDirectory, type DirectoryOptions } from './directory/directory.ts'
import { noDirectory } from './directory/noDirectory.ts'
import { createOwners } from './owners.ts'
import { createPeople } from './people.ts'
import { createReleases } from './releases.ts'
import { connectScim, scimDirectory } from './scim/connect.ts'
import { createSignatures } from './signatures.ts'
import type { Store } from './sql/store.ts'
import type { ServiceContext } from './serviceContext.ts'
import { createValues } from './values.ts'

export type ServiceOptions = IdentityOptions &
  Readonly<{
    store: Store
    /** The name with which the organisation is founded. */
    organisation: string
    /** 32 bytes that encrypt the keys of bearers, and vouch for the addresses of QR codes and cards. */
    secret: Uint8Array
    /** The lifetime of the service's own bearers; 60 minutes by default. */
    bearerLifetimeSeconds?: number
    /** The address that users reach, without a slash at the end. */
    publicUrl: () => string
    /** The origins of pages that another server sends, exactly as a browser sends the origins. */
    origins: readonly string[]
    server?: Omit<WebServerOptions, 'refusalFor'>
    /** Watches requests, and responds to some of them with faults. For the playground and tests. */
    watch?: Watch | null
    /** Adds hooks for all routes. */
    prepare?: (app: WebServer) => Promise<void>
    /** Whether the response to a sign-in contains the default signature. */
    sendsDefault?: () => boolean
    /** Whether the default comes with what is looked for before a message leaves; it does without this option. */
    isGuarding?: boolean
    /** Paths of templates that plans accept despite findings: the hostile templates of the demonstration. */
    uncheckedTemplates?: readonly string[]
    /** Gets the id of a signature that failed to render. */
    renderingFailed?: (signature: string, error: unknown) => void
    /** The directory of people; without it, people come only from imports. */
    directory?: ((store: Store) => Pick<DirectoryOptions, 'kind' | 'sources' | 'intervalMs'>) | null
    /** The bearer with which the directory calls SCIM. With a bearer, `directory` is ignored. */
    scimToken?: string | null
    /** Gets each run that ended. */
    synced?: (run: DirectoryRun) => void
    /** Gets the unexpected error of a sync. */
    syncFailed?: (error: unknown) => void
    /** Milliseconds since 1970. */
    now?: () => number
    /** Schedules the reads of the organisation's stream, and the dropping of old data. */
    scheduler?: SchedulerLike
  }>

export type Service = Readonly<{
  /** The web server, which does not listen yet. */
  app: WebServer
  routes: readonly RouteName[]
  context: ServiceContext
  tokens: TokenReader
  keys: KeyRing
  /** Stops the background work. The store stays open. */
  close: () => Promise<void>
}>

/** @throws StoreUnavailable; an error with a sentence when the secret does not decrypt the keys */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { store, organisation, tenants, publicUrl, origins, now = Date.now } = options
  const { scheduler = asyncScheduler } = options
  const tokens = createTokenReader({ ...options, now })
  const values = createValues(options.secret, publicUrl)
  const { formats } = values
  const releases = await createReleases({ store, name: organisation, tenants, formats, now, scheduler })
  const people = createPeople({ store, releases, now, newId: randomUUID })
  const keys = await createKeyRing(store, options.secret, now)
  const bearers = createBearers({ keys, lifetimeSeconds: options.bearerLifetimeSeconds ?? 3600, now })
  const scimToken = options.scimToken ?? null
  const source = scimToken === null ? (options.directory?.(store) ?? null) : scimDirectory(tenants)
  const connected =
    source === null
      ? null
      : createDirectory({
          ...source,
          store,
          people,
          releases,
          now,
          newId: randomUUID,
          scheduler,
          synced: options.synced,
          failed: options.syncFailed,
        })
  const directory = connected ?? noDirectory(releases)
  const context: ServiceContext = { store, people, releases, directory, publicUrl, formats, now }

  const { app, routes } = await createWebServer(origins, options.watch ?? null, {
    ...options.server,
    refusalFor,
  })
  await options.prepare?.(app)
  const images = addImages(app, context, values)
  const clicks = createClicks(store, now)
  addCountedLinks(app, context, clicks)
  addCards(app, context, values)
  const owners = createOwners(store)
  const { renderingFailed = () => {}, isGuarding = true } = options
  const countedUrl = createCountedUrl(publicUrl)
  const signatures = createSignatures(owners, images, countedUrl, renderingFailed, isGuarding)
  await addCalls(app, {
    context,
    owners,
    signatures,
    images,
    tokens,
    bearers,
    accountLinking: createAccountLinking({ store, people, releases }),
    sendsDefault: options.sendsDefault ?? (() => true),
    isGuarding: () => isGuarding,
  })
  const reader = {
    async application(accessToken: string) {
      const { roles, signInName, account } = await tokens.applicationToken(accessToken)
      return { roles, actor: signInName || account.oid }
    },
  }
  await addDocuments(app, () => releases.current()?.document.counting === true)
  await addAdministration(app, context, reader, new Set(options.uncheckedTemplates))
  const scim =
    scimToken === null
      ? null
      : await connectScim(app, context, {
          token: scimToken,
          tenants,
          newId: randomUUID,
          scheduler,
        })
  const dropping = dropOld(
    {
      now,
      dropReported: (before) => defer(() => store.dropOldReported(before)),
      dropClicks: (before) => defer(() => store.dropOldClicks(dayOf(before))),
      dropPlans: (at) => defer(() => store.dropOldPlans(at)),
    },
    { scheduler },
  ).subscribe()
  const writing = writeClicks(() => defer(clicks.write), { scheduler }).subscribe()
  return {
    app,
    routes,
    context,
    tokens,
    keys,
    async close() {
      // The web server closes first, because running requests may wait until they have read what they publish.
      await app.close()
      scim?.end()
      await connected?.end()
      dropping.unsubscribe()
      writing.unsubscribe()
      await clicks.write().catch(() => undefined)
      releases.end()
    },
  }
}
