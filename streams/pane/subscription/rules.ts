import type { SubscriptionPlan } from './events.ts'

const plans: readonly SubscriptionPlan[] = ['basic', 'trial', 'full']

/** An unknown plan counts as basic (specification, section 3). */
export const toSubscriptionPlan = (planId: string): SubscriptionPlan =>
  plans.find((plan) => plan === planId) ?? 'basic'
