import type { AuthEvent } from '../auth/events.ts'
import { withChanges } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import { ask, askAgain, failed, type Load, neverLoaded } from '../kernel/load.ts'
import type { Plan, SubscriptionEvent } from './events.ts'

export type SubscriptionState = Load & Readonly<{ plan: Plan }>

export const initialSubscription: SubscriptionState = { ...neverLoaded, plan: 'basic' }

export function evolveSubscription(
  state: SubscriptionState,
  event: Recorded<SubscriptionEvent | Extract<AuthEvent, { type: 'auth/signedOut' }>>,
): SubscriptionState {
  switch (event.type) {
    case 'subscription/loadRequested':
      return ask(state, event.meta.seq)
    case 'subscription/reloadRequested':
      return askAgain(state, event.meta.seq)
    case 'subscription/loaded':
      return withChanges(state, { status: 'success', plan: event.data.plan, failure: null })
    case 'subscription/loadFailed':
      return failed(state, event.data.failure)
    case 'auth/signedOut':
      return initialSubscription
    default:
      return assertNever(event)
  }
}
