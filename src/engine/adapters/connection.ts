import { defer, EMPTY, fromEvent, merge, of } from 'rxjs'
import type { Connection } from '../../../effects/ports.ts'

/** Reports when the network is back or lost, from the browser's `online` and `offline` events. */
export const createConnection = (window: Window): Connection => ({
  lost$: merge(
    defer(() => (window.navigator.onLine ? EMPTY : of(null))),
    fromEvent(window, 'offline'),
  ),
  back$: fromEvent(window, 'online'),
})
