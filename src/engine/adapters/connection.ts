import { fromEvent, map } from 'rxjs'
import type { Connection } from '../../../effects/ports.ts'

/** The browser's `online` event. */
export const createConnection = (window: Window): Connection => ({
  back$: fromEvent(window, 'online').pipe(map(() => undefined)),
})
