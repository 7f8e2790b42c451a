import type { Steps } from '../../streams/kernel/steps.ts'

/** Maps items in steps of `size` items, so that a long list does not block other requests. */
export function* mapping<Item, Result>(
  items: Iterable<Item>,
  to: (item: Item) => Result,
  size = 1,
): Steps<readonly Result[]> {
  const results: Result[] = []
  for (const item of items) {
    if (results.length % size === 0) yield
    results.push(to(item))
  }
  return results
}
