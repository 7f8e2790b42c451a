/** The progress of the service's long-running work. The client names the work, polls its progress, and can stop it. */
import { count, textMatching } from '../../kernel/limits.ts'
import { object, optional, type OutOf } from '../../kernel/schema.ts'

/** The name that a client gives its work: random digits, so that other clients cannot guess it. */
const workName = textMatching(/^[0-9a-f]{32}$/, '32 hexadecimal digits')

/** Names the work that a call starts; without a name, the call has no progress. */
export const work = optional(workName)
export const workQuery = object({ work })
export const workParams = object({ id: workName })

/** `done` of `of` items are complete. Both are 0 before counting, and for unknown work. */
export const workProgress = object({ done: count, of: count })
export type WorkProgress = OutOf<typeof workProgress>
