import type { AppEvent } from '../events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { type Attempt, failed, idle, pending, success } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'

/** The latest copy of what is hard to read: its text, and how it went. */
export type PreviewState = Readonly<{ text: string; copy: Attempt }>

const initial: PreviewState = { text: '', copy: idle }

export const preview = defineSlice<PreviewState, AppEvent>()(initial, {
  'preview/copyRequested': (_, event) => ({ text: event.data.text, copy: pending(event) }),
  'preview/copied': (state) => withChanges(state, { copy: success }),
  'preview/copyFailed': (state, { data: { failure } }) => ({ ...state, copy: failed(failure) }),
  'router/navigated': () => initial,
  'auth/signedOut': () => initial,
})
