import { expect, it } from 'vitest'
import { eventually, option, signaturesIn, untilInMessage, useBrowser } from './pane.ts'

const DEFAULT = 'portrait-u-1'
const { open } = useBrowser()

it('[KNOW-5] the list is usable offline, below it an alert says that it is old, and it refreshes when online', async () => {
  const playground = await open()
  const { context, pane, message } = playground
  await untilInMessage(playground, DEFAULT)
  await option(pane, 'Short').waitFor()
  const again = pane.getByRole('button', { name: 'Check again' })
  await pane.getByText('Checked just now').waitFor()
  const foot = () => pane.locator('footer').evaluate((element) => element.getBoundingClientRect().height)
  const height = await foot()
  const tabs = pane.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  const places = () =>
    Promise.all([option(pane, 'Short'), tabs.first(), tabs.last(), again].map((each) => each.boundingBox()))
  const before = await places()
  const target = before.at(-1)
  expect([target?.width, target?.height].every((side) => (side ?? 0) >= 24)).toBe(true)

  await context.setOffline(true)
  await again.click()
  const told = pane.getByRole('alert').filter({ hasText: 'This list may be out of date' })
  await told.getByText('The list refreshes when the service is back.').waitFor()
  // The alert moves no control.
  expect(await places()).toEqual(before)
  const [low, foremost] = await Promise.all([told.boundingBox(), pane.locator('footer').boundingBox()])
  expect(low?.y).toBeGreaterThanOrEqual(foremost?.y ?? Infinity)
  await option(pane, 'Short').click()
  await eventually(async () => signaturesIn(await message())).toEqual(['short-u-1'])

  await context.setOffline(false)
  await eventually(() => told.count()).toBe(0)
  await pane.getByText('Checked just now').waitFor()
  expect(await foot()).toBe(height)
  await option(pane, 'Short').waitFor()
})
