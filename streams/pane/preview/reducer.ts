import type { Router } from '../router/events.ts'
import type { Preview } from './events.ts'
import type { Auth } from '../../message/auth/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { type Attempt, failedStatus, idleStatus, pendingStatus, successStatus } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'

/** The latest copy of the readability issues: its text and its outcome. */
export type PreviewState = Readonly<{ text: string; copy: Attempt }>

const initial: PreviewState = { text: '', copy: idleStatus }

export const preview = defineSlice<PreviewState, typeof Auth | typeof Preview | typeof Router>()(initial, {
  'preview/copyRequested': (_, event) => ({ text: event.data.text, copy: pendingStatus(event) }),
  'preview/copied': (state) => withChanges(state, { copy: successStatus }),
  'preview/copyFailed': (state, { data: { failure } }) => ({ ...state, copy: failedStatus(failure) }),
  'router/navigated': () => initial,
  'auth/signedOut': () => initial,
})
