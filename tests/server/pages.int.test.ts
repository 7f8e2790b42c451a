import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type OutgoingHttpHeaders, type Server, createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PageHeaderOptions, pageHeaders, WELL_KNOWN_FILE } from '../../src/server/headers.ts'
import { listenLocally, portOf } from '../../src/build/ports.ts'
import { createPageServer } from '../../src/server/pages.ts'
import { refusalTexts } from '../../src/server/refusalTexts.ts'

const SCRIPT = `console.log(${JSON.stringify('text '.repeat(200))})`
const HEADERS: PageHeaderOptions = {
  page: 'pane',
  isSecure: false,
  apiOrigin: 'http://localhost:4401',
  imageOrigins: [],
  frameAncestors: ["'self'"],
}
let root: string
let server: Server

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'signet-pages-'))
  const folder = join(root, 'dist')
  await mkdir(join(folder, 'inner'), { recursive: true })
  await writeFile(join(root, 'secret.txt'), 'secret')
  await writeFile(join(folder, 'inner', 'file.txt'), 'inner')
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Index</title>')
  await writeFile(join(folder, 'page.0a1b2c3d.js'), SCRIPT)
  await writeFile(join(folder, 'ümlaut.css'), 'p {}')
  await writeFile(join(folder, 'logo.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47]))
  await writeFile(join(folder, 'launch.html'), '<!doctype html><title>Launch</title>')
  await writeFile(join(folder, 'launch.js'), SCRIPT)
  await mkdir(join(folder, '.well-known'))
  await writeFile(join(folder, WELL_KNOWN_FILE), '{ "allowed": [] }')
  await writeFile(join(folder, '.well-known', 'other.json'), 'secret')
  await writeFile(join(root, 'microsoft-officeaddins-allowed.json'), 'secret')
  server = createServer(
    createPageServer({
      folders: [folder],
      index: 'index.html',
      headersOf: (page) => ({ 'X-Page': page, ...pageHeaders(HEADERS) }),
    }),
  )
  await listenLocally(server, 0)
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(root, { recursive: true })
})

type Received = { status: number; headers: IncomingMessage['headers']; body: Buffer }

/** Sends the path as given; `fetch` would normalise it. */
const ask = (path: string, headers: OutgoingHttpHeaders = {}, method = 'GET'): Promise<Received> =>
  new Promise((resolve, reject) => {
    request({ host: 'localhost', port: portOf(server), path, method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      )
    })
      .on('error', reject)
      .end()
  })

test('/ serves the index page with the headers of that page', async () => {
  const { status, headers, body } = await ask('/?person=a')
  expect(status).toBe(200)
  expect(headers['x-page']).toBe('index.html')
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(body.toString()).toContain('Index')
})

test.each([
  ['/page.0a1b2c3d.js', 'text/javascript; charset=utf-8'],
  ['/%C3%BCmlaut.css', 'text/css; charset=utf-8'],
  ['/logo.png', 'image/png'],
])('serves %s as %s', async (path, type) => {
  const { status, headers } = await ask(path)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe(type)
})

describe('compression', () => {
  test.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['gzip;q=1.0, br;q=0.001', 'br', brotliDecompressSync],
    ['gzip ; q=0.5', 'gzip', gunzipSync],
    [' br ', 'br', brotliDecompressSync],
  ] as const)('answers Accept-Encoding %s with %s', async (accepted, encoding, decode) => {
    const { headers, body } = await ask('/page.0a1b2c3d.js', { 'Accept-Encoding': accepted })
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['vary']).toBe('Accept-Encoding')
    expect(body.length).toBeLessThan(SCRIPT.length)
    expect(decode(body).toString()).toBe(SCRIPT)
  })

  test.each(['identity', 'gzip;q=0', 'br;q=0.0, gzip;q=0', 'brotli', ''])(
    'answers Accept-Encoding %j uncompressed',
    async (accepted) => {
      const { headers, body } = await ask('/page.0a1b2c3d.js', { 'Accept-Encoding': accepted })
      expect(headers['content-encoding']).toBeUndefined()
      expect([headers['vary'], headers['content-length']]).toEqual(['Accept-Encoding', String(SCRIPT.length)])
      expect(body.toString()).toBe(SCRIPT)
    },
  )

  test('does not compress an image', async () => {
    const { headers } = await ask('/logo.png', { 'Accept-Encoding': 'br' })
    expect([headers['content-encoding'], headers['vary']]).toEqual([undefined, undefined])
  })
})

