import type { Auth } from '../../message/auth/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { Platform, TelemetryContext, Telemetry } from './events.ts'
import { mergeContext, withLaunch } from './rules.ts'

/** `context` is the known platforms of the user. */
export type TelemetryState = Readonly<{ platform: Platform | null; context: readonly TelemetryContext[] }>

/** The entry of this pane's platform, with the launch result that was read since. */
const ofThisPane = ({ platform, context }: TelemetryState): readonly TelemetryContext[] =>
  context.filter((entry) => entry.platform === platform?.context.platform)

/** The same state when the context has nothing new. */
const withContext = (state: TelemetryState, context: readonly TelemetryContext[]): TelemetryState =>
  context.length === state.context.length && context.every((entry, index) => entry === state.context[index])
    ? state
    : { ...state, context }

export const telemetry = defineSlice<TelemetryState, typeof Auth | typeof Telemetry>()(
  { platform: null, context: [] },
  {
    'telemetry/platformRead': (state, { data: { platform } }) =>
      withContext(withChanges(state, { platform }), mergeContext(state.context, [platform.context])),
    // The data of this pane is newer than that of an earlier one.
    'telemetry/contextRestored': (state, { data: { context } }) =>
      withContext(state, mergeContext(context, ofThisPane(state))),
    'telemetry/launchRead': (state, { data: { outcome } }) =>
      withContext(state, withLaunch(state.context, state.platform?.context.platform, outcome)),
    // The launch results belong to the user who signs out; the platform of this pane stays.
    'auth/signedOut': (state) => withContext(state, state.platform ? [state.platform.context] : []),
  },
)
