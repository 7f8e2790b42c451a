/** Work in short steps. The caller decides what happens between two steps. */
export type Steps<Result> = Generator<void, Result, void>

/** Runs all steps without a pause. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
