import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { gathered, GATHERED_MS, lineTime } from '../../../src/service/operations/gathered.ts'

// How the lines of the log leave the process.

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  // Restored later, the spy would put the timer of the test back, for the next file of this worker.
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('the lines of the log', () => {
  const recording = () => {
    const pieces: string[] = []
    const atExit: (() => void)[] = []
    const output = gathered({ write: (piece) => void pieces.push(piece) }, (write) => void atExit.push(write))
    return { pieces, output, end: () => atExit.forEach((write) => write()) }
  }

  it('of a moment are one write, in their order', () => {
    const { pieces, output } = recording()
    output.write('one\n')
    vi.advanceTimersByTime(GATHERED_MS - 1)
    output.write('two\n')
    expect(pieces).toEqual([])
    vi.advanceTimersByTime(1)
    expect(pieces).toEqual(['one\ntwo\n'])
    output.write('three\n')
    vi.advanceTimersByTime(10 * GATHERED_MS)
    expect(pieces).toEqual(['one\ntwo\n', 'three\n'])
  })

  it('that still wait when the process ends are written then, and once', () => {
    const { pieces, output, end } = recording()
    output.write('last\n')
    end()
    expect(pieces).toEqual(['last\n'])
    vi.advanceTimersByTime(GATHERED_MS)
    end()
    expect(pieces).toEqual(['last\n'])
  })

  it('do not keep a process that is ending', () => {
    const { output } = recording()
    const timer = vi.spyOn(globalThis, 'setTimeout')
    output.write('last\n')
    expect((timer.mock.results[0]?.value as NodeJS.Timeout).hasRef()).toBe(false)
  })

  it('have the time as pino writes it, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4e12 }), { minLength: 1 }), (times) => {
        const time = lineTime()
        for (const at of times.flatMap((each) => [each, each + 1, each + 999])) {
          vi.setSystemTime(at)
          expect(time()).toBe(pino.stdTimeFunctions.isoTime())
        }
      }),
    )
  })
})
