import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listenLocally, onFreePort, portOf, probePort } from '../../src/build/ports.ts'
import {
  addressLines,
  type ChildServer,
  portsBeside,
  startChild,
  startPlayground,
} from '../../src/playground/launch.ts'
import { readAdministrators } from '../../streams/administration/session/administrators.ts'

function gate() {
  let resolve: (folder: string) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<string>((resolved, rejected) => {
    resolve = resolved
    reject = rejected
  })
  return { promise, resolve, reject }
}

test('restarts a child process on the next port when its port is taken', async () => {
  const other = createServer()
  await listenLocally(other, 0)
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

test.each([
  [4400, { pages: 4400, service: 4401, identityProvider: 4402 }],
  [5000, { pages: 5000, service: 5001, identityProvider: 5002 }],
  [0, { pages: 0, service: 0, identityProvider: 0 }],
  [65_534, { pages: 65_534, service: 65_535, identityProvider: 0 }],
  [65_535, { pages: 65_535, service: 0, identityProvider: 0 }],
])('the two servers are beside the pages on port %i', (pages, ports) => {
  expect(portsBeside(pages)).toEqual(ports)
})

/** The first of four ports that are free, below those that systems give to programs that ask for any. */
async function fourPorts(): Promise<number> {
  for (let first = 10_000 + Math.floor(Math.random() * 20_000); ; first += 4) {
    const four = [0, 1, 2, 3].map((by) => probePort(first + by))
    if ((await Promise.allSettled(four)).every(({ status }) => status === 'fulfilled')) return first
  }
}

test.each([
  ['the pages', 0, 3],
  ['the service', 1, 3],
  ['the identity provider', 2, 3],
])('the port of %s is the next free one when its own is taken, and is told', async (name, by, instead) => {
  const first = await fourPorts()
  const other = createServer()
  await listenLocally(other, first + by)
  const stopped = new AbortController()
  const told: string[] = []
  try {
    const starting = startPlayground({
      ports: portsBeside(first),
      dataFolder: join(tmpdir(), 'signet-launch-never'),
      tell: (line) => void told.push(line),
      builds: {
        build() {
          // The ports are chosen.
          stopped.abort(new Error('Enough was seen.'))
          return new Promise(() => {})
        },
        end: () => {},
      },
      signal: stopped.signal,
    })
    await expect(starting).rejects.toThrow('Enough was seen.')
    expect(told).toEqual([
      `Port ${String(first + by)} for ${name} is taken, ${String(first + instead)} is used instead.`,
    ])
  } finally {
    other.close()
  }
})

/** The service starts twice, on a machine that may be busy. */
const LIMIT_MS = 120_000

test(
  'takes another port, and prints it and names it in the pages, when a server loses its port at the start',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'signet-launch-'))
    const pages = join(root, 'pages')
    await mkdir(pages)
    await writeFile(join(pages, 'playground.html'), '<!doctype html><title>Playground</title>')
    const first = await fourPorts()
    const wanted = first + 1
    const other = createServer()
    try {
      const playground = await startPlayground({
        ports: portsBeside(first),
        dataFolder: join(root, 'data'),
        builds: {
          async build() {
            // The ports are chosen, and the servers do not listen yet.
            if (!other.listening) await listenLocally(other, wanted)
            return pages
          },
          end: () => {},
        },
      })
      try {
        await playground.whole
        const at = (port: number) => `http://localhost:${String(port)}`
        expect(addressLines(playground).match(/http:\S+\d/g)).toEqual([
          at(first),
          at(first + 3),
          at(first + 2),
        ])
        const page = await fetch(playground.url)
        const html = await page.text()
        expect(html).toContain(`SIGNET_API_URL&quot;:&quot;${playground.serviceUrl}&quot;`)
        const [, settings = ''] = /name="signet-config" content="([^"]*)"/.exec(html) ?? []
        const { SIGNET_ADMINISTRATORS: named } = JSON.parse(settings.replaceAll('&quot;', '"')) as {
          SIGNET_ADMINISTRATORS: string
        }
        expect(readAdministrators(named).map(({ name, roles }) => [name, roles.length])).toEqual([
          ['Alex Kim', 4],
          ['Maria Silva', 1],
          ['Jonas Weber', 1],
        ])
        const answered = await fetch(`${playground.serviceUrl}/_control/faults`)
        expect(answered.status).toBe(200)
        const { issuer } = (await (
          await fetch(`${playground.identityProviderUrl}/northwind/v2.0/.well-known/openid-configuration`)
        ).json()) as { issuer: string }
        expect(new URL(issuer).host).toBe(new URL(playground.identityProviderUrl).host)
      } finally {
        await playground.close()
      }
    } finally {
      other.close()
      await rm(root, { recursive: true })
    }
  },
  LIMIT_MS,
)

test(
  'pages that are still being built are waited for, and hold up no other',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'signet-launch-'))
    const write = async (name: string, title: string) => {
      await mkdir(join(root, name))
      await writeFile(join(root, name, `${title}.html`), `<!doctype html><title>${title}</title>`)
      return join(root, name)
    }
    const replay = gate()
    const failing = gate()
    try {
      const playground = await startPlayground({
        ports: { pages: 0, service: 0, identityProvider: 0 },
        dataFolder: join(root, 'data'),
        builds: {
          build: (name) =>
            name === 'replay'
              ? replay.promise
              : name === 'administration'
                ? failing.promise
                : write(name, name),
          end: () => {},
        },
      })
      try {
        const first = await fetch(`${playground.url}/playground.html`)
        expect(await first.text()).toContain('<title>playground</title>')
        const waiting = fetch(`${playground.url}/replay.html`)
        replay.resolve(await write('replay', 'replay'))
        expect(await (await waiting).text()).toContain('<title>replay</title>')
        failing.reject(new Error('administration.ts:1: no'))
        await expect(playground.whole).rejects.toThrow('administration.ts:1: no')
        expect((await fetch(`${playground.url}/administration.html`)).status).toBe(500)
        expect((await fetch(`${playground.url}/standalone.html`)).status).toBe(200)
      } finally {
        await playground.close()
      }
    } finally {
      await rm(root, { recursive: true })
    }
  },
  LIMIT_MS,
)

test('a start that is stopped during its build ends, and leaves nothing that listens', async () => {
  const root = await mkdtemp(join(tmpdir(), 'signet-launch-'))
  const stopped = new AbortController()
  const pages = await probePort(0)
  let ends = 0
  try {
    const starting = startPlayground({
      ports: { pages, service: 0, identityProvider: 0 },
      dataFolder: join(root, 'data'),
      builds: {
        build() {
          stopped.abort(new Error('The start was stopped.'))
          return new Promise(() => {})
        },
        end: () => void (ends += 1),
      },
      signal: stopped.signal,
    })
    await expect(starting).rejects.toThrow('The start was stopped.')
    expect(ends).toBeGreaterThan(0)
    expect(await probePort(pages)).toBe(pages)
  } finally {
    await rm(root, { recursive: true })
  }
})
