/** Records syncs, and reads people from a directory's entries. */
import { count, time } from '../../kernel/limits.ts'
import { flag, list, nullable, object, oneOf, optional, type OutOf, text } from '../../kernel/schema.ts'
import type { Account, DirectoryRecord } from '../facts/events.ts'
import { isFieldName, isLanguageTag, MANAGER_PREFIX, FORBIDDEN_FIELDS, trimValue } from '../release/names.ts'
import { isRoleName } from '../plan/approval.ts'
import type { Condition, ReleaseDocument, Selection } from '../release/release.ts'
import { ACCOUNT_ATTRIBUTES } from './attributes.ts'

const sample = object({
  /** The address of the person. */
  person: text,
  change: oneOf('added', 'changed', 'retired', 'returned', 'refused'),
  /** The changed directory fields, and `addresses`, `account`, `language`, `groups`, `picture`. */
  fields: list(text),
  /** The reason for refusing the person; null for any other change. */
  reason: nullable(text),
})
export type DirectorySample = OutOf<typeof sample>

const failure = object({ code: text, message: text })
export type DirectoryFailure = OutOf<typeof failure>

/** One sync, with its progress or result. */
export const directoryRun = object({
  id: text,
  /** `graph` or `scim`. */
  source: text,
  at: time,
  until: nullable(time),
  /** A dry run: it reports the changes without applying them. */
  isTrial: flag,
  by: text,
  /**
   * `needsLeave`: the sync would deactivate so many people that it needs approval. Until then it applies no changes,
   * unless `appliesOtherChanges`. `interrupted`: the instance that ran the sync ended.
   */
  outcome: oneOf('running', 'done', 'needsLeave', 'failed', 'interrupted'),
  /** The number of entries from the directory: users and groups. */
  read: count,
  added: count,
  changed: count,
  retired: count,
  returned: count,
  refused: count,
  failure: nullable(failure),
  /**
   * The attributes in the settings that a source does not have; for SCIM, that no person has yet. The run goes on without
   * them. Absent when all are there.
   */
  unknownAttributes: optional(list(object({ source: text, names: list(text) }))),
  /** The progress in applying changed entries; absent before they are counted. */
  progress: optional(object({ done: count, of: count })),
  /** The administrator who stopped the run, so that its outcome is `interrupted`; absent when the instance ended. */
  stoppedBy: optional(text),
  /** The first people for each kind of change. */
  samples: list(sample),
})
export type DirectoryRun = OutOf<typeof directoryRun>

export const MAX_RUN_SAMPLES = 50

export const directoryState = object({
  kind: oneOf('none', 'graph', 'scim'),
  /** `graph:<tenant>` for each tenant, or `scim`. */
  sources: list(text),
  isRunning: flag,
  /** The latest syncs, latest first, up to 20. */
  runs: list(directoryRun),
  /** The groups in the published release's rules. `members` is null for a group that is missing in the directory. */
  groups: list(object({ named: text, members: nullable(count) })),
})
export type DirectoryState = OutOf<typeof directoryState>

export type DirectoryUser = Omit<DirectoryRecord, 'groups' | 'picture'>

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = Readonly<{ [key: string]: Json }>

/** The largest share of people that a sync may deactivate without approval. */
const MAX_DEACTIVATED = 0.05

/** Whether a sync would deactivate so many people that an administrator must approve it. */
export const needsApproval = (deactivating: number, active: number): boolean =>
  deactivating > active * MAX_DEACTIVATED

/**
 * Whether a run that needs approval applied everything but the deactivations. SCIM requests are applied at once,
 * because the directory does not repeat them.
 */
export const appliesOtherChanges = ({
  source,
  outcome,
  isTrial,
}: Pick<DirectoryRun, 'source' | 'outcome' | 'isTrial'>): boolean =>
  outcome === 'needsLeave' && source === 'scim' && !isTrial

/** The group names in a release's selections, `approval` and `editors`, in the order of first use. */
export function ruleGroupNames(
  release: Readonly<{
    document: Pick<
      ReleaseDocument,
      'signatures' | 'blocks' | 'guard' | 'mailboxes' | 'chooseDefault' | 'approval' | 'editors'
    >
  }> | null,
): readonly string[] {
  if (release === null) return []
  const { signatures, blocks = [], guard = [], mailboxes, chooseDefault } = release.document
  const asked = guard.filter((rule) => rule.missing === 'signature')
  const others = [...signatures, ...blocks, ...asked, ...mailboxes]
  const selections = [chooseDefault, ...others.map(({ selection }) => selection)]
  const conditions = selections.flatMap(conditionsOf)
  const selecting = conditions.flatMap((condition) => (condition.by === 'group' ? condition.values : []))
  const { approval, editors = [] } = release.document
  const approving = (approval?.by ?? []).filter((name) => !isRoleName(name))
  const editing = [...signatures, ...blocks].flatMap((each) => each.editors ?? [])
  return [...new Set([...selecting, ...approving, ...editors, ...editing])]
}

