import { App } from '../../../streams/pane/events.ts'
import type { AppState } from '../../../streams/pane/state.ts'
import { selectDefaultSignature } from '../../../streams/message/defaults/selectors.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import { selectListFailure } from '../../../streams/pane/signatures/selectors.ts'
import { useAppState, useRecording } from '../app.tsx'
import { FailureNotice } from './FailureNotice.tsx'

/** The failure to load the default or the profile; null if both loaded, or if the list shows the same failure. */
export const selectLoadFailure = (state: AppState): Failure | null => {
  const failure = failureOf(state.defaults.load) ?? failureOf(state.profile)
  return failure?.kind === selectListFailure(state)?.kind ? null : failure
}

export function NotLoaded() {
  const retry = useRecording()(App.retryRequested())
  const failure = useAppState(selectLoadFailure)
  const isOfDefault = useAppState(({ defaults }) => defaults.load.status === 'fail')
  const hasDefault = useAppState(selectDefaultSignature) !== null
  const missing = hasDefault ? 'notice.defaultStale' : 'notice.defaultFailed'
  return (
    <FailureNotice
      title={isOfDefault ? missing : 'notice.profileFailed'}
      failure={failure}
      purpose={isOfDefault ? (hasDefault ? 'checkDefault' : 'loadDefault') : 'loadProfile'}
      onRetry={retry}
    />
  )
}
