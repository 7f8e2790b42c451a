import { WORLDWIDE_LIBRARY_URL } from '../../streams/wire/officeLibrary.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type RequestListener, createServer } from 'node:http'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Builds, openBuilds } from '../build/builds.ts'
import { createBundler } from '../build/bundler.ts'
import { type GroupName, BUILD_GROUPS } from '../build/groups.ts'
import { type BuildProgress, showGroup } from '../build/terminal.ts'
import { addPreconnect, emptyConfig, type PageConfig, embedConfig } from '../server/pageConfig.ts'
import { pageHeaders } from '../server/headers.ts'
import {
  closeWebServer as closeServer,
  freePort,
  HIGHEST_PORT,
  isPortTakenError,
  listenLocally,
  onFreePort,
  portOf,
  probePort,
} from '../build/ports.ts'
import { createPageServer } from '../server/pages.ts'
import { ENTRA_ACCOUNTS, TENANT_IDS } from '../identityProvider/accounts.ts'
import { programArguments } from '../programs/programArguments.ts'
import { takeLock } from '../programs/lock.mjs'
import { EXIT_PORT_TAKEN } from '../server/serverProcess.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
/** The client id and the audience that the playground's identity provider accepts. */
export const PLAYGROUND_CLIENT_ID = '5197e75b-0c5d-4a6e-9a52-516e7a3d0001'
export const PLAYGROUND_AUDIENCE = 'api://signet'
const PAGES: Readonly<Record<string, 'pane' | 'standalone' | 'administration'>> = {
  'pane.html': 'pane',
  'launchFrame.html': 'pane',
  'replay.html': 'pane',
  'index.html': 'standalone',
  'administration.html': 'administration',
}
/** Whether the page signs in by itself. The other pages sign in through the mail client that contains them. */
const signsIn = (page: string): boolean => page === 'index.html' || page === 'administration.html'
/** How long a server may take to listen. The limit is long because the pages are built at the same time. */
const START_LIMIT_MS = 120_000
/** How long a child may take to stop before it is killed. Ctrl-C must end everything within a second. */
const STOP_LIMIT_MS = 700
/** How much of the end of a child's standard error an error message quotes, in characters. */
const STDERR_CHARACTERS = 4_000

/** One of this project's servers, with its arguments. */
export type PlaygroundServer = readonly [name: string, file: string, args: readonly string[]]

const option = (name: string, ...values: readonly string[]) => values.flatMap((value) => [name, value])

/** The identity provider for pages of these origins. Its URLs have the form of Microsoft Entra's. */
export const identityProviderFor = (...origins: readonly string[]): PlaygroundServer => [
  'The identity provider',
  'src/identityProvider/main.ts',
  [
    ...option('--client-id', PLAYGROUND_CLIENT_ID),
    ...option('--audience', PLAYGROUND_AUDIENCE),
    ...option('--layout', 'entra'),
    ...option('--origin', ...origins),
    '--control',
  ],
]

/** The service for pages of these origins. It accepts tokens from the identity provider at this URL. */
export const serviceFor = (
  folder: string,
  identityUrl: string,
  ...origins: readonly string[]
): PlaygroundServer => [
  'The service',
  'src/service/demonstration/main.ts',
  [
    ...option('--data', folder),
    ...option('--origin', ...origins),
    ...option('--issuer', `${identityUrl}/{tenant}/v2.0`),
    ...option('--tenant', TENANT_IDS.northwind, TENANT_IDS.harbour),
    ...option('--audience', PLAYGROUND_CLIENT_ID, PLAYGROUND_AUDIENCE),
    '--control',
  ],
]

export type PlaygroundPorts = Readonly<{ pages: number; service: number; identityProvider: number }>

/** The preferred ports: `pages` and the next two; 0 (any free port) if `pages` is 0 or the port is too high. */
export function portsBeside(pages: number): PlaygroundPorts {
  const beside = (by: number) => (pages === 0 || pages + by > HIGHEST_PORT ? 0 : pages + by)
  return { pages, service: beside(1), identityProvider: beside(2) }
}

