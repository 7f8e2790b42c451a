import { Observable } from 'rxjs'
import type { Connection } from '../../../effects/ports.ts'

/** Emits at each event of this type in the window. */
export const eventsOf = (window: Window, type: 'hashchange' | 'online'): Observable<void> =>
  new Observable((subscriber) => {
    const emit = () => {
      subscriber.next()
    }
    window.addEventListener(type, emit)
    return () => {
      window.removeEventListener(type, emit)
    }
  })

/** Reports that the network is back, by the browser's `online` event. */
export const createConnection = (window: Window): Connection => ({ back$: eventsOf(window, 'online') })
