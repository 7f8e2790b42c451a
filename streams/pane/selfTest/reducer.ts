import type { Router } from '../router/events.ts'
import type { Auth } from '../../message/auth/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { type Attempt, failedStatus, idleStatus, pendingStatus, successStatus } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { SelfTestFindings, SelfTest } from './events.ts'

/**
 * `endedAt` is when the findings were made, in milliseconds since the epoch. During a test, the earlier result stays.
 */
export type SelfTestState = Readonly<{
  isRunning: boolean
  result: Readonly<{ findings: SelfTestFindings; endedAt: number }> | null
  /** The latest copy of the result, until the user leaves the page. */
  copy: Attempt
}>

const initial: SelfTestState = { isRunning: false, result: null, copy: idleStatus }

export const selfTest = defineSlice<SelfTestState, typeof Auth | typeof Router | typeof SelfTest>()(initial, {
  'selfTest/requested': (state) => withChanges(state, { isRunning: true }),
  'selfTest/ended': (_, { data: { findings }, meta }) => ({
    isRunning: false,
    result: { findings, endedAt: meta.at },
    copy: idleStatus,
  }),
  'selfTest/copyRequested': (state, event) => ({ ...state, copy: pendingStatus(event) }),
  'selfTest/copied': (state) => withChanges(state, { copy: successStatus }),
  'selfTest/copyFailed': (state, { data: { failure } }) => ({ ...state, copy: failedStatus(failure) }),
  'router/navigated': (state) => withChanges(state, { copy: idleStatus }),
  'auth/signedOut': () => initial,
})