export type PlaygroundOptions = Readonly<{
  /** The preferred ports. If a port is taken, the next free one is used; 0 means any free port. */
  ports: PlaygroundPorts
  dataFolder: string
  /** Resets the service to the demonstration data. */
  reset?: boolean
  /** Adds the generated colleagues to the demonstration data, for people. Tests work with the five known people. */
  colleagues?: boolean
  /** The origin of a running service, used instead of the demonstration service. */
  service?: string
  /** Rebuilds and reloads the pages after each file change. */
  dev?: boolean
  /** Builds a group of pages and returns its folder; by default the builds of `openBuilds`. */
  builds?: Pick<Builds, 'build' | 'end'>
  /** Shows what is being built until the first page can be opened. */
  progress?: BuildProgress
  /** Aborts the start: the start rejects, and everything already started is stopped. */
  signal?: AbortSignal
  /** Prints a line to the terminal. */
  tell?: (line: string) => void
}>

export type RunningPlayground = Readonly<{
  /** The three URLs are origins, without a trailing slash. */
  url: string
  serviceUrl: string
  identityProviderUrl: string
  /** Resolves when all pages are built, including those built after the start; rejects if a build fails. */
  whole: Promise<void>
  /** Stops the servers and any running builds. Resolves when the ports are free again. */
  close: () => Promise<void>
}>

/** Terminal lines with a playground's URLs. The first URL is the one to open. */
export const addressLines = ({
  url,
  serviceUrl,
  identityProviderUrl,
}: Omit<RunningPlayground, 'whole' | 'close'>): string =>
  `Signet is at ${url}\nIts service is at ${serviceUrl}, its identity provider at ${identityProviderUrl}`

/**
 * Starts the service and the identity provider as child processes, builds the pages, and serves them with the headers
 * that they ship with. Resolves as soon as the playground, its pane and its launch events can be opened. The other
 * pages are built afterwards; a request for such a page waits for its build. If a part fails to start, stops the others
 * and rejects with an `Error` that names the part and the reason.
 */
