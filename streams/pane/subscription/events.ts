import { openField } from '../../kernel/field.ts'
import { defineLoad } from '../../kernel/load.ts'

/** `basic` is the starter plan, `full` the business plan. */
export type SubscriptionPlan = 'basic' | 'trial' | 'full'

export const Subscription = defineLoad('subscription', openField<SubscriptionPlan>())
