import { type RefObject, useEffect, useState } from 'react'
import { after, type Time } from '../../streams/kernel/time.ts'
import { useApp } from './app.tsx'

/** Who scrolls by does not rest so long, in milliseconds. */
const REST_MS = 80

/** Whether the element has rested near the visible part of the pane, ever: what is scrolled past is not. */
export function useSeen(ref: RefObject<HTMLElement | null>): boolean {
  const { time } = useApp()
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || isSeen) return
    return whenResting(element, time, () => {
      setSeen(true)
    })
  }, [ref, time, isSeen])
  return isSeen
}

/** Calls once the element has been there for a while since it came near; gives what ends the watching. */
function whenResting(element: HTMLElement, time: Time, rest: () => void): () => void {
  let end = whenNear(element, () => {
    const waiting = after(REST_MS, time).subscribe(rest)
    end = () => {
      waiting.unsubscribe()
    }
  })
  return () => {
    end()
  }
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
