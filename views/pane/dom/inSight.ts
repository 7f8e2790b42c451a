import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A ref for a line that scrolls sideways. When `current` changes, the line scrolls its current element into sight. */
export function useSidewaysScroll<E extends HTMLElement>(current: string | null): RefObject<E | null> {
  const line = useRef<E>(null)
  useLayoutEffect(() => {
    const element = line.current
    const marked = current === null ? null : element?.querySelector('[aria-current]')
    if (!element || !marked) return
    const [inner, outer] = [marked.getBoundingClientRect(), element.getBoundingClientRect()]
    // `scrollIntoView` would scroll the page, too.
    if (inner.left < outer.left) element.scrollLeft -= outer.left - inner.left
    else if (inner.right > outer.right) element.scrollLeft += inner.right - outer.right
  }, [current])
  return line
}
