import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig, shippedHeaders } from '../../../src/server/pageConfig.ts'
import { createWebServer, listen, type RunningServer } from '../../../src/server/webServer.ts'
import { addPages } from '../../../src/service/http/pages.ts'

const PUBLIC = 'https://signet.example.com'
const config = readConfig({
  SIGNET_API_URL: PUBLIC,
  SIGNET_CLIENT_ID: 'the-client',
  SIGNET_AUTHORITY: 'https://login.microsoftonline.com/organizations',
  SIGNET_SCOPE: 'api://signet.example.com/the-client/access_as_user',
})
const PAGE = '<!doctype html><html lang=en><title>Signet</title><div id=root></div></html>'
const CHUNK = 'drawScreen.0a1b2c3d.js'
let root: string
let folder: string
let server: RunningServer

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'signet-service-pages-'))
  folder = join(root, 'www')
  await mkdir(join(folder, 'inner'), { recursive: true })
  await mkdir(join(folder, '.well-known'))
  for (const name of ['taskpane.html', 'index.html', 'launch.html', 'administration.html'])
    await writeFile(join(folder, name), PAGE)
  await writeFile(join(folder, 'launch.js'), 'signetConfig')
  await writeFile(join(folder, 'launch-guard.js'), 'signetConfig')
  await writeFile(join(folder, CHUNK), `/*${'screen '.repeat(200)}*/`)
  await writeFile(join(folder, 'icon-16.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47]))
  // What a build for another origin left.
  await writeFile(join(folder, '.well-known/microsoft-officeaddins-allowed.json'), 'secret')
  await writeFile(join(root, 'secret.txt'), 'secret')
  await writeFile(join(folder, 'inner/file.txt'), 'secret')
  const { app } = await createWebServer([PUBLIC], null, { trustedProxies: ['127.0.0.0/8', '::1'] })
  await addPages(app, { folder, config, publicUrl: PUBLIC })
  app.get('/api/addin/user', async () => ({ id: 'u-1' }))
  server = await listen(app, 0)
})
afterAll(async () => {
  await server.close()
  await rm(root, { recursive: true })
})

type Received = { status: number; headers: IncomingMessage['headers']; body: string }

/** Sends the path as it is; `fetch` would normalise it. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Received> =>
  new Promise((resolve, reject) => {
    request({ host: 'localhost', port: new URL(server.url).port, path, method, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (part: string) => (body += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
      .on('error', reject)
      .end()
  })

describe('the service', () => {
  it.each(['taskpane.html', 'launch.html', 'index.html'])(
    '[SRV-7] serves %s with its headers',
    async (page) => {
      const { status, headers, body } = await ask(`/${page}`)
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      for (const [name, value] of Object.entries(shippedHeaders(config)[page] ?? {}))
        expect(headers[name.toLowerCase()], name).toBe(value)
      expect(body).toContain(
        '<meta name="signet-config" content="{&quot;SIGNET_API_URL&quot;:&quot;https://signet',
      )
      const again = await ask(`/${page}`, { 'If-None-Match': headers.etag ?? '' })
      expect([again.status, again.body]).toEqual([304, ''])
    },
  )

  it('writes the settings into the program of launch events, which every mail client may load', async () => {
    const { headers, body } = await ask('/launch.js')
    expect(headers).toMatchObject({
      'cache-control': 'no-cache',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect({ ...(runInNewContext(body) as object) }).toEqual(config)
  })

  it('allows its own program in classic Outlook, whatever the build says', async () => {
    const { status, headers, body } = await ask('/.well-known/microsoft-officeaddins-allowed.json')
    expect(status).toBe(200)
    expect(JSON.parse(body)).toEqual({ allowed: [`${PUBLIC}/launch.js`, `${PUBLIC}/launch-guard.js`] })
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      'cross-origin-resource-policy': 'cross-origin',
    })
  })

  it('serves files with a hash for a year, compressed', async () => {
    const { status, headers } = await ask(`/${CHUNK}`, { 'Accept-Encoding': 'br' })
    expect([status, headers['content-encoding']]).toEqual([200, 'br'])
    expect(headers['cache-control']).toContain('immutable')
  })

  it('serves index.html at its root, and names the request', async () => {
    const { status, headers, body } = await ask('/?code=1', { 'X-Request-Id': 'from-the-proxy' })
    expect([status, headers['x-request-id']]).toEqual([200, 'from-the-proxy'])
    expect(body).toContain('Signet')
  })

  it('serves the administration page with and without the end of its name, and with its settings', async () => {
    const page = await ask('/administration')
    expect(page.status).toBe(200)
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(page.body).toContain('<meta name="signet-config"')
    expect((await ask('/administration.html')).body).toBe(page.body)
    expect((await ask('/taskpane')).status).toBe(404)
  })

  it('answers HEAD as GET, without a body', async () => {
    const { status, headers, body } = await ask('/taskpane.html', {}, 'HEAD')
    expect([status, body]).toEqual([200, ''])
    expect(Number(headers['content-length'])).toBeGreaterThan(0)
  })

  it('keeps its calls beside the pages', async () => {
    expect((await ask('/api/addin/user')).body).toBe('{"id":"u-1"}')
    expect((await ask('/nothing')).status).toBe(404)
    expect((await ask('/nothing', {}, 'POST')).status).toBe(404)
  })

  it('says to a person where nothing is, in their language, and leads to its first page', async () => {
    const asked = { Accept: 'text/html,*/*;q=0.8', 'Accept-Language': 'nl-BE, en;q=0.5' }
    for (const path of ['/administratoin', '/api/%zz']) {
      const { status, headers, body } = await ask(path, asked)
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(body).toContain('<html lang="nl">')
      expect(body).toContain('href="/">Naar de startpagina</a>')
    }
    const { headers, body } = await ask('/administratoin', { Accept: '*/*' })
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(JSON.parse(body)).toEqual({ code: 'not_found', message: 'There is nothing at this address.' })
  })

  it('has no pages without a build, and says how to get them', async () => {
    const { app } = await createWebServer([], null)
    const adding = addPages(app, { folder: join(root, 'nowhere'), config, publicUrl: PUBLIC })
    await expect(adding).rejects.toThrow(/lacks taskpane\.html, .*npm run build/)
  })
})

describe('a path out of the folder', () => {
  it.each([
    ...[
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/%2e%2e%5csecret.txt',
      '/..\\secret.txt',
    ],
    ...[
      '/taskpane.html/../../secret.txt',
      '//secret.txt',
      '/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
      '/%252e%252e%252fsecret.txt',
    ],
    ...['/inner/file.txt', '/inner%2ffile.txt', '/inner', '/.well-known', '/.well-known/', '/.'],
    ...['/taskpane.html%00', '/%00', '/taskpane.html%00.png', '/%c0%ae%c0%ae/secret.txt', '/TASKPANE.HTML'],
    ...['/.well-known%2f..%2f..%2fsecret.txt', '/icon-16.png/', '/file:///etc/passwd', '/C:%5csecret.txt'],
  ])('%s serves nothing', async (path) => {
    const { status, body } = await ask(path)
    expect([400, 404]).toContain(status)
    expect(body).not.toMatch(/secret$|root:/)
  })
})
