import { DEFECT_ACTION } from '../../../streams/kernel/effect.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import type { TextKey } from './texts.ts'

/** The texts about a failure: what happened and what to do. `mayRetry`: a retry can succeed. */
export type Explanation = Readonly<{ what: TextKey; action: TextKey; mayRetry: boolean }>

const retryable = (what: TextKey, action: TextKey): Explanation => ({ what, action, mayRetry: true })
const final = (what: TextKey, action: TextKey): Explanation => ({ what, action, mayRetry: false })

export function explainFailure(failure: Failure): Explanation {
  switch (failure.kind) {
    case 'network':
      return retryable('failure.network', 'failure.connection')
    case 'timeout':
      return retryable('failure.timeout', 'failure.wait')
    case 'notLoaded':
      return retryable('failure.notLoaded', 'failure.reload')
    case 'malformed':
      return retryable('failure.malformed', 'failure.reload')
    case 'http':
      return REFUSALS.get(failure.code ?? '') ?? explainStatus(failure.status)
    case 'auth':
      return SIGN_IN.get(failure.code) ?? retryable('failure.signIn', 'failure.signInAgain')
    default:
      return retryable('failure.defect', 'failure.reload')
  }
}

function explainStatus(status: number): Explanation {
  if (status === 401) return retryable('failure.notAccepted', 'failure.signInAgain')
  if (status === 403) return final('failure.notAllowed', 'failure.otherAccount')
  if (status === 404) return final('failure.notFound', 'failure.lookAgain')
  if (status === 409) return final('failure.changedMeanwhile', 'failure.lookAgain')
  if (status === 429) return retryable('failure.busy', 'failure.wait')
  if (status === 502 || status === 503 || status === 504)
    return retryable('failure.unavailable', 'failure.wait')
  if (status >= 400 && status < 500) return final('failure.refused', 'failure.lookAgain')
  return retryable('failure.serviceError', 'failure.wait')
}

/** Why the service refused to publish, approve or ask, by its error codes. */
const REFUSALS: ReadonlyMap<string, Explanation> = new Map([
  ['approval_missing', final('failure.approvalMissing', 'failure.askFirst')],
  // While publishing, the page says it in its own words (`PublishAnswer`).
  ['approval_lapsed', final('failure.plannedAgain', 'failure.readAgain')],
  ['approval_own', final('failure.approvalOwn', 'failure.otherPerson')],
  ['approval_refused', final('failure.approvalRefused', 'failure.changeOrAsk')],
  ['approval_unneeded', final('failure.approvalUnneeded', 'failure.lookAgain')],
  ['not_approver', final('failure.notApprover', 'failure.otherAccount')],
  ['not_editor', final('failure.notEditor', 'failure.askEditors')],
])

const signInNeeded = retryable('failure.signInNeeded', 'failure.signInAgain')

/** Advice for specific error codes of the sign-in library. */
const SIGN_IN: ReadonlyMap<string, Explanation> = new Map([
  ['popup_window_error', retryable('failure.windowBlocked', 'failure.allowWindows')],
  ['user_cancelled', retryable('failure.windowClosed', 'failure.signInAgain')],
  ['endpoints_resolution_error', retryable('failure.providerUnreachable', 'failure.connection')],
  ['interaction_required', signInNeeded],
  ['login_required', signInNeeded],
  ['consent_required', signInNeeded],
  ['user_login_error', signInNeeded],
])

/** A failure's technical details for the operator, as pairs of name and value. */
export function technicalDetailsOf(failure: Failure): readonly (readonly [TextKey, string])[] {
  const lines: (readonly [TextKey, unknown])[] = [['notice.kind', failure.kind]]
  if (failure.kind === 'http') {
    const { message, request } = (failure.data ?? {}) as Readonly<Record<string, unknown>>
    lines.push(['notice.status', failure.status], ['notice.code', failure.code])
    lines.push(['notice.message', message], ['notice.request', request])
  }
  if (failure.kind === 'auth') lines.push(['notice.code', failure.code], ['notice.cause', failure.cause])
  if (failure.kind === 'malformed') lines.push(['notice.place', failure.at])
  if (failure.kind === 'defect') lines.push(['notice.log', DEFECT_ACTION])
  return lines.flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [],
  )
}
