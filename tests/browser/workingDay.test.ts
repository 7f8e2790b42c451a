import { expect, it } from 'vitest'
import { eventually, openMessage, option, signaturesIn, untilInMessage, useBrowser } from './pane.ts'

const IS_LONG = process.env['LONG'] !== undefined
/** A working day; otherwise the first messages of one. */
const MESSAGES = IS_LONG ? 300 : 6
/** The clock jumps as often as eight hours need, over sleep and the end of sessions. */
const JUMP_EVERY = 25
const JUMP_MS = (8 * 3_600_000 * JUMP_EVERY) / 300
const MAX_HEAP_GROWTH = 1.1

const { open } = useBrowser()

it(
  IS_LONG
    ? '[START-6] 300 messages of a working day each get one signature, and memory stays flat'
    : 'the first messages of a working day each get one signature',
  { timeout: 3_600_000 },
  async () => {
    const playground = await open()
    const { context, page, pane, noticed } = playground
    const devtools = await context.newCDPSession(page)
    /** Bytes that the pane and the page around it still use. */
    const heap = async () => {
      for (let round = 0; round < 3; round++) await devtools.send('HeapProfiler.collectGarbage')
      return (await devtools.send('Runtime.getHeapUsage')).usedSize
    }
    const heaps: number[] = []
    await option(pane, 'Short').waitFor()

    for (let count = 1; count <= MESSAGES; count++) {
      const kind = (['newMessage', 'reply', 'forward'] as const)[count % 3] ?? 'newMessage'
      await page.evaluate((compose) => void window.playground[compose](), kind)
      await eventually(async () => signaturesIn(openMessage(await playground.snapshot()))).toHaveLength(1)
      if (count % 4 === 0) {
        await option(pane, 'Northwind standard').click()
        await untilInMessage(playground, '11-0')
      }
      // The user looks at another message in between.
      if (count % 10 === 0) {
        const { current } = await playground.snapshot()
        await page.evaluate(() => window.playground.switchTo(null))
        await page.evaluate((id) => window.playground.switchTo(id), current)
        await eventually(async () => signaturesIn(openMessage(await playground.snapshot()))).toHaveLength(1)
      }
      if (count % JUMP_EVERY === 0) {
        await page.evaluate((ms) => window.playground.jump(ms), JUMP_MS)
        const signIn = pane.getByRole('button', { name: 'Sign in', exact: true })
        await signIn.or(option(pane, 'Short')).first().waitFor()
        if (await signIn.isVisible()) await signIn.click()
        await option(pane, 'Short').waitFor()
      }
      await page.evaluate(() => window.playground.discard())
      if (count % 100 === 0) heaps.push(await heap())
    }

    expect(noticed.exceptions).toEqual([])
    expect(await page.evaluate(() => window.playground.log().length)).toBeLessThanOrEqual(1_600)
    const [atFirst, , atLast] = heaps
    if (atFirst !== undefined && atLast !== undefined) {
      process.stdout.write(`The heap at 100, 200 and 300 messages: ${heaps.join(', ')} bytes\n`)
      expect(atLast / atFirst).toBeLessThan(MAX_HEAP_GROWTH)
    }
  },
)
