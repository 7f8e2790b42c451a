import type { AppEvent } from '../app/events.ts'
import { withChanges } from '../kernel/changes.ts'
import { defineSlice } from '../kernel/slice.ts'
import type { Platform, TelemetryContext } from './events.ts'
import { mergeContext } from './rules.ts'

/** `context` is the known platforms of the user. */
export type TelemetryState = Readonly<{ platform: Platform | null; context: readonly TelemetryContext[] }>

const ofThisPane = ({ platform }: TelemetryState): readonly TelemetryContext[] =>
  platform ? [platform.context] : []

/** The same state when the context has nothing new. */
const withContext = (state: TelemetryState, context: readonly TelemetryContext[]): TelemetryState =>
  context.length === state.context.length && context.every((entry, index) => entry === state.context[index])
    ? state
    : { ...state, context }

export const telemetry = defineSlice<TelemetryState, AppEvent>()(
  { platform: null, context: [] },
  {
    'telemetry/platformRead': (state, { data: { platform } }) =>
      withContext(withChanges(state, { platform }), mergeContext(state.context, [platform.context])),
    // The data of this pane is newer than that of an earlier one.
    'telemetry/contextRestored': (state, { data: { context } }) =>
      withContext(state, mergeContext(context, ofThisPane(state))),
    'auth/signedOut': (state) => withContext(state, ofThisPane(state)),
  },
)
