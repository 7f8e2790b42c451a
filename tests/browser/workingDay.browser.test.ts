import { expect, it } from 'vitest'
import { untilInMessage, useBrowser } from './pane.ts'
import { liveWorkingDay, MESSAGES_OF_A_DAY } from './workingDay.ts'

const IS_LONG = process.env['LONG'] !== undefined
/** A working day; otherwise the first messages of one. */
const MESSAGES = IS_LONG ? MESSAGES_OF_A_DAY : 6
const MAX_HEAP_GROWTH = 1.1

const { open } = useBrowser()

it(
  IS_LONG
    ? '[START-6] 300 messages of a working day each get one signature, and memory stays flat'
    : 'the first messages of a working day each get one signature',
  { timeout: 3_600_000 },
  async () => {
    const playground = await open()
    const heaps = await liveWorkingDay(playground, MESSAGES, () => untilInMessage(playground, 'standard-u-1'))

    expect(playground.noticed.exceptions).toEqual([])
    expect(await playground.page.evaluate(() => window.playground.log().length)).toBeLessThanOrEqual(1_600)
    const [atFirst, , atLast] = heaps
    if (atFirst !== undefined && atLast !== undefined) {
      process.stdout.write(`The heap at 100, 200 and 300 messages: ${heaps.join(', ')} bytes\n`)
      expect(atLast / atFirst).toBeLessThan(MAX_HEAP_GROWTH)
    }
  },
)
