import type { ChoiceState } from '../state.ts'
import { selectDestination } from '../mailbox/selectors.ts'

/** What the signatures that are loaded can be used for: into the open message, for the clipboard, or none is loaded. */
export type Usable = 'insert' | 'copy' | 'nothing'

/** Independent of the service: it holds while nothing more can be loaded. */
export const selectUsable = (state: ChoiceState): Usable => {
  const { own, delegated } = state.signatures
  if (own.entries.length === 0 && delegated.entries.length === 0) return 'nothing'
  return selectDestination(state) === 'ready' ? 'insert' : 'copy'
}
