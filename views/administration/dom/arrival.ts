import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useTexts } from '../text/texts.ts'

/** Sets the document's title, which screen readers announce and browsers show. */
export function useTitle(area: string): void {
  const t = useTexts()
  const title = t('frame.title', { area })
  useLayoutEffect(() => {
    document.title = title
  }, [title])
}

/**
 * After each navigation within the page, scrolls to the top and focuses the heading once it is drawn, or the element
 * with `data-arrival` if there is one. Does nothing when the page opens. `path` is the current page's path.
 */
export function useNavigationFocus(main: RefObject<HTMLElement | null>, path: string): void {
  const arrivedAt = useRef(path)
  useEffect(() => {
    if (arrivedAt.current === path) return
    const focus = () => {
      const heading = main.current?.querySelector('h1')
      if (!heading) return false
      arrivedAt.current = path
      window.scrollTo(0, 0)
      const arrival = main.current?.querySelector<HTMLElement>('[data-arrival]')
      if (arrival) {
        arrival.focus()
        return true
      }
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
      return true
    }
    if (focus() || !main.current) return
    // The area's code is still loading, so there is no heading yet.
    const observer = new MutationObserver(() => {
      if (focus()) observer.disconnect()
    })
    observer.observe(main.current, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
    }
  }, [main, path])
}
