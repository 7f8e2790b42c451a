import type { RefObject } from 'react'
import { useObservableState } from 'observable-hooks'
import { fromEvent, map, type Observable, startWith, switchMap, take } from 'rxjs'
import { debounceBy, type Time } from '../../streams/kernel/time.ts'
import { useTools } from './tools.tsx'
import { whenNearView, useElementStream } from './element.ts'

/** A pause in scrolling of this many milliseconds ends a scroll gesture. */
const SCROLL_PAUSE_MS = 80

/** Emits once when the element is near the visible part of the pane and the user has stopped scrolling. */
const rest = (element: Element, time: Time): Observable<void> =>
  whenNearView(element).pipe(
    switchMap(() =>
      fromEvent(document, 'scroll', { capture: true, passive: true }).pipe(
        startWith(null),
        debounceBy(SCROLL_PAUSE_MS, time),
      ),
    ),
    map(() => undefined),
    take(1),
  )

/**
 * A ref for an element, and whether the user has ever stopped scrolling while it was near the visible part of the pane.
 */
export function useElementSeen<E extends Element>(): readonly [ref: RefObject<E | null>, isSeen: boolean] {
  const { time } = useTools()
  const [ref, seen$] = useElementStream((element: E) => rest(element, time).pipe(map(() => true)))
  return [ref, useObservableState(seen$, false)]
}
