import { isUnexpired } from '../../message/auth/rules.ts'
import { assertNever } from '../../kernel/event.ts'
import { isTemporary } from '../../kernel/failure.ts'
import type { LaunchRecord } from '../../launch/record.ts'
import type { SelfTestFindings, ServiceFacts } from './events.ts'

/** The checks, in the order in which they are shown. */
export const selfTestChecks = [
  'host',
  'requirements',
  'clientSignature',
  'launch',
  'storage',
  'clock',
  'service',
  'signIn',
] as const
export type SelfTestCheck = (typeof selfTestChecks)[number]

/** The advice for a check that is not ok. */
export type CheckAdvice =
  | 'openOutlook'
  | 'updateHost'
  | 'turnClientSignatureOff'
  | 'deploy'
  | 'allowStorage'
  | 'setClock'
  | 'compareClock'
  | 'connection'
  | 'wait'
  | 'administrator'
  | 'signIn'

export type CheckVerdict = Readonly<
  { result: 'ok'; advice: null } | { result: 'attention' | 'failed'; advice: CheckAdvice }
>

/** The largest clock difference with which sign-in works, in milliseconds. */
export const MAX_CLOCK_OFFSET_MS = 300_000
/** The time after which an answer counts as slow, in milliseconds. */
export const SLOW_ANSWER_MS = 2000
/** Setting a signature requires this version of the requirement set Mailbox. */
const NEEDED = [1, 10] as const

const ok: CheckVerdict = { result: 'ok', advice: null }
const attention = (advice: CheckAdvice): CheckVerdict => ({ result: 'attention', advice })
const failed = (advice: CheckAdvice): CheckVerdict => ({ result: 'failed', advice })

const isNewEnough = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
}

/**
 * How far the clock of the device is ahead of the service's, in milliseconds; null when unknown. `at` is when the
 * answer arrived. The service sends whole seconds, so half a second is added to its time.
 */
export function clockOffset(
  { service: { date, ms } }: Pick<SelfTestFindings, 'service'>,
  at: number,
): number | null {
  return date === null ? null : at - ms / 2 - (date + 500)
}

const judgeLaunch = ({ outcome }: LaunchRecord): CheckVerdict => {
  switch (outcome) {
    case 'signInNeeded':
      return attention('signIn')
    case 'offline':
      return attention('connection')
    case 'failed':
    case 'late':
      return attention('administrator')
    case 'inserted':
    case 'already':
    case 'leftToPerson':
    case 'none':
    case 'superseded':
    case 'itemGone':
      return ok
    default:
      return assertNever(outcome)
  }
}

/** The verdict of a check, with advice unless it is ok. `at` is when the findings were made. */
export function judgeCheck(check: SelfTestCheck, findings: SelfTestFindings, at: number): CheckVerdict {
  const { host, launch, storage, service, signIn } = findings
  switch (check) {
    case 'host':
      return host.name === 'standalone' ? attention('openOutlook') : ok
    case 'requirements': {
      const { Mailbox } = host.requirementSets
      if (Mailbox === undefined && host.name === 'standalone') return attention('openOutlook')
      return Mailbox !== undefined && isNewEnough(Mailbox) ? ok : failed('updateHost')
    }
    case 'clientSignature':
      return host.clientSignature === true ? attention('turnClientSignatureOff') : ok
    case 'launch':
      if (launch === 'unknown') return ok
      return launch === null ? attention('deploy') : judgeLaunch(launch)
    case 'storage':
      return storage.lasting === 'memory' || storage.session === 'memory' ? attention('allowStorage') : ok
    case 'clock': {
      const offset = clockOffset(findings, at)
      if (offset === null) return attention('compareClock')
      return Math.abs(offset) > MAX_CLOCK_OFFSET_MS ? attention('setClock') : ok
    }
    case 'service':
      return judgeService(service)
    case 'signIn':
      if (signIn.status === 'signedOut') return failed('signIn')
      if (signIn.status !== 'success') return attention('wait')
      return signIn.expiresAt !== null && isUnexpired({ expiresAt: signIn.expiresAt }, at)
        ? ok
        : failed('signIn')
  }
}

function judgeService({ status, ms, failure }: ServiceFacts): CheckVerdict {
  if (!failure) return ms > SLOW_ANSWER_MS ? attention('wait') : ok
  if (failure.kind === 'network') return failed('connection')
  if (isTemporary(failure)) return failed('wait')
  return failed(status === 401 ? 'signIn' : 'administrator')
}