const conditionsOf = (selection: Selection): readonly Condition[] => [
  ...(selection.for === 'everyone' ? [] : selection.for.flat()),
  ...selection.not.flat(),
]

/**
 * Whether a rule names this group: by its id, its nickname or external id, or its display name. The group's `name` and
 * `externalId` are in lower case.
 */
export function isGroupNamed(
  named: string,
  group: Readonly<{ id: string; name: string | null; externalId: string | null }>,
): boolean {
  const text = named.toLowerCase()
  return [group.id.toLowerCase(), group.name, group.externalId].includes(text)
}

const MAX_FIELDS = 200
const MAX_CHARACTERS = 4_000
const MAX_DEPTH = 4

/**
 * Flattens a directory entry to texts by field (`businessPhones.0`). Omits empty and long texts, and fields that are
 * nested too deeply.
 */
export function flatFields(data: JsonObject): Readonly<Record<string, string>> {
  const fields: [string, string][] = []
  const add = (path: string, value: Json, depth: number): void => {
    if (value === null || fields.length >= MAX_FIELDS) return
    if (typeof value === 'object') {
      if (depth >= MAX_DEPTH) return
      for (const [key, member] of Object.entries(value))
        if (!FORBIDDEN_FIELDS.includes(key)) add(path === '' ? key : `${path}.${key}`, member, depth + 1)
      return
    }
    const text = trimValue(String(value))
    if (text === '' || text.length > MAX_CHARACTERS || !isFieldName(path)) return
    fields.push([path, text])
  }
  const shown = Object.entries(data).filter(([key]) => !ACCOUNT_ATTRIBUTES.includes(key))
  add('', Object.fromEntries(shown), 0)
  return Object.fromEntries(fields)
}

const ADDRESS = /^[^\s\p{C}@\\:;,*"<>()[\]]{1,64}@[^\s\p{C}@/\\:;,*!"<>()[\]]{1,253}$/u
const MAX_ADDRESSES = 100

const isAddress = (text: string) => ADDRESS.test(text) && text.slice(text.indexOf('@')).includes('.')

/** The addresses of a Microsoft Graph user: the mail address, other addresses, the sign-in name. */
export function graphAddressesOf(data: JsonObject): readonly string[] {
  const { mail, proxyAddresses, userPrincipalName } = data
  const further = (Array.isArray(proxyAddresses) ? (proxyAddresses as readonly Json[]) : []).flatMap(
    (each) => (typeof each === 'string' && /^smtp:/i.test(each) ? [each.slice('smtp:'.length)] : []),
  )
  const texts = [mail, ...further, userPrincipalName].flatMap((each) =>
    typeof each === 'string' ? [each.trim().toLowerCase()] : [],
  )
  return [...new Set(texts.filter(isAddress))].slice(0, MAX_ADDRESSES)
}

/** The manager's fields, named as in the records of the people who report to the manager. */
function managerFields(manager: JsonObject): Readonly<Record<string, string>> {
  const { displayName, ...data } = manager
  const name = typeof displayName === 'string' ? trimValue(displayName).slice(0, MAX_CHARACTERS) : ''
  const fields = { ...(name !== '' && { displayName: name }), ...flatFields(data) }
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [`${MANAGER_PREFIX}${field}`, value]),
  )
}

/**
 * Reads a user of Microsoft Graph.
 *
 * @param manager the manager's Microsoft Graph user; null without a manager
 */
export function readGraphUser(
  data: JsonObject,
  account: Account | null,
  manager: JsonObject | null,
): DirectoryUser {
  const { preferredLanguage } = data
  return {
    addresses: graphAddressesOf(data),
    account,
    language:
      typeof preferredLanguage === 'string' && isLanguageTag(preferredLanguage) ? preferredLanguage : null,
    fields: { ...flatFields(data), ...(manager && managerFields(manager)) },
  }
}

/** Whether a user of Microsoft Graph gets signatures: neither a guest nor disabled. */
export const isActiveGraphUser = ({ accountEnabled, userType }: JsonObject): boolean =>
  accountEnabled !== false && userType !== 'Guest'

/**
 * Merges a change into an object. Absent fields are unchanged, `null` removes a field, and lists are replaced whole.
 */
export function mergeJson(before: JsonObject, change: JsonObject): JsonObject {
  const after = new Map<string, Json>(Object.entries(before))
  for (const [key, value] of Object.entries(change)) {
    const old = after.get(key)
    if (value === null) after.delete(key)
    else after.set(key, isObject(value) ? mergeJson(isObject(old) ? old : {}, value) : value)
  }
  return Object.fromEntries(after)
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
