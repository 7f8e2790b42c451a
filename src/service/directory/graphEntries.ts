/** Converts users and groups from Microsoft Graph into entries of the directory mirror. */
import {
  graphAddressesOf,
  isActiveGraphUser,
  type JsonObject,
  mergeJson,
} from '../../../streams/organisation/directory/directory.ts'
import { textUpTo } from '../../../streams/kernel/limits.ts'
import {
  list,
  looseObject,
  nullable,
  object,
  optional,
  type OutOf,
  type Schema,
  text,
} from '../../../streams/kernel/schema.ts'
import { uniqueAddresses } from '../../values/mailAddress.ts'
import type { ReportedEntry } from '../sql/directoryEntries.ts'
import type { DirectoryStore } from '../sql/directoryStore.ts'

/** The properties that become directory fields, identify the user, or show whether the user is active. */
export const USER_PROPERTIES: readonly string[] = [
  ...'accountEnabled userType displayName givenName surname jobTitle department companyName'.split(' '),
  ...'officeLocation businessPhones mobilePhone faxNumber mail proxyAddresses userPrincipalName'.split(' '),
  ...'streetAddress city state postalCode country employeeId employeeHireDate preferredLanguage'.split(' '),
  'onPremisesExtensionAttributes',
]
/** `manager` is a relation. A delta query selects it like a property, and returns it as `manager@delta`. */
export const MANAGER_RELATION = 'manager'

export type GraphPage<Item> = Readonly<{
  value: readonly Item[]
  '@odata.nextLink'?: string
  '@odata.deltaLink'?: string
}>

const removed = optional(object({ reason: optional(text) }))
const id = textUpTo(200, 1)
const page = <Item>(item: Schema<Item>): Schema<GraphPage<Item>> =>
  object({
    value: list(item),
    '@odata.nextLink': optional(text),
    '@odata.deltaLink': optional(text),
  })
const memberSchema = object({ id, '@odata.type': optional(text), '@removed': removed })
export const usersPageSchema = page(
  looseObject({ id, '@removed': removed, 'manager@delta': optional(list(memberSchema)) }),
)
export const groupsPageSchema = page(
  object({
    id,
    '@removed': removed,
    displayName: optional(nullable(text)),
    mailNickname: optional(nullable(text)),
    'members@delta': optional(list(memberSchema)),
  }),
)

/** A page of groups, found by name. */
export const foundGroupsPageSchema = page(
  object({ id, displayName: optional(nullable(text)), mailNickname: optional(nullable(text)) }),
)

type UserItem = OutOf<typeof usersPageSchema>['value'][number]

/**
 * Merges the users on a page into their stored entries. Graph may report a user on several pages, each time with other
 * properties. In a round, data from before the round is ignored.
 *
 * @param further the properties that the settings name
 */
export async function writeUsers(
  directory: DirectoryStore,
  source: string,
  further: readonly string[],
  items: readonly UserItem[],
  round: string | null,
): Promise<void> {
  const ids = [...new Set(items.map(({ id: user }) => user))]
  const before = await directory.entries(source, 'user', ids, round)
  const nameOf = namesIgnoringCase([...USER_PROPERTIES, ...further])
  const data = new Map<string, JsonObject | null>(before.map((entry) => [entry.id, entry.data]))
  for (const { id: user, '@removed': isRemoved, ...change } of items) {
    const known = data.get(user) ?? {}
    data.set(user, isRemoved === undefined ? mergeJson(known, changeOf(change, known, nameOf)) : null)
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
 * Reads the reported properties of a user, without OData properties. `manager` is an id or null: Graph reports the new
 * manager, and the removal of a former one.
 */
function changeOf(
  {
    'manager@delta': managers = [],
    ...reported
  }: Readonly<Record<string, unknown>> & Pick<UserItem, 'manager@delta'>,
  known: JsonObject,
  nameOf: (name: string) => string | null,
): JsonObject {
  const properties = Object.entries(reported).flatMap(([reportedName, value]) => {
    const name = nameOf(reportedName)
    return name === null ? [] : [[name, value] as [string, unknown]]
  })
  let manager = textOf(known[MANAGER_RELATION])
  for (const { id: each, '@removed': isRemoved } of managers)
    if (isRemoved === undefined) manager = each
    else if (manager === each) manager = null
  properties.push([MANAGER_RELATION, manager])
  // The type is correct, because the value was parsed from JSON.
  return Object.fromEntries(properties) as JsonObject
}

/** Finds a name of these, ignoring case, because Graph spells a property as it was declared. */
function namesIgnoringCase(names: readonly string[]): (name: string) => string | null {
  const own = new Map(names.map((name) => [name.toLowerCase(), name]))
  return (name) => own.get(name.toLowerCase()) ?? null
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function userEntry(user: string, data: JsonObject): ReportedEntry {
  return {
    id: user,
    data,
    name: textOf(data['userPrincipalName'])?.toLowerCase() ?? null,
    externalId: null,
    addresses: uniqueAddresses(graphAddressesOf(data)),
    manager: textOf(data[MANAGER_RELATION]),
    active: isActiveGraphUser(data),
  }
}

type GroupItem = OutOf<typeof groupsPageSchema>['value'][number]

export async function writeGroup(
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
  const data = mergeJson(before?.data ?? {}, change)
  await directory.write(source, 'group', [groupEntry(group, data)], round)
  // If a member is reported twice, the last report counts.
  const kept = [...new Map(members.map((member) => [member.id, member])).values()].filter(
    ({ '@odata.type': type }) => type === undefined || /\.(user|group)$/i.test(type),
  )
  const idsOf = (isRemoved: boolean) =>
    kept.filter((member) => (member['@removed'] !== undefined) === isRemoved).map(({ id: member }) => member)
  // Adds entries for nested groups before adding them as members, so that this or the next sync reads their members.
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
