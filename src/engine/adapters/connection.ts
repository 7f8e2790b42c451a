import { fromEvent, map } from 'rxjs'
import type { Connection } from '../../../effects/ports.ts'

/** What the browser knows of the network: that it is there again after it was gone. */
export const createConnection = (window: Window): Connection => ({
  back$: fromEvent(window, 'online').pipe(map(() => undefined)),
})
