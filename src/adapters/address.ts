import { fromEvent, map, startWith } from 'rxjs'
import type { PaneAddress } from '../../effects/ports.ts'
import { HOME } from '../../streams/router/rules.ts'

/** The hash of the pane's address. Needs no history API, which Office.js takes away. */
export const createAddress = (window: Window): PaneAddress => ({
  path$: fromEvent(window, 'hashchange').pipe(
    startWith(null),
    map(() => window.location.hash.replace(/^#/, '') || HOME),
  ),
  go(path) {
    window.location.hash = path
  },
})
