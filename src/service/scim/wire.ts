/** Builds SCIM responses: resources, lists and errors (RFC 7644, sections 3.4 and 3.12). */
import { type AttributePath, findAttribute, ownAttributes, type ResourceType } from './schemas.ts'
import { type Filter, isObject, type JsonObject, parsePatchPath } from './filter.ts'
import type { ResourceValues } from './resource.ts'
import { SCIM_ERROR_CODES } from './scimError.ts'

export const SCIM_MEDIA_TYPE = 'application/scim+json'
const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0'
const MAX_PATHS = 100

/** A resource as stored in the directory mirror, with times in ISO 8601. */
export type StoredResource = Readonly<{ values: ResourceValues; created: string; lastModified: string }>

/** @param base the address of SCIM, without a slash at the end */
export function resourceOf(type: ResourceType, id: string, kept: StoredResource, base: string): JsonObject {
  const { values, created, lastModified } = kept
  const extensions = type.extensions.map((extension) => extension.id).filter((urn) => urn in values)
  return {
    schemas: [type.schema.id, ...extensions],
    id,
    ...values,
    meta: {
      resourceType: type.name,
      created,
      lastModified,
      location: resourceAddressOf(base, type, id),
    },
  }
}

export const resourceAddressOf = (base: string, { endpoint }: ResourceType, id: string): string =>
  `${base}${endpoint}/${encodeURIComponent(id)}`

/** Builds the response for a page of resources. `startIndex` begins at 1. */
export const listResponseOf = (
  resources: readonly JsonObject[],
  total: number,
  startIndex: number,
): JsonObject => ({
  schemas: [`${MESSAGES}:ListResponse`],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

/** The `scimType` of an error code. Other codes have no `scimType`. */
const SCIM_TYPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SCIM_ERROR_CODES.map((code) => [code, code])),
  tooMany: 'tooMany',
  invalid_json: 'invalidSyntax',
  invalid_body: 'invalidSyntax',
  invalid_query: 'invalidValue',
}

/** The body of an error. */
export const errorBodyOf = (status: number, code: string, message: string): JsonObject => ({
  schemas: [`${MESSAGES}:Error`],
  status: String(status),
  ...(Object.hasOwn(SCIM_TYPES, code) ? { scimType: SCIM_TYPES[code] } : {}),
  detail: message,
})

/** The attributes of a response. With `only`, the response contains the attributes at `paths`, else all others. */
export type AttributeSelection = Readonly<{ only: boolean; paths: readonly AttributePath[] }>

/**
 * Reads the requested selection of attributes.
 *
 * @throws ScimError `invalidPath`
 */
export function readAttributeSelection(
  query: Readonly<{ attributes?: string | undefined; excludedAttributes?: string | undefined }>,
): AttributeSelection {
  const pathsOf = (text: string) =>
    text
      .split(',')
      .filter((each) => each.trim() !== '')
      .slice(0, MAX_PATHS)
      .map((each) => parsePatchPath(each).path)
  const only = pathsOf(query.attributes ?? '')
  return only.length > 0
    ? { only: true, paths: only }
    : { only: false, paths: pathsOf(query.excludedAttributes ?? '') }
}

/** Whether a response includes this attribute of the resource itself, or a part of it. */
export const isAttributeSelected = (
  type: ResourceType,
  { only, paths }: AttributeSelection,
  name: string,
): boolean => only === paths.some((path) => isOf(type, path, name) && (only || path.sub === null))

const isOf = (type: ResourceType, path: AttributePath, name: string): boolean => {
  const found = findAttribute(type, path)
  return found !== null && found.extension === null && found.attribute.name === name
}

/** Whether a filter names this attribute of the resource itself. */
export function filterNamesAttribute(type: ResourceType, filter: Filter, name: string): boolean {
  switch (filter.type) {
    case 'and':
    case 'or':
      return filter.all.some((each) => filterNamesAttribute(type, each, name))
    case 'not':
      return filterNamesAttribute(type, filter.filter, name)
    default:
      return isOf(type, filter.path, name)
  }
}

/** The resource with only its selected attributes. `id` and `schemas` are always included. */
export function selectAttributes(
  type: ResourceType,
  resource: JsonObject,
  selection: AttributeSelection,
): JsonObject {
  if (!selection.only && selection.paths.length === 0) return resource
  const found = selection.paths.flatMap((path) => findAttribute(type, path) ?? [])
  const partOf = (value: unknown, extension: string | null, name: string): unknown => {
    const here = found.filter(
      (each) => (each.extension?.id ?? null) === extension && each.attribute.name === name,
    )
    const subs = here.flatMap(({ sub }) => (sub === null ? [] : [sub.name]))
    const isWhole = here.some(({ sub }) => sub === null)
    if (isWhole || here.length === 0) return isWhole === selection.only ? value : undefined
    const pick = (each: unknown): unknown =>
      isObject(each)
        ? Object.fromEntries(Object.entries(each).filter(([key]) => subs.includes(key) === selection.only))
        : each
    return Array.isArray(value) ? value.map(pick) : pick(value)
  }
  const partsOf = (object: JsonObject, extension: string | null): JsonObject =>
    Object.fromEntries(
      Object.entries(object).flatMap(([name, value]) => {
        const part = partOf(value, extension, name)
        return part === undefined ? [] : [[name, part] as const]
      }),
    )
  const isAlways = (name: string) =>
    ownAttributes(type).some((attribute) => attribute.name === name && attribute.returned === 'always')
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) => {
      if (isAlways(name)) return [[name, value] as const]
      const extension = type.extensions.find(({ id }) => id === name)
      const part = extension && isObject(value) ? partsOf(value, name) : partOf(value, null, name)
      const isEmpty = part === undefined || (isObject(part) && Object.keys(part).length === 0)
      return isEmpty ? [] : [[name, part] as const]
    }),
  )
}
