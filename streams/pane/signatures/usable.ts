import type { ChoiceState } from '../choiceState.ts'
import { selectDestination } from '../mailbox/selectors.ts'

/** What the user can do with the loaded signatures: insert them, copy them to the clipboard, or nothing. */
export type Usable = 'insert' | 'copy' | 'nothing'

/** What the user can do with the loaded signatures now. They stay usable while the service is unreachable. */
export const selectUsable = (state: ChoiceState): Usable => {
  const { own, delegated } = state.signatures
  if (own.entries.length === 0 && delegated.entries.length === 0) return 'nothing'
  return selectDestination(state) === 'ready' ? 'insert' : 'copy'
}
