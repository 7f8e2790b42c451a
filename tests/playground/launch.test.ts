import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { listen, onFreePort, portOf } from '../../src/build/ports.ts'
import { type ChildServer, startChild } from '../../src/playground/launch.ts'

test('restarts a child process on the next port when its port is taken', async () => {
  const other = createServer()
  await listen(other, 0)
  const children: ChildServer[] = []
  try {
    const port = await onFreePort(portOf(other), [], (free) => {
      const args = ['--port', String(free)]
      const child = startChild('It', 'tests/playground/childServer.ts', args, () => {})
      children.push(child)
      return child.listening
    })
    expect(port).toBeGreaterThan(portOf(other))
    expect(children.length).toBeGreaterThan(1)
  } finally {
    for (const child of children) await child.end()
    other.close()
  }
})
