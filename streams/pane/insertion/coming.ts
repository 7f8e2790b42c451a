import type { ChoiceState } from '../choiceState.ts'
import { awaitsSilentSignIn } from '../../message/auth/rules.ts'
import { selectDefaultSignature } from '../../message/defaults/selectors.ts'
import { selectDue } from '../../message/senders/selectors.ts'
import { dueDefault } from '../../message/insertion/rules.ts'

/**
 * Whether an automatic insertion is still possible: true from the start until the insertion begins or is ruled out. As
 * long as it is true, the pane does not say that the message has no signature.
 */
export function selectComing(state: ChoiceState): boolean {
  const { auth, defaults, insertion, mailbox, settings } = state
  const { item, message } = mailbox
  if (insertion.latest !== null || insertion.inMessage !== null) return false
  if (item === null || item?.mode === 'read' || message?.stopPush === true) return false
  // At sign-in the switches are read again. Until they are known, the earlier switches count.
  if (!settings.enableSignaturePush && (settings.loaded || settings.status !== 'pending')) return false
  if (item && message && dueDefault(insertion, selectDue(state), item.key, message) !== null) return true
  const isKnown = selectDefaultSignature(state) !== null
  if (isKnown && message === null) return true
  if (auth.status === 'signedOut') return awaitsSilentSignIn(state)
  return auth.status !== 'success' || (defaults.load.status !== 'fail' && !('value' in defaults.load))
}