export async function startPlayground(options: PlaygroundOptions): Promise<RunningPlayground> {
  const builds = options.builds ?? openPlaygroundBuilds(options)
  const { signal } = options
  const end = () => builds.end()
  signal?.addEventListener('abort', end)
  const lost: number[] = []
  try {
    for (;;) {
      const before = lost.length
      try {
        signal?.throwIfAborted()
        return await tryToStart(options, builds, lost)
      } catch (error) {
        if (lost.length === before) throw error
      }
    }
  } catch (error) {
    builds.end()
    throw error
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

/** `FIRST` is built before the playground opens, `LATER` afterwards. */
const FIRST = ['launchFile', 'playground'] as const satisfies readonly GroupName[]
const LATER = ['replay', 'standalone', 'administration'] as const satisfies readonly GroupName[]

/** With `dev`, the bundler watches these pages as one group. */
const DEV_PAGES = [...LATER, 'playground' as const].flatMap((name) => BUILD_GROUPS[name].pages)

function openPlaygroundBuilds({ tell = () => {}, progress, dev = false }: PlaygroundOptions): Builds {
  return openBuilds({
    tell,
    ...(progress && { onProgress: showGroup(progress, dev ? ['launchFile'] : FIRST) }),
  })
}

/**
 * Chooses the servers' ports first, because the service and the pages need them, and then starts everything at once. If
 * another process takes a port meanwhile, adds the port to `lost` and rejects.
 */
async function tryToStart(
  options: PlaygroundOptions,
  builds: Pick<Builds, 'build' | 'end'>,
  lost: number[],
): Promise<RunningPlayground> {
  const {
    ports,
    dataFolder,
    reset = false,
    colleagues = false,
    dev = false,
    tell = () => {},
    progress,
    signal,
  } = options
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
  const start = async (port: number, [name, file, args]: PlaygroundServer, more: readonly string[] = []) => {
    const child = startChild(name, file, ['--port', String(port), ...args, ...more], tell)
    closing.push(child.end)
    await child.listening.catch((error: unknown) => {
      if (isPortTakenError(error)) lost.push(port)
      throw error
    })
  }

  let serving = new Promise<RequestListener>(() => {})
  try {
    // A request that arrives before the pages are built waits for them.
    const server = createServer((request, response) => {
      serving.then(
        (serve) => serve(request, response),
        () => response.destroy(),
      )
    })
    const pagesPort = await choosePort('the pages', ports.pages, async (port) => {
      await listenLocally(server, port)
      return portOf(server)
    })
    closing.push(() => closeServer(server))
    const identityPort = await choosePort('the identity provider', ports.identityProvider)
    const servicePort = options.service === undefined ? await choosePort('the service', ports.service) : null
    const hotReloadPort = dev ? await freePort(4_410, chosen) : null
    const at = (port: number | null) => `http://localhost:${String(port)}`
    const [url, identityUrl] = [at(pagesPort), at(identityPort)]
    const serviceUrl = options.service ?? at(servicePort)
    const config = playgroundConfig({ serviceUrl, identityUrl })
    const later: Promise<string>[] = []
    const building =
      hotReloadPort === null
        ? Promise.all(FIRST.map((name) => builds.build(name))).then((first) => {
            later.push(...LATER.map((name) => builds.build(name)))
            return first
          })
        : watchDev({ pages: pagesPort, hotReload: hotReloadPort }, builds, tell, closing)
    serving = building.then((first) =>
      createPageServer({
        folders: [...first, ...later],
        index: 'playground.html',
        development: dev,
        transform: (name, content) => {
          const written = embedConfig(name, content, config)
          return addPreconnect(name, written, serviceUrl)
        },
        headersOf: (page) =>
          pageHeaders({
            page: PAGES[page] ?? 'playground',
            isSecure: false,
            apiOrigin: serviceUrl,
            connectOrigins: page === 'pane.html' || page === 'launchFrame.html' ? [] : [identityUrl],
            imageOrigins: [serviceUrl],
            // The mail client opens this page in a dialog, so the page may load Microsoft's library.
            ...(page === 'index.html' ? { officeLibrary: WORLDWIDE_LIBRARY_URL } : {}),
            // The identity provider redirects the hidden sign-in frame to a page of this origin.
            frameOrigins: signsIn(page) ? [identityUrl, url] : [],
            frameAncestors: page === 'playground.html' || page === 'administration.html' ? [] : ["'self'"],
            ...(hotReloadPort === null ? {} : { hotReloadOrigin: `http://localhost:${hotReloadPort}` }),
          }),
      }),
    )
    const starting = Promise.all([
      serving,
      start(identityPort, identityProviderFor(url)),
      servicePort === null
        ? null
        : start(servicePort, serviceFor(dataFolder, identityUrl, url), [
            ...(reset ? ['--reset'] : []),
            ...(colleagues ? ['--colleagues'] : []),
          ]),
    ])
    // After an abort, later failures of the parts do not matter because they are stopped below.
    starting.catch(() => {})
    await Promise.race([starting, aborted(signal)])
    progress?.clear()
    const whole = Promise.all(later).then(() => undefined)
    // Avoids an unhandled rejection. A request for an unbuilt page reports the failure.
    whole.catch(() => {})
    closing.push(() => Promise.resolve(builds.end()))
    return { url, serviceUrl, identityProviderUrl: identityUrl, whole, close }
  } catch (error) {
    progress?.clear()
    await close()
    throw error
  }
}

/** Rejects when the signal aborts, and never resolves. */
const aborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    const stop = () => reject(signal?.reason as Error)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })

