import type { Plan } from './events.ts'

const plans: readonly Plan[] = ['basic', 'trial', 'full']

/** An unknown plan counts as basic (specification, section 3). */
export const toPlan = (planId: string): Plan => plans.find((plan) => plan === planId) ?? 'basic'
