import type { AuthEvent } from '../auth/events.ts'
import { withChanges } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { Platform, TelemetryContext, TelemetryEvent } from './events.ts'
import { mergeContext } from './rules.ts'

/** `context` is what is known of the person; `sentAt` in milliseconds since the epoch. */
export type TelemetryState = Readonly<{
  platform: Platform | null
  context: readonly TelemetryContext[]
  status: 'idle' | 'success' | 'fail'
  sentAt: number | null
}>

export const initialTelemetry: TelemetryState = { platform: null, context: [], status: 'idle', sentAt: null }

const ofThisPane = ({ platform }: TelemetryState): readonly TelemetryContext[] =>
  platform ? [platform.context] : []

/** The same state when the context tells nothing new. */
const withContext = (state: TelemetryState, context: readonly TelemetryContext[]): TelemetryState =>
  context.length === state.context.length && context.every((entry, index) => entry === state.context[index])
    ? state
    : { ...state, context }

export function evolveTelemetry(
  state: TelemetryState,
  event: Recorded<TelemetryEvent | Extract<AuthEvent, { type: 'auth/signedOut' }>>,
): TelemetryState {
  switch (event.type) {
    case 'telemetry/platformRead': {
      const { platform } = event.data
      return withContext(withChanges(state, { platform }), mergeContext(state.context, [platform.context]))
    }
    case 'telemetry/contextRestored':
      // What this pane says of itself is newer than what an earlier one said.
      return withContext(state, mergeContext(event.data.context, ofThisPane(state)))
    case 'telemetry/sent':
      return withChanges(state, { status: 'success', sentAt: event.meta.at })
    case 'telemetry/sendFailed':
      return withChanges(state, { status: 'fail' })
    case 'auth/signedOut':
      return withContext(
        withChanges(state, { ...initialTelemetry, platform: state.platform, context: state.context }),
        ofThisPane(state),
      )
    default:
      return assertNever(event)
  }
}
