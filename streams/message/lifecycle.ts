import { defineEvents, fact, gesture } from '../kernel/event.ts'

export const App = defineEvents('app', {
  /** The first event of every log. */
  started: fact({}),
  /** The user pressed "Try again": every failed load is retried. */
  retryRequested: gesture({}),
  /** The network or the service is back: loads that failed because the service was unreachable are retried. */
  serviceReachable: fact({}),
})
