/** The ways in which a request can fail on demand. */
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

/** Replaces the response without running the route. Only `delay` runs the route, after `ms` milliseconds. */
export type ServerFault = v.InferOutput<typeof faultSchema>
