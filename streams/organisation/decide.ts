/** Decides which facts result from a command. An empty list means that the command changes nothing. */
import {
  type Account,
  type DirectoryChange,
  type DirectoryRecord,
  type Maintenance,
  type Metadata,
  Organisation,
  type OrganisationFact,
  Person,
  type PersonFact,
  type PlanToApprove,
} from './facts/events.ts'
import { correctionsOf, isOverOn, ownDirectory, type SetByHand } from './facts/corrections.ts'
import { missingApproval, type PublishToApprove, refusedBy, type RefusedApproval } from './plan/approval.ts'
import { canonicalText, type Release } from './release/release.ts'
import { portraitAddress } from './rendering/render.ts'
import { mayChooseDefault } from './rules/rules.ts'
import {
  hasDirectoryValue,
  isEditableVariable,
  ownProperty,
  RECORD_VARIABLES,
  replacedValue,
  variableValues,
} from './release/selectors.ts'
import type { OrganisationState, PersonState } from './facts/state.ts'

/** The reason for refusing a command: the error code and message of the response. */
export type RefusedCommand = Readonly<{
  refused:
    | 'unknown_variable'
    | 'variable_is_locked'
    | 'variable_resync_failed'
    | 'default_not_allowed'
    | 'not_found'
    | 'account_bound'
    | 'base_moved'
    | 'person_changed'
    | 'unknown_signature'
    | RefusedApproval['refused']
  message: string
}>

export const isRefusedCommand = (decision: readonly unknown[] | RefusedCommand): decision is RefusedCommand =>
  !Array.isArray(decision)

export type PersonCommand =
  | Readonly<{ type: 'importRecord'; record: DirectoryRecord }>
  | Readonly<{ type: 'deactivate' | 'erase' | 'removePicture' }>
  | Readonly<{ type: 'bindAccount'; account: Account }>
  /**
   * A save sends all values, but stores only those that differ from both the current values and `base`: the data that
   * the sender had loaded. So it keeps changes that others made meanwhile. `resetFields` win over `values`.
   */
  | Readonly<{
      type: 'saveValues'
      values: Readonly<Record<string, string>>
      resetFields: readonly string[]
      metadata?: Metadata | undefined
      base?: SaveBase | undefined
    }>
  /** The caller has checked that the user may see the signature. */
  | Readonly<{ type: 'chooseDefault'; combinedIds: string }>
  /** `picture` is the name of a stored picture: `<hash>.<extension>`. */
  | Readonly<{ type: 'changePicture'; picture: string }>
  /**
   * Sets all that stands above the directory by hand: what is missing ends. `revision` is the revision of the person
   * whom the administrator saw.
   */
  | Readonly<{ type: 'correct'; revision: number; corrections: WantedByHand }>
  /** Ends what was set by hand until a day before `day`, a day in UTC. */
  | Readonly<{ type: 'endCorrections'; day: string }>
  /** A file says more about the person. `source` is its name; an empty value removes the file's earlier value. */
  | Readonly<{ type: 'supplement'; source: string; values: Readonly<Record<string, string>> }>

/** A decoded request may have `undefined` in place of what is absent. */
type WantedByHand = Readonly<{
  fields: SetByHand['fields']
  excluded?: SetByHand['excluded'] | undefined
  pinned?: SetByHand['pinned'] | undefined
}>

type SaveBase = Readonly<{
  values: Readonly<Record<string, string>>
  metadata?: Readonly<Record<string, unknown>> | undefined
}>

export type OrganisationCommand =
  | Readonly<{ type: 'found'; name: string; tenants: readonly string[] }>
  /** `base` is the release that was published when the plan was made; null before the first release. */
  | Readonly<{
      type: 'publish'
      release: string
      base: string | null
      note: string
      /** Absent if the publish needs no approval. */
      approval?: PublishToApprove
    }>
  | Readonly<{ type: 'askApproval'; plan: PlanToApprove; note: string }>
  /** The caller has checked that `by` may approve the plan. */
  | Readonly<{ type: 'answerApproval'; isGiven: boolean; plan: PlanToApprove; by: string; note: string }>
  | Readonly<{ type: 'rollBack'; release: string; note: string }>
  | Readonly<{ type: 'setMaintenance'; status: Maintenance }>
  | Readonly<{ type: 'rotateKey'; key: string }>
  | Readonly<{ type: 'askSync'; mayDeactivate: boolean }>

