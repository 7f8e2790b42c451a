/** One organisation in an instance's memory: the services that its calls use, and its background work. */
import { randomUUID } from 'node:crypto'
import type { DirectoryRun } from '../../../streams/organisation/directory/directory.ts'
import { type ClickCounter, createClickCounter, scheduleClickWrites } from '../publishing/clicks.ts'
import { type ConfiguredDirectory, createDirectory, type PolledDirectory } from '../directory/directory.ts'
import { noDirectory } from '../directory/noDirectory.ts'
import { administrationHandlers } from '../http/administration/administration.ts'
import type { OperatorCalls } from '../http/administration/operating.ts'
import type { CallHandlers } from '../http/administration/routes.ts'
import { createCountedLinks, type CountedLinks } from '../http/countedLinks.ts'
import { createImages, type Images, type PictureCache } from '../answers/images.ts'
import { type AccountLinking, createAccountLinking } from '../identity/accountLinking.ts'
import { createDelegatedOwners, type DelegatedOwners } from '../context/owners.ts'
import { createPeople } from '../people/people.ts'
import { createReleases } from '../publishing/releases.ts'
import type { UserOfEntry } from '../directory/apply.ts'
import { type UserAttributes, userAttributesOf } from '../scim/attributes.ts'
import { createUserApplier, scimUserReader } from '../scim/applying.ts'
import { SCIM_SOURCE } from '../scim/entries.ts'
import { createResources, type Resources } from '../scim/resources.ts'
import type { Installation, ServiceContext } from '../context/serviceContext.ts'
import type { Timers } from '../operations/timers.ts'
import type { OrganisationCache, SharedCache } from '../answers/sharedCache.ts'
import { createSignatureAnswers, type SignatureAnswers } from '../answers/signatures.ts'
import type { Store } from '../sql/store.ts'
import { createSealedFormats, type SealedFormats } from '../people/values.ts'
import { createBackgroundWork } from './backgroundWork.ts'

/** The services that all organisations of an instance share. */
export type SharedServices = Readonly<{
  installation: Installation
  /** The calls about the whole installation. */
  operator: OperatorCalls
  secret: Uint8Array
  pictures: PictureCache
  /** Encoded default signatures with their pictures, by response tag. */
  answers: SharedCache<Buffer>
  /** The address of SCIM, without a slash at the end. */
  scimUrl: () => string
  renderingFailed: (signature: string, error: unknown, organisation: string) => void
  isGuarding: boolean
  /** Paths of templates that plans accept despite findings. */
  uncheckedTemplates: ReadonlySet<string>
  synced: ((organisation: string, run: DirectoryRun) => void) | undefined
  syncFailed: ((organisation: string, error: unknown) => void) | undefined
  /** Milliseconds since 1970. */
  now: () => number
  timers: Timers
}>

export type OrganisationOptions = Readonly<{
  id: string
  /** The name of the organisation, used when it is founded. */
  name: string
  tenants: readonly string[]
  store: Store
  /** The beginning of all public addresses in its signatures, without a slash at the end. */
  publicUrl: () => string
  directory: ConfiguredDirectory | null
  /**
   * Whether it is always in memory, follows its stream, and has timers for its background work. Otherwise `catchUp`
   * reads the stream, and `doWhatIsDue` does the background work.
   */
  isResident: boolean
}>

export type Organisation = Readonly<{
  id: string
  context: ServiceContext
  values: SealedFormats
  owners: DelegatedOwners
  images: Images
  links: CountedLinks
  clicks: Pick<ClickCounter, 'count'>
  signatures: SignatureAnswers
  answers: OrganisationCache<Buffer>
  accountLinking: AccountLinking
  /** The administration calls. */
  administration: CallHandlers
  /** The SCIM resources; null for an organisation whose directory does not push its changes. */
  scim: Resources | null
  /** Reads new releases if the last read is old. Waits for the read only if the last read is very old. */
  catchUp: () => Promise<void>
  /** Does all due background work, including a sync. Rejects when a sync cannot begin. */
  doWhatIsDue: () => Promise<void>
  /** The approximate size of its releases in memory, in bytes. */
  bytes: () => number
  /** Whether the organisation may be dropped from memory: no work runs for it. */
  isIdle: () => boolean
  /** Stops the background work. The store stays open. */
  end: () => Promise<void>
}>

