import { broadcastResponseToMainFrame } from '@azure/msal-browser/redirect-bridge'
import { ANSWERS, answerIn, type Answered } from './answer.ts'

/**
 * Hands the answer in this page's address on to the page that asked for it, and closes the window. An answer that
 * cannot be handed on is told as well, so that nobody waits for it.
 */
export async function handAnswerOn(): Promise<void> {
  const channel = new BroadcastChannel(ANSWERS)
  const answered: Answered = { window: window.name, state: answerIn(location)?.get('state') ?? null }
  channel.postMessage(answered)
  channel.close()
  try {
    await broadcastResponseToMainFrame()
  } catch {
    window.close()
  }
}
