/** Attributes of Microsoft Graph users that the settings name, in addition to those that Signet always reads. */
import { createHash } from 'node:crypto'
import { isExtensionAttribute } from '../../../streams/organisation/directory/attributes.ts'
import type { GraphClient } from './graphClient.ts'
import { USER_PROPERTIES } from './graphEntries.ts'

const ALWAYS_READ = new Set(USER_PROPERTIES.map((name) => name.toLowerCase()))

/** The names that are not always read. */
export const furtherProperties = (attributes: readonly string[]): readonly string[] => [
  ...new Set(
    attributes.filter((name) => !isExtensionAttribute(name) && !ALWAYS_READ.has(name.toLowerCase())),
  ),
]

/**
 * The names that the tenant does not know, or does not let the service read. Asks for all names at once, and for each
 * name only if Graph refuses them, because its message does not always say which one is wrong.
 *
 * @throws DirectoryError
 */
export async function findUnknownAttributes(
  client: Pick<GraphClient, 'addressOf' | 'isAnswered'>,
  attributes: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names = furtherProperties(attributes)
  const areKnown = (some: readonly string[]) =>
    client.isAnswered(client.addressOf('users', { $select: ['id', ...some].join(','), $top: '1' }), signal)
  if (names.length === 0 || (await areKnown(names))) return []
  const unknown: string[] = []
  for (const name of names) if (!(await areKnown([name]))) unknown.push(name)
  return unknown
}

const CURSOR_HASH_CHARACTERS = 16

/**
 * The end of the cursor's name for a selection with these further properties; empty without one. A hash, because an index
 * limits the length of a name.
 */
export const selectionName = (properties: readonly string[]): string =>
  properties.length === 0
    ? ''
    : ` and ${createHash('sha256')
        .update([...properties].sort().join())
        .digest('hex')
        .slice(0, CURSOR_HASH_CHARACTERS)}`
