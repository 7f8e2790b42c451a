import type { AppState } from '../app/state.ts'
import type { Secret } from '../kernel/secret.ts'

/** The bearer of whoever is signed in; null when nobody is. */
export const selectToken = ({ auth }: AppState): Secret | null =>
  auth.status === 'success' ? auth.session.token : null
