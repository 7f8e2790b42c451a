import { failureCodeOf, type Failure } from '../../kernel/failure.ts'
import type { VariableDraft, VariableDrafts } from './events.ts'
import type { VariableDefinition, VariableValues, VariableStates } from '../../wire/user.ts'

/** Variables that are never shown, and never sent (specification, section 3). */
const NEVER_SHOWN: ReadonlySet<string> = new Set(['picture_url', 'email'])

export type VariableGroup = 'NULL' | 'default' | 'product' | 'custom'

/** The order of the groups (specification, section 3). */
const WEIGHTS: Readonly<Record<VariableGroup, number>> = { NULL: 0, default: 1, product: 2, custom: 3 }

/**
 * The relation of a variable to the directory's value: it differs, it is the same, or the next save makes the variable
 * follow the directory again (`willFollow`).
 */
export type DirectoryStanding = 'differs' | 'same' | 'willFollow'

/**
 * A variable as the pane shows it. `value` includes the edit, `savedValue` is the service's value. `directoryValue` is
 * the directory's value; null when the variable follows the directory.
 */
export type Variable = Readonly<{
  path: string
  group: VariableGroup
  weight: number
  sourceType: string
  /** The key of the label (`variable.…`), or the organisation's own name for a custom variable. */
  translationKey: string
  value: string
  savedValue: string
  directoryValue: string | null
  /** The variable has an unsaved edit: another value, or the mark to follow the directory again. */
  isDraft: boolean
  isLocked: boolean
  isOutOfSync: boolean
  isResyncable: boolean
  /** The user chose to follow the directory again. */
  isMarked: boolean
  /** Null when the variable follows the directory, or when the user may not make it follow the directory. */
  standing: DirectoryStanding | null
}>

/** The value at this path; empty if there is none. Ignores inherited properties, such as `constructor`. */
export const variableValueOf = (values: VariableValues, path: string): string =>
  Object.hasOwn(values, path) ? (values[path] ?? '') : ''

const draftOf = (drafts: VariableDrafts, path: string): VariableDraft | null =>
  Object.hasOwn(drafts, path) ? (drafts[path] ?? null) : null

export const variableGroupOf = ({ customType }: Pick<VariableDefinition, 'customType'>): VariableGroup => {
  if (customType === null) return 'NULL'
  if (customType === 'mapped') return 'default'
  return customType === 'rest' ? 'product' : 'custom'
}

export const isVariableShown = ({ path, hidden }: Pick<VariableDefinition, 'path' | 'hidden'>): boolean =>
  !hidden && !NEVER_SHOWN.has(path)

/** A variable is out of sync when it follows a field of the directory whose value the user changed. */
export const isOutOfSync = (
  { lookups }: Pick<VariableDefinition, 'lookups'>,
  { changedFields }: VariableStates,
): boolean => Object.values(lookups).some((field) => changedFields.includes(field))

/** The directory's value of the field that the variable follows, if the user changed that field; otherwise null. */
export function directoryValueOf(
  { lookups }: Pick<VariableDefinition, 'lookups'>,
  { changedFields, originalData }: VariableStates,
): string | null {
  const field = Object.values(lookups).find(
    (each) => changedFields.includes(each) && Object.hasOwn(originalData, each),
  )
  return field === undefined ? null : variableValueOf(originalData, field)
}

/** Whether the user may make the variable follow the directory again. */
export const isResyncable = (definition: VariableDefinition, states: VariableStates): boolean =>
  definition.resettable && !definition.nonEditable && isOutOfSync(definition, states)

const standingOf = (
  draft: VariableDraft | null,
  value: string,
  directoryValue: string | null,
): DirectoryStanding | null => {
  if (directoryValue === null) return null
  if (draft?.resync) return 'willFollow'
  return value === directoryValue ? 'same' : 'differs'
}

export const isSameDraft = (
  one: VariableDraft | null | undefined,
  other: VariableDraft | null | undefined,
): boolean => one?.value === other?.value && one?.resync === other?.resync

/** The shown variables with their states, values and edits, sorted by the weight of their group. */
export function buildVariables(
  definitions: readonly VariableDefinition[],
  states: VariableStates,
  values: VariableValues,
  drafts: VariableDrafts,
): readonly Variable[] {
  return definitions
    .filter(isVariableShown)
    .map((definition): Variable => {
      const { path } = definition
      const group = variableGroupOf(definition)
      const draft = draftOf(drafts, path)
      const savedValue = variableValueOf(values, path)
      const value = draft?.value ?? savedValue
      const outOfSync = isOutOfSync(definition, states)
      const mayFollow = isResyncable(definition, states)
      const directoryValue = directoryValueOf(definition, states)
      return {
        path,
        group,
        weight: WEIGHTS[group],
        sourceType: definition.customType ?? 'rest',
        translationKey:
          group === 'custom' && definition.displayName ? definition.displayName : `variable.${path}`,
        value,
        savedValue,
        directoryValue,
        isDraft: draft !== null && (draft.resync || draft.value !== savedValue),
        isLocked: definition.nonEditable,
        isOutOfSync: outOfSync,
        isResyncable: mayFollow,
        isMarked: draft?.resync === true,
        standing: mayFollow ? standingOf(draft, value, directoryValue) : null,
      }
    })
    .sort((one, other) => one.weight - other.weight)
}

