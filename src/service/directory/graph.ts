/** Microsoft Graph as a directory: users and groups of a tenant by delta queries, with application permissions. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  addressesOf,
  isEmployed,
  type JsonObject,
  merged,
  readUser,
} from '../../../streams/organisation/directory/directory.ts'
import { someText, textUpTo } from '../../../streams/kernel/limits.ts'
import {
  list,
  loose,
  nullable,
  number,
  object,
  optional,
  orNull,
  type OutOf,
  type Schema,
  text,
  when,
} from '../../../streams/kernel/schema.ts'
import { oneOfEach } from '../../values/mailAddress.ts'
import { readFormat } from '../../folder/pictureFormats.ts'
import type { DirectoryStore, ReportedEntry } from '../sql/directoryStore.ts'
import type { Store } from '../sql/store.ts'
import { DirectoryError, type DirectorySource } from './runs.ts'

/** The credential of the app registration: a secret, or the token of a workload identity, which changes. */
export type GraphCredential =
  | Readonly<{ kind: 'secret'; secret: string }>
  | Readonly<{ kind: 'federated'; readToken: () => Promise<string> }>

export type GraphOptions = Readonly<{
  /** The id of the tenant. */
  tenant: string
  /** The OpenID authority of the tenant, without a slash at the end. */
  authority: string
  /** The origin of Graph: `https://graph.microsoft.com`, or that of a national cloud. */
  url: string
  clientId: string
  credential: GraphCredential
  /** Milliseconds since 1970. */
  now: () => number
  newId: () => string
  fetch?: typeof fetch
  /** Waits for these milliseconds; rejects when the signal aborts. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}>

export type GraphSourceOptions = GraphOptions &
  Readonly<{ store: Pick<Store, 'directory' | 'keepPicture'>; pictures: boolean }>

/** Properties that become fields of the directory, or that say who the user is and whether they are active. */
export const USER_PROPERTIES: readonly string[] = [
  ...'accountEnabled userType displayName givenName surname jobTitle department companyName'.split(' '),
  ...'officeLocation businessPhones mobilePhone faxNumber mail proxyAddresses userPrincipalName'.split(' '),
  ...'streetAddress city state postalCode country employeeId employeeHireDate preferredLanguage'.split(' '),
  'onPremisesExtensionAttributes',
]
/** `manager` is a relation: a delta query selects it like a property, and returns it as `manager@delta`. */
const MANAGER = 'manager'
const GROUP_PROPERTIES = ['displayName', 'mailNickname', 'members']
/** How many names a filter asks for: Graph allows 15 clauses, and a name needs up to three. */
const NAMES_AT_ONCE = 5
const PICTURE_PATH = 'photos/240x240/$value'
/** Each sync reads this many pictures; the next sync goes on with the next ids of users. */
export const PICTURES_AT_ONCE = 200

const TIME_LIMIT_MS = 60_000
const ANSWER_LIMIT_BYTES = 20 * 1024 * 1024
const PICTURE_LIMIT_BYTES = 1024 * 1024
const MAX_PAGES = 100_000
const TRIES = 8
const LONGEST_WAIT_MS = 300_000
const FIRST_WAIT_MS = 1_000
const TOKEN_LEEWAY_MS = 300_000

/** The codes with which Graph refuses a delta link that is too old or unknown. */
const RESYNC_CODES = ['syncstatenotfound', 'syncstateinvalid', 'resyncrequired', 'badtoken']

const removed = optional(object({ reason: optional(text) }))
const id = textUpTo(200, 1)
const page = <Item>(item: Schema<Item>): Schema<Page<Item>> =>
  object({
    value: list(item),
    '@odata.nextLink': optional(text),
    '@odata.deltaLink': optional(text),
  })
const memberSchema = object({ id, '@odata.type': optional(text), '@removed': removed })
const usersPage = page(loose({ id, '@removed': removed, 'manager@delta': optional(list(memberSchema)) }))
const groupsPage = page(
  object({
    id,
    '@removed': removed,
    displayName: optional(nullable(text)),
    mailNickname: optional(nullable(text)),
    'members@delta': optional(list(memberSchema)),
  }),
)
const foundPage = page(
  object({ id, displayName: optional(nullable(text)), mailNickname: optional(nullable(text)) }),
)
const failureSchema = orNull(object({ error: object({ code: text }) }))
const tokenSchema = object({ access_token: someText, expires_in: number })
const tokenFailureSchema = orNull(object({ error: text, error_description: optional(text) }))
const discoverySchema = object({ token_endpoint: when(text, (url) => URL.canParse(url), 'an address') })

type Page<Item> = Readonly<{
  value: readonly Item[]
  '@odata.nextLink'?: string
  '@odata.deltaLink'?: string
}>

/** Graph refused an old delta link. `location` is the new link, or null if Graph sent no link. */
class SyncExpired extends Error {
  constructor(readonly location: string | null) {
    super('The delta link is too old.')
  }
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

export function createGraphClient(options: GraphOptions) {
  const { tenant, authority, url, clientId, credential, now } = options
  const { fetch: ask = fetch, wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options
  let token: Readonly<{ value: string; until: number }> | null = null

  const send = async (address: string, init: RequestInit, signal: AbortSignal): Promise<Response> => {
    try {
      return await ask(address, {
        ...init,
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
      })
    } catch (error) {
      signal.throwIfAborted()
      throw new DirectoryError('unreachable', `${new URL(address).origin} cannot be reached.`, {
        cause: error,
      })
    }
  }

  async function askToken(signal: AbortSignal): Promise<string> {
    const discovery = await send(`${authority}/.well-known/openid-configuration`, {}, signal)
    const { token_endpoint } = decode(discoverySchema, await readJson(discovery, signal), authority)
    const proof =
      credential.kind === 'secret'
        ? { client_secret: credential.secret }
        : {
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
            client_assertion: await credential.readToken(),
          }
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      scope: `${url}/.default`,
      ...proof,
    })
    const response = await send(token_endpoint, { method: 'POST', body }, signal)
    const answer = await readJson(response, signal)
    if (response.ok) {
      const { access_token, expires_in } = decode(tokenSchema, answer, token_endpoint)
      token = { value: access_token, until: now() + expires_in * 1000 - TOKEN_LEEWAY_MS }
      return access_token
    }
    const failure = tokenFailureSchema.read(answer, '')
    const code = failure
      ? (/AADSTS\d+/.exec(failure.error_description ?? '')?.[0] ?? failure.error)
      : `status ${String(response.status)}`
    throw new DirectoryError(
      'token_refused',
      `The identity provider gives tenant ${tenant} no token for the directory (${code}): check SIGNET_CLIENT_ID and SIGNET_GRAPH_SECRET or the federated token, and that the tenant has consented.`,
    )
  }

  /** Retries a request on status 429 and temporary errors, and once with a new token on status 401. */
  async function request(address: string, signal: AbortSignal): Promise<Response> {
    if (!URL.canParse(address) || new URL(address).origin !== new URL(url).origin)
      throw new DirectoryError('malformed', 'Microsoft Graph gave a link to another address.')
    let hasNewToken = false
    for (let attempt = 1; ; attempt += 1) {
      const bearer = token !== null && token.until > now() ? token.value : await askToken(signal)
      const response = await send(address, { headers: { authorization: `Bearer ${bearer}` } }, signal)
      if (response.status === 401 && !hasNewToken) {
        await response.body?.cancel()
        token = null
        hasNewToken = true
        continue
      }
      if (![429, 502, 503, 504].includes(response.status)) return response
      await response.body?.cancel()
      if (attempt >= TRIES)
        throw new DirectoryError(
          'throttled',
          `Microsoft Graph accepts no more requests (status ${String(response.status)}).`,
        )
      await wait(waitOf(response, attempt, now()), signal)
    }
  }

  async function refuse(response: Response, signal: AbortSignal): Promise<never> {
    const { status } = response
    const failure = failureSchema.read(await readJson(response, signal).catch(() => null), '')
    const code = failure?.error.code ?? ''
    if (status === 410 || (status === 400 && RESYNC_CODES.includes(code.toLowerCase())))
      throw new SyncExpired(response.headers.get('location'))
    const named = code === '' ? String(status) : `${String(status)} ${code}`
    throw status === 401 || status === 403
      ? new DirectoryError(
          'forbidden',
          `Microsoft Graph refuses tenant ${tenant} (${named}): give the app registration the application permissions User.Read.All and GroupMember.Read.All, and consent to them as an administrator.`,
        )
      : new DirectoryError('refused', `Microsoft Graph answers tenant ${tenant} with status ${named}.`)
  }

  return {
    /** @throws DirectoryError; SyncExpired */
    read: async <Out>(address: string, schema: Schema<Out>, signal: AbortSignal): Promise<Out> => {
      const response = await request(address, signal)
      if (!response.ok) return refuse(response, signal)
      return decode(schema, await readJson(response, signal), 'Microsoft Graph')
    },
    /** The picture of a user; null without a valid picture. @throws DirectoryError */
    readPicture: async (user: string, signal: AbortSignal) => {
      const response = await request(`${url}/v1.0/users/${encodeURIComponent(user)}/${PICTURE_PATH}`, signal)
      if (response.status === 404) {
        await response.body?.cancel()
        return null
      }
      if (!response.ok) return refuse(response, signal)
      const bytes = await readBytes(response, PICTURE_LIMIT_BYTES, signal)
      if (bytes === null) return null
      const found = readFormat(bytes)
      if (found?.fits !== true) return null
      const { extension, mediaType } = found.format
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
      return { name: `${hash}.${extension}`, mediaType, bytes }
    },
    /** The address of a path below `/v1.0/`. */
    addressOf: (path: string, query: Readonly<Record<string, string>> = {}) => {
      const text = new URLSearchParams(query).toString()
      return `${url}/v1.0/${path}${text === '' ? '' : `?${text}`}`
    },
  }
}

export function createGraphSource(options: GraphSourceOptions): DirectorySource {
  const { tenant, newId, store } = options
  const { directory } = store
  const client = createGraphClient(options)
  const source = `graph:${tenant}`

  /**
   * Reads pages from the stored delta link. Without a link, or if Graph refuses it, starts a round, which reads
   * everything.
   *
   * @param use gets each page; `round` is the id of the round, or null for pages from a delta link
   */
  async function readRound<Item>(
    cursor: string,
    first: string,
    schema: Schema<Page<Item>>,
    signal: AbortSignal,
    use: (page: Page<Item>, round: string | null) => Promise<void>,
  ): Promise<string | null> {
    const kept = await directory.cursor(source, cursor)
    const readFrom = async (start: string, round: string | null) => {
      let address = start
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        const read = await client.read(address, schema, signal)
        const { '@odata.nextLink': next, '@odata.deltaLink': delta } = read
        if ((next === undefined) === (delta === undefined) || next === address)
          throw new DirectoryError('malformed', 'Microsoft Graph gives no usable link to its next page.')
        await use(read, round)
        if (delta !== undefined) return delta
        address = next ?? ''
      }
      throw new DirectoryError('malformed', 'The answer of Microsoft Graph has no end.')
    }
    let start = first
    if (kept !== null) {
      try {
        await directory.keepCursor(source, cursor, await readFrom(kept, null))
        return null
      } catch (error) {
        if (!(error instanceof SyncExpired)) throw error
        start = error.location ?? first
      }
    }
    const round = newId()
    try {
      const delta = await readFrom(start, round)
      return await finish(cursor, delta, round)
    } catch (error) {
      if (!(error instanceof SyncExpired)) throw error
      throw new DirectoryError('malformed', 'Microsoft Graph refuses a reading of everything.', {
        cause: error,
      })
    }
  }

  /** Ends a round: removes entries that the round did not report, and then stores the delta link. */
  async function finish(cursor: string, delta: string, round: string): Promise<string> {
    if (cursor === USERS) await directory.endRound(source, 'user', round)
    else await directory.endMembersRound(source, cursor.slice(GROUP.length), round)
    await directory.keepCursor(source, cursor, delta)
    return round
  }

  const readUsers = (reported: (entries: number) => void, signal: AbortSignal) =>
    readRound(
      USERS,
      client.addressOf('users/delta', { $select: [...USER_PROPERTIES, MANAGER].join(',') }),
      usersPage,
      signal,
      async ({ value }, round) => {
        reported(value.length)
        await writeUsers(directory, source, value, round)
      },
    )

  /** @param isFound true if Graph has just found the group; false for an inner group, which may be removed by now */
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
    await readRound(GROUP + group, first, groupsPage, signal, async (read, round) => {
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
    })
  }

  /** The ids of the groups that rules name. */
  async function findGroups(named: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
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
      for (let pages = 0; address !== undefined && pages < MAX_PAGES; pages += 1) {
        const read: OutOf<typeof foundPage> = await client.read(address, foundPage, signal)
        for (const group of read.value) found.add(group.id)
        address = read['@odata.nextLink']
      }
    }
    return found
  }

  async function readGroups(
    named: readonly string[],
    reported: (entries: number) => void,
    signal: AbortSignal,
  ) {
    // The loop also visits the inner groups that it adds. The set has each group once, even if groups form a circle.
    const asked = await findGroups(named, signal)
    const groups = new Set(asked)
    for (const group of groups) {
      await readGroup(group, asked.has(group), reported, signal)
      for (const inner of await directory.subgroups(source, group)) groups.add(inner)
    }
    for (const cursor of (await directory.cursors(source)).keys()) {
      const [, prefix = '', group = ''] = GROUP_CURSOR.exec(cursor) ?? []
      const isGone = prefix !== '' && !groups.has(group)
      if (isGone) await directory.remove(source, 'group', [group])
      if (isGone || prefix === FORMER_GROUP || FORMER_USERS.includes(cursor))
        await directory.dropCursor(source, cursor)
    }
  }

  /** Delta queries contain no pictures, so each sync reads the pictures of some users. */
  async function readPictures(signal: AbortSignal) {
    const after = await directory.cursor(source, PICTURES)
    const users = await directory.page(source, 'user', after, PICTURES_AT_ONCE)
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
    const last = users.length < PICTURES_AT_ONCE ? undefined : users.at(-1)?.id
    if (last === undefined) await directory.dropCursor(source, PICTURES)
    else await directory.keepCursor(source, PICTURES, last)
  }

  return {
    source,
    async read(named, reported, signal) {
      try {
        await readUsers(reported, signal)
        await readGroups(named, reported, signal)
        if (options.pictures) await readPictures(signal)
      } catch (error) {
        if (!(error instanceof SyncExpired)) throw error
        throw new DirectoryError('refused', 'Microsoft Graph refuses a link that it gave.', { cause: error })
      }
    },
    userOf({ id: oid, data }, manager) {
      const account = { tenant, oid: oid.toLowerCase() }
      const user = readUser(data, account, manager?.active === true ? manager.data : null)
      return { ...user, addresses: oneOfEach(user.addresses) }
    },
  }
}

