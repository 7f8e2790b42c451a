/** Counts the markup that cleaning removes. */
import type { RemovedMarkup } from '../../streams/organisation/adopt/adopted.ts'

/** Nobody reads a longer list, so all further entries are counted under the name `OTHERS`. */
const MAX_ENTRIES = 300
const OTHERS = '…'
const MAX_NAME_CHARACTERS = 80

export type RemovalTally = Readonly<{
  take: (kind: RemovedMarkup['kind'], name: string, reason: RemovedMarkup['reason'], count?: number) => void
  add: (entry: RemovedMarkup) => void
  /**
   * The removed markup: first active code, then visible losses, then noise. Within each group, the most frequent first.
   */
  list: () => readonly RemovedMarkup[]
}>

export function createRemovalTally(): RemovalTally {
  const entries = new Map<string, RemovedMarkup>()

  function add({ name, kind, reason, count }: RemovedMarkup): void {
    // Names are untrusted text of any length, and may contain control characters.
    const plain = name
      .slice(0, MAX_NAME_CHARACTERS)
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim()
    const key = JSON.stringify([kind, reason, plain])
    if (entries.size >= MAX_ENTRIES && !entries.has(key) && plain !== OTHERS)
      return add({ name: OTHERS, kind, reason, count })
    entries.set(key, { name: plain, kind, reason, count: (entries.get(key)?.count ?? 0) + count })
  }

  return {
    take: (kind, name, reason, count = 1) => add({ kind, name, reason, count }),
    add,
    list: () =>
      [...entries.values()].sort(
        (one, other) => ORDER.indexOf(one.reason) - ORDER.indexOf(other.reason) || other.count - one.count,
      ),
  }
}

const ORDER: readonly RemovedMarkup['reason'][] = [
  'active',
  'missing',
  'unreadable',
  'limit',
  'notMail',
  'noise',
]
