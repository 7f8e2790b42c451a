import type { Router } from '../router/events.ts'
import type { Preview } from './events.ts'
import type { Auth } from '../../message/auth/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { type Attempt, failed, idle, pending, success } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'

/** The latest copy of the readability issues: its text and its outcome. */
export type PreviewState = Readonly<{ text: string; copy: Attempt }>

const initial: PreviewState = { text: '', copy: idle }

export const preview = defineSlice<PreviewState, typeof Auth | typeof Preview | typeof Router>()(initial, {
  'preview/copyRequested': (_, event) => ({ text: event.data.text, copy: pending(event) }),
  'preview/copied': (state) => withChanges(state, { copy: success }),
  'preview/copyFailed': (state, { data: { failure } }) => ({ ...state, copy: failed(failure) }),
  'router/navigated': () => initial,
  'auth/signedOut': () => initial,
})
