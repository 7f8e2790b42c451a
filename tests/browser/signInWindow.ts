import type { Page } from 'playwright-core'

/** The window that `act` opens. */
export async function windowOpenedBy(page: Page, act: () => Promise<unknown>): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), act()])
  return popup
}

/**
 * Acts in a window that closes because of it. The window may close before it has answered Playwright, which then rejects
 * the action. Any other error is thrown.
 */
export async function actAndClose(popup: Page, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (popup.isClosed()) return
    await popup.waitForEvent('close').catch(() => {
      throw error
    })
  }
}

/** Clicks a button of the provider's window, by default an account. The window closes. */
export const answerWindow = (popup: Page, name = 'Alex Kim'): Promise<void> =>
  actAndClose(popup, () => popup.getByRole('button', { name }).click())

/** Clicks the button that opens the provider's window, and chooses an account there. */
export async function signInByWindow(page: Page, name?: string): Promise<void> {
  const button = page.getByRole('button', { name: /^(Sign in|Try again)$/ })
  await answerWindow(await windowOpenedBy(page, () => button.click()), name)
}
