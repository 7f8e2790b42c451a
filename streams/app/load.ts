import { forget, loadOnce, retryAwaited, retryFailed } from '../kernel/load.ts'

/** Which events begin every load, and end it: it comes with the session, is retried, and goes with the session. */
export const loadOfSession = {
  'auth/verified': loadOnce,
  'auth/sessionRecovered': loadOnce,
  'app/retryRequested': retryFailed,
  'app/serviceReachable': retryAwaited,
  'auth/signedOut': forget,
} as const
