import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Attempt } from '../../../streams/kernel/load.ts'

/** What a user does to read or to work on. */
const ACTIONS = ['keydown', 'pointerdown', 'wheel', 'touchmove'] as const

/**
 * Scrolls the element into sight, and again when the page changes its height, because a list above may load again after
 * the action. Ends with the user's next action, or when the returned function is called.
 */
function keepInSight(element: Element): () => void {
  const ended = new AbortController()
  const show = () => {
    element.scrollIntoView({ block: 'nearest' })
  }
  const observer = new ResizeObserver(show)
  const end = () => {
    observer.disconnect()
    ended.abort()
  }
  show()
  observer.observe(document.body)
  for (const action of ACTIONS)
    document.addEventListener(action, end, { capture: true, passive: true, signal: ended.signal })
  return end
}

/**
 * A ref for the answer to an attempt. When the attempt ends, the answer gets the focus and is scrolled into sight, but
 * only while the user waits for it: while the focus is still where it was when the attempt began, or in the answer, or
 * lost because the control that began the attempt is gone. A user who moved the focus elsewhere keeps it there.
 */
export function useAnswer(status: Attempt['status']): RefObject<HTMLDivElement | null> {
  const answer = useRef<HTMLDivElement>(null)
  /** What had the focus when the attempt began; null when the attempt ended at once, or began before this page did. */
  const asker = useRef<Element>(null)
  const before = useRef(status)
  useLayoutEffect(() => {
    const wasBefore = before.current
    before.current = status
    if (status === wasBefore || status === 'idle') return
    const focused = document.activeElement ?? document.body
    if (status === 'pending') {
      asker.current = focused
      return
    }
    const isLost = focused === document.body && !asker.current?.isConnected
    const isWaiting = focused === asker.current || isLost || answer.current?.contains(focused)
    asker.current = null
    if (!isWaiting || !answer.current) return
    answer.current.focus({ preventScroll: true })
    return keepInSight(answer.current)
  }, [status])
  return answer
}
