import type { AuthEvent } from '../auth/events.ts'
import { withChanges } from '../kernel/changes.ts'
import { assertNever, type Recorded } from '../kernel/event.ts'
import type { Findings, SelfTestEvent } from './events.ts'

/** `endedAt` is when the findings were made, in milliseconds since the epoch; those of before stay while it runs. */
export type SelfTestState = Readonly<{
  status: 'idle' | 'pending' | 'success'
  findings: Findings | null
  endedAt: number
}>

export const initialSelfTest: SelfTestState = { status: 'idle', findings: null, endedAt: 0 }

export function evolveSelfTest(
  state: SelfTestState,
  event: Recorded<SelfTestEvent | Extract<AuthEvent, { type: 'auth/signedOut' }>>,
): SelfTestState {
  switch (event.type) {
    case 'selfTest/requested':
      return withChanges(state, { status: 'pending' })
    case 'selfTest/ended':
      return withChanges(state, {
        status: 'success',
        findings: event.data.findings,
        endedAt: event.meta.at,
      })
    case 'auth/signedOut':
      return withChanges(state, initialSelfTest)
    default:
      return assertNever(event)
  }
}
