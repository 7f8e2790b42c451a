/** Applies changes from SCIM to people, within the request. */
import { createSerial } from '../../../streams/kernel/serial.ts'
import {
  type DirectoryRun,
  type DirectorySample,
  type JsonObject,
  MAX_RUN_SAMPLES,
  ruleGroupNames,
  needsApproval,
  readGraphUser,
} from '../../../streams/organisation/directory/directory.ts'
import { DAY_MS } from '../../../streams/organisation/release/names.ts'
import { beginRun, evolveRun, type SyncEvent } from '../../../streams/organisation/directory/sync.ts'
import {
  applyEntries,
  peopleToDeactivate,
  namesOfGroups,
  deactivationOf,
  type UserOfEntry,
} from '../directory/apply.ts'
import { uniqueAddresses } from '../../values/mailAddress.ts'
import type { DirectoryEntry } from '../sql/directoryEntries.ts'
import type { Store } from '../sql/store.ts'
import type { People, Releases } from '../context/serviceContext.ts'
import type { UserAttributes } from './attributes.ts'
import { scimAccountOf, graphUserOf, reportedManagerOf } from './graphUser.ts'
import { storedResourceOf, SCIM_SOURCE } from './entries.ts'
import type { ResourceValues } from './resource.ts'

export type UserApplierOptions = Readonly<{
  store: Pick<Store, 'directory' | 'persons' | 'countPeople'>
  people: Pick<People, 'importEach' | 'write' | 'erase'>
  releases: Pick<Releases, 'current'>
  userOf: UserOfEntry
  attributes: Pick<UserAttributes, 'namesIn' | 'unknown'>
  newId: () => string
  /** Milliseconds since 1970. */
  now: () => number
}>

/** The actor in the facts and runs of SCIM. */
const ACTOR = 'scim'
const HOUR_MS = DAY_MS / 24
const ENTRIES_AT_ONCE = 200

/** @param tenants the tenants of the organisation. With several tenants, an external id does not identify an account */
export const scimUserReader = (
  tenants: readonly string[],
  { fieldsOf }: Pick<UserAttributes, 'fieldsOf'>,
): UserOfEntry => {
  const dataOf = (values: ResourceValues): JsonObject => ({ ...fieldsOf(values), ...graphUserOf(values) })
  return (entry, manager) => {
    const { values } = storedResourceOf(entry)
    const read = readGraphUser(
      dataOf(values),
      scimAccountOf(values, tenants),
      managerOf(values, manager, dataOf),
    )
    return { ...read, addresses: uniqueAddresses(read.addresses) }
  }
}

/** The fields of the manager. Without an entry for the manager, only the name that the person's own entry contains. */
function managerOf(
  values: ResourceValues,
  manager: DirectoryEntry | null,
  dataOf: (values: ResourceValues) => JsonObject,
): JsonObject | null {
  if (manager === null) return { displayName: reportedManagerOf(values).name }
  return manager.active ? dataOf(storedResourceOf(manager).values) : null
}

/**
 * Applies users of the directory mirror. If more than 5 % of the people would be deactivated within a day, further
 * people stay active. Their entries stay marked, and a run reports that these deactivations need approval.
 */
