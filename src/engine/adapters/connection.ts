import { defer, EMPTY, fromEvent, merge, of } from 'rxjs'
import type { Connection } from '../../../effects/ports.ts'

/** Reports by the browser's `online` and `offline` events that the network is back or lost. */
export const createConnection = (window: Window): Connection => ({
  lost$: merge(
    defer(() => (window.navigator.onLine ? EMPTY : of(null))),
    fromEvent(window, 'offline'),
  ),
  back$: fromEvent(window, 'online'),
})