/** A delta link keeps selecting the same properties, so another selection needs a cursor with another name. */
const USERS = 'users with hire dates'
const PICTURES = 'pictures'
/** The prefix of a group's cursor, before the id of the group. */
const GROUP = 'group with groups:'
/** The cursors of earlier versions, which read no managers, no hire dates and no groups inside groups. */
const FORMER_USERS: readonly string[] = ['users', 'users with managers']
const FORMER_GROUP = 'group:'
const GROUP_CURSOR = new RegExp(`^(${GROUP}|${FORMER_GROUP})(.*)$`, 's')
const HASH_LENGTH = 32

/** Ignores a request that Graph refuses for one mailbox, because the sync must not fail. */
const unlessRefused = (error: unknown): undefined => {
  if (!(error instanceof DirectoryError && error.code === 'refused')) throw error
}

type UserItem = OutOf<typeof usersPage>['value'][number]

/**
 * Merges what a page reports of users into what is known of them. Graph may report a user on several pages of a reading,
 * each time with other properties. A round begins without what was known before it.
 */
async function writeUsers(
  directory: DirectoryStore,
  source: string,
  items: readonly UserItem[],
  round: string | null,
): Promise<void> {
  const ids = [...new Set(items.map(({ id: user }) => user))]
  const before = await directory.entries(source, 'user', ids, round)
  const data = new Map<string, JsonObject | null>(before.map((entry) => [entry.id, entry.data]))
  for (const { id: user, '@removed': isRemoved, ...change } of items) {
    const known = data.get(user) ?? {}
    data.set(user, isRemoved === undefined ? merged(known, changeOf(change, known)) : null)
  }
  const gone = ids.filter((user) => data.get(user) === null)
  await directory.write(
    source,
    'user',
    ids.flatMap((user) => {
      const known = data.get(user)
      return known === null || known === undefined ? [] : [userEntry(user, known)]
    }),
    round,
  )
  if (gone.length > 0) await directory.remove(source, 'user', gone)
}

