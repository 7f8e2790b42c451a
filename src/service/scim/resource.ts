/** Reads SCIM resources, and normalises names and values by the schema. */
import { isObject, type JsonObject } from './filter.ts'
import {
  type ScimAttribute,
  attributeNamed,
  extensionOf,
  ownAttributes,
  type ResourceType,
} from './schemas.ts'
import { ScimError } from './scimError.ts'

/**
 * The attributes of a resource, named as in the schema. An extension's attributes are in an object under its URN. There
 * is no `id`, `schemas` or `meta`. Unassigned attributes are omitted, so no value is null, an empty list or an empty
 * object.
 */
export type ResourceValues = Readonly<Record<string, unknown>>

const MAX_CHARACTERS = 4_000
/** The longest id that the service assigns. */
export const MAX_ID_CHARACTERS = 100
/** The longest name or id from the directory. The database index accepts up to 2,700 bytes. */
const MAX_NAME_CHARACTERS = 500
/** The maximum number of values in an attribute. */
export const MAX_ATTRIBUTE_VALUES = 100

const invalid = (name: string, expected: string): never => {
  throw new ScimError('invalidValue', `${name}: expected ${expected}.`)
}

/**
 * Reads the values of a new or replaced resource. Omits members, which are stored separately, and unknown and read-only
 * attributes (RFC 7644, section 3.5.1).
 *
 * @throws ScimError `invalidValue` with the attribute; `invalidSyntax` when the body is not an object
 */
export function readResource(type: ResourceType, body: unknown): ResourceValues {
  if (!isObject(body)) throw new ScimError('invalidSyntax', 'The body is not an object.')
  const own = ownAttributes(type).filter(({ name }) => name !== 'members')
  const values = readAttributes(own, body, '')
  const extensions = Object.entries(body).flatMap(([name, value]) => {
    const extension = extensionOf(type, name)
    if (extension === null || value === null) return []
    if (!isObject(value)) return invalid(extension.id, 'an object')
    const read = readAttributes(extension.attributes, value, `${extension.id}:`)
    return Object.keys(read).length === 0 ? [] : [[extension.id, read] as const]
  })
  return { ...values, ...Object.fromEntries(extensions) }
}

/** @throws ScimError `invalidValue` when a required name is missing, or when a name or an id is too long */
export function checkNames(type: ResourceType, values: ResourceValues): void {
  for (const { name, required, uniqueness } of ownAttributes(type)) {
    const value = values[name]
    const text = typeof value === 'string' ? value : ''
    if (required && text.trim() === '') invalid(name, 'a text: the attribute is required')
    if ((uniqueness === 'server' || name === 'externalId') && text.length > MAX_NAME_CHARACTERS)
      invalid(name, `at most ${String(MAX_NAME_CHARACTERS)} characters`)
  }
}

function readAttributes(
  attributes: readonly ScimAttribute[],
  object: JsonObject,
  prefix: string,
): ResourceValues {
  const read = new Map<string, unknown>()
  for (const [name, value] of Object.entries(object)) {
    const attribute = attributeNamed(attributes, name)
    if (attribute === null || attribute.mutability === 'readOnly') continue
    const known = readAttributeValue(attribute, value, prefix)
    if (known !== null) read.set(attribute.name, known)
  }
  return Object.fromEntries(read)
}

/**
 * Reads a value, and converts it to the form of the schema. A multi-valued attribute becomes a list. A boolean may also
 * be "True" or "False". A text for a complex attribute is its `value`. A single complex value may be in a list, as
 * Microsoft Entra documents for the manager. Returns null for an unassigned attribute, which is null, an empty list or
 * an empty object.
 *
 * @throws ScimError `invalidValue`
 */
export function readAttributeValue(attribute: ScimAttribute, value: unknown, prefix = ''): unknown {
  if (value === null || value === undefined) return null
  if (!attribute.multiValued) return readSingleValue(attribute, onlyOne(attribute, value), prefix)
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (given.length > MAX_ATTRIBUTE_VALUES)
    return invalid(`${prefix}${attribute.name}`, `at most ${String(MAX_ATTRIBUTE_VALUES)} values`)
  const read = given.map((each) => readSingleValue(attribute, each, prefix)).filter((each) => each !== null)
  return read.length === 0 ? null : withOnePrimary(read)
}

const onlyOne = ({ type }: ScimAttribute, value: unknown): unknown =>
  type === 'complex' && Array.isArray(value) && value.length < 2 ? (value[0] ?? null) : value

/**
 * Reads a single value, even of a multi-valued attribute. Otherwise like `readAttributeValue`.
 *
 * @throws ScimError `invalidValue`
 */
export function readSingleValue(attribute: ScimAttribute, value: unknown, prefix = ''): unknown {
  const name = `${prefix}${attribute.name}`
  if (value === null || value === undefined) return null
  switch (attribute.type) {
    case 'boolean':
      return readFlag(value) ?? invalid(name, 'true or false')
    case 'complex': {
      const parts = attribute.subAttributes ?? []
      const object = typeof value === 'string' && attributeNamed(parts, 'value') ? { value } : value
      if (!isObject(object)) return invalid(name, 'an object')
      const read = readAttributes(parts, object, `${name}.`)
      return Object.keys(read).length === 0 ? null : read
    }
    default:
      // Some directories send a number instead of a text, such as the employee number.
      if (typeof value === 'number') return String(value)
      if (typeof value !== 'string') return invalid(name, 'a text')
      return value.length > MAX_CHARACTERS
        ? invalid(name, `at most ${String(MAX_CHARACTERS)} characters`)
        : value
  }
}

function readFlag(value: unknown): boolean | null {
  const text = typeof value === 'string' ? value.toLowerCase() : value
  if (text === true || text === 'true') return true
  return text === false || text === 'false' ? false : null
}

/** Keeps only the last primary value as primary (RFC 7644, section 3.5.2). */
export function withOnePrimary(values: readonly unknown[]): readonly unknown[] {
  const last = values.findLastIndex(isPrimary)
  return values.map((value, index) =>
    index !== last && isPrimary(value) ? { ...(value as JsonObject), primary: false } : value,
  )
}

const isPrimary = (value: unknown): boolean => isObject(value) && value['primary'] === true
