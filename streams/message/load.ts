import { forget, loadOnce, retryAwaited, retryFailed } from '../kernel/load.ts'

/** The events that begin and end a load of the session: sign-in, retry, sign-out. */
export const loadOfSession = {
  'auth/verified': loadOnce,
  'auth/sessionRecovered': loadOnce,
  'app/retryRequested': retryFailed,
  'app/serviceReachable': retryAwaited,
  'auth/signedOut': forget,
} as const
