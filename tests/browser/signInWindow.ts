import type { Locator, Page } from 'playwright-core'

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

/** The button that opens the provider's window. */
export const signInButton = (page: Page): Locator =>
  page.getByRole('button', { name: /^(Sign in|Try again)$/ })

export const openSignInWindow = (page: Page): Promise<Page> =>
  windowOpenedBy(page, () => signInButton(page).click())

/** Opens the provider's window, and chooses an account there. */
export const signInByWindow = async (page: Page, name?: string): Promise<void> =>
  answerWindow(await openSignInWindow(page), name)
