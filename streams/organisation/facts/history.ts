/** Numbers the published releases. The number follows from the history, so it is the same everywhere. */
import type { HistoryEntry } from './state.ts'

/** A history entry with its number. The oldest entry has number 1. */
export type NumberedRelease = HistoryEntry &
  Readonly<{
    number: number
    /** The number of the release that a rollback returned to; null if the entry is not a rollback. */
    backTo: number | null
  }>

/** Lists the history entries with their numbers, latest first. */
export function numberReleases(history: readonly HistoryEntry[]): readonly NumberedRelease[] {
  const published = new Map<string, number>()
  const entries: NumberedRelease[] = []
  for (const [index, entry] of [...history].reverse().entries()) {
    const number = index + 1
    const { release, rolledBack } = entry
    entries.push({ ...entry, number, backTo: rolledBack ? (published.get(release) ?? null) : null })
    if (!rolledBack) published.set(release, number)
  }
  return entries.reverse()
}
