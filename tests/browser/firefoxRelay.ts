import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

// `firefoxRelay.ts <firefox> [arguments]`: starts Firefox, and passes its WebDriver BiDi on at an address of its
// own. It answers a command that Playwright sends for every tab and Firefox ESR does not have, and keeps to itself what
// Firefox tells of a frame after its end, which ends Playwright.

/** Overrides the colour scheme and the like. Firefox ESR takes them from its preferences instead. */
const UNKNOWN_TO_FIREFOX = 'emulation.setMediaFeaturesOverride'

type Told = Readonly<{ method?: string; params?: Readonly<{ context?: string }> }>

const READY = /^(WebDriver BiDi listening on )(ws:\/\/\S+)$/

const [program = '', ...args] = process.argv.slice(2)
const firefox = spawn(program, args, { stdio: ['ignore', 'inherit', 'pipe'] })
firefox.on('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
firefox.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => firefox.kill(signal))

for await (const line of createInterface({ input: firefox.stderr })) {
  const [, words, address] = READY.exec(line) ?? []
  process.stderr.write(`${words && address ? `${words}${await relay(address)}` : line}\n`)
}

/** Serves what `address` serves. Resolves with the own address. */
async function relay(address: string): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: 256 * 1024 * 1024 })
  server.on('connection', (client, { url }) => {
    const browser = new WebSocket(address + (url ?? ''), { maxPayload: 256 * 1024 * 1024 })
    const waiting: RawData[] = []
    const frames = new Set<string>()
    browser.on('open', () => {
      for (const message of waiting.splice(0)) browser.send(message, { binary: false })
    })
    client.on('message', (message: RawData) => {
      const { id, method } = JSON.parse(textOf(message)) as { id: number; method: string }
      if (method === UNKNOWN_TO_FIREFOX) client.send(JSON.stringify({ type: 'success', id, result: {} }))
      else if (browser.readyState === WebSocket.CONNECTING) waiting.push(message)
      else browser.send(message, { binary: false })
    })
    browser.on('message', (message: RawData) => {
      const { method = '', params } = JSON.parse(textOf(message)) as Told
      const frame = method.startsWith('browsingContext.') ? params?.context : undefined
      if (frame !== undefined && method === 'browsingContext.contextCreated') frames.add(frame)
      if (frame === undefined || frames.has(frame)) client.send(message, { binary: false })
      if (frame !== undefined && method === 'browsingContext.contextDestroyed') frames.delete(frame)
    })
    browser.on('close', () => client.close())
    browser.on('error', () => client.close())
    client.on('close', () => browser.close())
  })
  await once(server, 'listening')
  return `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

function textOf(message: RawData): string {
  return Array.isArray(message)
    ? Buffer.concat(message).toString()
    : Buffer.from(message as Buffer).toString()
}
