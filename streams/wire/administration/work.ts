/** How far long work of the service is. The client names the work, asks how far it is, and may ask to stop it. */
import { count, matching } from '../../kernel/limits.ts'
import { object, optional, type OutOf } from '../../kernel/schema.ts'

/** The name of work: random digits of the client, so that no other client can guess them. */
const workName = matching(/^[0-9a-f]{32}$/, '32 hexadecimal digits')

/** Names the work that a call begins; without a name, the call does not tell how far it is. */
export const work = optional(workName)
export const workNamed = object({ work })
export const ofWork = object({ id: workName })

/** `done` of `of` items; both are 0 while nothing is counted. Unknown work is not counted. */
export const workProgress = object({ done: count, of: count })
export type WorkProgress = OutOf<typeof workProgress>
