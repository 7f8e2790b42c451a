/** List edits and file names that signatures and blocks share. */
import type { ThreadPlace } from '../../html/slots.ts'

type Item = Readonly<{ id: string }>

/** Changes the item with this id; the same list if nothing changes. */
export function withChangedItem<Of extends Item>(
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

/** Removes an item's place in threads; the same list if the item has none. */
export const withoutThread = <Of extends Item & Readonly<{ thread?: ThreadPlace }>>(
  items: readonly Of[],
  id: string,
): readonly Of[] =>
  items.some((item) => item.id === id && item.thread !== undefined)
    ? items.map((item) => {
        if (item.id !== id) return item
        const { thread: _, ...others } = item
        return others as Of
      })
    : items

/** Moves an item to the index `to`, limited to the list's bounds; the same list if the item is already there. */
export function withMovedItem<Of>(items: readonly Of[], item: Of, to: number): readonly Of[] {
  const from = items.indexOf(item)
  const place = Math.max(0, Math.min(items.length - 1, to))
  if (from < 0 || from === place) return items
  const others = items.filter((each) => each !== item)
  return [...others.slice(0, place), item, ...others.slice(place)]
}

/** The side of an item on which another item is dropped. */
export type DropSide = 'before' | 'after'

/**
 * The new index of an item that is dropped beside another one. `from` and `beside` are their indexes before the move.
 */
export function dropIndex(from: number, beside: number, side: DropSide): number {
  const gap = side === 'before' ? beside : beside + 1
  return from < gap ? gap - 1 : gap
}

/** Returns `first`, or the first free name of `other(2)`, `other(3)`, … */
function firstFree(first: string, other: (number: number) => string, taken: ReadonlySet<string>): string {
  let free = first
  for (let number = 2; taken.has(free); number += 1) free = other(number)
  return free
}

/** An id has at most 60 characters, so this leaves room for a number. */
const MAX_ID_STEM = 50

/** Makes an unused id from a name. A name without Latin letters or digits gives `otherwise`. */
export function newItemId(name: string, taken: ReadonlySet<string>, otherwise = 'signature'): string {
  const letters = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
  const id = letters.slice(0, MAX_ID_STEM) || otherwise
  return firstFree(id, (number) => `${id}_${String(number)}`, taken)
}

/** A free name for a copy: a copy of `Sales` or of `Sales (2)` is `Sales (2)`, `Sales (3)` and so on. */
export function copyName(name: string, items: readonly Readonly<{ name: string }>[]): string {
  const numbered = (number: number) => `${name.replace(/ \(\d{1,3}\)$/, '')} (${String(number)})`
  return firstFree(numbered(2), numbered, new Set(items.map((item) => item.name)))
}

/** Whether one of the items has this id. */
export const hasId = (items: readonly Item[], id: string): boolean => items.some((item) => item.id === id)

/** The base name of an item's files. Paths have no `_`, so each becomes `-`. */
export const fileBaseName = (id: string): string => id.replaceAll('_', '-')

/** The first of `base.ending`, `base-2.ending`, … that is neither a file nor a folder among these paths. */
export function freePath(base: string, ending: string, paths: readonly string[]): string {
  const taken = new Set(
    paths.flatMap((path) => {
      const names = path.toLowerCase().split('/')
      return names.map((_, index) => names.slice(0, index + 1).join('/'))
    }),
  )
  return firstFree(`${base}.${ending}`, (number) => `${base}-${String(number)}.${ending}`, taken)
}