/**
 * Reads the reported properties of a user, without properties of OData. The manager is an id, or null: Graph reports who
 * became the manager, and who is the manager no more.
 */
function changeOf(
  {
    'manager@delta': managers = [],
    ...reported
  }: Readonly<Record<string, unknown>> & Pick<UserItem, 'manager@delta'>,
  known: JsonObject,
): JsonObject {
  const properties = Object.entries(reported).filter(([name]) => USER_PROPERTIES.includes(name))
  let manager = textOf(known[MANAGER])
  for (const { id: each, '@removed': isRemoved } of managers)
    if (isRemoved === undefined) manager = each
    else if (manager === each) manager = null
  properties.push([MANAGER, manager])
  // The type is right, because the response was JSON.
  return Object.fromEntries(properties) as JsonObject
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function userEntry(user: string, data: JsonObject): ReportedEntry {
  return {
    id: user,
    data,
    name: textOf(data['userPrincipalName'])?.toLowerCase() ?? null,
    externalId: null,
    addresses: oneOfEach(addressesOf(data)),
    manager: textOf(data[MANAGER]),
    active: isEmployed(data),
  }
}

type GroupItem = OutOf<typeof groupsPage>['value'][number]

async function writeGroup(
  directory: DirectoryStore,
  source: string,
  { id: group, displayName, mailNickname, 'members@delta': members = [] }: GroupItem,
  round: string | null,
): Promise<void> {
  const [before] = await directory.entries(source, 'group', [group])
  const change = {
    ...(displayName === undefined ? {} : { displayName }),
    ...(mailNickname === undefined ? {} : { mailNickname }),
  }
  const data = merged(before?.data ?? {}, change)
  await directory.write(source, 'group', [groupEntry(group, data)], round)
  // Of a member that is reported twice, the last report counts.
  const kept = [...new Map(members.map((member) => [member.id, member])).values()].filter(
    ({ '@odata.type': type }) => type === undefined || /\.(user|group)$/i.test(type),
  )
  const idsOf = (isRemoved: boolean) =>
    kept.filter((member) => (member['@removed'] !== undefined) === isRemoved).map(({ id: member }) => member)
  // Inner groups get an entry before they are added as members, so that this or the next sync reads their members.
  const inner = kept.flatMap((member) =>
    member['@removed'] === undefined && /\.group$/i.test(member['@odata.type'] ?? '') ? [member.id] : [],
  )
  const known = await directory.entries(source, 'group', inner)
  const here = new Set(known.flatMap((each) => (each.removed ? [] : [each.id])))
  const fresh = inner.filter((each) => !here.has(each)).map((each) => groupEntry(each, {}))
  await directory.write(source, 'group', fresh, null)
  await directory.changeMembers(source, group, { added: idsOf(false), removed: idsOf(true) }, round)
}

const groupEntry = (group: string, data: JsonObject): ReportedEntry => ({
  id: group,
  data,
  addresses: [],
  manager: null,
  active: true,
  name: textOf(data['displayName'])?.toLowerCase() ?? null,
  externalId: textOf(data['mailNickname'])?.toLowerCase() ?? null,
})

/** How many milliseconds to wait: as `Retry-After` says, in seconds or as a date; else exponential backoff. */
function waitOf(response: Response, attempt: number, now: number): number {
  const text = response.headers.get('retry-after')?.trim() ?? ''
  const requested = /^\d{1,6}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  const ms = text === '' || Number.isNaN(requested) ? FIRST_WAIT_MS * 2 ** (attempt - 1) : requested
  return Math.min(Math.max(ms, FIRST_WAIT_MS), LONGEST_WAIT_MS)
}

function decode<Out>({ read }: Schema<Out>, answer: unknown, whose: string): Out {
  try {
    return read(answer, '')
  } catch {
    throw new DirectoryError('malformed', `The answer of ${whose} is not what its documentation says.`)
  }
}

/** The JSON of a response; null when it is no JSON. @throws DirectoryError when it is larger than 20 MB */
async function readJson(response: Response, signal: AbortSignal): Promise<unknown> {
  const bytes = await readBytes(response, ANSWER_LIMIT_BYTES, signal)
  if (bytes === null) throw new DirectoryError('malformed', 'An answer of the directory is too large.')
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return null
  }
}

/** The bytes of a response; null when there are more than `limit`. */
async function readBytes(response: Response, limit: number, signal: AbortSignal): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > limit) return null
      chunks.push(chunk)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw new DirectoryError('unreachable', 'An answer of the directory ended too early.', { cause: error })
  }
  return Buffer.concat(chunks)
}