describe('what a mail client loads by itself', () => {
  test.each([
    ['/.well-known/microsoft-officeaddins-allowed.json', 'application/json; charset=utf-8'],
    ['/launch.js', 'text/javascript; charset=utf-8'],
  ])('%s is served to every origin, and asked for again each time', async (path, type) => {
    const { status, headers } = await ask(path)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'no-cache',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
    const again = await ask(path, { 'If-None-Match': headers.etag })
    expect([again.status, again.headers['cache-control']]).toEqual([304, 'no-cache'])
  })

  test('the page of launch events has the headers of a pane', async () => {
    const { status, headers } = await ask('/launch.html')
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'x-page': 'launch.html', 'cache-control': 'no-cache' })
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
  })

  test('without a well-known file its path gets 404, as any other', async () => {
    const empty = createServer(
      createPageServer({ folders: [join(root, 'dist', 'inner')], index: 'file.txt', headersOf: () => ({}) }),
    )
    await listenLocally(empty, 0)
    try {
      const { status } = await fetch(`http://localhost:${portOf(empty)}/${WELL_KNOWN_FILE}`)
      expect(status).toBe(404)
    } finally {
      empty.closeAllConnections()
      empty.close()
    }
  })
})

describe('a path out of the folder', () => {
  test.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%5csecret.txt',
    '//secret.txt',
    '/inner/file.txt',
    '/inner',
    '/.well-known',
    '/.well-known/',
    '/.well-known/other.json',
    '/.well-known/../../secret.txt',
    '/.well-known/../microsoft-officeaddins-allowed.json',
    '/.well-known%2f..%2f..%2fmicrosoft-officeaddins-allowed.json',
    '/inner/.well-known/microsoft-officeaddins-allowed.json',
    '/.',
    '/%00',
    '/%zz',
    '/missing.js',
  ])('%s gets 404', async (path) => {
    const { status, headers, body } = await ask(path)
    expect(status).toBe(404)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(body.toString()).not.toContain('secret')
  })
})

test('HEAD has the headers of GET and no body', async () => {
  const full = await ask('/page.0a1b2c3d.js', { 'Accept-Encoding': 'br' })
  const head = await ask('/page.0a1b2c3d.js', { 'Accept-Encoding': 'br' }, 'HEAD')
  expect(head.status).toBe(200)
  expect(head.headers['content-length']).toBe(full.headers['content-length'])
  expect(head.body.length).toBe(0)
})

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s gets 405', async (method) => {
  const { status, headers } = await ask('/', {}, method)
  expect(status).toBe(405)
  expect(headers['allow']).toBe('GET, HEAD')
})

test('in development files are revalidated', async () => {
  const development = createServer(
    createPageServer({
      folders: [join(root, 'dist')],
      index: 'index.html',
      headersOf: () => ({}),
      development: true,
    }),
  )
  await listenLocally(development, 0)
  try {
    const { headers } = await fetch(`http://localhost:${portOf(development)}/page.0a1b2c3d.js`)
    expect(headers.get('cache-control')).toBe('no-cache')
  } finally {
    development.closeAllConnections()
    development.close()
  }
})

test('an unchanged file gets 304, a changed one its new content', async () => {
  const first = await ask('/page.0a1b2c3d.js')
  const etag = first.headers.etag ?? ''
  expect((await ask('/page.0a1b2c3d.js', { 'If-None-Match': etag })).status).toBe(304)

  await writeFile(join(root, 'dist', 'changing.css'), 'a {}')
  const before = await ask('/changing.css')
  await writeFile(join(root, 'dist', 'changing.css'), 'b { color: red }')
  const after = await ask('/changing.css', { 'If-None-Match': before.headers.etag })
  expect(after.status).toBe(200)
  expect(after.body.toString()).toBe('b { color: red }')
})

