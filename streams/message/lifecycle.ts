import { defineEvents, fact, gesture } from '../kernel/event.ts'

export const App = defineEvents('app', {
  /** The first event of every log. */
  started: fact({}),
  /** The user pressed "Try again", so every failed load is retried. */
  retryRequested: gesture({}),
  /** The network or the service is back, so loads that failed while it was unreachable are retried. */
  serviceReachable: fact({}),
})
