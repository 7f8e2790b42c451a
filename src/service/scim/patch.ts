/**
 * Applies SCIM PATCH requests (RFC 7644, section 3.5.2), including Microsoft Entra's variants. A refused request
 * changes nothing.
 */
import { mapInSteps, type Steps } from '../../../streams/kernel/steps.ts'
import { canonicalText } from '../../../streams/organisation/release/release.ts'
import {
  type Filter,
  isObject,
  type JsonObject,
  valueMatchesFilter,
  parsePatchPath,
  printPath,
  type PatchTarget,
} from './filter.ts'
import {
  MAX_ID_CHARACTERS,
  MAX_ATTRIBUTE_VALUES,
  withOnePrimary,
  readSingleValue,
  readAttributeValue,
  type ResourceValues,
} from './resource.ts'
import { ScimError, type ScimErrorCode } from './scimError.ts'
import {
  attributeNamed,
  type ScimAttribute,
  extensionOf,
  findAttribute,
  findExtension,
  type FoundAttribute,
  type ResourceType,
  type ScimSchema,
} from './schemas.ts'

type Verb = 'add' | 'replace' | 'remove'

/** A change at one target. */
type Step = Readonly<{ verb: Verb; target: PatchTarget; found: FoundAttribute; value: unknown }>

export type PatchOperation = Readonly<{ verb: Verb; path: string | null; value: unknown }>

/** A change to a group's members. With `only`, `added` replaces all members. No id is in both lists. */
export type MemberPatch = Readonly<{ only: boolean; added: readonly string[]; removed: readonly string[] }>

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const MAX_OPERATIONS = 2_000

const refuse = (code: ScimErrorCode, message: string): never => {
  throw new ScimError(code, message)
}
/** The field of a body with this name, ignoring case. `name` must be in lower case. */
export const fieldIgnoringCase = (object: JsonObject, name: string): unknown =>
  Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1]

/**
 * Reads the operations of a body.
 *
 * @throws ScimError `invalidSyntax`
 */
export function readPatchOperations(body: unknown): readonly PatchOperation[] {
  if (!isObject(body)) return refuse('invalidSyntax', 'The body is not an object.')
  const schemas = fieldIgnoringCase(body, 'schemas')
  const isPatch =
    Array.isArray(schemas) &&
    schemas.some((each) => typeof each === 'string' && each.toLowerCase() === PATCH_SCHEMA.toLowerCase())
  if (!isPatch) refuse('invalidSyntax', `schemas: expected ${PATCH_SCHEMA}.`)
  const operations = fieldIgnoringCase(body, 'operations')
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS)
    return refuse('invalidSyntax', `Operations: expected a list of 1 to ${String(MAX_OPERATIONS)}.`)
  return operations.map((operation: unknown) => {
    if (!isObject(operation)) return refuse('invalidSyntax', 'Operations: expected objects.')
    const op = fieldIgnoringCase(operation, 'op')
    const verb = typeof op === 'string' ? op.toLowerCase() : ''
    if (verb !== 'add' && verb !== 'replace' && verb !== 'remove')
      return refuse('invalidSyntax', 'op: expected add, replace or remove.')
    const path = fieldIgnoringCase(operation, 'path') ?? null
    if (path !== null && typeof path !== 'string') return refuse('invalidPath', 'path: expected a text.')
    return {
      verb,
      path: path?.trim() === '' ? null : path,
      value: fieldIgnoringCase(operation, 'value') ?? null,
    }
  })
}

/**
 * The values after all operations, applied in order. The value of an operation without a path names attributes, also in
 * dotted form. Read-only attributes in it are ignored.
 *
 * If a filter finds no value, add and replace create a value from the parts that the filter compares. For example,
 * Entra adds a first mobile number as `phoneNumbers[type eq "mobile"].value`.
 *
 * An operation on an unknown attribute changes nothing, whatever its filter and value, so that the other operations
 * still apply.
 *
 * @throws ScimError `invalidPath`, `invalidValue`, `noTarget`, `mutability`
 */
