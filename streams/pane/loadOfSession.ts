import { forgetValue, loadOnce, retryTemporary, retryFailed } from '../kernel/load.ts'

/** The handlers of a load that begins at sign-in, can be retried, and is forgotten when the user signs out. */
export const sessionLoadHandlers = {
  'auth/verified': loadOnce,
  'auth/sessionRecovered': loadOnce,
  'app/retryRequested': retryFailed,
  'app/serviceReachable': retryTemporary,
  'auth/signedOut': forgetValue,
} as const
