import type { ChoiceState } from '../choiceState.ts'
import type { Secret } from '../../kernel/secret.ts'
import { isUnexpired } from '../../message/auth/rules.ts'

/** The token of the session, expired or not; null when signed out. */
export const selectToken = ({ auth }: ChoiceState): Secret | null =>
  auth.status === 'success' ? auth.session.token : null

/** The token for a request: the session's while unexpired, otherwise null. `at` is in milliseconds since the epoch. */
export const selectUnexpiredToken = (state: ChoiceState, at: number): Secret | null =>
  state.auth.status === 'success' && isUnexpired(state.auth.session, at) ? selectToken(state) : null