const FRESH_MS = 2_000
const OLD_MS = 10_000

/**
 * Opens an organisation, and founds it if its stream is empty.
 *
 * @throws StoreUnavailable
 */
export async function openOrganisation(
  options: OrganisationOptions,
  shared: SharedServices,
): Promise<Organisation> {
  const { id, name, tenants, store, publicUrl, isResident, directory: configured } = options
  const { secret, now, timers, isGuarding } = shared
  const values = createSealedFormats(secret, publicUrl, id)
  const { formats } = values
  const releases = await createReleases({
    store,
    name,
    tenants,
    formats,
    now,
    timers,
    isFollowed: isResident,
  })
  const people = createPeople({ store, releases, now, newId: randomUUID })
  const attributes = userAttributesOf(
    configured?.kind === 'scim' && 'attributes' in configured ? configured.attributes : [],
  )
  const userOf = scimUserReader(tenants, attributes)
  const source =
    configured && ('sources' in configured ? configured : scimDirectory(store, userOf, attributes))
  const directory =
    source &&
    createDirectory({
      ...source,
      // Visits start the syncs of an organisation that is not resident.
      intervalMs: isResident ? source.intervalMs : null,
      store,
      people,
      releases,
      now,
      newId: randomUUID,
      timers,
      synced: (run) => shared.synced?.(id, run),
      failed: (error) => shared.syncFailed?.(id, error),
    })
  const work = createBackgroundWork({ store, people, releases, directory, source, now, timers })
  const isScim = source?.kind === 'scim'
  const context: ServiceContext = {
    store,
    people,
    directory: directory ?? noDirectory(releases),
    publicUrl,
    formats,
    now,
    releases: {
      ...releases,
      async write(command, actor) {
        const state = await releases.write(command, actor)
        // The new release may name other groups of the directory.
        if (!isResident && isScim) void work.doWhatIsDue().catch(() => undefined)
        return state
      },
    },
  }
  const owners = createDelegatedOwners(store)
  const images = createImages(context, values, shared.pictures.of(id))
  const links = createCountedLinks(context)
  const ending = new AbortController()
  const counted = createClickCounter(store, now)
  const clicks: Pick<ClickCounter, 'count'> = {
    count(block) {
      counted.count(block)
      // Once the organisation has left memory, no timer writes clicks, so those of requests that still run are written
      // now.
      if (ending.signal.aborted) void counted.write().catch(() => undefined)
    },
  }
  scheduleClickWrites(counted.write, ending.signal, timers)
  if (isResident) work.begin(ending.signal)

  return {
    id,
    context,
    values,
    owners,
    images,
    links,
    clicks,
    signatures: createSignatureAnswers(
      owners,
      images,
      links.countedUrl,
      (signature, error) => shared.renderingFailed(signature, error, id),
      isGuarding,
    ),
    answers: shared.answers.of(id),
    accountLinking: createAccountLinking({ store, people, releases }),
    administration: administrationHandlers(context, shared.uncheckedTemplates, shared.operator),
    scim: isScim
      ? createResources({
          store: store.directory,
          userType: attributes.type,
          base: shared.scimUrl,
          newId: randomUUID,
          now,
          apply: createUserApplier({
            store,
            people,
            releases,
            now,
            userOf,
            attributes,
            newId: randomUUID,
          }),
        })
      : null,
    async catchUp() {
      const age = isResident ? 0 : releases.behindMs()
      if (age < FRESH_MS) return
      const read = releases.read()
      if (age >= OLD_MS) await read
    },
    doWhatIsDue: work.doWhatIsDue,
    bytes: releases.bytes,
    isIdle: () => work.isIdle() && (directory?.isIdle() ?? true),
    async end() {
      ending.abort()
      await directory?.end()
      await counted.write().catch(() => undefined)
      releases.end()
    },
  }
}

/** SCIM as a directory. It pushes its changes, so nothing is read and there is no interval. */
const scimDirectory = (
  { directory }: Pick<Store, 'directory'>,
  userOf: UserOfEntry,
  { names, unknown }: UserAttributes,
): PolledDirectory => ({
  kind: 'scim',
  sources: [
    {
      source: SCIM_SOURCE,
      attributes: names,
      unknownAttributes: () => unknown(directory),
      read: null,
      userOf,
    },
  ],
  intervalMs: null,
})
