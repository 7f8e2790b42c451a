/**
 * Counts the entries with an offset of at most `last`, by binary search. `entries` must be sorted by offset.
 * @param offsetOf returns the offset of an entry; not needed for a list of numbers
 */
export function countOffsetsUpTo(entries: readonly number[], last: number): number
export function countOffsetsUpTo<Each>(
  entries: readonly Each[],
  last: number,
  offsetOf: (entry: Each) => number,
): number
export function countOffsetsUpTo(
  entries: readonly unknown[],
  last: number,
  offsetOf: (entry: never) => number = Number,
): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (offsetOf(entries[middle] as never) <= last) low = middle + 1
    else high = middle
  }
  return low
}