/** Builds the launch program once, and rebuilds the pages after each change. Resolves with their folders. */
async function watchDev(
  ports: Readonly<{ pages: number; hotReload: number }>,
  builds: Pick<Builds, 'build'>,
  tell: (line: string) => void,
  closing: (() => Promise<void>)[],
): Promise<readonly string[]> {
  const launchFile = await builds.build('launchFile')
  // Development files have no hash in their names, so they must not be mixed with the shipped files.
  const root = join(PROJECT, 'dist/development', String(ports.pages))
  const [folder, cacheFolder] = [join(root, 'www'), join(root, 'cache')]
  const bundler = createBundler({ tell })
  closing.push(() => Promise.resolve(bundler.end()))
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string }
  const { wasLeft, unlock } = await takeLock(join(root, 'lock'))
  // A leftover lock means that the first build was interrupted, so the cache may be incomplete.
  if (wasLeft) await rm(cacheFolder, { recursive: true, force: true })
  await bundler.watch(
    'the pages',
    {
      kind: 'watch',
      options: {
        pages: DEV_PAGES.map((page) => join(PROJECT, page)),
        environment: { SIGNET_VERSION: version },
        folder,
        cacheFolder,
        hotReloadPort: ports.hotReload,
      },
    },
    (problem) => problem !== null && tell(problem),
  )
  unlock()
  // Parcel puts each page into a folder named like the page's source folder.
  const folders = [...new Set(DEV_PAGES.map((page) => basename(dirname(page))))]
  return [launchFile, folder, ...folders.map((each) => join(folder, each))]
}

/**
 * The pages' config, with additional settings for the playground's pages. `SIGNET_ADMINISTRATORS` tells the
 * administration page who can sign in.
 */
export type PlaygroundConfig = PageConfig &
  Readonly<Partial<Record<'SIGNET_IDP_URL' | 'SIGNET_PANE_URL' | 'SIGNET_ADMINISTRATORS', string>>>

/** The config that the server writes into the pages. */
const playgroundConfig = (urls: { serviceUrl: string; identityUrl: string }): PlaygroundConfig => ({
  ...emptyConfig(),
  SIGNET_API_URL: urls.serviceUrl,
  SIGNET_IDP_URL: urls.identityUrl,
  SIGNET_CLIENT_ID: PLAYGROUND_CLIENT_ID,
  // The sign-in library accepts only https, so the URL has https although the identity provider listens on http.
  SIGNET_AUTHORITY: `${urls.identityUrl.replace(/^http:/, 'https:')}/northwind`,
  SIGNET_SCOPE: `${PLAYGROUND_AUDIENCE}/access_as_user`,
  SIGNET_IMAGE_ORIGINS: urls.serviceUrl,
  SIGNET_LOCALE: 'en',
  SIGNET_FALLBACK_LOCALE: 'en',
  SIGNET_ADMINISTRATORS: JSON.stringify(
    ENTRA_ACCOUNTS.flatMap(({ name, roles }) => (roles === undefined ? [] : { name, roles })),
  ),
  SIGNET_PRODUCTION: 'false',
  SIGNET_BETA: 'true',
})

export type ChildServer = Readonly<{
  /** Resolves with the port. Rejects with `EADDRINUSE`, as `listen` does, when the port is taken. */
  listening: Promise<number>
  end: () => Promise<void>
}>

/** Starts one of Signet's servers. The server prints a JSON line with its URL once it listens. */
export function startChild(
  name: string,
  file: string,
  args: readonly string[],
  tell: (line: string) => void,
): ChildServer {
  const child = spawn(process.execPath, programArguments(file, ...args), {
    cwd: PROJECT,
    // A server ends when its standard input closes, so it cannot outlive this process.
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
  // Avoids an unhandled rejection: the start may fail for another reason before it awaits this promise.
  listening.catch(() => {})

  return {
    listening,
    end: () => {
      isEnding = true
      return endProcess(child)
    },
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  child.kill('SIGTERM')
  await once(child, 'exit')
  clearTimeout(limit)
}
