import { type RefObject, useEffect, useState } from 'react'

/** Whether the element has come near the visible part of the pane, ever. */
export function useSeen(ref: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || isSeen) return
    return whenNear(element, () => {
      setSeen(true)
    })
  }, [ref, isSeen])
  return isSeen
}

/** Calls once the element is within 200 pixels of the visible part of the pane; gives what ends the watching. */
export function whenNear(element: HTMLElement, come: () => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      come()
    },
    { rootMargin: '200px' },
  )
  observer.observe(element)
  return () => {
    observer.disconnect()
  }
}
