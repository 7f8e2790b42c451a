import type { TelemetryContext } from './events.ts'

/** The entries of both, only the latest of each platform; the same reference when nothing is new. */
export function mergeContext(
  known: readonly TelemetryContext[],
  added: readonly TelemetryContext[],
): readonly TelemetryContext[] {
  const merged = new Map([...known, ...added].map((entry) => [entry.platform, entry]))
  const entries = [...merged.values()]
  const isSame = entries.length === known.length && entries.every((entry, index) => entry === known[index])
  return isSame ? known : entries
}

/** The valid entries from private storage. */
export const parseContext = (value: unknown): readonly TelemetryContext[] =>
  Array.isArray(value)
    ? value.flatMap((entry: unknown) => {
        const { platform, language } = (entry ?? {}) as Record<string, unknown>
        return typeof platform === 'string' && typeof language === 'string' ? [{ platform, language }] : []
      })
    : []
