import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * The page's custom property (page.css) for the height of the elements that stick to an edge of the window, in CSS
 * pixels.
 */
type Edge = '--bar-height' | '--foot-height'

/** How far the sticky element and its overhanging parts reach into the window, in CSS pixels; 0 if it does not stick. */
function reachOf(element: HTMLElement): number {
  if (getComputedStyle(element).position !== 'sticky') return 0
  const boxes = [element, ...element.children].map((each) => each.getBoundingClientRect())
  return Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top))
}

/**
 * A ref for an element that sticks to an edge of the window. The page scrolls a focused element clear of it, also when it
 * grows over an element that the keyboard focused.
 */
export function useStickyEdge<E extends HTMLElement>(edge: Edge): RefObject<E | null> {
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const { style } = document.documentElement
    let reach = 0
    const measure = () => {
      const before = reach
      reach = reachOf(element)
      style.setProperty(edge, `${reach}px`)
      const focused = document.activeElement
      if (reach > before && before > 0 && focused?.matches(':focus-visible') && !element.contains(focused))
        focused.scrollIntoView({ block: 'nearest' })
    }
    const observer = new ResizeObserver(measure)
    for (const each of [element, ...element.children]) observer.observe(each)
    window.addEventListener('resize', measure)
    measure()
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', measure)
      style.removeProperty(edge)
    }
  }, [edge])
  return ref
}
