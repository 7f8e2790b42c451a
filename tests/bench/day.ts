import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import type { RunningPlayground } from '../../src/playground/launch.ts'
import { liveWorkingDay, MESSAGES_OF_A_DAY } from '../browser/workingDay.ts'
import { digits, table, times } from './figures.ts'
import { openPane, snapshotOf, TIMEOUT_MS } from './pane.ts'

const ALEX = 'alex.kim@northwind.example'

/** Measures the memory over the working day of `tests/browser/workingDay.browser.test.ts`. */
export async function measureDay(browser: Browser, { url }: RunningPlayground): Promise<string> {
  const { context, page } = await openPane(browser, url, ALEX)
  try {
    const pane = page.frameLocator('iframe[title="Signet"]')
    const heaps = await liveWorkingDay({ context, page, pane }, MESSAGES_OF_A_DAY, async () => {
      const limit = Date.now() + TIMEOUT_MS
      for (;;) {
        const { current, items } = await snapshotOf(page)
        const open = items.find(({ id }) => id === current)
        const announced = await pane.getByText('“Northwind standard” is in your message.').count()
        if (open?.signatureHtml.includes('data-signet-id="standard-u-1"') && announced > 0) return
        await pause(40)
        if (Date.now() > limit) throw new Error('The chosen signature is not in the message')
      }
    })
    const [first = NaN] = heaps
    return table(
      'Memory over a working day, after garbage collection',
      ['after message', 'heap, MB', 'vs. message 100'],
      heaps.map((heap, index) => [String(100 * (index + 1)), digits(heap / 1e6), times(heap / first)]),
    )
  } finally {
    await context.close()
  }
}
