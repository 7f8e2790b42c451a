/** Numbers the published releases. A number is derived from the history, so it is the same everywhere. */
import type { Published } from './state.ts'

/** A history entry. The first entry has number 1. */
export type Numbered = Published &
  Readonly<{
    number: number
    /** The number of the entry that a rollback republished; null for a release published from a folder. */
    backTo: number | null
  }>

/** The history entries with their numbers, latest first. */
export function numbered(history: readonly Published[]): readonly Numbered[] {
  const published = new Map<string, number>()
  const entries: Numbered[] = []
  for (const [index, entry] of [...history].reverse().entries()) {
    const number = index + 1
    const { release, rolledBack } = entry
    entries.push({ ...entry, number, backTo: rolledBack ? (published.get(release) ?? null) : null })
    if (!rolledBack) published.set(release, number)
  }
  return entries.reverse()
}
