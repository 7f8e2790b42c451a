import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'

/** `basic` is the starter plan, `full` the business plan. */
export type Plan = 'basic' | 'trial' | 'full'

export const Subscription = defineEvents('subscription', {
  loadRequested: data(),
  reloadRequested: data(),
  loaded: data<{ plan: Plan }>(),
  loadFailed: data<{ failure: Failure }>(),
})
export type SubscriptionEvent = EventOf<typeof Subscription>
