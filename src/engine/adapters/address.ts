import { fromEvent, map, startWith } from 'rxjs'
import type { PaneAddress } from '../../../effects/ports.ts'
import { HOME_PATH } from '../../../streams/pane/router/rules.ts'

/**
 * Follows and changes the path in the hash of the pane's address, without the history API, which Office.js removes. A
 * hash that is not a path, such as the parameters of Office.js, counts as `home`.
 */
export const createPaneAddress = (window: Window, home = HOME_PATH): PaneAddress => ({
  path$: fromEvent(window, 'hashchange').pipe(
    startWith(null),
    map(() => (window.location.hash.startsWith('#/') ? window.location.hash.slice(1) : home)),
  ),
  go(path) {
    window.location.hash = path
  },
})