export function createUserApplier(options: UserApplierOptions): (users: readonly string[]) => Promise<void> {
  const { store, people, releases, userOf, attributes, newId, now } = options
  const { directory } = store
  /** The id of the run in which this instance records the changes of the current hour. */
  let ownRun: string | null = null
  /** Runs batches one after the other, because each must count the deactivations of the previous batch. */
  const inTurn = createSerial()

  /**
   * The entries that may be applied: all, except deactivations that need approval. Records the number of allowed
   * deactivations.
   */
  async function allowed(gone: readonly DirectoryEntry[]): Promise<readonly DirectoryEntry[]> {
    const deactivating = new Set((await peopleToDeactivate(store, gone)).map(({ id }) => id))
    if (deactivating.size === 0) return gone
    const lately = await directory.countDeactivated(SCIM_SOURCE, now() - DAY_MS)
    if (needsApproval(lately + deactivating.size, lately + (await store.countPeople())))
      return gone.filter(({ person }) => person === null || !deactivating.has(person))
    // Recorded before the deactivation, so that other instances count it too.
    await directory.noteDeactivated(SCIM_SOURCE, deactivating.size, now())
    return gone
  }

  /** Samples of the deactivations that are waiting for approval. */
  async function samplesOfWaiting(): Promise<readonly DirectorySample[]> {
    const entries = await directory.changedUsers(SCIM_SOURCE, false, null, ENTRIES_AT_ONCE)
    const persons = await store.persons(entries.flatMap(({ person }) => person ?? []))
    return persons.filter(({ active }) => active).map(deactivationOf)
  }

  /**
   * The attributes that no user has. The whole mirror is only searched at the beginning of a run; then these entries are
   * enough.
   */
  async function unknownAfter(
    entries: readonly DirectoryEntry[],
    run: DirectoryRun | null,
  ): Promise<readonly string[]> {
    if (run === null) return attributes.unknown(directory)
    const filled = new Set(entries.flatMap((entry) => attributes.namesIn(storedResourceOf(entry).values)))
    return (run.unknownAttributes ?? []).flatMap(({ names }) => names.filter((name) => !filled.has(name)))
  }

  /**
   * Stores up to two runs: this hour's run with the applied changes, and a later run while deactivations wait for
   * approval.
   */
  async function keepRuns(
    entries: readonly DirectoryEntry[],
    samples: readonly DirectorySample[],
  ): Promise<void> {
    const waiting = await directory.countDeactivating([SCIM_SOURCE])
    const runs = await directory.runs(MAX_RUN_SAMPLES)
    const last = runs.find(({ isTrial }) => !isTrial)
    const asked = last?.outcome === 'needsLeave' ? last : null
    const at = now()
    // Reads the run from the store, where erased people have been removed from it.
    let own = runs.find(({ id }) => id === ownRun) ?? null
    if (samples.length > 0 || (asked !== null && waiting === 0)) {
      const isSame = own !== null && hourOf(own.at) === hourOf(at) && (asked === null || waiting > 0)
      const former = isSame ? own : null
      const begun = former ?? newRun(newId(), at)
      const unknown = await unknownAfter(entries, former)
      const events: readonly SyncEvent[] = [
        { type: 'attributesCompared', source: SCIM_SOURCE, unknown },
        { type: 'entriesRead', entries: entries.length },
        { type: 'peopleChanged', samples },
        { type: 'ended', at, failure: null, needsApproval: false },
      ]
      own = events.reduce(evolveRun, begun)
      ownRun = own.id
      await directory.keepRun(own)
    }
    if (waiting === 0) return
    const isLatest = asked !== null && asked.by === ACTOR && asked.at > (own?.at ?? 0)
    const held = { type: 'deactivationsHeld', people: waiting, samples: await samplesOfWaiting() } as const
    const ended = { type: 'ended', at: at + 1, failure: null, needsApproval: true } as const
    await directory.keepRun([held, ended].reduce(evolveRun, isLatest ? asked : newRun(newId(), at + 1)))
  }

  async function apply(users: readonly string[]): Promise<void> {
    const naming = await namesOfGroups(directory, SCIM_SOURCE, ruleGroupNames(releases.current()))
    const entries = await directory.entries(SCIM_SOURCE, 'user', users)
    const applying = { source: SCIM_SOURCE, userOf, naming, actor: ACTOR, isTrial: false, deactivates: true }
    const bring = (some: readonly DirectoryEntry[]) => applyEntries({ store, people }, applying, some)
    // Applies active entries first. The person of a removed entry then stays if another entry has the address.
    const active = entries.filter((entry) => entry.active)
    const brought = await bring(active)
    const gone = await allowed(entries.filter((entry) => !entry.active))
    await keepRuns([...active, ...gone], [...brought, ...(await bring(gone))])
  }

  return async (users) => {
    for (let at = 0; at < users.length; at += ENTRIES_AT_ONCE)
      await inTurn(() => apply(users.slice(at, at + ENTRIES_AT_ONCE)))
  }
}

const hourOf = (at: number) => Math.floor(at / HOUR_MS)

const newRun = (id: string, at: number) =>
  beginRun({ id, source: SCIM_SOURCE, at, isTrial: false, by: ACTOR })
