/** What the edits of signatures and those of blocks have in common: one of several items, and its files. */

type Item = Readonly<{ id: string }>

/** The items after changes of the one with this id; the same reference when nothing changes. */
export function changed<Of extends Item>(
  items: readonly Of[],
  id: string,
  changes: Partial<Omit<Of, 'id'>>,
): readonly Of[] {
  const before = items.find((item) => item.id === id)
  if (before === undefined) return items
  const after = { ...before, ...changes }
  if (JSON.stringify(after) === JSON.stringify(before)) return items
  return items.map((item) => (item === before ? after : item))
}

/** The items with one of them at the index `to`, or at the nearest end; the same reference when it is there already. */
export function moved<Of>(items: readonly Of[], item: Of, to: number): readonly Of[] {
  const from = items.indexOf(item)
  const place = Math.max(0, Math.min(items.length - 1, to))
  if (from < 0 || from === place) return items
  const others = items.filter((each) => each !== item)
  return [...others.slice(0, place), item, ...others.slice(place)]
}

/** `first`, or the first of `other(2)`, `other(3)`, … that is not taken. */
function firstFree(first: string, other: (number: number) => string, taken: ReadonlySet<string>): string {
  let free = first
  for (let number = 2; taken.has(free); number += 1) free = other(number)
  return free
}

/** An id has at most 60 characters. The last ones are left for a number. */
const MAX_ID_STEM = 50

/** An id of this name that is not taken. A name without a letter from a to z, or a digit, gives `otherwise`. */
export function newId(name: string, taken: ReadonlySet<string>, otherwise = 'signature'): string {
  const letters = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
  const id = letters.slice(0, MAX_ID_STEM) || otherwise
  return firstFree(id, (number) => `${id}_${String(number)}`, taken)
}

/** Whether one of the items has this id. */
export const hasId = (items: readonly Item[], id: string): boolean => items.some((item) => item.id === id)

/** The name of the files of an item with this id: a path has no `_`. */
export const fileOf = (id: string): string => id.replaceAll('_', '-')

/** The first of `base.ending`, `base-2.ending`, … that is neither a file nor a folder of these paths. */
export function freePath(base: string, ending: string, paths: readonly string[]): string {
  const taken = new Set(
    paths.flatMap((path) => {
      const names = path.toLowerCase().split('/')
      return names.map((_, index) => names.slice(0, index + 1).join('/'))
    }),
  )
  return firstFree(`${base}.${ending}`, (number) => `${base}-${String(number)}.${ending}`, taken)
}
