/** Microsoft Graph as a directory: reads a tenant's users and groups by delta queries, with application permissions. */
import { readGraphUser } from '../../../streams/organisation/directory/directory.ts'
import type { OutOf } from '../../../streams/kernel/schema.ts'
import { uniqueAddresses } from '../../values/mailAddress.ts'
import type { Store } from '../sql/store.ts'
import { findUnknownAttributes, furtherProperties, selectionName } from './graphAttributes.ts'
import { createGraphClient, type GraphClient, type GraphOptions, DeltaLinkExpired } from './graphClient.ts'
import {
  foundGroupsPageSchema,
  groupsPageSchema,
  MANAGER_RELATION,
  USER_PROPERTIES,
  usersPageSchema,
  writeGroup,
  writeUsers,
} from './graphEntries.ts'
import { MAX_ROUND_PAGES, readRound, type RoundPorts } from './graphRounds.ts'
import { DirectoryError, type DirectorySource } from './runs.ts'

export type GraphSourceOptions = GraphOptions &
  Readonly<{
    store: Pick<Store, 'directory' | 'keepPicture'>
    pictures: boolean
    /** The attributes that the settings name; by default none. */
    attributes?: readonly string[]
  }>

const GROUP_PROPERTIES = ['displayName', 'mailNickname', 'members']
/** The number of names in one filter: Graph allows 15 clauses, and each name needs up to three. */
const NAMES_AT_ONCE = 5
/** The number of pictures that one sync reads. The next sync continues with the next user ids. */
export const PICTURES_PER_SYNC = 200

/**
 * A delta link is bound to its selection of properties, so another selection needs a new cursor name. A hash of the
 * further properties follows.
 */
const USERS = 'users with hire dates'
const PICTURES = 'pictures'
/** The prefix of a group's cursor name; the group id follows. */
const GROUP = 'group with groups:'
/** Cursors of earlier versions, which did not read managers, hire dates or nested groups. */
const FORMER_USERS: readonly string[] = ['users', 'users with managers']
const FORMER_GROUP = 'group:'
const GROUP_CURSOR = new RegExp(`^(${GROUP}|${FORMER_GROUP})(.*)$`, 's')
const HASH_LENGTH = 32

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

