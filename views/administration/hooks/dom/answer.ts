import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Attempt } from '../../../../streams/kernel/load.ts'

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
    if (!isWaiting) return
    answer.current?.focus({ preventScroll: true })
    answer.current?.scrollIntoView({ block: 'nearest' })
  }, [status])
  return answer
}
