import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { freePort, listen, onFreePort, portOf } from '../../src/build/ports.ts'
import { type Child, startChild } from '../../src/playground/launch.ts'

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

  test('is had by each of several that want the same one at the same time', async () => {
    const wanted = await freePort(0)
    const servers = Array.from({ length: 5 }, () => createServer())
    try {
      const ports = await Promise.all(
        servers.map((server) =>
          onFreePort(wanted, [], async (port) => {
            await listen(server, port)
            return portOf(server)
          }),
        ),
      )
      expect(new Set(ports).size).toBe(servers.length)
      expect(servers.map(portOf)).toEqual(ports)
      expect(Math.min(...ports)).toBeGreaterThanOrEqual(wanted)
    } finally {
      for (const server of servers) server.close()
    }
  })

  test('that cannot be had for another reason than being taken is not looked for any further', async () => {
    const asked: number[] = []
    const taking = onFreePort(4_400, [], (port) => {
      asked.push(port)
      return Promise.reject(new Error('No network'))
    })
    await expect(taking).rejects.toThrow('No network')
    expect(asked).toEqual([4_400])
  })

  test('that is taken when a server of our own wants to listen gives way to the next', async () => {
    const taker = createServer()
    await listen(taker, 0)
    const children: Child[] = []
    try {
      const found = await onFreePort(portOf(taker), [], (port) => {
        const args = ['--port', String(port), '--client-id', 'signet', '--origin', 'http://localhost:1']
        const child = startChild('It', 'src/identityProvider/main.ts', args, () => {})
        children.push(child)
        return child.listening
      })
      expect(found).toBeGreaterThan(portOf(taker))
      expect(children.length).toBeGreaterThan(1)
    } finally {
      for (const child of children) await child.end()
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
