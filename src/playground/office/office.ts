import { WORLDWIDE_LIBRARY_URL } from '../../../streams/wire/officeLibrary.ts'
import { createHash, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type RequestListener, request as requestHttp } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import ts from 'typescript'
import { openBuilds } from '../../build/builds.ts'
import { pageHeaders } from '../../server/headers.ts'
import { closeWebServer as closeServer, listenLocally, onFreePort, portOf } from '../../build/ports.ts'
import { freshProductionBuild } from '../../build/production.ts'
import { addPreconnect, readConfig, shippedHeaders, embedConfig } from '../../server/pageConfig.ts'
import { createPageServer } from '../../server/pages.ts'
import {
  PLAYGROUND_AUDIENCE,
  PLAYGROUND_CLIENT_ID,
  identityProviderFor,
  type PlaygroundConfig,
  type PlaygroundServer,
  serviceFor,
  startChild,
} from '../launch.ts'
import { openOfficeLibrary } from './officeLibrary.ts'

// Runs the shipped pane with Microsoft's unchanged library; the playground's page is the mail client. The library
// requires https and a trusted host: one of Outlook's host names, or the pane's own host.

const PROJECT = join(import.meta.dirname, '..', '..', '..')

/** The path of Microsoft's folder with the library and its other files. */
const LIBRARY_FOLDER = new URL('.', WORLDWIDE_LIBRARY_URL).pathname

/** Microsoft's hosts, whose requests this machine answers. */
const MICROSOFT = {
  library: new URL(WORLDWIDE_LIBRARY_URL).host,
  ajax: 'ajax.aspnetcdn.com',
  telemetry: 'browser.pipe.aria.microsoft.com',
  outlook: 'outlook.office.com',
} as const

export type OfficePlaygroundOptions = Readonly<{
  /** The preferred ports. If a port is taken, the next free one is used; 0 means any free port. */
  ports: Readonly<{
    host: number
    pane: number
    microsoft: number
    service: number
    identityProvider: number
  }>
  /** `dataFolder` holds the service's data, `libraryFolder` Microsoft's library. */
  dataFolder: string
  libraryFolder: string
  /** Adds the generated colleagues to the demonstration data. */
  colleagues?: boolean
  tell?: (line: string) => void
}>

export type OfficePlayground = Awaited<ReturnType<typeof startOfficePlayground>>

/**
 * Builds the shipped add-in and serves it over https with a new certificate, beside a page that simulates Outlook on
 * the web. If a part fails to start, stops the others and rejects with an `Error` that names the part and the reason.
 */
export async function startOfficePlayground(options: OfficePlaygroundOptions) {
  const { ports, tell = () => {} } = options
  const closing: (() => Promise<void>)[] = []
  const close = async () => {
    await Promise.all(closing.splice(0).map((end) => end()))
  }
  try {
    const library = await openOfficeLibrary(options.libraryFolder, tell)
    const { key, cert, fingerprint } = await makeCertificate()
    /** Listens on a port. Answers requests once `answer` is set. */
    const open = async (wanted: number) => {
      const server = createServer({ key, cert })
      const port = await onFreePort(wanted, [], async (free) => {
        await listenLocally(server, free)
        return portOf(server)
      })
      closing.push(() => closeServer(server))
      return {
        port,
        url: `https://localhost:${port}`,
        answer: (answer: RequestListener) => void server.on('request', answer),
      }
    }
    const start = async (
      wanted: number,
      [name, file, args]: PlaygroundServer,
      more: readonly string[] = [],
    ) => {
      const port = await onFreePort(wanted, [], (free) => {
        const child = startChild(name, file, ['--port', String(free), ...args, ...more], tell)
        closing.push(child.end)
        return child.listening
      })
      return `http://localhost:${port}`
    }
    const host = await open(ports.host)
    const paneHost = await open(ports.pane)
    const others = await open(ports.microsoft)
    const { url } = host
    const paneUrl = paneHost.url
    const apiUrl = others.url
    const outlookUrl = `https://${MICROSOFT.outlook}`
    const origins = [url, outlookUrl, paneUrl]
    // The servers start one after another, because the service needs the identity provider's address.
    const identityUrl = await start(ports.identityProvider, identityProviderFor(...origins))
    const serviceUrl = await start(
      ports.service,
      serviceFor(options.dataFolder, identityUrl, ...origins),
      options.colleagues === true ? ['--colleagues'] : [],
    )
    const built = await freshProductionBuild({ tell })
    const builds = openBuilds({ tell })
    const hostFolder = await builds.build('office').finally(() => builds.end())
    const config = readConfig({
      SIGNET_API_URL: apiUrl,
      SIGNET_CLIENT_ID: PLAYGROUND_CLIENT_ID,
      SIGNET_AUTHORITY: 'https://login.microsoftonline.com/organizations',
      SIGNET_SCOPE: `${PLAYGROUND_AUDIENCE}/access_as_user`,
    })
    const hostConfig: PlaygroundConfig = {
      ...config,
      SIGNET_PANE_URL: `${paneUrl}/taskpane.html`,
      SIGNET_IDP_URL: identityUrl,
    }
    const headers = shippedHeaders(config)

    host.answer(
      createPageServer({
        folders: [hostFolder],
        index: 'office.html',
        transform: (name, content) => embedConfig(name, content, hostConfig),
        headersOf: () =>
          pageHeaders({
            page: 'playground',
            isSecure: true,
            apiOrigin: apiUrl,
            connectOrigins: [identityUrl],
            imageOrigins: [apiUrl],
            frameAncestors: [],
            frameOrigins: [paneUrl],
          }),
      }),
    )
    paneHost.answer(
      createPageServer({
        folders: [built.www],
        index: 'taskpane.html',
        headersOf: (page) => withFrameAncestor(headers[page] ?? {}, url),
        transform: (name, content) => addPreconnect(name, embedConfig(name, content, config), apiUrl),
      }),
    )
    others.answer(otherHosts({ library, ajax: await readAjaxReplacement(), serviceUrl, apiUrl }))

    return {
      /** `url` and `paneUrl` are origins, without a trailing slash. */
      url,
      paneUrl,
      /** The page at `url` under an Outlook host name, for a browser started with `browserArguments`. */
      outlookUrl,
      serviceUrl,
      /** Browser arguments that map Microsoft's hosts to this machine and accept the certificate. */
      browserArguments: [
        `--host-resolver-rules=${[
          `MAP ${MICROSOFT.outlook}:443 127.0.0.1:${host.port}`,
          ...[MICROSOFT.library, MICROSOFT.ajax, MICROSOFT.telemetry].map(
            (name) => `MAP ${name}:443 127.0.0.1:${others.port}`,
          ),
        ].join(', ')}`,
        `--ignore-certificate-errors-spki-list=${fingerprint}`,
      ],
      /** The pane's shipped headers, which do not allow the playground's page as a frame ancestor. */
      shippedHeaders: headers,
      /** The folders of the pane's files and of their source maps. */
      built,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function makeCertificate() {
  const names = ['localhost', ...Object.values(MICROSOFT)]
  const made = await generate([{ name: 'commonName', value: 'Signet playground' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2 as const, value })) }],
  })
  const publicKey = new X509Certificate(made.cert).publicKey.export({ type: 'spki', format: 'der' })
  return {
    key: made.private,
    cert: made.cert,
    fingerprint: createHash('sha256').update(publicKey).digest('base64'),
  }
}

