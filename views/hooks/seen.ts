import { type RefObject, useEffect, useState } from 'react'
import { after, type Time } from '../../streams/kernel/time.ts'
import { useApp } from './app.tsx'

/** Who scrolls by does not rest so long, in milliseconds. */
const REST_MS = 80

/** Whether the element has rested near the visible part of the pane, ever: nothing is while somebody scrolls. */
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

/** Calls once the element is near and nothing was scrolled for a while; gives what ends the watching. */
function whenResting(element: HTMLElement, time: Time, rest: () => void): () => void {
  let end = whenNear(element, () => {
    const wait = () =>
      after(REST_MS, time).subscribe(() => {
        end()
        rest()
      })
    let waiting = wait()
    const waitAnew = () => {
      waiting.unsubscribe()
      waiting = wait()
    }
    document.addEventListener('scroll', waitAnew, { capture: true, passive: true })
    end = () => {
      waiting.unsubscribe()
      document.removeEventListener('scroll', waitAnew, { capture: true })
    }
  })
  return () => {
    end()
  }
}

/** A ref for what tells how something ended that was begun further down: whoever began it is to see it. */
export const bringIntoSight = (element: HTMLElement | null): void => {
  element?.scrollIntoView({ block: 'nearest' })
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
