/** Reads a delta query of Microsoft Graph: either the changes since the stored link, or everything in a new round. */
import type { Schema } from '../../../streams/kernel/schema.ts'
import type { DirectoryStore } from '../sql/directoryStore.ts'
import { type GraphClient, DeltaLinkExpired } from './graphClient.ts'
import type { GraphPage } from './graphEntries.ts'
import { DirectoryError } from './runs.ts'

export const MAX_ROUND_PAGES = 100_000

export type RoundPorts = Readonly<{
  directory: DirectoryStore
  /** The source's name in the directory mirror. */
  source: string
  client: Pick<GraphClient, 'read'>
  /** Makes the id of a round. */
  newId: () => string
}>

export type DeltaQuery<Item> = Readonly<{
  /** The name of the cursor that stores the delta link. */
  cursor: string
  /** The address of the first page of a round. */
  first: string
  schema: Schema<GraphPage<Item>>
  /** Processes a page. `round` is the id of the round; null for pages from a delta link. */
  use: (page: GraphPage<Item>, round: string | null) => Promise<void>
  /** Removes the entries that a complete round did not report. */
  endRound: (round: string) => Promise<void>
}>

/** Reads pages from the stored delta link. Without a link, or if Graph refuses it, reads everything in a new round. */
export async function readRound<Item>(
  { directory, source, client, newId }: RoundPorts,
  { cursor, first, schema, use, endRound }: DeltaQuery<Item>,
  signal: AbortSignal,
): Promise<void> {
  const readFrom = async (start: string, round: string | null) => {
    let address = start
    for (let pages = 0; pages < MAX_ROUND_PAGES; pages += 1) {
      const read = await client.read(address, schema, signal)
      const { '@odata.nextLink': next, '@odata.deltaLink': delta } = read
      if ((next === undefined) === (delta === undefined) || next === address)
        throw new DirectoryError('malformed', 'Microsoft Graph gives no usable link to its next page.')
      await use(read, round)
      if (delta !== undefined) return delta
      address = next ?? ''
    }
    throw new DirectoryError('malformed', 'The answer of Microsoft Graph has no end.')
  }
  let start = first
  const kept = await directory.cursor(source, cursor)
  if (kept !== null) {
    try {
      await directory.keepCursor(source, cursor, await readFrom(kept, null))
      return
    } catch (error) {
      if (!(error instanceof DeltaLinkExpired)) throw error
      start = error.location ?? first
    }
  }
  const round = newId()
  try {
    const delta = await readFrom(start, round)
    await endRound(round)
    await directory.keepCursor(source, cursor, delta)
  } catch (error) {
    if (!(error instanceof DeltaLinkExpired)) throw error
    throw new DirectoryError('malformed', 'Microsoft Graph refuses a reading of everything.', {
      cause: error,
    })
  }
}
