import type { Signatures } from '../../message/signatures/events.ts'
import type { Insertion } from '../../message/insertion/events.ts'
import type { Auth } from '../../message/auth/events.ts'
import type { App } from '../../message/lifecycle.ts'
import { isSignatureGone } from '../../message/auth/rules.ts'
import { withChanges } from '../../kernel/changes.ts'
import {
  type Load,
  loadAgain,
  loadSucceeded,
  loadOnce,
  retryTemporary,
  retryFailed,
} from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { CachedSignature, SignatureNames } from '../../wire/signatures.ts'
import { Defaults } from '../../message/defaults/events.ts'
import { concernSameDefault, type RequestedDefault } from '../../message/defaults/rules.ts'
import {
  type DefaultChange,
  type DefaultsState,
  initialDefaults,
  withRestoredDefault,
} from '../../message/defaults/state.ts'

const ofLoad =
  <E>(step: (load: Load<CachedSignature>, event: E) => Load<CachedSignature>) =>
  (state: DefaultsState, event: E): DefaultsState =>
    withChanges(state, { load: step(state.load, event) })

/** Names the signature of the loaded default's reply version. */
function withReplyOf(load: Load<CachedSignature>, of: SignatureNames): Load<CachedSignature> {
  if (load.status !== 'success' || !load.value.reply) return load
  const { reply } = load.value
  const named = withChanges(reply, { of: reply.of ? withChanges(reply.of, of) : of })
  return withChanges(load, { value: withChanges(load.value, { reply: named }) })
}

/** The change that the service answered, and the changes that are still waiting for an answer. */
const answered = ({ pending }: DefaultsState, id: number) =>
  [pending.find((change) => change.id === id), pending.filter((change) => change.id !== id)] as const

const withoutUse = (refused: DefaultsState['refused'], wanted: RequestedDefault): DefaultsState['refused'] =>
  refused.some(({ change }) => concernSameDefault(change, wanted))
    ? refused.filter(({ change }) => !concernSameDefault(change, wanted))
    : refused

const request = (state: DefaultsState, change: DefaultChange): DefaultsState => ({
  ...state,
  pending: [...state.pending, change],
  made: null,
  refused: withoutUse(state.refused, change),
})

/** The pane's slice of the default signature. */
export const defaults = defineSlice<
  DefaultsState,
  typeof App | typeof Auth | typeof Defaults | typeof Insertion | typeof Signatures
>()(initialDefaults, {
  'defaults/restored': withRestoredDefault,
  // A default that came with the sign-in is not requested again.
  'auth/verified': (state, event) => {
    const { signature } = event.data
    return withChanges(state, {
      load: signature === null ? loadOnce(state.load, event) : loadSucceeded(state.load, signature),
    })
  },
  'auth/sessionRecovered': ofLoad(loadOnce),
  'app/retryRequested': ofLoad(retryFailed),
  'app/serviceReachable': ofLoad(retryTemporary),
  'signatures/reloadDue': ofLoad(loadAgain),
  'signatures/refreshRequested': ofLoad(loadAgain),
  'defaults/loaded': ofLoad(Defaults.handlers['defaults/loaded']),
  'defaults/loadFailed': ofLoad(Defaults.handlers['defaults/loadFailed']),

  'defaults/replyNamed': ofLoad((load, { data: { of } }: ReturnType<typeof Defaults.replyNamed>) =>
    withReplyOf(load, of),
  ),
  'defaults/replyNameFailed': ofLoad((load, { data }: ReturnType<typeof Defaults.replyNameFailed>) =>
    withReplyOf(load, { combinedIds: data.combinedIds, name: '' }),
  ),

  'defaults/changeRequested': (state, { data, meta }) => request(state, { id: meta.seq, ...data }),
  'defaults/senderChoiceRequested': (state, { data, meta }) =>
    request(state, { id: meta.seq, use: 'sender', ...data }),
  'defaults/organisationRequested': (state, { meta }) =>
    request(state, { id: meta.seq, use: 'organisation', combinedIds: null }),
  // Every change reloads the default, because a change takes two calls. If the second one fails, only the service knows
  // the default.
  'defaults/changed': (state, event) => {
    const [change, pending] = answered(state, event.data.id)
    const reloading = ofLoad(loadAgain)(state, event)
    if (!change) return reloading
    return { ...reloading, pending, made: change, refused: withoutUse(state.refused, change) }
  },
  'defaults/changeFailed': (state, event) => {
    const { id, failure } = event.data
    const [change, pending] = answered(state, id)
    const reloading = ofLoad(loadAgain)(state, event)
    if (!change) return reloading
    // The failure counts only if no later change of the same default is pending.
    const isLatest = !pending.some((later) => concernSameDefault(later, change))
    const refused = withoutUse(state.refused, change)
    return {
      ...reloading,
      pending,
      refused: isLatest ? [...refused, { change, failure }] : refused,
    }
  },
  // If the inserted signature no longer exists, the default is reloaded, because it may be the same signature.
  'insertion/failed': (state, event) =>
    isSignatureGone(event.data.failure) ? ofLoad(loadAgain)(state, event) : state,
  'auth/signedOut': () => initialDefaults,
})
