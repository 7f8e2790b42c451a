/** Reads what an add-in reported about itself (specification, TEL-1). Sizes are limited: a browser sent the report. */
import { DAY_MS } from '../release/names.ts'

/** How long a report is stored. */
export const REPORTED_KEPT_MS = 90 * DAY_MS

export type Reported = Readonly<{
  /** Null when the report has no valid version. */
  version: string | null
  /** The mail clients in which the person used the add-in, each once. */
  clients: readonly Readonly<{
    client: string
    /** Whether the signature was inserted automatically in the last message where it was due; null if not reported. */
    launch: 'went' | 'failed' | null
  }>[]
}>

const MAX_CLIENTS = 10
const VERSION = /^\d[\w.+-]{0,39}$/
const CLIENT = /^[\w. ()+-]{1,40}$/

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

const matching = (value: unknown, pattern: RegExp): string | null =>
  typeof value === 'string' && pattern.test(value) ? value : null

export function readReported(reported: unknown): Reported {
  const context = member(reported, 'context')
  const clients = new Map<string, Reported['clients'][number]>()
  for (const entry of Array.isArray(context) ? context.slice(0, MAX_CLIENTS) : []) {
    const client = matching(member(entry, 'platform'), CLIENT)
    const launch = member(entry, 'launch')
    if (client !== null)
      clients.set(client, { client, launch: launch === 'went' || launch === 'failed' ? launch : null })
  }
  return {
    version: matching(member(member(reported, 'package'), 'version'), VERSION),
    clients: [...clients.values()],
  }
}
