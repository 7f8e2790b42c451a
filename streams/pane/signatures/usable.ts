import type { ChoiceState } from '../choiceState.ts'
import { selectItemStatus } from '../mailbox/selectors.ts'

/** What the user can do with the loaded signatures: insert them, copy them to the clipboard, or nothing. */
export type PossibleUse = 'insert' | 'copy' | 'nothing'

/** What the user can do with the loaded signatures now. They stay usable while the service is unreachable. */
export const selectPossibleUse = (state: ChoiceState): PossibleUse => {
  const { own, delegated } = state.signatures
  if (own.entries.length === 0 && delegated.entries.length === 0) return 'nothing'
  return selectItemStatus(state) === 'ready' ? 'insert' : 'copy'
}
