/** The ways in which a call can go wrong on demand. */
import * as v from 'valibot'

export const faultSchema = v.variant('kind', [
  v.object({
    kind: v.literal('status'),
    status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
    code: v.optional(v.string()),
  }),
  v.object({
    kind: v.literal('delay'),
    ms: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(600_000)),
  }),
  v.object({ kind: v.literal('cut') }),
  v.object({ kind: v.literal('malformed') }),
  v.object({ kind: v.literal('wrongShape') }),
  v.object({ kind: v.literal('empty') }),
  v.object({ kind: v.literal('html') }),
])

/**
 * What goes wrong instead of the call: nothing of the call is done, except under `delay`, which does it after
 * `ms` milliseconds.
 */
export type Fault = v.InferOutput<typeof faultSchema>
