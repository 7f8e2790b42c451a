import type { AppEvent } from '../app/events.ts'
import { withChanges } from '../kernel/changes.ts'
import {
  type Attempt,
  failed,
  idle,
  type Load,
  loadAgain,
  loadOnce,
  pending,
  retryAwaited,
  retryFailed,
  success,
} from '../kernel/load.ts'
import { defineSlice } from '../kernel/slice.ts'
import type { CachedSignature } from '../signatures/signature.ts'
import { Defaults, type DefaultUse } from './events.ts'

/** The latest change of a default that the user asked for. */
export type DefaultChange = Readonly<{ combinedIds: string; use: DefaultUse; attempt: Attempt }>

/** `snapshot` is the default that an earlier pane stored; it is the fallback until the service answers. */
export type DefaultsState = Readonly<{
  load: Load<CachedSignature>
  snapshot: CachedSignature | null
  change: DefaultChange | null
}>

const initial: DefaultsState = { load: idle, snapshot: null, change: null }

const ofLoad =
  <E>(step: (load: Load<CachedSignature>, event: E) => Load<CachedSignature>) =>
  (state: DefaultsState, event: E): DefaultsState =>
    withChanges(state, { load: step(state.load, event) })

export const defaults = defineSlice<DefaultsState, AppEvent>()(initial, {
  'auth/verified': ofLoad(loadOnce),
  'auth/sessionRecovered': ofLoad(loadOnce),
  'app/retryRequested': ofLoad(retryFailed),
  'app/serviceReachable': ofLoad(retryAwaited),
  'signatures/reloadDue': ofLoad(loadAgain),
  'signatures/refreshRequested': ofLoad(loadAgain),
  'defaults/loaded': ofLoad(Defaults.handlers['defaults/loaded']),
  'defaults/loadFailed': ofLoad(Defaults.handlers['defaults/loadFailed']),
  'defaults/restored': (state, { data: { signature } }) => withChanges(state, { snapshot: signature }),

  'defaults/changeRequested': (state, event) => ({
    ...state,
    change: { ...event.data, attempt: pending(event) },
  }),
  // If the second of the two calls fails, only the service knows the default: it is reloaded in either case.
  'defaults/changed': (state, event) => {
    const change = { ...event.data, attempt: success }
    return {
      ...ofLoad(loadAgain)(state, event),
      change: state.change ? withChanges(state.change, change) : change,
    }
  },
  'defaults/changeFailed': (state, event) => {
    const { failure, ...wanted } = event.data
    return { ...ofLoad(loadAgain)(state, event), change: { ...wanted, attempt: failed(failure) } }
  },
  'auth/signedOut': () => initial,
})
