import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { freePort, listen, portOf } from '../../src/pages/ports.ts'

describe('a port', () => {
  test('that is taken gives way to a later one that can be listened on', async () => {
    const taker = createServer()
    await listen(taker, 0)
    const taken = portOf(taker)
    try {
      const found = await freePort(taken)
      expect(found).toBeGreaterThan(taken)
      const other = createServer()
      await listen(other, found)
      expect(portOf(other)).toBe(found)
      other.close()
    } finally {
      taker.close()
    }
  })

  test('that is free but promised to somebody else is passed over', async () => {
    const wanted = await freePort(0)
    expect(await freePort(wanted, [wanted])).toBeGreaterThan(wanted)
  })

  test('of any number is asked for with 0', async () => {
    expect(await freePort(0)).toBeGreaterThan(0)
  })

  test('cannot be found beyond the last one', async () => {
    await expect(freePort(65_535, [65_535])).rejects.toThrow('65535')
  })
})
