import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { freePort } from '../../src/build/ports.ts'

// WebKitGTK by plain W3C WebDriver: Playwright has no way to drive a distribution's own WebKit.

const HOW_TO_GET = `This test needs WebKitGTK's driver and a virtual screen.
On Debian: apt-get install webkit2gtk-driver xvfb. It runs on Linux only.`

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
export type Element = Readonly<{ [ELEMENT]: string }>

/** One tab of a WebKitGTK. Commands reject with the driver's message. */
export type Tab = Readonly<{
  open(address: string): Promise<void>
  /** Runs the body of a function in the current frame; a promise is awaited. */
  run<Result>(body: string, ...given: unknown[]): Promise<Result>
  /** The first element; polls until there is one, and it shows. */
  find(selector: string, text?: string): Promise<Element>
  click(element: Element): Promise<void>
  /** Types into the element that has the focus. */
  press(...keys: readonly string[]): Promise<void>
  /** Later commands are about this frame; null is the page. */
  enter(frame: Element | null): Promise<void>
  close(): Promise<void>
}>

export const KEYS = { enter: '\uE007', escape: '\uE00C' } as const

const PLACES = ['x86_64-linux-gnu', 'aarch64-linux-gnu', '.']
  .flatMap((architecture) => ['4.1', '4.0', '6.0'].map((version) => [architecture, version] as const))
  .map(
    ([architecture, version]) =>
      `/usr/lib/${architecture}/webkit${version === '6.0' ? '' : '2'}gtk-${version}/MiniBrowser`,
  )

const has = (program: string) => spawnSync('which', [program]).status === 0

/** Starts a screen, the driver and a browser. Throws an `Error` that says how to get what is missing. */
export async function openWebKit(): Promise<Tab> {
  const binary = PLACES.find((path) => existsSync(path))
  if (binary === undefined || !has('WebKitWebDriver') || !has('Xvfb')) throw new Error(HOW_TO_GET)
  const children: ChildProcess[] = []
  const endAll = () => {
    for (const child of children.splice(0).reverse()) child.kill()
  }
  try {
    const display = await startScreen(children)
    const port = await freePort(4450)
    children.push(
      spawn('WebKitWebDriver', [`--port=${String(port)}`], {
        stdio: 'ignore',
        env: {
          ...process.env,
          DISPLAY: display,
          WEBKIT_DISABLE_DMABUF_RENDERER: '1',
          // Root has no sandbox.
          WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: process.getuid?.() === 0 ? '1' : '',
        },
      }),
    )
    const tab = await openTab(`http://127.0.0.1:${String(port)}`, binary)
    return {
      ...tab,
      close: async () => {
        await tab.close().finally(endAll)
      },
    }
  } catch (error) {
    endAll()
    throw error
  }
}

/** Starts a virtual screen. Resolves with its name, such as `:99`. */
async function startScreen(children: ChildProcess[]): Promise<string> {
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1400x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  children.push(screen)
  return new Promise((resolve, reject) => {
    screen.stdout.once('data', (chunk: Buffer) => resolve(`:${chunk.toString().trim()}`))
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${String(code)}`)))
  })
}

async function openTab(driver: string, binary: string): Promise<Tab> {
  const ask = async <Value>(method: string, path: string, body?: object): Promise<Value> => {
    const response = await fetch(`${driver}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
    const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } }
    if (!response.ok) throw new Error(`${method} ${path}: ${String(value.error)} ${String(value.message)}`)
    return value
  }
  const options = { binary, args: ['--automation'] }
  const capabilities = { alwaysMatch: { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options } }
  const { sessionId } = await until(() => ask<{ sessionId: string }>('POST', '/session', { capabilities }))
  const tell = <Value>(path: string, body: object = {}) =>
    ask<Value>('POST', `/session/${sessionId}${path}`, body)
  await tell('/timeouts', { script: 40_000, pageLoad: 60_000 })
  const run = <Result>(body: string, ...given: unknown[]) =>
    tell<Result>('/execute/sync', { script: body, args: given })
  return {
    run,
    open: (address) => tell('/url', { url: address }),
    find: (selector, text = '') =>
      until(async () => {
        const found = await run<Element | null>(
          `return [...document.querySelectorAll(arguments[0])].find((each) =>
             each.textContent.includes(arguments[1]) && each.getClientRects().length > 0) ?? null`,
          selector,
          text,
        )
        if (found === null) throw new Error(`There is no ${selector} with “${text}”`)
        return found
      }),
    click: async (element) => {
      // The driver itself scrolls it behind the foot of the pane.
      await run('arguments[0].scrollIntoView({ block: "center" })', element)
      await tell(`/element/${element[ELEMENT]}/click`)
    },
    press: (...keys) =>
      tell('/actions', {
        actions: [
          {
            type: 'key',
            id: 'keyboard',
            actions: keys.flatMap((value) => [
              { type: 'keyDown', value },
              { type: 'keyUp', value },
            ]),
          },
        ],
      }),
    enter: (frame) => tell('/frame', { id: frame }),
    close: () => ask('DELETE', `/session/${sessionId}`),
  }
}

/** Repeats an attempt until it succeeds; after 40 seconds, rejects as the last one did. */
export async function until<Value>(attempt: () => Promise<Value>): Promise<Value> {
  const end = Date.now() + 40_000
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
