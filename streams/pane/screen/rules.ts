import type { AppState } from '../state.ts'
import { selectDefaultSignature, selectIsReplyUnnamed } from '../../message/defaults/selectors.ts'
import { dueContentHash } from '../../message/insertion/rules.ts'
import { isReplyOrForward } from '../../message/mailbox/rules.ts'
import { selectDueSignature } from '../../message/senders/selectors.ts'
import type { ScreenReason } from './events.ts'

/** The longest wait for the screen, in milliseconds from opening the pane. */
export const MAX_SCREEN_WAIT_MS = 1_500

/**
 * The reason why the screen is due: the default signature is in the message, or will not be inserted soon. Null while
 * it may still be inserted, because drawing the screen would delay the insertion.
 */
export function screenReasonOf(state: AppState): Exclude<ScreenReason, 'late'> | null {
  const { auth, defaults, insertion, mailbox, settings } = state
  if (insertion.latest?.attempt.status === 'success') return 'told'
  if (insertion.latest?.attempt.status === 'fail') return 'person'
  const { item, message } = mailbox
  if (item === null || item?.mode === 'read') return 'noneDue'
  if (auth.status === 'signedOut' && auth.reason !== null) return 'person'
  if (settings.status === 'pending') return null
  // With `enableSilentSSO`, a silent sign-in is about to begin.
  if (auth.status === 'signedOut' && !settings.enableSilentSSO) return 'person'
  if (item === undefined || message === null || insertion.latest !== null) return null
  if (!settings.enableSignaturePush) return 'noneDue'
  const signature = selectDefaultSignature(state)
  // Null means that the default is not loaded. A user without a default gets an empty signature from the service.
  if (signature === null) return defaults.load.status === 'fail' ? 'person' : null
  if (isReplyOrForward(message.composeType) && selectIsReplyUnnamed(state)) return null
  return dueContentHash(insertion, selectDueSignature(state), item.key, message) === null ? 'noneDue' : null
}
