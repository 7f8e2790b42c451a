import type { AppEvent } from '../app/events.ts'
import { defineSlice } from '../kernel/slice.ts'
import type { Findings } from './events.ts'

/** `endedAt` is when the findings were made, in milliseconds since the epoch; earlier ones stay while it runs. */
export type SelfTestState = Readonly<{
  isRunning: boolean
  result: Readonly<{ findings: Findings; endedAt: number }> | null
}>

const initial: SelfTestState = { isRunning: false, result: null }

export const selfTest = defineSlice<SelfTestState, AppEvent>()(initial, {
  'selfTest/requested': (state) => (state.isRunning ? state : { ...state, isRunning: true }),
  'selfTest/ended': (_, { data: { findings }, meta }) => ({
    isRunning: false,
    result: { findings, endedAt: meta.at },
  }),
  'auth/signedOut': () => initial,
})
