import { createHash } from 'node:crypto'
import { readFile, readdir, stat } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { basename, dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { fileHeaders, WELL_KNOWN_FILE } from './headers.ts'
import { refusalPage } from './refusalPage.ts'

/** The page at `/`. */
export const INDEX_PAGE = 'index.html'

/** Content types by file extension, with its dot. */
export const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}
const COMPRESSIBLE = /^(text\/|application\/json|image\/svg)/

type Encoding = 'br' | 'gzip' | 'identity'
/** A file in memory. `modified` is in milliseconds since 1970, and `bodies` maps encodings to content. */
type CachedFile = Readonly<{ etag: string; modified: number; bodies: Map<Encoding, Promise<Buffer>> }>

/**
 * Serves the files of several folders, and their well-known files, to GET and HEAD requests. `/` serves `index`, and a
 * page's `.html` may be left out. If several folders have a file of the same name, the first folder wins. A request
 * waits for a folder that is still a promise, unless an earlier folder has the file. Only names from a folder listing
 * are opened, so no path leaves the folder. Files are cached in memory, compressed, until they change on disk.
 *
 * `headersOf` returns a page's headers, by file name. `transform` returns the content to serve. In `development`,
 * browsers revalidate each file, because its content changes under the same name.
 */
export function createPageServer(options: {
  folders: readonly (string | Promise<string>)[]
  index: string
  headersOf: (page: string) => Record<string, string>
  development?: boolean
  transform?: (name: string, content: Buffer) => Buffer
}): RequestListener {
  const { folders, index, headersOf, development = false, transform = (_, content) => content } = options
  const cache = new Map<string, CachedFile>()

  const pathOf = async (name: string): Promise<string | null> => {
    for (const coming of folders) {
      const folder = await coming
      if (await isFileOf(folder, name)) return join(folder, name)
    }
    return null
  }

  const load = async (name: string, path: string): Promise<CachedFile> => {
    const { mtimeMs } = await stat(path)
    const cached = cache.get(name)
    if (cached?.modified === mtimeMs) return cached
    const content = transform(name, await readFile(path))
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
    const fresh = {
      etag,
      modified: mtimeMs,
      bodies: new Map([['identity', Promise.resolve(content)] as const]),
    }
    cache.set(name, fresh)
    return fresh
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(response, request, 405, 'This server answers GET and HEAD only.', { Allow: 'GET, HEAD' })
    }
    const asked = nameIn(request.url ?? '/') ?? index
    // A path without an extension is a page.
    const name = extname(asked) === '' ? `${asked}.html` : asked
    const path = await pathOf(name)
    if (path === null) return refuse(response, request, 404, 'There is no such page.')

    const file = await load(name, path)
    const type = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream'
    const headers: Record<string, string> = {
      ...(extname(name) === '.html' ? headersOf(name) : fileHeaders(name, development)),
      'Content-Type': type,
      ETag: file.etag,
    }
    const isCompressible = COMPRESSIBLE.test(type)
    if (isCompressible) headers['Vary'] = 'Accept-Encoding'
    if (request.headers['if-none-match'] === file.etag) return void response.writeHead(304, headers).end()

    const encoding = isCompressible ? chosenEncoding(request.headers['accept-encoding'] ?? '') : 'identity'
    const body = await bodyOf(file, encoding)
    if (encoding !== 'identity') headers['Content-Encoding'] = encoding
    headers['Content-Length'] = String(body.length)
    response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : body)
  }

  return (request, response) => {
    answer(request, response).catch(() => {
      if (response.headersSent) response.destroy()
      else refuse(response, request, 500, 'The page could not be read.')
    })
  }
}

/** The file name in a request's URL: null for `/`, and empty for a path that cannot be decoded. */
function nameIn(url: string): string | null {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  if (path === '/') return null
  try {
    return decodeURIComponent(path).slice(1)
  } catch {
    return ''
  }
}

async function isFileOf(folder: string, name: string): Promise<boolean> {
  if (name === WELL_KNOWN_FILE) return isFileOf(join(folder, dirname(name)), basename(name))
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.some((entry) => entry.isFile() && entry.name === name)
}

/** Prefers Brotli to gzip. Browsers do not rank the two, so the only weight that matters is 0. */
function chosenEncoding(accepted: string): Encoding {
  const names = accepted
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()))
    .filter(([, weight]) => weight === undefined || Number(weight.replace(/^q=/, '')) > 0)
    .map(([name]) => name)
  if (names.includes('br')) return 'br'
  return names.includes('gzip') ? 'gzip' : 'identity'
}

async function bodyOf(file: CachedFile, encoding: Encoding): Promise<Buffer> {
  const cached = file.bodies.get(encoding)
  if (cached) return cached
  const content = await bodyOf(file, 'identity')
  const compressed =
    encoding === 'br'
      ? promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
      : promisify(gzip)(content)
  file.bodies.set(encoding, compressed)
  return compressed
}

function refuse(
  response: ServerResponse,
  { headers, method }: IncomingMessage,
  status: number,
  text: string,
  more: Record<string, string> = {},
): void {
  const page = refusalPage({ status, headers, hasHome: true, details: [String(status), text] })
  response
    .writeHead(status, { ...more, ...page.headers, 'Content-Length': String(Buffer.byteLength(page.body)) })
    .end(method === 'HEAD' ? undefined : page.body)
}
