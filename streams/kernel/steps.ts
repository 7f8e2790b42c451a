import type { Progress } from './progress.ts'

/** Work in short steps. The caller decides what happens between two steps. A step may report the progress. */
export type Steps<Result> = Generator<Progress | undefined, Result, void>

/** Runs all steps without a pause. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Maps items in steps of `size` items, so that a long list does not block other requests. */
export function* mapInSteps<Item, Result>(
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
