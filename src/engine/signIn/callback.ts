import { broadcastResponseToMainFrame } from '@azure/msal-browser/redirect-bridge'
import { readRedirectResponse, RESPONSE_CHANNEL, type ResponseNotice } from './redirectResponse.ts'

/**
 * Forwards the response in this page's address to the requesting page, and closes the window. It also announces the
 * response, so that the requesting page stops waiting even if forwarding fails.
 */
export async function forwardSignInResponse(): Promise<void> {
  const channel = new BroadcastChannel(RESPONSE_CHANNEL)
  const notice: ResponseNotice = {
    window: window.name,
    state: readRedirectResponse(location)?.get('state') ?? null,
  }
  channel.postMessage(notice)
  channel.close()
  try {
    await broadcastResponseToMainFrame()
  } catch {
    window.close()
  }
}
