/** Converts SCIM users and groups to entries of the directory mirror, and back. */
import {
  graphAddressesOf,
  type JsonObject as Json,
} from '../../../streams/organisation/directory/directory.ts'
import { uniqueAddresses } from '../../values/mailAddress.ts'
import type { DirectoryEntry, EntryKind, ReportedEntry } from '../sql/directoryEntries.ts'
import { isObject } from './filter.ts'
import { graphUserOf, reportedManagerOf } from './graphUser.ts'
import type { ResourceType } from './schemas.ts'
import type { StoredResource } from './wire.ts'

/** The name of SCIM as a source in the directory mirror. */
export const SCIM_SOURCE = 'scim'

export const entryKindOf = ({ name }: ResourceType): EntryKind => (name === 'User' ? 'user' : 'group')

const lower = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().toLowerCase() : null

export const reportedEntryOf = (type: ResourceType, id: string, kept: StoredResource): ReportedEntry => ({
  id,
  data: kept as unknown as Json,
  name: lower(kept.values[type.name === 'User' ? 'userName' : 'displayName']),
  externalId: lower(kept.values['externalId']),
  addresses: type.name === 'User' ? uniqueAddresses(graphAddressesOf(graphUserOf(kept.values))) : [],
  manager: reportedManagerOf(kept.values).id,
  active: kept.values['active'] !== false,
})

/** Reads a resource from its entry in the directory mirror. */
export function storedResourceOf({ data }: Pick<DirectoryEntry, 'data'>): StoredResource {
  const { values, created, lastModified } = data
  return {
    values: isObject(values) ? values : {},
    created: typeof created === 'string' ? created : '',
    lastModified: typeof lastModified === 'string' ? lastModified : '',
  }
}
