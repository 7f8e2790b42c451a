/** Numbers what was published. A number is derived from the history, so that it is the same everywhere. */
import type { Published } from './state.ts'

/** An entry of the history. The first entry has the number 1. */
export type Numbered = Published &
  Readonly<{
    number: number
    /** The number of the entry that a roll-back published again; null for what was published from a folder. */
    backTo: number | null
  }>

/** The entries with their numbers, in the order of the history: latest first. */
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