const refuse = (refused: RefusedCommand['refused'], message: string): RefusedCommand => ({ refused, message })
const unknownPerson = () => refuse('not_found', 'There is no such person.')
const isSame = (one: unknown, other: unknown) => canonicalText(one) === canonicalText(other)

/**
 * Returns the facts to record for a person, or why the command is refused.
 *
 * @param release the published release; null before the first release, when no person has variables or choices
 */
export function decidePerson(
  state: PersonState | null,
  command: PersonCommand,
  release: Release | null,
): readonly PersonFact[] | RefusedCommand {
  if (command.type === 'importRecord') return importRecord(state, command.record)
  if (command.type === 'erase') return state === null ? [] : [Person.erased()]
  if (state === null) return unknownPerson()
  if (command.type === 'deactivate') return state.active ? [Person.departed()] : []
  if (command.type === 'endCorrections') return endCorrections(state, command.day)
  if (!state.active) return unknownPerson()
  switch (command.type) {
    case 'bindAccount':
      if (state.account === null) return [Person.accountBound({ account: command.account })]
      return isSame(state.account, command.account)
        ? []
        : refuse('account_bound', 'The person has another account.')
    case 'saveValues':
      return saveValues(state, command, release)
    case 'chooseDefault':
      return chooseDefault(state, command.combinedIds, release)
    case 'changePicture':
      return state.picture === command.picture ? [] : [Person.pictureChanged({ picture: command.picture })]
    case 'removePicture':
      return state.picture === null ? [] : [Person.pictureRemoved()]
    case 'correct':
      if (command.revision !== state.revision)
        return refuse('person_changed', 'The person changed meanwhile. Load the person again.')
      return correct(state, command.corrections, release)
    case 'supplement':
      return supplement(state, command)
  }
}

const sorted = (texts: readonly string[]) => [...new Set(texts)].sort()

/** A record without an account leaves the person's account unchanged. */
function importRecord(state: PersonState | null, record: DirectoryRecord): readonly PersonFact[] {
  if (state === null) return [Person.imported({ record })]
  const { addresses, account, language, fields, groups, picture } = record
  const isSameAddresses =
    addresses[0] === state.addresses[0] && isSame(sorted(addresses), sorted(state.addresses))
  const changed: DirectoryChange = {
    ...(isSameAddresses ? {} : { addresses }),
    ...(account === null || isSame(account, state.account) ? {} : { account }),
    ...(language === state.language ? {} : { language }),
    ...(isSame(fields, ownDirectory(state)) ? {} : { fields }),
    ...(isSame(sorted(groups), sorted(state.groups)) ? {} : { groups }),
    ...(picture === state.directoryPicture ? {} : { picture }),
  }
  return [
    ...(state.active ? [] : [Person.returned()]),
    ...(Object.keys(changed).length === 0 ? [] : [Person.directoryChanged({ changed })]),
  ]
}

function correct(
  state: PersonState,
  { fields, excluded, pinned }: WantedByHand,
  release: Release | null,
): readonly PersonFact[] | RefusedCommand {
  const own = correctionsOf(state)
  if (pinned && pinned.signature !== own.pinned?.signature && !release?.signatureOf(pinned.signature))
    return refuse('unknown_signature', `There is no signature "${pinned.signature}".`)
  const isSet = (field: string) => Object.hasOwn(own.fields, field)
  const set = Object.entries(fields).filter(
    ([field, { value, until }]) =>
      !isSet(field) || own.fields[field]?.value !== value || own.fields[field].until !== until,
  )
  const ended = Object.keys(own.fields).filter((field) => !Object.hasOwn(fields, field))
  return [
    ...(ended.length === 0 ? [] : [Person.correctionsEnded({ fields: ended })]),
    ...(set.length === 0 ? [] : [Person.corrected({ fields: Object.fromEntries(set) })]),
    ...exclusion(excluded, own.excluded),
    ...pin(pinned, own.pinned),
  ]
}

