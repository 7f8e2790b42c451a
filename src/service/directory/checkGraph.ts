/** Checks the permissions for Microsoft Graph by sending read requests. */
import { list, object, text } from '../../../streams/kernel/schema.ts'
import { PlainError, errorReason } from '../../server/reasons.ts'
import { findUnknownAttributes } from './graphAttributes.ts'
import { createGraphClient, type GraphOptions } from './graphClient.ts'
import { DirectoryError } from './runs.ts'

export type GraphFinding = Readonly<{
  /** The result, as a sentence. */
  finding: string
  /** How to fix the problem; null without a problem. */
  advice: string | null
}>

const idsSchema = object({ value: list(object({ id: text })) })
const FIRST = { $select: 'id', $top: '1' }
const CONSENT =
  'in Entra, App registrations, API permissions, as an application permission of Microsoft Graph, and let an administrator consent to it'

/** Checks one tenant. Never rejects: it reports an error as a finding. */
export async function checkGraph(
  options: GraphOptions,
  { pictures, attributes }: Readonly<{ pictures: boolean; attributes: readonly string[] }>,
): Promise<readonly GraphFinding[]> {
  const { tenant } = options
  const signal = new AbortController().signal
  const client = createGraphClient({
    ...options,
    wait: () =>
      Promise.reject(new DirectoryError('throttled', 'Microsoft Graph accepts no more requests now.')),
  })
  const allowed: string[] = []
  const missing: GraphFinding[] = []
  const check = async (permission: string, run: () => Promise<void>): Promise<void> => {
    try {
      await run()
      allowed.push(permission)
    } catch (error) {
      if (!(error instanceof DirectoryError) || error.code !== 'forbidden') throw error
      const finding = `Microsoft Graph does not let the service use ${permission} in tenant ${tenant}.`
      missing.push({ finding, advice: `Add ${permission} ${CONSENT}.` })
    }
  }
  try {
    let user: string | undefined
    await check('User.Read.All', async () => {
      const { value } = await client.read(client.addressOf('users', FIRST), idsSchema, signal)
      user = value[0]?.id
    })
    await check('GroupMember.Read.All', async () => {
      await client.read(client.addressOf('groups', FIRST), idsSchema, signal)
    })
    const first = user
    if (pictures && first !== undefined)
      await check('ProfilePhoto.Read.All', async () => {
        await client.readPicture(first, signal)
      })
    const unknown = allowed.includes('User.Read.All')
      ? await findUnknownAttributes(client, attributes, signal)
      : []
    for (const name of unknown)
      missing.push({
        finding: `Microsoft Graph does not give the service the attribute ${name} of users in tenant ${tenant}.`,
        advice: `Correct ${name} in SIGNET_DIRECTORY_ATTRIBUTES, or remove it. Syncs leave it out.`,
      })
  } catch (error) {
    const advice =
      'Fix that first: check SIGNET_GRAPH_URL, the secret or the federated token, and that this machine may reach Microsoft Graph over https.'
    const finding =
      error instanceof PlainError
        ? error.message
        : `Microsoft Graph cannot be asked in tenant ${tenant}: ${errorReason(error, 'an unexpected error happened')}.`
    return [{ finding, advice }]
  }
  const finding = `Microsoft Graph lets the service use ${allowed.join(', ')} in tenant ${tenant}.`
  return missing.length > 0 ? missing : [{ finding, advice: null }]
}
