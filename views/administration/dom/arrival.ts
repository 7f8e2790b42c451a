import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useTexts } from '../text/texts.ts'

/** Sets the title of the document, which screen readers say and browsers show. */
export function useTitle(area: string): void {
  const t = useTexts()
  const title = t('frame.title', { area })
  useLayoutEffect(() => {
    document.title = title
  }, [title])
}

/**
 * After each navigation within the page, scrolls to the top and focuses the heading as soon as the heading is drawn.
 * Does nothing when the page opens. `path` is the path of the page that is shown.
 */
export function useArrival(main: RefObject<HTMLElement | null>, path: string): void {
  const arrivedAt = useRef(path)
  useEffect(() => {
    if (arrivedAt.current === path) return
    const focus = () => {
      const heading = main.current?.querySelector('h1')
      if (!heading) return false
      arrivedAt.current = path
      window.scrollTo(0, 0)
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
      return true
    }
    if (focus() || !main.current) return
    // There is no heading yet, because the code of the area is still loading.
    const observer = new MutationObserver(() => {
      if (focus()) observer.disconnect()
    })
    observer.observe(main.current, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
    }
  }, [main, path])
}
