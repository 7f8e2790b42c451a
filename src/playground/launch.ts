import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { type RequestListener, createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type PageEnvironment, buildPages, watchPages } from '../build/bundle.ts'
import { pageHeaders } from '../build/headers.ts'
import { freePort, listen, onFreePort, portOf } from '../build/ports.ts'
import { createPageServer } from '../build/server.ts'
import { portTaken } from '../server/serverProcess.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
/** Demonstration values: the identity provider of the playground knows no other client. */
export const CLIENT_ID = '5197e75b-0c5d-4a6e-9a52-516e7a3d0001'
export const AUDIENCE = 'api://signet'
const PAGES: Readonly<Record<string, 'pane' | 'standalone'>> = {
  'pane.html': 'pane',
  'replay.html': 'pane',
  'index.html': 'standalone',
}
/** A server that says nothing for so long has not started. */
const START_LIMIT_MS = 30_000
/** After it a child that was asked to end is ended. */
const STOP_LIMIT_MS = 3_000

export type PlaygroundOptions = Readonly<{
  /** The wanted ports; one that is taken is told and the next free one used. 0 takes any free one. */
  ports: Readonly<{ pages: number; service: number; identityProvider: number }>
  /** Where the service keeps its data. */
  dataFolder: string
  /**
   * Where the built pages go. Its name is followed by the port of the pages unless any was wanted: pages know their
   * servers, so a second playground must not build over those of the first.
   */
  pagesFolder: string
  /** What Parcel remembers between builds. */
  cacheFolder: string
  /** Brings the demonstration data back. */
  reset?: boolean
  /** Builds again at each change and reloads the page. */
  dev?: boolean
  /** Hears, in plain lines, what a person at the terminal should know. */
  tell?: (line: string) => void
}>

export type Playground = Readonly<{
  /** Addresses without a slash at the end. */
  url: string
  serviceUrl: string
  identityProviderUrl: string
  /** Ends the servers and resolves when the ports are free. */
  close: () => Promise<void>
}>

/**
 * Starts the signature service and the identity provider as processes of their own, builds the two pages and
 * serves them under the headers that they ship with. When a part cannot start, the others are ended and it fails
 * with an `Error` that says which one and why.
 */
export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const { ports, dataFolder, pagesFolder, cacheFolder, reset = false, dev = false, tell = () => {} } = options
  const closing: (() => Promise<void>)[] = []
  const close = async () => {
    await Promise.all(closing.splice(0).map((end) => end()))
  }

  const wanted = [ports.pages, ports.service, ports.identityProvider]
  const chosen: number[] = []
  const place = async (name: string, port: number, take: (port: number) => Promise<number>) => {
    const others = wanted.filter((other) => other !== port)
    const found = await onFreePort(port, [...others, ...chosen], take)
    if (port !== 0 && found !== port) tell(`Port ${port} for ${name} is taken, ${found} is used instead.`)
    chosen.push(found)
    return `http://localhost:${found}`
  }
  const start = (name: string, file: string, args: readonly string[]) => {
    const child = startChild(name, file, args, tell)
    closing.push(child.end)
    return child.listening
  }

  try {
    let serving = new Promise<RequestListener>(() => {})
    // A request that comes early waits for the build.
    const server = createServer((request, response) => {
      serving.then(
        (serve) => serve(request, response),
        () => response.destroy(),
      )
    })
    const url = await place('the pages', ports.pages, async (port) => {
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
    const folder = ports.pages === 0 ? pagesFolder : `${pagesFolder}-${String(portOf(server))}`
    // One after the other, for each is told where the one before it is.
    const identityUrl = await place('the identity provider', ports.identityProvider, (port) =>
      start('The identity provider', 'src/identityProvider/main.ts', [
        ...['--port', String(port), '--client-id', CLIENT_ID, '--audience', AUDIENCE, '--origin', url],
        '--control',
      ]),
    )
    const serviceUrl = await place('the service', ports.service, (port) =>
      start('The service', 'src/service/main.ts', [
        ...['--port', String(port), '--data', dataFolder, '--origin', url, '--issuer', identityUrl],
        ...['--audience', AUDIENCE],
        ...(reset ? ['--reset'] : []),
        '--control',
      ]),
    )
    const hotReloadPort = dev ? await freePort(4_410, chosen) : null

    const build = {
      // From one folder: pages of several would be built into several.
      pages: ['pane.html', 'replay.html', 'playground.html', 'index.html'].map((page) =>
        join(PROJECT, 'src/playground', page),
      ),
      environment: await pageEnvironment({ serviceUrl, identityUrl }),
      folder,
      cacheFolder,
    }
    const building =
      hotReloadPort === null
        ? buildPages(build)
        : watchPages({
            ...build,
            hotReloadPort,
            report: (problem) => problem !== null && tell(problem),
          }).then((end) => void closing.push(end))
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
            connectOrigins: page === 'pane.html' ? [] : [identityUrl],
            imageOrigins: [serviceUrl],
            // The page of the mail client's dialog.
            loadsOffice: page === 'index.html',
            // The sign-in's hidden frame is answered at the page that it is in.
            frameOrigins: page === 'index.html' ? [identityUrl, url] : [],
            frameAncestors: page === 'playground.html' ? [] : ["'self'"],
            ...(hotReloadPort === null ? {} : { hotReloadOrigin: `http://localhost:${hotReloadPort}` }),
          }),
      }),
    )
    await serving
    return { url, serviceUrl, identityProviderUrl: identityUrl, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function pageEnvironment(urls: { serviceUrl: string; identityUrl: string }): Promise<PageEnvironment> {
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')) as { version: string }
  return {
    SIGNET_VERSION: version,
    SIGNET_API_URL: urls.serviceUrl,
    SIGNET_IDP_URL: urls.identityUrl,
    SIGNET_CLIENT_ID: CLIENT_ID,
    // The sign-in library takes nothing but https; on this machine it is asked over http.
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

export type Child = Readonly<{
  /** Resolves with the port; fails as `listen` does when that is taken. */
  listening: Promise<number>
  end: () => Promise<void>
}>

/** Starts one of our own servers, which print one JSON line with their address once they listen. */
export function startChild(
  name: string,
  file: string,
  args: readonly string[],
  tell: (line: string) => void,
): Child {
  const child = spawn(process.execPath, ['--import', 'tsx', join(PROJECT, file), ...args], {
    cwd: PROJECT,
    // The servers end when their input closes, so that they outlive this process in no case.
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let isEnding = false
  let isListening = false
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-4_000)
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
        tell(`${name} has ended by itself (${how}). Start the playground again.\n${complaint}`)
      reject(
        Object.assign(
          new Error(`${name} did not start (${how}). ${complaint}`),
          code === portTaken ? { code: 'EADDRINUSE' } : {},
        ),
      )
    })
  })
  // Somebody else's failure may end the start before this one is looked at.
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
