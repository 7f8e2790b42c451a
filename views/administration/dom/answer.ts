import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Attempt } from '../../../streams/kernel/load.ts'

/** The user's actions that end the automatic scrolling. */
const ACTIONS = ['keydown', 'pointerdown', 'wheel', 'touchmove'] as const

/**
 * Scrolls the element into view, and again when the page's height changes, because a list above may reload. Ends with
 * the user's next action, or when the returned function is called.
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
 * A ref for the answer to an attempt. When the attempt ends, focuses the answer and scrolls it into view, if the user
 * is still waiting. The user is waiting if the focus has not moved since the attempt began, is in the answer, or was
 * lost with a removed control.
 */
export function useAnswerFocus(status: Attempt['status']): RefObject<HTMLDivElement | null> {
  const answer = useRef<HTMLDivElement>(null)
  /** The element with focus when the attempt began; null if the attempt ended at once or began on another page. */
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