test('an unchanged page gets 304 with its headers, a rebuilt one its new content', async () => {
  const page = join(root, 'dist', 'rebuilt.html')
  await writeFile(page, '<!doctype html><title>Before</title>')
  const first = await ask('/rebuilt.html')
  const again = await ask('/rebuilt.html', { 'If-None-Match': first.headers.etag })
  expect([first.status, again.status, again.body.length]).toEqual([200, 304, 0])
  // The browser shows the page that it has, under the policy of this answer.
  for (const [name, value] of Object.entries(pageHeaders(HEADERS)))
    expect(again.headers[name.toLowerCase()], name).toBe(value)
  expect(again.headers['x-page']).toBe('rebuilt.html')

  await writeFile(page, '<!doctype html><title>After the build</title>')
  const rebuilt = await ask('/rebuilt.html', { 'If-None-Match': first.headers.etag })
  expect(rebuilt.status).toBe(200)
  expect(rebuilt.headers.etag).not.toBe(first.headers.etag)
  expect(rebuilt.body.toString()).toContain('After the build')
})

describe('a server of several folders', () => {
  const headersOf = (page: string) => {
    if (page === 'broken.html') throw new Error('broken')
    return { 'X-Page': page }
  }
  let several: Server
  let arrive: (folder: string) => void
  let transformed: string[]
  beforeAll(async () => {
    const [first, second] = [join(root, 'first'), join(root, 'second')]
    for (const folder of [first, second]) await mkdir(folder)
    await writeFile(join(first, 'both.txt'), 'first')
    await writeFile(join(second, 'both.txt'), 'second')
    await writeFile(join(second, 'later.html'), 'later')
    await writeFile(join(first, 'unknown.bin'), 'x')
    await writeFile(join(first, 'broken.html'), 'x')
    transformed = []
    const coming = new Promise<string>((resolve) => {
      arrive = resolve
    })
    several = createServer(
      createPageServer({
        folders: [first, coming, join(root, 'nowhere')],
        index: 'later.html',
        headersOf,
        transform: (name, content) => {
          transformed.push(name)
          return Buffer.from(`<${content.toString()}>`)
        },
      }),
    )
    await listenLocally(several, 0)
  })
  afterAll(() => {
    several.closeAllConnections()
    several.close()
  })
  const get = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`http://localhost:${String(portOf(several))}${path}`, init)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  test('answers from the first that has the file, and waits for those to come', async () => {
    expect((await get('/both.txt')).text).toBe('<first>')
    const waiting = get('/later')
    arrive(join(root, 'second'))
    const { status, headers, text } = await waiting
    expect([status, headers.get('x-page'), text]).toEqual([200, 'later.html', '<later>'])
    expect((await get('/')).text).toBe('<later>')
    expect((await get('/missing')).status).toBe(404)
  })

  test('changes the content of a file once', async () => {
    transformed = []
    await get('/unknown.bin')
    const { headers, text } = await get('/unknown.bin')
    expect([headers.get('content-type'), text, transformed]).toEqual([
      ...['application/octet-stream', '<x>', ['unknown.bin']],
    ])
  })

  test.each([
    ['/missing', 404, 'There is no such page.'],
    ['/broken', 500, 'The page could not be read.'],
  ])('%s gets %i, in a sentence', async (path, status, sentence) => {
    const found = await get(path)
    expect(found.status).toBe(status)
    expect(found.text).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(found.text).toContain(`<code>${String(status)}</code></p><p lang="en"><code>${sentence}</code>`)
    expect(found.text).toContain(refusalTexts.en[status === 404 ? 'notFound' : 'failed'].what)
    expect(Object.fromEntries(found.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(Buffer.byteLength(found.text)),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(found.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^ ']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    const head = await get(path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), head.text]).toEqual([
      ...[status, found.headers.get('content-length'), ''],
    ])
  })

  test('says so in the language of the browser, and nothing of the address', async () => {
    const path = '/%3Cb%3Enowhere%3C/b%3E?<i>'
    const { text } = await get(path, { headers: { 'Accept-Language': 'sv, de-CH;q=0.8, en;q=0.2' } })
    expect(text).toContain('<html lang="de">')
    expect(text).toContain(`<h1>${refusalTexts.de.notFound.heading}</h1>`)
    expect(text).not.toContain('nowhere')
  })

  test('takes no other methods, in a sentence', async () => {
    const { status, text } = await get('/both.txt', { method: 'POST' })
    expect([status, text.includes('This server answers GET and HEAD only.')]).toEqual([405, true])
  })
})
