import { fromEvent } from 'rxjs'
import type { Connection } from '../../../effects/ports.ts'

/** Reports that the network is back, by the browser's `online` event. */
export const createConnection = (window: Window): Connection => ({ back$: fromEvent(window, 'online') })
