import { App } from '../../../streams/pane/events.ts'
import type { AppState } from '../../../streams/pane/state.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import type { ListName } from '../../../streams/message/signatures/events.ts'
import { selectListFailure } from '../../../streams/pane/signatures/selectors.ts'
import { useAppState, useRecording } from '../app.tsx'
import { FailureNotice } from '../frame/FailureNotice.tsx'

/**
 * The reason why a list or its next page could not be loaded; null without a failure. If only the refresh of a loaded
 * list failed, the pane's foot shows it.
 */
export const LIST_FAILURE_SELECTORS: Readonly<Record<ListName, (state: AppState) => Failure | null>> = {
  own: (state) =>
    state.signatures.own.entries.length === 0
      ? selectListFailure(state)
      : failureOf(state.signatures.own.load),
  delegated: ({ signatures }) => failureOf(signatures.delegated.load),
}

export function ListFailure({ list }: { list: ListName }) {
  const retry = useRecording()(App.retryRequested())
  const failure = useAppState(LIST_FAILURE_SELECTORS[list])
  const hasSome = useAppState(({ signatures }) => signatures[list].entries.length > 0)
  const ofOwn = hasSome ? 'notice.moreFailed' : 'notice.listFailed'
  return (
    <FailureNotice
      title={list === 'own' ? ofOwn : 'notice.sharedFailed'}
      failure={failure}
      purpose="load"
      onRetry={retry}
    />
  )
}
