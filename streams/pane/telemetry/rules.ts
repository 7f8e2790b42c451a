import type { LaunchOutcome } from '../../launch/events.ts'
import type { LaunchResult, TelemetryContext } from './events.ts'

/** The result to report; null if no signature was due, the user chose, or another launch event counts. */
const RESULTS: Readonly<Record<LaunchOutcome, LaunchResult | null>> = {
  inserted: 'went',
  already: 'went',
  signInNeeded: 'failed',
  offline: 'failed',
  failed: 'failed',
  late: 'failed',
  leftToPerson: null,
  none: null,
  superseded: null,
  itemGone: null,
}

/** Sets the launch result in the platform's entry. An entry that does not change stays the same object. */
export const withLaunchResult = (
  context: readonly TelemetryContext[],
  platform: string | undefined,
  outcome: LaunchOutcome,
): readonly TelemetryContext[] => {
  const launch = RESULTS[outcome]
  return context.map((entry) =>
    launch !== null && entry.platform === platform && entry.launch !== launch ? { ...entry, launch } : entry,
  )
}

/** Merges lists: each platform has its latest entry and launch result. Returns `known` if `added` has nothing new. */
export function mergeContext(
  known: readonly TelemetryContext[],
  added: readonly TelemetryContext[],
): readonly TelemetryContext[] {
  const merged = new Map<string, TelemetryContext>()
  for (const entry of [...known, ...added]) {
    const launch = merged.get(entry.platform)?.launch
    merged.set(entry.platform, launch && !entry.launch ? { ...entry, launch } : entry)
  }
  const entries = [...merged.values()]
  const isSame = entries.length === known.length && entries.every((entry, index) => entry === known[index])
  return isSame ? known : entries
}

/** The valid entries of a value from private storage. */
export const parseTelemetryContext = (value: unknown): readonly TelemetryContext[] =>
  Array.isArray(value)
    ? value.flatMap((entry: unknown) => {
        const { platform, language, launch } = (entry ?? {}) as Record<string, unknown>
        return typeof platform === 'string' && typeof language === 'string'
          ? [{ platform, language, ...((launch === 'went' || launch === 'failed') && { launch }) }]
          : []
      })
    : []
