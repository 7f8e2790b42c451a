import type { Administrator } from './administrators.ts'
import type { Session } from './events.ts'
import type { Failure } from '../../kernel/failure.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { CallerInfo } from '../../wire/administration/insight.ts'

/**
 * In `out`, `why` is the reason for the missing session; null before the first sign-in. In `opening`, the page shows no
 * button.
 */
export type SessionState =
  | Readonly<{ status: 'opening' }>
  | Readonly<{ status: 'out'; why: SessionEndReason | null }>
  /** The sign-in window is open. */
  | Readonly<{ status: 'asking' }>
  | Readonly<{ status: 'in'; me: CallerInfo }>

export type SessionEndReason =
  | Readonly<{ kind: 'failed'; failure: Failure }>
  | Readonly<{ kind: 'expired'; failure: Failure }>
  | Readonly<{ kind: 'signedOut' }>

const initial: SessionState = { status: 'opening' }
const asking: SessionState = { status: 'asking' }

export const session = defineSlice<SessionState, typeof Session>()(initial, {
  'session/started': (state, { data: { known } }) => (known ? state : { status: 'out', why: null }),
  'session/signInRequested': (state) => (state.status === 'out' ? asking : state),
  'session/otherAccountRequested': () => asking,
  'session/opened': (_, { data: { me } }) => ({ status: 'in', me }),
  'session/signInFailed': (_, { data: { failure } }) => ({ status: 'out', why: { kind: 'failed', failure } }),
  'session/expired': (state, { data: { failure } }) =>
    state.status === 'in' ? { status: 'out', why: { kind: 'expired', failure } } : state,
  'session/signedOut': () => ({ status: 'out', why: { kind: 'signedOut' } }),
})

/** The people who can sign in, in the playground; empty in production, where no page knows them. */
export const administrators = defineSlice<readonly Administrator[], typeof Session>()([], {
  'session/administratorsRead': (_, { data }) => data.administrators,
})

/** The administrator who signed in last. The state still belongs to this administrator after the session expires. */
export type OwnerState = Readonly<Pick<CallerInfo, 'name' | 'organisation'>> | null

export const owner = defineSlice<OwnerState, typeof Session>()(null as OwnerState, {
  'session/opened': (_, { data: { me } }) => ({ name: me.name, organisation: me.organisation }),
})
