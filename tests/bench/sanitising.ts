import type { SignatureImage } from '../../streams/html/content.ts'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { buildPages } from '../../src/build/bundler.ts'
import { listenLocally, portOf } from '../../src/build/ports.ts'
import { createPageServer } from '../../src/server/pages.ts'
import { readDemonstration } from '../../src/service/demonstration/northwind.ts'
import { imageAddresses } from '../../src/service/answers/signatures.ts'
import { northwindPeople, signaturesOf } from '../support/northwind.ts'
import { digits, quantile, table, times } from './figures.ts'
import type { Sanitising, Signature } from './sanitisingPage.ts'

const RUNS = 200
const IMAGES_URL = 'https://signatures.example/images'
const CASES = [
  { size: 'small', owner: 'u-1', name: 'Plain' },
  { size: 'typical', owner: 'u-1', name: 'Harbour Days' },
  { size: 'many images', owner: 'u-5', name: 'Catalogue' },
  { size: 'huge', owner: 'u-5', name: 'All the terms' },
] as const

/** A demonstration signature as the service sends it, including images. */
async function readSignature(owner: string, name: string): Promise<Signature> {
  const { pictures } = await readDemonstration()
  const person = northwindPeople.find(({ id }) => id === owner)
  const found = person && signaturesOf(person, IMAGES_URL).find((signature) => signature.name === name)
  if (!found) throw new Error(`The demonstration has no signature "${name}" of ${owner}`)
  const htmls = [found.html, ...found.variants.map(({ html }) => html)].join('')
  const images = imageAddresses(htmls, `${IMAGES_URL}/`).map((url): SignatureImage => {
    const [hash = '', file = ''] = url.slice(IMAGES_URL.length + 1).split('/')
    const bytes = pictures.get(hash)?.bytes
    const content = bytes === undefined ? '' : Buffer.from(bytes).toString('base64')
    return { url, name: file, content, status: bytes === undefined ? 404 : 200 }
  })
  return { html: found.html, images }
}

/** A page of this folder, without `.html`, and the global that its script sets. */
type BenchPage = Readonly<{ name: string; global: string }>

/** Runs `work` on a page of this folder, in Chromium. `folder` is inside the project. */
export async function withBenchPage(
  browser: Browser,
  folder: string,
  { name, global }: BenchPage,
  work: (page: Page) => Promise<string>,
): Promise<string> {
  const pages = join(folder, 'pages')
  await buildPages({
    pages: [join(import.meta.dirname, `${name}.html`)],
    environment: {},
    folder: pages,
    cacheFolder: join(folder, 'cache'),
  })
  const server = createServer(
    createPageServer({
      folders: [pages],
      index: `${name}.html`,
      // A cross-origin isolated page has a clock resolution of 5 µs instead of 100 µs.
      headersOf: () => ({
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Embedder-Policy': 'require-corp',
      }),
    }),
  )
  await listenLocally(server, 0)
  const page = await browser.newPage()
  try {
    await page.goto(`http://localhost:${String(portOf(server))}/`)
    await page.waitForFunction((wanted) => wanted in window, global)
    return await work(page)
  } finally {
    await page.close()
    server.close()
    server.closeAllConnections()
  }
}

/** Runs `work` on a page with the shipped sanitiser. */
export const withSanitisingPage = (
  browser: Browser,
  folder: string,
  work: (page: Page) => Promise<string>,
): Promise<string> =>
  withBenchPage(browser, folder, { name: 'sanitisingPage', global: 'measureSanitising' }, work)

/** Measures the shipped sanitiser and preview documents, in Chromium. `folder` is inside the project. */
export function measureSanitising(browser: Browser, folder: string): Promise<string> {
  return withSanitisingPage(browser, folder, async (page) => {
    const rows: string[][] = []
    for (const { size, owner, name } of CASES) {
      const signature = await readSignature(owner, name)
      const measured: Sanitising = await page.evaluate(
        ([content, runs]) => window.measureSanitising(content, runs),
        [signature, RUNS] as const,
      )
      const row = (title: string, way: keyof Sanitising) => [
        title,
        way === 'bare' ? signature.html.length.toLocaleString('en-US') : '',
        digits(quantile(measured[way], 0.5)),
        digits(quantile(measured[way], 0.95)),
        times(quantile(measured[way], 0.5) / quantile(measured.bare, 0.5)),
      ]
      rows.push(
        row(`${size}: DOMPurify`, 'bare'),
        row(`${size}: for a message`, 'insert'),
        row(`${size}: for a preview`, 'preview'),
        row(`${size}: whole preview document`, 'document'),
      )
    }
    return table(
      `Sanitising (${String(RUNS)} calls each, in turns)`,
      ['', 'characters', 'p50, ms', 'p95, ms', 'p50 vs. DOMPurify'],
      rows,
    )
  })
}