function exclusion(wanted: WantedByHand['excluded'], own: WantedByHand['excluded']): readonly PersonFact[] {
  if (wanted === undefined) return own === undefined ? [] : [Person.exclusionEnded()]
  return wanted.until === own?.until ? [] : [Person.excluded({ until: wanted.until })]
}

function pin(wanted: WantedByHand['pinned'], own: WantedByHand['pinned']): readonly PersonFact[] {
  if (wanted === undefined) return own === undefined ? [] : [Person.pinEnded()]
  const { signature, until } = wanted
  return signature === own?.signature && until === own.until ? [] : [Person.pinned({ signature, until })]
}

function endCorrections(state: PersonState, day: string): readonly PersonFact[] {
  const { fields, excluded, pinned } = correctionsOf(state)
  const over = Object.entries(fields).flatMap(([field, { until }]) => (isOverOn(day, until) ? field : []))
  return [
    ...(over.length === 0 ? [] : [Person.correctionsEnded({ fields: over })]),
    ...(excluded && isOverOn(day, excluded.until) ? [Person.exclusionEnded()] : []),
    ...(pinned && isOverOn(day, pinned.until) ? [Person.pinEnded()] : []),
  ]
}

function supplement(
  state: PersonState,
  { source, values }: Extract<PersonCommand, { type: 'supplement' }>,
): readonly PersonFact[] {
  const own = correctionsOf(state).supplement
  const said = (field: string) => ownProperty(own, field)?.value ?? ''
  const other = Object.entries(values).filter(([field, value]) => value !== said(field))
  const set = other.filter(([, value]) => value !== '')
  const removed = other.flatMap(([field, value]) => (value === '' ? field : []))
  return other.length === 0 ? [] : [Person.supplemented({ source, values: Object.fromEntries(set), removed })]
}

type Save = Extract<PersonCommand, { type: 'saveValues' }>

