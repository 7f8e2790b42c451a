import type { Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { service, type TabOptions, useBrowser } from './pane.ts'
import { servers } from './servers.ts'
import { signInByWindow } from './signInWindow.ts'

/** `arrange`: what to do with the page before the administration page loads. */
type ShareOptions = Readonly<{
  viewport?: TabOptions['viewport']
  arrange?: (page: Page) => Promise<unknown>
}>

/** The address of the administration page at this path. */
export const administrationAt = (path: string): string => `${servers().pages}/administration.html#${path}`

/** Goes to an area by the navigation, which is behind a button in a narrow window. */
export async function goToArea(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('button', { name: /^Menu: / })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name, exact: true }).click()
}

/** Waits until an administrator is signed in. */
export const untilSignedIn = (page: Page): Promise<void> =>
  page.getByRole('navigation', { name: 'Areas' }).waitFor()

/**
 * The administration page for the tests of a file, in a tab that Alex has signed in to. `share` loads it at this path,
 * without a draft, over the demonstration's data; the browser's caches and the sign-in stay. A new tab is opened after a
 * test that failed.
 *
 * `tab` opens an empty tab with its own storage, where no account is known.
 */
export function useAdministration(permissions: TabOptions['permissions'] = []) {
  const { tab, keep } = useBrowser()
  // What the tests publish and erase is not there for the next file.
  afterAll(service.reset)
  let shared: Page | null = null

  /** Leaves the page, which would write to its databases, and deletes them. */
  async function beginAgain(page: Page): Promise<void> {
    await page.unrouteAll()
    await page.goto('about:blank')
    const session = await page.context().newCDPSession(page)
    const { pages } = servers()
    await session.send('Storage.clearDataForOrigin', { origin: pages, storageTypes: 'indexeddb' })
    await session.detach()
  }

  const share = async (path: string, { viewport, arrange }: ShareOptions = {}): Promise<Page> => {
    const known = shared?.isClosed() === false ? shared : null
    if (known) await beginAgain(known)
    await service.reset()
    const page = (shared = known ?? (await tab({ permissions })))
    keep(page)
    await page.setViewportSize(viewport ?? { width: 1280, height: 900 })
    await arrange?.(page)
    await page.goto(administrationAt(path))
    if (!known) await signInByWindow(page)
    await untilSignedIn(page)
    return page
  }

  return { tab, share }
}
