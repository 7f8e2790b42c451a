import type { Auth } from '../../message/auth/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { TelemetryPlatform, TelemetryContext, Telemetry } from './events.ts'
import { mergeContext, withLaunchResult } from './rules.ts'

/** `context` has one entry for each platform on which the user is known to use Signet. */
export type TelemetryState = Readonly<{
  platform: TelemetryPlatform | null
  context: readonly TelemetryContext[]
}>

/** The entry of this pane's platform, with its launch result if that was read already. */
const ofThisPane = ({ platform, context }: TelemetryState): readonly TelemetryContext[] =>
  context.filter((entry) => entry.platform === platform?.context.platform)

/** Sets the context. Returns the same state if all entries are the same. */
const withContext = (state: TelemetryState, context: readonly TelemetryContext[]): TelemetryState =>
  context.length === state.context.length && context.every((entry, index) => entry === state.context[index])
    ? state
    : { ...state, context }

export const telemetry = defineSlice<TelemetryState, typeof Auth | typeof Telemetry>()(
  { platform: null, context: [] },
  {
    'telemetry/platformRead': (state, { data: { platform } }) =>
      withContext(withChanges(state, { platform }), mergeContext(state.context, [platform.context])),
    // The entry of this pane is newer than the stored entry of an earlier pane, so it replaces that entry.
    'telemetry/contextRestored': (state, { data: { context } }) =>
      withContext(state, mergeContext(context, ofThisPane(state))),
    'telemetry/launchRead': (state, { data: { outcome } }) =>
      withContext(state, withLaunchResult(state.context, state.platform?.context.platform, outcome)),
    // The launch results belong to the user who signs out, so only the platform of this pane stays.
    'auth/signedOut': (state) => withContext(state, state.platform ? [state.platform.context] : []),
  },
)