export function* applyingOperations(
  type: ResourceType,
  values: ResourceValues,
  operations: readonly PatchOperation[],
): Steps<ResourceValues> {
  return yield* applyingAll(yield* readingSteps(type, operations), values)
}

function* applyingAll(steps: readonly Step[], values: ResourceValues): Steps<ResourceValues> {
  let after = values
  for (const step of steps) {
    after = applyStep(after, step)
    yield
  }
  return after
}

/**
 * Separates changes of members from other operations, so that a change to a large group does not read its members.
 *
 * @throws ScimError like `applyingOperations`; `invalidPath` when a filter selects members by anything but their id
 */
export function* splittingMembers(
  type: ResourceType,
  operations: readonly PatchOperation[],
): Steps<
  Readonly<{ members: MemberPatch | null; others: (values: ResourceValues) => Steps<ResourceValues> }>
> {
  const all = yield* readingSteps(type, operations)
  const isOfMembers = ({ found }: Step) => found.attribute.name === 'members'
  const steps = all.filter(isOfMembers)
  const others = all.filter((step) => !isOfMembers(step))
  return {
    members: steps.length === 0 ? null : yield* foldingMembers(steps),
    others: (values) => applyingAll(others, values),
  }
}

function* foldingMembers(steps: readonly Step[]): Steps<MemberPatch> {
  const added = new Set<string>()
  const removed = new Set<string>()
  let only = false
  const move = (ids: readonly string[], to: Set<string>, from: Set<string>) => {
    for (const id of ids) {
      from.delete(id)
      to.add(id)
    }
  }
  for (const { verb, target, found, value } of steps) {
    if (found.sub !== null) refuse('mutability', 'A member is added or removed, not changed.')
    if (target.some !== null && verb !== 'remove')
      refuse('mutability', 'A member is added or removed, not changed.')
    const ids = target.some === null ? yield* readingMembers(found.attribute, value) : namedIds(target.some)
    if (verb === 'replace' || (verb === 'remove' && target.some === null && value === null)) {
      only = true
      added.clear()
      removed.clear()
    }
    if (verb === 'remove') move(ids, removed, added)
    else move(ids, added, removed)
  }
  return { only, added: [...added], removed: [...removed] }
}

/**
 * Reads the ids in a list of members.
 *
 * @throws ScimError `invalidValue` for a missing id, or an id that is too long
 */
export function* readingMembers(attribute: ScimAttribute, value: unknown): Steps<readonly string[]> {
  const all = Array.isArray(value) ? (value as readonly unknown[]) : [value]
  const ids = yield* mapInSteps(all, (each) => {
    const read = readSingleValue(attribute, each) as JsonObject | null
    return read === null ? [] : [memberId(read)]
  })
  return ids.flat()
}

const memberId = ({ value: id }: JsonObject): string =>
  typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARACTERS
    ? id
    : refuse(
        'invalidValue',
        `members: expected a value of 1 to ${String(MAX_ID_CHARACTERS)} characters for each.`,
      )

/** The ids in a filter such as `value eq "1" or value eq "2"`. */
function namedIds(filter: Filter): readonly string[] {
  if (filter.type === 'or') return filter.all.flatMap(namedIds)
  if (
    filter.type === 'compare' &&
    filter.comparison === 'eq' &&
    printPath(filter.path).toLowerCase() === 'value' &&
    typeof filter.value === 'string'
  )
    return [filter.value]
  return refuse('invalidPath', 'members: expected a filter such as members[value eq "id"].')
}

function* readingSteps(type: ResourceType, operations: readonly PatchOperation[]): Steps<readonly Step[]> {
  return (yield* mapInSteps(operations, (operation) => stepsOf(type, operation))).flat()
}

function stepsOf(type: ResourceType, { verb, path, value }: PatchOperation): readonly Step[] {
  if (path !== null) return stepsAt(type, verb, parsePatchPath(path), value)
  if (verb === 'remove') return refuse('noTarget', 'An operation that removes needs a path.')
  if (!isObject(value)) return refuse('invalidValue', 'value: expected an object with attributes.')
  return Object.entries(value).flatMap(([name, each]) => {
    const extension = extensionOf(type, name)
    if (extension !== null) return extensionSteps(extension, verb, each)
    return stepsAt(type, verb, parsePatchPath(name), each, true)
  })
}

