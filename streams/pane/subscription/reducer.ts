import type { Auth } from '../../message/auth/events.ts'
import type { App } from '../../message/lifecycle.ts'
import { sessionLoadHandlers } from '../loadOfSession.ts'
import { idleStatus, type Load } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { type SubscriptionPlan, Subscription } from './events.ts'

export const subscription = defineSlice<
  Load<SubscriptionPlan>,
  typeof App | typeof Auth | typeof Subscription
>()(idleStatus, {
  ...sessionLoadHandlers,
  ...Subscription.handlers,
})
