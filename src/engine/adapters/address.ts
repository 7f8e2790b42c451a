import { map, startWith } from 'rxjs'
import type { PaneAddress } from '../../../effects/ports.ts'
import { HOME } from '../../../streams/pane/router/rules.ts'
import { eventsOf } from './connection.ts'

/**
 * The path in the hash of the pane's address. It needs no history API, because Office.js removes that API. A hash that
 * is no path, such as the parameters of Office.js, counts as `home`.
 */
export const createAddress = (window: Window, home = HOME): PaneAddress => ({
  path$: eventsOf(window, 'hashchange').pipe(
    startWith(null),
    map(() => (window.location.hash.startsWith('#/') ? window.location.hash.slice(1) : home)),
  ),
  go(path) {
    window.location.hash = path
  },
})