function stepsAt(
  type: ResourceType,
  verb: Verb,
  target: PatchTarget,
  value: unknown,
  isPathless = false,
): readonly Step[] {
  const { path } = target
  const extension = target.some === null ? findExtension(type, path) : null
  if (extension !== null) return extensionSteps(extension, verb, value)
  const found = findAttribute(type, path)
  if (found === null) return []
  const { attribute, sub } = found
  if (attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly')
    return isPathless ? [] : refuse('mutability', `${printPath(path)} cannot be changed.`)
  if (target.some !== null && !(attribute.multiValued && attribute.type === 'complex'))
    return refuse('invalidPath', `${attribute.name} has no values to choose from.`)
  if (verb === 'add' && value === null)
    return refuse('invalidValue', `${printPath(path)}: expected a value to add.`)
  return [{ verb, target, found, value }]
}

/** The steps of an operation on a whole extension, one for each attribute. */
function extensionSteps(extension: ScimSchema, verb: Verb, value: unknown): readonly Step[] {
  const step = (attribute: ScimAttribute, each: unknown): Step => ({
    verb,
    value: each,
    found: { extension, attribute, sub: null },
    target: { path: { schema: extension.id, attribute: attribute.name, sub: null }, some: null },
  })
  if (verb === 'remove') return extension.attributes.map((attribute) => step(attribute, null))
  if (!isObject(value)) return refuse('invalidValue', `${extension.id}: expected an object.`)
  return Object.entries(value).flatMap(([name, each]) => {
    const attribute = attributeNamed(extension.attributes, name)
    return attribute === null ? [] : [step(attribute, each)]
  })
}

function applyStep(values: ResourceValues, step: Step): ResourceValues {
  const { extension, attribute } = step.found
  if (extension === null) return withValue(values, attribute, changed(values[attribute.name], step))
  const before = isObject(values[extension.id]) ? (values[extension.id] as ResourceValues) : {}
  const after = withValue(before, attribute, changed(before[attribute.name], step))
  return withMember(values, extension.id, Object.keys(after).length === 0 ? null : after)
}

function withValue(values: ResourceValues, attribute: ScimAttribute, value: unknown): ResourceValues {
  if (value === null && attribute.required)
    return refuse('mutability', `${attribute.name} is required and cannot be removed.`)
  return withMember(values, attribute.name, value)
}

/** The values after setting one value; null removes it. */
function withMember(values: ResourceValues, name: string, value: unknown): ResourceValues {
  if (value !== null) return { ...values, [name]: value }
  return Object.fromEntries(Object.entries(values).filter(([each]) => each !== name))
}

/** The attribute's value after a step; null when it is unassigned. */
function changed(before: unknown, step: Step): unknown {
  const { attribute, sub } = step.found
  if (attribute.multiValued) return changedList(Array.isArray(before) ? before : [], step)
  if (sub !== null) return changedPart(isObject(before) ? before : {}, step, sub)
  const value = step.verb === 'remove' ? null : readAttributeValue(attribute, step.value)
  // Sub-attributes that are not in the operation stay unchanged (RFC 7644, section 3.5.2.3).
  return isObject(before) && isObject(value) ? { ...before, ...value } : value
}

/** A complex value after a change to one part; null when no part is left. */
function changedPart(before: JsonObject, { verb, value }: Step, sub: ScimAttribute): JsonObject | null {
  const after = withMember(before, sub.name, verb === 'remove' ? null : readAttributeValue(sub, value))
  return Object.keys(after).length === 0 ? null : after
}

/** The values of an attribute; null for an empty list. */
function listOrNull({ name }: ScimAttribute, values: readonly unknown[]): readonly unknown[] | null {
  if (values.length > MAX_ATTRIBUTE_VALUES)
    return refuse('invalidValue', `${name}: expected at most ${String(MAX_ATTRIBUTE_VALUES)} values.`)
  return values.length === 0 ? null : values
}

function changedList(before: readonly unknown[], step: Step): readonly unknown[] | null {
  const { verb, target, found, value } = step
  const { attribute, sub } = found
  const isChosen = (each: unknown) => target.some === null || valueMatchesFilter(attribute, target.some, each)
  if (target.some === null && sub === null) return changedWhole(before, step)
  if (verb === 'remove') {
    if (sub === null)
      return listOrNull(
        attribute,
        before.filter((each) => !isChosen(each)),
      )
    const left = before.map((each) =>
      isChosen(each) && isObject(each) ? changedPart(each, step, sub) : each,
    )
    return listOrNull(
      attribute,
      left.filter((each) => isObject(each) && !isBare(each)),
    )
  }
  const change = (each: JsonObject): JsonObject => {
    if (sub !== null) return changedPart(each, step, sub) ?? {}
    const read = readAttributeValue({ ...attribute, multiValued: false }, value)
    return isObject(read) ? { ...each, ...read } : each
  }
  const made = before.some(isChosen) ? null : change(equalParts(attribute, target.some))
  const all = before.map((each) => (isChosen(each) && isObject(each) ? change(each) : each))
  const changedAll = made === null ? all : [...all, made]
  const position = made === null ? before.findIndex(isChosen) : all.length
  const kept = changedAll.filter((each) => isObject(each) && !isBare(each))
  // The changed value; undefined if it was dropped as bare. In that case, the primary value stays primary.
  const last = kept.find((each) => each === changedAll[position])
  return listOrNull(attribute, onePrimaryAfter(kept, last))
}

/** Changes a whole attribute: replaces its list, adds new values, or removes values. */
function changedWhole(
  before: readonly unknown[],
  { verb, found: { attribute }, value }: Step,
): readonly unknown[] | null {
  const read = readAttributeValue(attribute, value) as readonly unknown[] | null
  if (verb === 'replace') return read
  if (verb === 'remove') {
    if (read === null) return null
    const gone = new Set(read.map(identityOf))
    return listOrNull(
      attribute,
      before.filter((each) => !gone.has(identityOf(each))),
    )
  }
  const known = new Set(before.map(textOf))
  const fresh = (read ?? []).filter((each) => !known.has(textOf(each)))
  return listOrNull(attribute, onePrimaryAfter([...before, ...fresh], fresh.at(-1)))
}

/** Caches values as text, because many operations compare the same values. */
const texts = new WeakMap<object, string>()
function textOf(each: unknown): string {
  if (!isObject(each)) return canonicalText(each)
  const text = texts.get(each) ?? canonicalText(each)
  texts.set(each, text)
  return text
}

/** The key for removing a value: its `value`, else the whole value. */
const identityOf = (each: unknown): string =>
  isObject(each) && typeof each['value'] === 'string' ? each['value'] : textOf(each)

/** If the changed value is primary, makes all other values non-primary. */
function onePrimaryAfter(values: readonly unknown[], changedOne: unknown): readonly unknown[] {
  if (!isObject(changedOne) || changedOne['primary'] !== true) return withOnePrimary(values)
  return values.map((each) =>
    each !== changedOne && isObject(each) && each['primary'] === true ? { ...each, primary: false } : each,
  )
}

/** Whether a value has only a type and a primary flag. */
const isBare = (value: JsonObject): boolean =>
  Object.keys(value).every((name) => name === 'type' || name === 'primary')

/** The parts that a filter compares for equality. @throws ScimError `noTarget` for other comparisons */
function equalParts(attribute: ScimAttribute, filter: Filter | null): JsonObject {
  if (filter === null) return {}
  if (filter.type === 'and')
    return Object.assign({}, ...filter.all.map((each) => equalParts(attribute, each))) as JsonObject
  const part =
    filter.type === 'compare' && filter.comparison === 'eq' && filter.path.sub === null
      ? attributeNamed(attribute.subAttributes ?? [], filter.path.attribute)
      : null
  if (part === null || filter.type !== 'compare')
    return refuse('noTarget', `No value of ${attribute.name} is one that the path names.`)
  return { [part.name]: readAttributeValue(part, filter.value) }
}
