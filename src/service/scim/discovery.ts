/** Describes this service's SCIM features (RFC 7643, sections 5 to 7). */
import { DomainError } from '../operations/domainError.ts'
import type { JsonObject } from './filter.ts'
import type { ResourceType } from './schemas.ts'

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'
export const MAX_RESULTS = 200

/** @param base the address of SCIM, without a slash at the end */
export const providerConfig = (base: string): JsonObject => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The secret token of the service, in the header Authorization.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

export const resourceTypes = (base: string, types: readonly ResourceType[]): readonly JsonObject[] =>
  types.map(({ name, endpoint, schema, extensions }) => ({
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint,
    description: schema.description,
    schema: schema.id,
    schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }))

export const schemaResources = (base: string, types: readonly ResourceType[]): readonly JsonObject[] =>
  types
    .flatMap(({ schema, extensions }) => [schema, ...extensions])
    .map((schema) => ({
      schemas: [`${CORE}:Schema`],
      ...schema,
      meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
    }))

/**
 * Finds the resource with this id, ignoring case.
 *
 * @throws DomainError `not_found`
 */
export function resourceWithId(all: readonly JsonObject[], id: string): JsonObject {
  const found = all.find((each) => String(each['id']).toLowerCase() === id.toLowerCase())
  if (found === undefined) throw new DomainError('not_found', 'There is no such resource.')
  return found
}
