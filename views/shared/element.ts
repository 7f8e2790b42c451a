import type { RefObject } from 'react'
import { useObservable, useObservableRef, useObservableState } from 'observable-hooks'
import { EMPTY, map, Observable, switchMap } from 'rxjs'

/**
 * A ref for an element, and a stream of what `observe` emits about that element while it is in the page. A later
 * `observe` is ignored. Each subscription observes the element separately.
 */
export function useElementStream<E extends Element, Value>(
  observe: (element: E) => Observable<Value>,
): readonly [ref: RefObject<E | null>, value$: Observable<Value>] {
  const [ref, element$] = useObservableRef<E | null>(null)
  const value$ = useObservable(() =>
    element$.pipe(switchMap((element) => (element ? observe(element) : EMPTY))),
  )
  return [ref, value$]
}

/** Emits on subscription and whenever one of the elements changes its size. */
export const observeResizes = (elements: Iterable<Element>): Observable<void> =>
  new Observable((subscriber) => {
    const observer = new ResizeObserver(() => {
      subscriber.next()
    })
    for (const element of elements) observer.observe(element)
    return () => {
      observer.disconnect()
    }
  })

/** Emits once when the element is within 200 pixels of the visible part of the pane, then completes. */
export const whenNearView = (element: Element): Observable<void> =>
  new Observable((subscriber) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        subscriber.next()
        subscriber.complete()
      },
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
    }
  })

/** A ref for an element, and the width of that element in CSS pixels; 0 until it is drawn. */
export function useWidth<E extends Element>(): readonly [ref: RefObject<E | null>, width: number] {
  const [ref, width$] = useElementStream((element: E) =>
    observeResizes([element]).pipe(map(() => element.clientWidth)),
  )
  return [ref, useObservableState(width$, 0)]
}
