import type { ReactNode } from 'react'
import type { Attempt } from '../../../streams/kernel/load.ts'
import { useAnswer } from '../dom/answer.ts'
import * as css from './Answer.module.css'

/**
 * The outcome of an attempt. It stands at the control that begins the attempt, and is drawn before the attempt begins,
 * because a live region is read only when its content changes. If the control is removed during the attempt, the answer
 * takes over its focus.
 *
 * @param pending what is said during the attempt
 * @param success what is said after the attempt succeeded
 * @param failure what is said after the attempt failed, with a notice that is read at once
 */
export function Answer({
  status,
  pending,
  success,
  failure,
}: {
  status: Attempt['status']
  pending: ReactNode
  success: ReactNode
  failure: ReactNode
}) {
  return (
    <div
      ref={useAnswer(status)}
      className={css['answer']}
      tabIndex={-1}
      data-answer={status}
      data-goes-on={status === 'pending' || undefined}
    >
      <div role="status">
        {status === 'pending' && pending}
        {status === 'success' && success}
      </div>
      {status === 'fail' && failure}
    </div>
  )
}