function saveValues(
  state: PersonState,
  { values, resetFields, metadata, base }: Save,
  release: Release | null,
): readonly PersonFact[] | RefusedCommand {
  const current = release === null ? {} : variableValues(release, state, { pictureUrl: '' })
  const saved: Record<string, string> = {}
  for (const [path, value] of Object.entries(values)) {
    const variable = release?.variableOf(path) ?? null
    if (variable === null && !(release !== null && RECORD_VARIABLES.includes(path)))
      return refuse('unknown_variable', `There is no variable "${path}".`)
    if (path === 'picture_url' ? isPictureUrl(value, state) : value === current[path]) continue
    if (base !== undefined && ownProperty(base.values, path) === value) continue
    if (variable === null || !isEditableVariable(variable))
      return refuse('variable_is_locked', `The variable "${path}" cannot be changed.`)
    if (!resetFields.includes(path)) saved[path] = value
  }
  for (const path of resetFields) {
    const variable = release?.variableOf(path) ?? null
    if (variable === null) return refuse('unknown_variable', `There is no variable "${path}".`)
    // With `base`, a save may reset a variable even if it already has the directory's value.
    const mayFollow =
      base === undefined ? replacedValue(variable, state) !== null : hasDirectoryValue(variable, state)
    if (!variable.resync || !mayFollow)
      return refuse('variable_resync_failed', `The variable "${path}" cannot be synchronised.`)
  }
  const sent = metadata && base?.metadata ? merged(base.metadata, metadata, state.metadata) : metadata
  const kept = sent === undefined ? state.metadata : keptMetadata(sent, state, release)
  if (kept === null) return defaultNotAllowed()
  const reset = [...new Set(resetFields)].filter((path) => Object.hasOwn(state.values, path))
  return [
    ...(Object.keys(saved).length + reset.length === 0 ? [] : [Person.valuesSaved({ values: saved, reset })]),
    ...(isSame(kept, state.metadata) ? [] : [Person.metadataSaved({ metadata: kept })]),
  ]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges what the sender changed between `base` and `sent` into `current`, field by field. */
function merged<Sent>(base: unknown, sent: Sent, current: Sent): Sent {
  if (isSame(base, sent)) return current
  if (!isRecord(base) || !isRecord(sent) || !isRecord(current)) return sent
  const fields = [...new Set([...Object.keys(current), ...Object.keys(sent)])].flatMap((name) => {
    const value = merged(ownProperty(base, name), ownProperty(sent, name), ownProperty(current, name))
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(fields) as Sent
}

/** Whether a value is the address of the person's picture. Ignores the host, which is unknown here. */
const isPictureUrl = (value: string, { picture }: PersonState) =>
  picture === null ? value === '' : value.endsWith(portraitAddress('', picture))

const mayChoose = (release: Release | null, state: PersonState) =>
  release !== null && mayChooseDefault(release, state)

const defaultNotAllowed = () =>
  refuse('default_not_allowed', 'The organisation does not let you choose a default signature.')

/**
 * Returns the metadata to store. A user who may not choose a default keeps the stored choice; null if such a user sends
 * a different one.
 */
function keptMetadata(metadata: Metadata, state: PersonState, release: Release | null): Metadata | null {
  if (mayChoose(release, state)) return metadata
  const { defaultSignature: stored } = state.metadata
  const { defaultSignature: sent = stored, ...others } = metadata
  if (!isSame(sent, stored)) return null
  return stored === undefined ? others : { ...others, defaultSignature: stored }
}

function chooseDefault(
  state: PersonState,
  master: string,
  release: Release | null,
): readonly PersonFact[] | RefusedCommand {
  if (!mayChoose(release, state)) return defaultNotAllowed()
  const { defaultSignature: chosen } = state.metadata
  // Keeps the user's choices for replies and senders.
  return chosen?.master === master ? [] : [Person.defaultChosen({ choice: { ...chosen, master } })]
}

export function decideOrganisation(
  state: OrganisationState | null,
  command: OrganisationCommand,
): readonly OrganisationFact[] | RefusedCommand {
  if (command.type === 'found') {
    const { name, tenants } = command
    const isFounded = state !== null && isSame([name, tenants], [state.name, state.tenants])
    return isFounded ? [] : [Organisation.founded({ name, tenants })]
  }
  if (state === null) return refuse('not_found', 'There is no organisation yet.')
  const base = state.history[0]?.release ?? null
  switch (command.type) {
    case 'publish': {
      const { release, note } = command
      if (release === base) return []
      if (command.base !== base) return baseMoved()
      const missing = command.approval ? missingApproval(state.approvals ?? [], command.approval) : null
      if (missing) return missing
      return [Organisation.releasePublished({ release, base, note })]
    }
    case 'rollBack': {
      const { release, note } = command
      if (!state.history.some((published) => published.release === release))
        return refuse('not_found', `The release "${release}" was never published.`)
      return release === base ? [] : [Organisation.releaseRolledBack({ release, base, note })]
    }
    case 'askApproval':
    case 'answerApproval':
      return command.plan.base === base ? decideApproval(state, command) : baseMoved()
    case 'setMaintenance':
      return command.status === state.maintenance
        ? []
        : [Organisation.maintenanceSet({ status: command.status })]
    case 'rotateKey':
      return [Organisation.keyRotated({ key: command.key })]
    case 'askSync':
      return [Organisation.syncAsked({ retire: command.mayDeactivate })]
  }
}

const baseMoved = () => refuse('base_moved', 'Another release was published meanwhile.')

function decideApproval(
  { approvals = [] }: OrganisationState,
  command: Extract<OrganisationCommand, { type: 'askApproval' | 'answerApproval' }>,
): readonly OrganisationFact[] | RefusedCommand {
  const { plan, note } = command
  const known = approvals.find(({ hash }) => hash === plan.hash)
  if (command.type === 'askApproval')
    return known?.asked && !known.refused ? [] : [Organisation.approvalAsked({ ...plan, note })]
  const { by, isGiven } = command
  if (!isGiven) return known?.refused ? [] : [Organisation.approvalRefused({ ...plan, note })]
  if (by === plan.author)
    return refuse('approval_own', 'You made this plan: a second person must approve it.')
  if (known?.refused && known.refused.by !== by) return refusedBy(known.refused)
  return known?.given.some((each) => each.by === by) ? [] : [Organisation.approvalGiven({ ...plan, note })]
}
