/** Counts what the cleaning takes out. */
import type { TakenOut } from '../../streams/organisation/adopt/adopted.ts'

/** No person reads more. What is beyond counts under this name. */
const MAX_ENTRIES = 300
const OTHERS = '…'
const MAX_NAME_CHARACTERS = 80

export type Tally = Readonly<{
  take: (kind: TakenOut['kind'], name: string, reason: TakenOut['reason'], count?: number) => void
  add: (entry: TakenOut) => void
  /** What was taken out: what may run first, then what is missed, then noise; of each, what is most. */
  list: () => readonly TakenOut[]
}>

export function createTally(): Tally {
  const entries = new Map<string, TakenOut>()

  function add({ name, kind, reason, count }: TakenOut): void {
    // Names are foreign text of any length, in which control characters could be.
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

const ORDER: readonly TakenOut['reason'][] = ['active', 'missing', 'unreadable', 'limit', 'notMail', 'noise']
