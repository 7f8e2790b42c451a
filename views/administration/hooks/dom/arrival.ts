import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useTexts } from '../../text/texts.ts'

/** The title of the document: a screen reader says it, and a browser shows it. */
export function useTitle(area: string): void {
  const t = useTexts()
  const title = t('frame.title', { area })
  useLayoutEffect(() => {
    document.title = title
  }, [title])
}

/**
 * After navigation within the page it is at its top, and its heading has the focus as soon as it is drawn. Opening the
 * page does neither. `path` is that of the shown page.
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
    // The code of the area is still loading.
    const observer = new MutationObserver(() => {
      if (focus()) observer.disconnect()
    })
    observer.observe(main.current, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
    }
  }, [main, path])
}
