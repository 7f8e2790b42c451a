/**
 * Reads an add-in's report about itself (specification, TEL-1). Sizes are limited, because a browser sent the report.
 */
import { DAY_MS } from '../release/names.ts'

/** The retention time of a report. */
export const TELEMETRY_KEPT_MS = 90 * DAY_MS

export type TelemetryReport = Readonly<{
  /** Null when the report has no valid version. */
  version: string | null
  /** The mail clients in which the person used the add-in, without duplicates. */
  clients: readonly Readonly<{
    client: string
    /** Whether the add-in inserted the signature automatically when one was last due; null if not reported. */
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

export function readTelemetryReport(reported: unknown): TelemetryReport {
  const context = member(reported, 'context')
  const clients = new Map<string, TelemetryReport['clients'][number]>()
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
