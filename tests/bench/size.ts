import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildPages } from '../../src/build/bundler.ts'
import { LAUNCH_FILE } from '../../src/server/headers.ts'
import { piecesOf } from '../support/sourceMap.ts'
import { kilobytes, table, times } from './figures.ts'
import { type Opening, type Request, withoutHash } from './pane.ts'

/** Label for code without a source in the map: data such as texts, and the bundler's own code. */
const UNMAPPED = 'texts and bundler'

/** The package of a source file; for Signet's own code, its layer. */
function packageOf(source: string): string {
  const [, found] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? []
  if (found) return found
  const [, layer] = /(?:^|\/)(streams|effects|views|src)\//.exec(source) ?? []
  return layer ? `${layer}/` : UNMAPPED
}

/** The code of a file by package. */
function partition(code: string, map: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const [module, text] of piecesOf({ code, map })) {
    const owner = packageOf(module ?? '')
    parts.set(owner, (parts.get(owner) ?? '') + text)
  }
  return parts
}

const gzipped = (content: string | Buffer): number => gzipSync(content).length

type Size = Readonly<{ bytes: number; gzip: number }>
type Sized = Size & Readonly<{ packages: ReadonlyMap<string, number> }>

/** The sum over all files, each compressed separately. */
async function sizeOfFiles(folder: string, names: readonly string[]): Promise<Size> {
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name))))
  return {
    bytes: contents.reduce((all, content) => all + content.length, 0),
    gzip: contents.reduce((all, content) => all + gzipped(content), 0),
  }
}

/**
 * The size of a built file, in bytes and with gzip. A compressed file cannot be split by package. So this compresses each
 * package's code separately, and divides the file's gzip size in that proportion.
 */
async function sizeOf(folder: string, name: string): Promise<Sized> {
  const content = await readFile(join(folder, name))
  const gzip = gzipped(content)
  if (!name.endsWith('.js')) return { bytes: content.length, gzip, packages: new Map() }
  const map = await readFile(join(folder, `${name}.map`), 'utf8')
  const alone = [...partition(content.toString('utf8'), map)].map(
    ([owner, code]) => [owner, gzipped(code)] as const,
  )
  const sum = alone.reduce((all, [, size]) => all + size, 0)
  return {
    bytes: content.length,
    gzip,
    packages: new Map(alone.map(([owner, size]) => [owner, (size * gzip) / sum])),
  }
}

/** The size of React and React DOM alone, from the pane's bundler. `folder` is empty, and inside the project. */
async function sizeOfReact(folder: string): Promise<Size> {
  const pages = join(folder, 'pages')
  await mkdir(pages, { recursive: true })
  await writeFile(join(folder, 'react.html'), '<script type="module" src="./react.js"></script>')
  await writeFile(
    join(folder, 'react.js'),
    "import { createRoot } from 'react-dom/client'\ncreateRoot(document.body).render(null)\n",
  )
  await buildPages({
    pages: [join(folder, 'react.html')],
    environment: {},
    folder: pages,
    cacheFolder: join(folder, 'cache'),
  })
  const scripts = (await readdir(pages)).filter((name) => name.endsWith('.js'))
  return sizeOfFiles(pages, scripts)
}

const fileOf = ({ url }: Request): string => decodeURIComponent(new URL(url).pathname.slice(1))
const isFile = (name: string): boolean => /\.(js|css|html)$/.test(name)

/** The playground's own files, and launch.js, which has no source map. */
const NOT_OF_THE_PANE = /^(?:playground|launchFrame|launchWorker)|^launch\.js$/

const filesOf = (requests: readonly Request[], pages: string): readonly string[] => [
  ...new Set(requests.filter(({ url }) => new URL(url).origin === pages).map(fileOf)),
]
/** Files whose requests started before the signature, even if the signature did not need them. */
const filesBefore = ({ requests, signature }: Opening, pages: string): readonly string[] =>
  filesOf(
    requests.filter(({ start }) => start < signature),
    pages,
  ).filter(isFile)

/**
 * Measures the JavaScript that the pane and launch events load before the signature. `reactFolder` is an empty folder
 * inside the project.
 */
export async function measureScripts(
  pagesFolder: string,
  pages: string,
  cold: Opening,
  reactFolder: string,
): Promise<string> {
  const scripts = filesBefore(cold, pages).filter((name) => name.endsWith('.js'))
  const pane = await sizeOfFiles(pagesFolder, scripts)
  const launch = await sizeOfFiles(pagesFolder, [LAUNCH_FILE])
  const react = await sizeOfReact(reactFolder)
  const row = (name: string, { bytes, gzip }: Size) => [
    name,
    kilobytes(bytes),
    kilobytes(gzip),
    times(gzip / react.gzip),
    times(gzip / pane.gzip),
  ]
  return table(
    'JavaScript before the signature',
    ['', 'bytes', 'gzip', 'vs. React with react-dom', 'vs. the pane'],
    [
      row('the pane', pane),
      row(LAUNCH_FILE, launch),
      row('React with react-dom alone, from the same bundler', react),
    ],
  )
}

/**
 * Measures the files that the browser loads before the signature, by package, and later files. `settled` are all
 * requests until the network is idle; `reactFolder` is an empty folder inside the project.
 */
export async function measureSize(
  pagesFolder: string,
  pages: string,
  cold: Opening,
  settled: readonly Request[],
  reactFolder: string,
): Promise<string> {
  const before = filesBefore(cold, pages)
  const after = filesOf(settled, pages).filter((name) => isFile(name) && !before.includes(name))
  const others = (await readdir(pagesFolder)).filter(
    (name) => name.endsWith('.js') && !NOT_OF_THE_PANE.test(name) && ![...before, ...after].includes(name),
  )
  const sizes = new Map(
    await Promise.all(
      [...before, ...after, ...others].map(async (name) => [name, await sizeOf(pagesFolder, name)] as const),
    ),
  )
  const scripts = before
    .filter((name) => name.endsWith('.js'))
    .reduce((all, name) => all + (sizes.get(name)?.gzip ?? 0), 0)

  const packages = new Map<string, number>()
  for (const name of before)
    for (const [owner, size] of sizes.get(name)?.packages ?? [])
      packages.set(owner, (packages.get(owner) ?? 0) + size)

  const row = (name: string, when: string) => {
    const { bytes = 0, gzip = 0 } = sizes.get(name) ?? {}
    return [withoutHash(name), when, kilobytes(bytes), kilobytes(gzip)]
  }
  return [
    await measureScripts(pagesFolder, pages, cold, reactFolder),
    table(
      'JavaScript of the pane before the signature, by package',
      ['package', 'gzip, in proportion', 'share'],
      [...packages]
        .toSorted(([, a], [, b]) => b - a)
        .map(([owner, size]) => [owner, kilobytes(size), `${((100 * size) / scripts).toFixed(1)} %`]),
    ),
    table(
      'Files of the pane',
      ['file', 'loaded', 'bytes', 'gzip'],
      [
        ...before.map((name) => row(name, 'before the signature')),
        ...after.map((name) => row(name, 'after the signature')),
        ...others.map((name) => row(name, 'on demand')).toSorted(),
      ],
    ),
  ].join('\n')
}
