import type { ReactNode } from 'react'
import type { Attempt } from '../../../streams/kernel/load.ts'
import { useAnswerFocus } from '../dom/answer.ts'
import * as css from './Answer.module.css'

/**
 * Shows an attempt's outcome beside its control. It is rendered before the attempt begins, because screen readers
 * announce a live region only when its content changes. If the control disappears during the attempt, the answer takes
 * the focus.
 *
 * @param pending the text during the attempt
 * @param success the text after success
 * @param failure the text after a failure, with a notice that screen readers announce at once
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
      ref={useAnswerFocus(status)}
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
