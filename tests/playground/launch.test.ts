import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type Server, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listen, onFreePort, portOf } from '../../src/build/ports.ts'
import { type ChildServer, startChild, startPlayground } from '../../src/playground/launch.ts'

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

test('takes another port, and builds pages that name it, when a server loses its port at the start', async () => {
  const root = await mkdtemp(join(tmpdir(), 'signet-launch-'))
  const others: Server[] = []
  const built: string[] = []
  try {
    const playground = await startPlayground({
      ports: { pages: 0, service: 0, identityProvider: 0 },
      dataFolder: join(root, 'data'),
      pagesFolder: join(root, 'pages'),
      cacheFolder: join(root, 'cache'),
      buildPages: async ({ folder, environment }) => {
        const url = environment.SIGNET_API_URL ?? ''
        // The ports are chosen, and the servers do not listen yet.
        if (others.length === 0) {
          const other = createServer()
          others.push(other)
          await listen(other, Number(new URL(url).port))
        }
        await mkdir(folder, { recursive: true })
        await writeFile(join(folder, 'playground.html'), url)
        built.push(url)
      },
    })
    try {
      const page = await fetch(playground.url)
      expect(await page.text()).toBe(playground.serviceUrl)
      expect(built).toHaveLength(2)
      expect(built[0]).not.toBe(playground.serviceUrl)
      const answered = await fetch(`${playground.serviceUrl}/_control/faults`)
      expect(answered.status).toBe(200)
    } finally {
      await playground.close()
    }
  } finally {
    for (const other of others) other.close()
    await rm(root, { recursive: true })
  }
})
