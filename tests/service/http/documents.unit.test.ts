import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWebServer, listen, type RunningServer } from '../../../src/server/webServer.ts'
import { addDocuments } from '../../../src/service/http/documents.ts'

let root: string
let server: RunningServer
let isCounting = false

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'signet-documents-'))
  await mkdir(join(root, 'docs/decisions'), { recursive: true })
  await writeFile(join(root, 'docs/directory.md'), '# Straße <b>\n')
  await writeFile(join(root, 'docs/privacy.md'), '# What Signet knows\n\nNothing.\n')
  await writeFile(join(root, 'docs/load-model.md'), 'secret')
  await writeFile(join(root, 'docs/decisions/0001.md'), 'secret')
  await writeFile(join(root, 'administrator.md'), 'secret')
  const { app } = await createWebServer([], null)
  await addDocuments(app, () => isCounting, join(root, 'docs'))
  server = await listen(app, 0)
})
afterAll(async () => {
  await server.close()
  await rm(root, { recursive: true })
})

type Received = { status: number; headers: IncomingMessage['headers']; body: string }

/** Sends the path as it is; `fetch` would normalise it. */
const ask = (path: string, method = 'GET'): Promise<Received> =>
  new Promise((resolve, reject) => {
    request({ host: 'localhost', port: new URL(server.url).port, path, method }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (part: string) => (body += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
      .on('error', reject)
      .end()
  })

describe('a document', () => {
  it('is served as plain text that runs nothing and is in no frame', async () => {
    const { status, headers, body } = await ask('/docs/directory.md')
    expect([status, body]).toEqual([200, '# Straße <b>\n'])
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    })
    const head = await ask('/docs/directory.md', 'HEAD')
    expect([head.status, head.body]).toEqual([200, ''])
  })

  it('[BLOCK-10] about privacy says that clicks are counted while they are, and no other document does', async () => {
    const [off, other] = [await ask('/docs/privacy.md'), await ask('/docs/directory.md')]
    expect(off.body).toBe('# What Signet knows\n\nNothing.\n')
    isCounting = true
    try {
      const on = await ask('/docs/privacy.md')
      expect(on.body).toMatch(/^# What Signet knows\n\n> [^\n]*counts clicks[^\n]*\n\nNothing\.\n$/)
      expect((await ask('/docs/directory.md')).body).toBe(other.body)
    } finally {
      isCounting = false
    }
  })

  it.each([
    ...['/docs', '/docs/', '/docs/load-model.md', '/docs/decisions/0001.md', '/docs/administrator.md'],
    ...['/docs/../administrator.md', '/docs/%2e%2e/administrator.md', '/docs/..%2fadministrator.md'],
    ...['/docs/directory.md/../load-model.md', '/docs/..\\administrator.md', '/docs/directory.md%00'],
    ...['/docs/DIRECTORY.md', '//docs/directory.md/', '/docs%2fdirectory.md%2f..%2fload-model.md'],
  ])('%s is none', async (path) => {
    const { status, body } = await ask(path)
    expect([400, 404]).toContain(status)
    expect(body).not.toBe('secret')
  })
})

it('of the list is in the folder of the documentation', async () => {
  const { app } = await createWebServer([], null)
  await addDocuments(app, () => false)
  const files = await readdir('docs')
  expect(files.filter((file) => app.hasRoute({ method: 'GET', url: `/docs/${file}` }))).toHaveLength(11)
  await app.close()
})