/** The edits to save: only edits of variables that exist, are shown and are not locked. */
export const draftsToSend = (
  definitions: readonly VariableDefinition[],
  drafts: VariableDrafts,
): VariableDrafts => {
  const editable = new Set(
    definitions.filter((each) => isVariableShown(each) && !each.nonEditable).map(({ path }) => path),
  )
  return Object.fromEntries(Object.entries(drafts).filter(([path]) => editable.has(path)))
}

/**
 * The request of a save. `values`: the values of all unlocked variables, with the edits. `resetFields`: the paths of
 * the variables that follow the directory again. `base`: the values that the pane had. `picture_url`, `email` and
 * values without a definition are not sent.
 */
export function toSavePayload(
  definitions: readonly VariableDefinition[],
  values: VariableValues,
  sent: VariableDrafts,
): Readonly<{
  values: VariableValues
  resetFields: readonly string[]
  base: Readonly<{ values: VariableValues }>
}> {
  const editable = definitions.filter(({ path, nonEditable }) => !nonEditable && !NEVER_SHOWN.has(path))
  const current = editable.flatMap(({ path }) => {
    const value = draftOf(sent, path)?.value ?? (Object.hasOwn(values, path) ? values[path] : undefined)
    return value === undefined ? [] : [[path, value] as const]
  })
  const resetFields = editable
    .map(({ path }) => path)
    .filter((path) => path !== '' && draftOf(sent, path)?.resync === true)
  // An edit equal to the known value is not in `base`, so it is saved: an unanswered save may have changed the value.
  const had = current.flatMap(([path]) => {
    const value = Object.hasOwn(values, path) ? values[path] : undefined
    return value === undefined || draftOf(sent, path)?.value === value ? [] : [[path, value] as const]
  })
  return { values: Object.fromEntries(current), resetFields, base: { values: Object.fromEntries(had) } }
}

/**
 * The shown variables that others changed: the saved value is neither the pane's earlier value nor the value it sent.
 */
export const pathsChangedByOthers = (
  definitions: readonly VariableDefinition[],
  had: VariableValues,
  sent: VariableDrafts,
  saved: VariableValues,
): readonly string[] =>
  definitions
    .filter(isVariableShown)
    .map(({ path }) => path)
    .filter((path) => {
      const draft = draftOf(sent, path)
      // The service may normalise a typed value, so a difference does not prove a change by others.
      const isOwn = draft !== null && !draft.resync
      return (
        Object.hasOwn(saved, path) && !isOwn && saved[path] !== (draft?.value ?? variableValueOf(had, path))
      )
    })

/** The edits that differ from the saved values. An edit whose path is in `kept` always stays. */
export function withoutSavedDrafts(
  drafts: VariableDrafts,
  values: VariableValues,
  kept: VariableDrafts = {},
): VariableDrafts {
  const entries = Object.entries(drafts)
  const left = entries.filter(
    ([path, draft]) =>
      Object.hasOwn(kept, path) || draft.resync || draft.value !== variableValueOf(values, path),
  )
  return left.length === entries.length ? drafts : Object.fromEntries(left)
}

/** The edits that remain after a save. An edit that changed during the save stays, because it was not sent. */
export function draftsAfterSave(
  drafts: VariableDrafts,
  sent: VariableDrafts,
  values: VariableValues,
): VariableDrafts {
  const left = Object.entries(drafts).filter(([path, draft]) => !isSameDraft(draft, draftOf(sent, path)))
  return withoutSavedDrafts(
    left.length === Object.keys(drafts).length ? drafts : Object.fromEntries(left),
    values,
  )
}

export type VariablesError =
  'VARIABLES_UPDATE_LOCKED_ERROR' | 'VARIABLES_UPDATE_RESYNC_ERROR' | 'VARIABLES_UPDATE_GENERIC_ERROR'

/** The error catalogue's name for a save that failed (specification, section 8). */
export function toVariablesError(failure: Failure): VariablesError {
  const code = failureCodeOf(failure)
  if (code === 'variable_is_locked') return 'VARIABLES_UPDATE_LOCKED_ERROR'
  return code === 'variable_resync_failed'
    ? 'VARIABLES_UPDATE_RESYNC_ERROR'
    : 'VARIABLES_UPDATE_GENERIC_ERROR'
}

/** Whether the service may have carried out a save that failed here, because no answer refused it. */
export const isSaveUncertain = ({ kind }: Failure): boolean =>
  kind === 'network' || kind === 'timeout' || kind === 'malformed' || kind === 'defect'

/** Whether a failure shows that variables are outdated: their definitions, locks, directory values or saved values. */
export const areVariablesOutdated = (failure: Failure): boolean =>
  isSaveUncertain(failure) ||
  toVariablesError(failure) !== 'VARIABLES_UPDATE_GENERIC_ERROR' ||
  failureCodeOf(failure) === 'unknown_variable'

/** The valid edits of a value from private storage. */
export function parseDrafts(value: unknown): VariableDrafts {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([path, draft]: [string, unknown]) => {
      const { value: text, resync } = (draft ?? {}) as Record<string, unknown>
      return typeof text === 'string' ? [[path, { value: text, resync: resync === true }]] : []
    }),
  )
}