/** A page's headers, changed so that pages from this origin can frame it. */
const withFrameAncestor = (
  headers: Readonly<Record<string, string>>,
  origin: string,
): Record<string, string> => ({
  ...headers,
  'Content-Security-Policy': (headers['Content-Security-Policy'] ?? '').replace(
    'frame-ancestors',
    `frame-ancestors ${origin}`,
  ),
})

/** The replacement for MicrosoftAjax.js, compiled to a classic script. */
export async function readAjaxReplacement(): Promise<string> {
  const source = await readFile(join(PROJECT, 'src/playground/office/microsoftAjax.ts'), 'utf8')
  return ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2022 } }).outputText
}

/** Serves Microsoft's library and its scripts, ignores its telemetry, and forwards other requests to the service. */
function otherHosts(options: {
  library: ReadonlyMap<string, Buffer>
  ajax: string
  serviceUrl: string
  apiUrl: string
}): RequestListener {
  const { library, ajax, serviceUrl, apiUrl } = options
  return (request, response) => {
    const { host = '', origin } = request.headers
    const path = (request.url ?? '/').split('?', 1)[0] ?? ''
    const answer = (status: number, type: string, body: string | Buffer) => {
      response.writeHead(status, {
        'Content-Type': type,
        'Access-Control-Allow-Origin': origin ?? '*',
        'Access-Control-Allow-Headers': '*',
        'Cache-Control': 'max-age=300',
      })
      response.end(body)
    }
    const script = 'text/javascript; charset=utf-8'
    switch (host) {
      case MICROSOFT.library: {
        const file = library.get(path.replace(LIBRARY_FOLDER, '').toLowerCase())
        if (file) return answer(200, script, file)
        return path.includes('/telemetry/') ? answer(200, script, '') : answer(404, 'text/plain', '')
      }
      case MICROSOFT.ajax:
        return answer(200, script, ajax)
      case MICROSOFT.telemetry:
        return answer(200, 'application/json', '{}')
      default: {
        const forwarded = requestHttp(
          serviceUrl + (request.url ?? '/'),
          { method: request.method, headers: { ...request.headers, host: new URL(serviceUrl).host } },
          (answered) => {
            const type = answered.headers['content-type'] ?? ''
            if (!type.startsWith('application/json')) {
              response.writeHead(answered.statusCode ?? 502, answered.headers)
              answered.pipe(response)
              return
            }
            // The service's answers contain image addresses at `serviceUrl`, but the pane needs them at `apiUrl`.
            const chunks: Buffer[] = []
            answered.on('data', (chunk: Buffer) => chunks.push(chunk))
            answered.on('end', () => {
              const body = Buffer.from(Buffer.concat(chunks).toString('utf8').replaceAll(serviceUrl, apiUrl))
              const headers = { ...answered.headers, 'content-length': String(body.length) }
              delete (headers as Record<string, unknown>)['transfer-encoding']
              response.writeHead(answered.statusCode ?? 502, headers)
              response.end(body)
            })
          },
        )
        forwarded.on('error', () => response.destroy())
        request.pipe(forwarded)
      }
    }
  }
}
