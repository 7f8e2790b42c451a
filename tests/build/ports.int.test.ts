import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { freePort, listenLocally, onFreePort, portOf } from '../../src/build/ports.ts'

describe('onFreePort', () => {
  test('gives each of five concurrent callers a port of its own', async () => {
    const wanted = await freePort(0)
    const servers = Array.from({ length: 5 }, () => createServer())
    try {
      const ports = await Promise.all(
        servers.map((server) =>
          onFreePort(wanted, [], async (port) => {
            await listenLocally(server, port)
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

  test('stops at an error other than a taken port', async () => {
    const asked: number[] = []
    const taking = onFreePort(4_400, [], (port) => {
      asked.push(port)
      return Promise.reject(new Error('No network'))
    })
    await expect(taking).rejects.toThrow('No network')
    expect(asked).toEqual([4_400])
  })

  test('skips a port in `except`', async () => {
    const wanted = await freePort(0)
    expect(await freePort(wanted, [wanted])).toBeGreaterThan(wanted)
  })

  test('takes any free port for 0', async () => {
    expect(await freePort(0)).toBeGreaterThan(0)
  })

  test('rejects when no port is left', async () => {
    await expect(freePort(65_535, [65_535])).rejects.toThrow('65535')
  })
})
