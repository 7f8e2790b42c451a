import type { BrowserContext, FrameLocator, Page } from 'playwright-core'
import '../../src/playground/scenario/scripting.ts'

/** The messages of a whole day. */
export const MESSAGES_OF_A_DAY = 300
/** The clock jumps as often as eight hours need, over sleep and the end of sessions. */
const JUMP_EVERY = 25
const JUMP_MS = (8 * 3_600_000 * JUMP_EVERY) / MESSAGES_OF_A_DAY
const HEAP_EVERY = 100

/**
 * Writes this many messages of Alex in an open playground: new messages, replies and forwards in turns, a choice in
 * every fourth, another message in between in every tenth, sleep and an expired session in every twenty-fifth. Waits
 * until each message has exactly one signature; `untilChosen` waits for the chosen one, 11-0. Resolves with the bytes
 * that the pane and the page around it still use after each hundred messages.
 */
export async function liveWorkingDay(
  { context, page, pane }: Readonly<{ context: BrowserContext; page: Page; pane: FrameLocator }>,
  messages: number,
  untilChosen: () => Promise<unknown>,
): Promise<readonly number[]> {
  const devtools = await context.newCDPSession(page)
  const heaps: number[] = []
  const option = (name: string) => pane.getByRole('option', { name, exact: true })
  const untilSigned = () =>
    page.waitForFunction(
      () => {
        const { current, items } = window.playground.snapshot()
        const open = items.find(({ id }) => id === current)
        return open?.bodyHtml.match(/data-signet-id="/g)?.length === 1
      },
      undefined,
      { polling: 40 },
    )
  await option('Short').waitFor()

  for (let count = 1; count <= messages; count++) {
    const kind = (['newMessage', 'reply', 'forward'] as const)[count % 3] ?? 'newMessage'
    await page.evaluate((compose) => void window.playground[compose](), kind)
    await untilSigned()
    if (count % 4 === 0) {
      await option('Northwind standard').click()
      await untilChosen()
    }
    // The user looks at another message in between.
    if (count % 10 === 0) {
      const current = await page.evaluate(() => window.playground.snapshot().current)
      await page.evaluate(() => window.playground.switchTo(null))
      await page.evaluate((id) => window.playground.switchTo(id), current)
      await untilSigned()
    }
    if (count % JUMP_EVERY === 0) {
      await page.evaluate((ms) => window.playground.jump(ms), JUMP_MS)
      const signIn = pane.getByRole('button', { name: 'Sign in', exact: true })
      await signIn.or(option('Short')).first().waitFor()
      if (await signIn.isVisible()) await signIn.click()
      await option('Short').waitFor()
    }
    await page.evaluate(() => window.playground.discard())
    if (count % HEAP_EVERY !== 0) continue
    for (let round = 0; round < 3; round++) await devtools.send('HeapProfiler.collectGarbage')
    heaps.push((await devtools.send('Runtime.getHeapUsage')).usedSize)
  }
  return heaps
}
