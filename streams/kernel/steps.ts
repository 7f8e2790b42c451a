/** Work in steps, each a short one. The caller decides what happens between them. */
export type Steps<Result> = Generator<void, Result, void>

/** Runs the work at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
