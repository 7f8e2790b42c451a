import { fromEvent, map, startWith } from 'rxjs'
import type { PaneAddress } from '../../../effects/ports.ts'
import { HOME } from '../../../streams/router/rules.ts'

/**
 * The hash of the pane's address. Needs no history API, which Office.js takes away. A hash that is no path, such as
 * the one in which a mail client tells Office.js where it is, counts as none.
 */
export const createAddress = (window: Window): PaneAddress => ({
  path$: fromEvent(window, 'hashchange').pipe(
    startWith(null),
    map(() => (window.location.hash.startsWith('#/') ? window.location.hash.slice(1) : HOME)),
  ),
  go(path) {
    window.location.hash = path
  },
})
