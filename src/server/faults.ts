/** The faults that tests can inject into requests. */
import { integer } from '../../streams/kernel/limits.ts'
import { object, oneOf, optional, type OutOf, text, variant } from '../../streams/kernel/schema.ts'

export const faultSchema = variant(
  'kind',
  object({
    kind: oneOf('status'),
    status: integer(400, 599),
    code: optional(text),
  }),
  object({
    kind: oneOf('delay'),
    ms: integer(0, 600_000),
  }),
  object({ kind: oneOf('cut') }),
  object({ kind: oneOf('malformed') }),
  object({ kind: oneOf('wrongShape') }),
  object({ kind: oneOf('empty') }),
  object({ kind: oneOf('html') }),
)

/** A fault that replaces a route's response. Only `delay` runs the route, after `ms` milliseconds. */
export type ServerFault = OutOf<typeof faultSchema>
