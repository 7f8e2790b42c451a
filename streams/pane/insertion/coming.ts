import type { ChoiceState } from '../choiceState.ts'
import { awaitsSilentSignIn } from '../../message/auth/rules.ts'
import { selectDefaultSignature } from '../../message/defaults/selectors.ts'
import { selectDueSignature } from '../../message/senders/selectors.ts'
import { dueContentHash } from '../../message/insertion/rules.ts'

/**
 * Whether an automatic insertion is still possible: from the start until it begins or is ruled out. Meanwhile the pane
 * does not report that the message has no signature.
 */
export function selectIsInsertionComing(state: ChoiceState): boolean {
  const { auth, defaults, insertion, mailbox, settings } = state
  const { item, message } = mailbox
  if (insertion.latest !== null || insertion.inMessage !== null) return false
  if (item === null || item?.mode === 'read' || message?.stopPush === true) return false
  // Sign-in reads the switches again. Until they are known, the earlier switches apply.
  if (!settings.enableSignaturePush && (settings.loaded || settings.status !== 'pending')) return false
  if (item && message && dueContentHash(insertion, selectDueSignature(state), item.key, message) !== null)
    return true
  const isKnown = selectDefaultSignature(state) !== null
  if (isKnown && message === null) return true
  if (auth.status === 'signedOut') return awaitsSilentSignIn(state)
  return auth.status !== 'success' || (defaults.load.status !== 'fail' && !('value' in defaults.load))
}
