/** The attributes of SCIM users that the settings name, in addition to those that become fields of Microsoft Graph. */
import {
  fieldOfAttribute,
  fieldProblem,
  isExtensionAttribute,
} from '../../../streams/organisation/directory/attributes.ts'
import type { JsonObject } from '../../../streams/organisation/directory/directory.ts'
import { USER_PROPERTIES } from '../directory/graphEntries.ts'
import type { DirectoryStore } from '../sql/directoryStore.ts'
import { SCIM_SOURCE } from './entries.ts'
import { isObject, parsePatchPath } from './filter.ts'
import type { ResourceValues } from './resource.ts'
import { ScimError } from './scimError.ts'
import {
  type AttributePath,
  CORE_USER_URN,
  findAttribute,
  type ResourceType,
  USER_TYPE,
  withAttributes,
} from './schemas.ts'

/** The attributes of users that one organisation reads. */
export type UserAttributes = Readonly<{
  /** The names in the settings. */
  names: readonly string[]
  /** The users, with the named attributes in their schemas. */
  type: ResourceType
  /** The fields of the named attributes. Omits attributes without a value. */
  fieldsOf: (values: ResourceValues) => JsonObject
  /** The names of attributes with a value. */
  namesIn: (values: ResourceValues) => readonly string[]
  /** The names of attributes that no user has yet. */
  unknown: (store: Pick<DirectoryStore, 'filledPaths'>) => Promise<readonly string[]>
}>

const EXAMPLE = 'urn:ietf:params:scim:schemas:extension:northwind:2.0:User:costCentre'

/** Why a text cannot name an attribute of SCIM users, as a sentence; null if it can. */
export function scimAttributeProblem(name: string): string | null {
  const path = readPath(name)
  const isForm = path !== null && (isExtensionAttribute(name) || path.schema !== null)
  if (!isForm || !/^(?:urn:|extensionAttribute)/i.test(name))
    return `${name} is not an attribute with its schema such as ${EXAMPLE}.`
  const isKnown = findAttribute(USER_TYPE, path) !== null
  if (!isKnown && (path.sub !== null || path.schema?.toLowerCase() === CORE_USER_URN.toLowerCase()))
    return `${name} is in no schema of users.`
  const [field = ''] = fieldOfAttribute(name).split('.', 1)
  if (!isExtensionAttribute(name) && USER_PROPERTIES.includes(field))
    return `${name} would replace the field ${field}, which another attribute fills.`
  return fieldProblem(name)
}

function readPath(name: string): AttributePath | null {
  try {
    const { path, some } = parsePatchPath(name)
    return some === null ? path : null
  } catch (error) {
    if (!(error instanceof ScimError)) throw error
    return null
  }
}

/** @param names valid names, as `scimAttributeProblem` checks */
export function userAttributesOf(names: readonly string[]): UserAttributes {
  const paths = names.flatMap((name) => readPath(name) ?? [])
  const type = withAttributes(USER_TYPE, paths)
  const places = paths.flatMap((path, index) => {
    const found = findAttribute(type, path)
    const name = names[index] ?? ''
    if (found === null) return []
    const { extension, attribute, sub } = found
    const keys = [extension?.id, attribute.name, sub?.name].filter((key) => key !== undefined)
    return [{ name, keys }]
  })
  const filledIn = (values: ResourceValues) =>
    places.flatMap(({ name, keys }) => {
      const value = keys.reduce<unknown>((whole, key) => (isObject(whole) ? whole[key] : undefined), values)
      return value === undefined ? [] : [{ name, value }]
    })
  return {
    names,
    type,
    fieldsOf: (values) =>
      Object.fromEntries(
        // `graphUserOf` already contains the fifteen extension attributes.
        filledIn(values).flatMap(({ name, value }) =>
          isExtensionAttribute(name) ? [] : [[fieldOfAttribute(name), value] as const],
        ),
        // The type is correct, because the values were parsed from JSON.
      ) as JsonObject,
    namesIn: (values) => filledIn(values).map(({ name }) => name),
    async unknown(store) {
      const filled = await store.filledPaths(
        SCIM_SOURCE,
        'user',
        places.map(({ keys }) => ['values', ...keys]),
      )
      return places.flatMap(({ name }, index) => (filled.has(index) ? [] : [name]))
    },
  }
}
