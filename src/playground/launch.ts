import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { type RequestListener, createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { PageEnvironment, watchPages } from '../build/bundle.ts'
import { freshPages } from '../build/freshPages.ts'
import { pageHeaders } from '../server/headers.ts'
import { freePort, isTaken, listen, onFreePort, portOf, probePort } from '../build/ports.ts'
import { createPageServer } from '../server/pages.ts'
import { TENANTS } from '../identityProvider/accounts.ts'
import { programArguments } from '../programs/programArguments.ts'
import { EXIT_PORT_TAKEN } from '../server/serverProcess.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
/** The client and the audience that the playground's identity provider accepts. */
export const CLIENT_ID = '5197e75b-0c5d-4a6e-9a52-516e7a3d0001'
export const AUDIENCE = 'api://signet'
const PAGES: Readonly<Record<string, 'pane' | 'standalone' | 'administration'>> = {
  'pane.html': 'pane',
  'launchFrame.html': 'pane',
  'replay.html': 'pane',
  'index.html': 'standalone',
  'administration.html': 'administration',
}
/** Whether the page signs in by itself, and not through the mail client around it. */
const signsIn = (page: string): boolean => page === 'index.html' || page === 'administration.html'
/** How long a server may take until it listens: the pages are built beside it, on a machine that may be busy. */
const START_LIMIT_MS = 120_000
/** How long a child may take to end before it is killed. */
const STOP_LIMIT_MS = 3_000
/** How much of a child's standard error an error message quotes. */
const STDERR_CHARACTERS = 4_000

/** The service's arguments for an identity provider that is laid out like Microsoft Entra. */
export const trusted = (identityUrl: string): readonly string[] => [
  ...['--issuer', `${identityUrl}/{tenant}/v2.0`],
  ...[TENANTS.northwind, TENANTS.harbour].flatMap((tenant) => ['--tenant', tenant]),
  ...[CLIENT_ID, AUDIENCE].flatMap((audience) => ['--audience', audience]),
]

export type PlaygroundOptions = Readonly<{
  /** The preferred ports; the next free one replaces a taken one. 0 takes any free one. */
  ports: Readonly<{ pages: number; service: number; identityProvider: number }>
  /** The folder of the service's data. */
  dataFolder: string
  /**
   * The output folder of the pages. Unless the port of the pages is 0, it is appended to the name: the pages contain
   * the addresses of their servers, so a second playground must not overwrite those of the first.
   */
  pagesFolder: string
  /** Parcel's cache. */
  cacheFolder: string
  /** Resets the service to the demonstration data. */
  reset?: boolean
  /** The origin of a service that runs already; the demonstration is not started then. */
  service?: string
  /** Rebuilds and reloads the page at each change. */
  dev?: boolean
  /** Builds the pages, unless `dev` is set; by default `freshPages`. */
  buildPages?: typeof freshPages
  /** Receives lines for the terminal. */
  tell?: (line: string) => void
}>

export type RunningPlayground = Readonly<{
  /** Origins, without a slash at the end. */
  url: string
  serviceUrl: string
  identityProviderUrl: string
  /** Stops the servers; resolves when the ports are free. */
  close: () => Promise<void>
}>

/**
 * Starts the signature service and the identity provider as child processes, builds the pages meanwhile, and serves
 * them with the headers that they ship with. When a part fails to start, stops the others and rejects with an `Error`
 * that names the part and the reason.
 */
export async function startPlayground(options: PlaygroundOptions): Promise<RunningPlayground> {
  const lost: number[] = []
  for (;;) {
    const before = lost.length
    try {
      return await tryToStart(options, lost)
    } catch (error) {
      if (lost.length === before) throw error
    }
  }
}

/**
 * Chooses the ports of the servers first, because the service and the pages need them, and starts everything at once.
 * Rejects after adding a port to `lost` when another process took it meanwhile.
 */
async function tryToStart(options: PlaygroundOptions, lost: number[]): Promise<RunningPlayground> {
  const { ports, dataFolder, pagesFolder, cacheFolder, reset = false, dev = false, tell = () => {} } = options
  const closing: (() => Promise<void>)[] = []
  const close = async () => {
    await Promise.all(closing.splice(0).map((end) => end()))
  }

  const preferred = [ports.pages, ports.service, ports.identityProvider]
  const chosen: number[] = []
  const choosePort = async (name: string, port: number, take = probePort) => {
    const others = preferred.filter((other) => other !== port)
    const found = await onFreePort(port, [...others, ...chosen, ...lost], take)
    if (port !== 0 && found !== port) tell(`Port ${port} for ${name} is taken, ${found} is used instead.`)
    chosen.push(found)
    return found
  }
  const start = async (name: string, file: string, port: number, args: readonly string[]) => {
    const child = startChild(name, file, ['--port', String(port), ...args], tell)
    closing.push(child.end)
    await child.listening.catch((error: unknown) => {
      if (isTaken(error)) lost.push(port)
      throw error
    })
  }

  let serving = new Promise<RequestListener>(() => {})
  let building: Promise<void> | null = null
  try {
    // An early request waits for the build.
    const server = createServer((request, response) => {
      serving.then(
        (serve) => serve(request, response),
        () => response.destroy(),
      )
    })
    const pagesPort = await choosePort('the pages', ports.pages, async (port) => {
      await listen(server, port)
      return portOf(server)
    })
    closing.push(
      () =>
        new Promise((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    )
    const identityPort = await choosePort('the identity provider', ports.identityProvider)
    const servicePort = options.service === undefined ? await choosePort('the service', ports.service) : null
    const hotReloadPort = dev ? await freePort(4_410, chosen) : null
    const at = (port: number | null) => `http://localhost:${String(port)}`
    const [url, identityUrl] = [at(pagesPort), at(identityPort)]
    const serviceUrl = options.service ?? at(servicePort)
    const folder = ports.pages === 0 ? pagesFolder : `${pagesFolder}-${String(pagesPort)}`

    const build = {
      // All from one folder, because Parcel keeps the folders of its entries.
      // Pane, launch page and administration are bundled as in production: by themselves.
      pages: [
        ['pane.html'],
        ['launchFrame.html'],
        ['administration.html'],
        ['replay.html', 'playground.html', 'index.html'],
      ].map((group) => group.map((page) => join(PROJECT, 'src/playground', page))),
      environment: await pageEnvironment({ serviceUrl, identityUrl }),
      folder,
      cacheFolder,
    }
    building =
      hotReloadPort === null
        ? (options.buildPages ?? freshPages)(build)
        : watch({ ...build, hotReloadPort, report: (problem) => problem !== null && tell(problem) }).then(
            (end) => void closing.push(end),
          )
    serving = building.then(() =>
      createPageServer({
        folder,
        index: 'playground.html',
        development: dev,
        headersOf: (page) =>
          pageHeaders({
            page: PAGES[page] ?? 'playground',
            isSecure: false,
            apiOrigin: serviceUrl,
            connectOrigins: page === 'pane.html' || page === 'launchFrame.html' ? [] : [identityUrl],
            imageOrigins: [serviceUrl],
            // The mail client opens this page in its dialog.
            loadsOffice: page === 'index.html',
            // The identity provider redirects the hidden sign-in frame back to this page.
            frameOrigins: signsIn(page) ? [identityUrl, url] : [],
            frameAncestors: page === 'playground.html' || page === 'administration.html' ? [] : ["'self'"],
            ...(hotReloadPort === null ? {} : { hotReloadOrigin: `http://localhost:${hotReloadPort}` }),
          }),
      }),
    )
    await Promise.all([
      serving,
      start('The identity provider', 'src/identityProvider/main.ts', identityPort, [
        ...['--client-id', CLIENT_ID, '--audience', AUDIENCE, '--layout', 'entra', '--origin', url],
        '--control',
      ]),
      servicePort === null
        ? null
        : start('The service', 'src/service/demonstration/main.ts', servicePort, [
            ...['--data', dataFolder, '--origin', url, ...trusted(identityUrl)],
            ...(reset ? ['--reset'] : []),
            '--control',
          ]),
    ])
    return { url, serviceUrl, identityProviderUrl: identityUrl, close }
  } catch (error) {
    // Two builds must not write into one folder, and one that watches has to be ended.
    await building?.catch(() => {})
    await close()
    throw error
  }
}

/** Builds the pages again at each change, and the launch program once. */
async function watch(options: Parameters<typeof watchPages>[0]): Promise<() => Promise<void>> {
  const [{ watchPages }, { buildLaunchFile }] = await Promise.all([
    import('../build/bundle.ts'),
    import('../build/launchFile.ts'),
  ])
  const end = await watchPages(options)
  await buildLaunchFile(options)
  return end
}

async function pageEnvironment(urls: { serviceUrl: string; identityUrl: string }): Promise<PageEnvironment> {
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')) as { version: string }
  return {
    SIGNET_VERSION: version,
    SIGNET_API_URL: urls.serviceUrl,
    SIGNET_IDP_URL: urls.identityUrl,
    SIGNET_CLIENT_ID: CLIENT_ID,
    // The sign-in library accepts https only. The identity provider listens on http.
    SIGNET_AUTHORITY: `${urls.identityUrl.replace(/^http:/, 'https:')}/northwind`,
    SIGNET_SCOPE: `${AUDIENCE}/access_as_user`,
    SIGNET_IMAGE_ORIGINS: urls.serviceUrl,
    SIGNET_LOCALE: 'en',
    SIGNET_FALLBACK_LOCALE: 'en',
    SIGNET_PRODUCTION: 'false',
    SIGNET_BETA: 'true',
    SIGNET_ANALYTICS_URL: '',
    SIGNET_ANALYTICS_KEY: '',
  }
}

export type ChildServer = Readonly<{
  /** Resolves with the port. Rejects with `EADDRINUSE`, as `listen` does, when the port is taken. */
  listening: Promise<number>
  end: () => Promise<void>
}>

/** Starts one of Signet's servers, which print a JSON line with their address once they listen. */
export function startChild(
  name: string,
  file: string,
  args: readonly string[],
  tell: (line: string) => void,
): ChildServer {
  const child = spawn(process.execPath, programArguments(file, ...args), {
    cwd: PROJECT,
    // The servers end when their standard input closes, so they never outlive this process.
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let isEnding = false
  let isListening = false
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARACTERS)
    if (isListening) tell(`${name}: ${text.trimEnd()}`)
  })

  const listening = new Promise<number>((resolve, reject) => {
    const limit = setTimeout(
      () => reject(new Error(`${name} did not start within ${START_LIMIT_MS / 1000} s.`)),
      START_LIMIT_MS,
    )
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (isListening || !line.startsWith('{"listening"')) return
      isListening = true
      clearTimeout(limit)
      resolve(Number(new URL((JSON.parse(line) as { listening: string }).listening).port))
    })
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      clearTimeout(limit)
      const how = signal ?? `code ${code}`
      if (isListening && !isEnding)
        tell(`${name} ended unexpectedly (${how}). Start the playground again.\n${stderr}`)
      reject(
        Object.assign(
          new Error(`${name} did not start (${how}). ${stderr}`),
          code === EXIT_PORT_TAKEN ? { code: 'EADDRINUSE' } : {},
        ),
      )
    })
  })
  // The start may fail for another reason before this promise is awaited.
  listening.catch(() => {})

  return {
    listening,
    end: () => {
      isEnding = true
      return endProcess(child)
    },
  }
}

function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
    return Promise.resolve()
  return new Promise((resolve) => {
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    child.once('exit', () => {
      clearTimeout(limit)
      resolve()
    })
    child.kill('SIGTERM')
  })
}
