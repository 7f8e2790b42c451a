import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Settings } from '../settings.ts'
import type { RegisteredOrganisation } from '../sql/registry.ts'
import type { Store } from '../sql/store.ts'
import { createGraphSource } from './graph.ts'
import type { GraphCredential, GraphOptions } from './graphClient.ts'
import type { ConfiguredDirectory, PolledDirectory } from './directory.ts'
import { DirectoryError } from './runs.ts'

type Connected = Pick<Settings, 'directory' | 'identity'>
type GraphSettings = Extract<Settings['directory'], { kind: 'graph' }>

/** The Graph options of each tenant. */
export function graphOptionsOf(
  { url, credential }: GraphSettings,
  { authority, tenants, tokenAudiences }: Settings['identity'],
): readonly GraphOptions[] {
  const proof: GraphCredential =
    credential.kind === 'secret'
      ? credential
      : { kind: 'federated', readToken: () => readToken(credential.file) }
  const [clientId = ''] = tokenAudiences
  return tenants.map((tenant) => ({
    tenant,
    url,
    clientId,
    credential: proof,
    now: Date.now,
    newId: randomUUID,
    authority: authority.replaceAll('{tenant}', tenant),
  }))
}

async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    const message = `The token of the workload identity, ${file}, cannot be read.`
    throw new DirectoryError('token_refused', message, { cause: error })
  }
}

/**
 * Returns a function that connects the directory of an organisation other than `default`. Graph is read with the
 * credential in the settings.
 */
export const registeredDirectoryConnector =
  (settings: Connected) =>
  ({ tenants, directory }: RegisteredOrganisation, store: Store): ConfiguredDirectory | null => {
    if (directory?.kind === 'scim') return { kind: 'scim', attributes: [] }
    if (directory === null || settings.directory?.kind !== 'graph') return null
    const options = graphOptionsOf(settings.directory, { ...settings.identity, tenants })
    return {
      kind: 'graph',
      intervalMs: directory.minutes * 60_000,
      sources: options.map((each) => createGraphSource({ ...each, store, pictures: directory.pictures })),
    }
  }

/** Returns a function that connects the directory in the settings; null unless it is Microsoft Graph. */
export function settingsDirectoryConnector({
  directory,
  identity,
}: Connected): ((store: Store) => PolledDirectory) | null {
  if (directory?.kind !== 'graph') return null
  const { kind, intervalMs, pictures, attributes } = directory
  const options = graphOptionsOf(directory, identity)
  return (store) => ({
    kind,
    intervalMs,
    sources: options.map((each) => createGraphSource({ ...each, store, pictures, attributes })),
  })
}
