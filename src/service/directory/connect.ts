import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ServiceOptions } from '../service.ts'
import type { Settings } from '../settings.ts'
import { createGraphSource, type GraphCredential, type GraphOptions } from './graph.ts'
import { DirectoryError } from './runs.ts'

type Connected = Pick<Settings, 'directory' | 'identity'>
type GraphSettings = Extract<Settings['directory'], { kind: 'graph' }>

/** The options of Graph for each tenant. */
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

/** The directory that the settings name, if it is Microsoft Graph; else null. */
export function directoryOf({
  directory,
  identity,
}: Connected): NonNullable<ServiceOptions['directory']> | null {
  if (directory?.kind !== 'graph') return null
  const { kind, intervalMs, pictures } = directory
  const options = graphOptionsOf(directory, identity)
  return (store) => ({
    kind,
    intervalMs,
    sources: options.map((each) => createGraphSource({ ...each, store, pictures })),
  })
}
