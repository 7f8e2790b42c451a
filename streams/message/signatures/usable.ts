import type { ChoiceState } from '../state.ts'
import { selectDestination } from '../mailbox/selectors.ts'

/** The use of the loaded signatures: for the open message, for the clipboard, or none. */
export type Usable = 'insert' | 'copy' | 'nothing'

/** Depends on no request: the loaded signatures stay usable while the service is unreachable. */
export const selectUsable = (state: ChoiceState): Usable => {
  const { own, delegated } = state.signatures
  if (own.entries.length === 0 && delegated.entries.length === 0) return 'nothing'
  return selectDestination(state) === 'ready' ? 'insert' : 'copy'
}
