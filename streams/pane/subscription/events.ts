import { open } from '../../kernel/field.ts'
import { defineLoad } from '../../kernel/load.ts'

/** `basic` is the starter plan, `full` the business plan. */
export type Plan = 'basic' | 'trial' | 'full'

export const Subscription = defineLoad('subscription', open<Plan>())
