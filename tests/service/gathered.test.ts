import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { gathered } from '../../src/service/gathered.ts'

// How the lines of the log leave the process.

describe('the lines of the log', () => {
  const recording = () => {
    const pieces: string[] = []
    const atExit: (() => void)[] = []
    const output = gathered({ write: (piece) => void pieces.push(piece) }, (write) => void atExit.push(write))
    return { pieces, output, end: () => atExit.forEach((write) => write()) }
  }

  it('of one turn of the event loop are one write, in their order', async () => {
    const { pieces, output } = recording()
    output.write('one\n')
    await Promise.resolve()
    output.write('two\n')
    expect(pieces).toEqual([])
    await setImmediate()
    expect(pieces).toEqual(['one\ntwo\n'])
    output.write('three\n')
    await setImmediate()
    await setImmediate()
    expect(pieces).toEqual(['one\ntwo\n', 'three\n'])
  })

  it('that still wait when the process ends are written then, and once', async () => {
    const { pieces, output, end } = recording()
    output.write('last\n')
    end()
    expect(pieces).toEqual(['last\n'])
    await setImmediate()
    end()
    expect(pieces).toEqual(['last\n'])
  })
})
