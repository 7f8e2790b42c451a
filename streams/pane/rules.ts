import { isSignedIn } from '../message/auth/rules.ts'
import { hasFailedTemporarily } from '../kernel/load.ts'
import { areListsAwaited } from '../message/signatures/rules.ts'
import type { AppState } from './state.ts'

/** Whether a load of the signed-in user failed with a temporary failure. */
export const isRetryAwaited = (state: AppState): boolean => {
  const { auth, configuration, defaults, picture, profile, senders, signatures, subscription, variables } =
    state
  const loads = [
    configuration,
    defaults.load,
    picture.url,
    profile,
    senders.load,
    subscription,
    variables.load,
  ]
  return isSignedIn(auth) && (areListsAwaited(signatures) || loads.some((load) => hasFailedTemporarily(load)))
}