export function createGraphSource(options: GraphSourceOptions): DirectorySource {
  const { tenant, newId, store, attributes = [] } = options
  const { directory } = store
  const client = createGraphClient(options)
  const source = `graph:${tenant}`
  const ports: RoundPorts = { directory, source, client, newId }

  async function readUsers(
    further: readonly string[],
    reported: (entries: number) => void,
    signal: AbortSignal,
  ) {
    const first = client.addressOf('users/delta', {
      $select: [...USER_PROPERTIES, ...further, MANAGER_RELATION].join(','),
    })
    const use = async ({ value }: OutOf<typeof usersPageSchema>, round: string | null) => {
      reported(value.length)
      await writeUsers(directory, source, further, value, round)
    }
    const endRound = (round: string) => directory.endRound(source, 'user', round)
    const cursor = USERS + selectionName(further)
    await readRound(ports, { cursor, first, schema: usersPageSchema, use, endRound }, signal)
    for (const other of (await directory.cursors(source)).keys())
      if (other !== cursor && (FORMER_USERS.includes(other) || other.startsWith(USERS)))
        await directory.dropCursor(source, other)
  }

  /**
   * @param isFound true if Graph has just found the group; false for a nested group, which may have been removed since
   */
  async function readGroup(
    group: string,
    isFound: boolean,
    reported: (entries: number) => void,
    signal: AbortSignal,
  ) {
    let isReported = false
    const first = client.addressOf('groups/delta', {
      $filter: `id eq ${quoted(group)}`,
      $select: GROUP_PROPERTIES.join(','),
    })
    const use = async (read: OutOf<typeof groupsPageSchema>, round: string | null) => {
      reported(read.value.length)
      for (const item of read.value) {
        if (item.id !== group) continue
        if (item['@removed'] !== undefined) {
          await directory.remove(source, 'group', [group])
          continue
        }
        isReported = true
        await writeGroup(directory, source, item, round)
      }
      const isEnd = read['@odata.deltaLink'] !== undefined
      if (round === null || !isEnd || isReported) return
      if (isFound) throw new DirectoryError('malformed', 'Microsoft Graph did not send a group that it has.')
      await directory.remove(source, 'group', [group])
    }
    const endRound = (round: string) => directory.endMembersRound(source, group, round)
    await readRound(ports, { cursor: GROUP + group, first, schema: groupsPageSchema, use, endRound }, signal)
  }

  async function readGroups(
    named: readonly string[],
    reported: (entries: number) => void,
    signal: AbortSignal,
  ) {
    // The loop also visits the nested groups that it adds. The set contains each group once, even if groups form a
    // circle.
    const asked = await findGroups(client, named, signal)
    const groups = new Set(asked)
    for (const group of groups) {
      await readGroup(group, asked.has(group), reported, signal)
      for (const inner of await directory.subgroups(source, group)) groups.add(inner)
    }
    for (const cursor of (await directory.cursors(source)).keys()) {
      const [, prefix = '', group = ''] = GROUP_CURSOR.exec(cursor) ?? []
      const isGone = prefix !== '' && !groups.has(group)
      if (isGone) await directory.remove(source, 'group', [group])
      if (isGone || prefix === FORMER_GROUP) await directory.dropCursor(source, cursor)
    }
  }

  /** Delta queries do not contain pictures, so each sync reads the pictures of some users. */
  async function readPictures(signal: AbortSignal) {
    const after = await directory.cursor(source, PICTURES)
    const users = await directory.page(source, 'user', after, PICTURES_PER_SYNC)
    const pictures: { id: string; picture: string | null }[] = []
    for (const user of users) {
      if (!user.active) continue
      const picture = await client.readPicture(user.id, signal).catch(unlessRefused)
      // After an error, the stored picture stays until the user's next turn.
      if (picture === undefined) continue
      if (picture !== null) await store.keepPicture(picture.name.slice(0, HASH_LENGTH), picture)
      pictures.push({ id: user.id, picture: picture?.name ?? null })
    }
    await directory.keepPictures(source, pictures)
    const last = users.length < PICTURES_PER_SYNC ? undefined : users.at(-1)?.id
    if (last === undefined) await directory.dropCursor(source, PICTURES)
    else await directory.keepCursor(source, PICTURES, last)
  }

  return {
    source,
    attributes,
    unknownAttributes: (signal) => findUnknownAttributes(client, attributes, signal),
    async read(named, reported, signal, unknown) {
      try {
        const further = furtherProperties(attributes).filter((name) => !unknown.includes(name))
        await readUsers(further, reported, signal)
        await readGroups(named, reported, signal)
        if (options.pictures) await readPictures(signal)
      } catch (error) {
        if (!(error instanceof DeltaLinkExpired)) throw error
        throw new DirectoryError('refused', 'Microsoft Graph refuses a link that it gave.', { cause: error })
      }
    },
    userOf({ id: oid, data }, manager) {
      const account = { tenant, oid: oid.toLowerCase() }
      const user = readGraphUser(data, account, manager?.active === true ? manager.data : null)
      return { ...user, addresses: uniqueAddresses(user.addresses) }
    },
  }
}

/** The ids of the groups that rules name. */
async function findGroups(
  client: GraphClient,
  named: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let at = 0; at < named.length; at += NAMES_AT_ONCE) {
    const clauses = named
      .slice(at, at + NAMES_AT_ONCE)
      .flatMap((name) => [
        `displayName eq ${quoted(name)}`,
        `mailNickname eq ${quoted(name)}`,
        ...(GUID.test(name) ? [`id eq ${quoted(name)}`] : []),
      ])
    const query = { $filter: clauses.join(' or '), $select: 'id,displayName,mailNickname' }
    let address: string | undefined = client.addressOf('groups', query)
    for (let pages = 0; address !== undefined && pages < MAX_ROUND_PAGES; pages += 1) {
      const read: OutOf<typeof foundGroupsPageSchema> = await client.read(
        address,
        foundGroupsPageSchema,
        signal,
      )
      for (const group of read.value) found.add(group.id)
      address = read['@odata.nextLink']
    }
  }
  return found
}

/** Ignores a request that Graph refuses for one mailbox, so that the sync continues. */
const unlessRefused = (error: unknown): undefined => {
  if (!(error instanceof DirectoryError && error.code === 'refused')) throw error
}
