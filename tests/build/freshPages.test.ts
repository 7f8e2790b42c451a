import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BuildOptions } from '../../src/build/bundle.ts'
import { freshPages } from '../../src/build/freshPages.ts'

// A small project, and a bundler that copies its sources into the page.

let project: string
let options: BuildOptions
let builds: number
const inProject = (file: string) => join(project, file)
const page = () => readFile(join(options.folder, 'page.html'), 'utf8')

async function bundle({ folder, environment }: BuildOptions): Promise<void> {
  builds += 1
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const sources = ['src/page.ts', 'node_modules/library/index.js', 'elsewhere/icon.svg']
  const parts = await Promise.all(sources.map((file) => readFile(inProject(file), 'utf8')))
  await writeFile(join(folder, 'page.html'), [...parts, JSON.stringify(environment)].join('\n'))
  await writeFile(join(folder, 'page.js.map'), JSON.stringify({ sources: [...sources, '<anon>'] }))
}

const build = (by = bundle, changes: Partial<BuildOptions> = {}) =>
  freshPages({ ...options, ...changes }, { project, folders: [inProject('src')] }, by)

beforeEach(async () => {
  builds = 0
  project = await mkdtemp(join(tmpdir(), 'signet-fresh-'))
  for (const folder of ['src/deep', 'node_modules/library', 'elsewhere']) {
    await mkdir(inProject(folder), { recursive: true })
  }
  for (const file of [
    ...['package-lock.json', 'src/page.ts', 'src/deep/unused.ts', 'elsewhere/icon.svg'],
    ...['node_modules/.package-lock.json', 'node_modules/library/index.js'],
  ]) {
    await writeFile(inProject(file), `first ${file}`)
  }
  options = {
    pages: [[inProject('src/page.html')]],
    environment: { SIGNET_API_URL: 'http://localhost:1' },
    folder: inProject('dist/pages'),
    cacheFolder: inProject('cache'),
  }
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(project, { recursive: true })
})

test('keeps the pages when nothing changed', async () => {
  await build()
  const first = await page()
  await build()
  await build()
  expect(builds).toBe(1)
  expect(await page()).toBe(first)
})

test.each([
  ['a source', () => appendFile(inProject('src/page.ts'), '!')],
  ['a source in a deeper folder', () => appendFile(inProject('src/deep/unused.ts'), '!')],
  ['a new source', () => writeFile(inProject('src/deep/new.ts'), '')],
  ['a removed source', () => rm(inProject('src/deep/unused.ts'))],
  ['the lock file', () => appendFile(inProject('package-lock.json'), '!')],
  ['the installed packages', () => appendFile(inProject('node_modules/.package-lock.json'), '!')],
  ['a bundled file of a package', () => appendFile(inProject('node_modules/library/index.js'), '!')],
  ['a bundled file of another folder', () => appendFile(inProject('elsewhere/icon.svg'), '!')],
  ['a variable of the process', () => Promise.resolve(vi.stubEnv('SIGNET_PANE_URL', 'http://localhost:2'))],
  ['a damaged page', () => writeFile(join(options.folder, 'page.html'), '<!doctype html><html la')],
  ['a missing page', () => rm(join(options.folder, 'page.html'))],
  ['a foreign file', () => writeFile(join(options.folder, 'page.0a1b2c3d.js'), 'of another build')],
  ['no output', () => rm(options.folder, { recursive: true })],
  ['no stamp', () => rm(`${options.folder}.build.json`)],
  ['a damaged stamp', () => writeFile(`${options.folder}.build.json`, '{"digest":')],
  ['a stamp of another form', () => writeFile(`${options.folder}.build.json`, '{}')],
])('builds again, once, after a change: %s', async (_, change) => {
  await build()
  await change()
  await build()
  await build()
  expect(builds).toBe(2)
  expect(await page()).toContain(await readFile(inProject('src/page.ts'), 'utf8'))
  expect(await page()).toContain(await readFile(inProject('node_modules/library/index.js'), 'utf8'))
})

test('builds again with another environment, and with other pages', async () => {
  await build()
  await build(bundle, { environment: { SIGNET_API_URL: 'http://localhost:9' } })
  expect(await page()).toContain('http://localhost:9')
  await build(bundle, { pages: [] })
  expect(builds).toBe(3)
})

test('builds again after a source changed during the build', async () => {
  await build(async (each) => {
    await bundle(each)
    await appendFile(inProject('src/page.ts'), 'later')
  })
  await build()
  expect(await page()).toContain('later')
})

test('builds again after a build that failed', async () => {
  await build()
  await appendFile(inProject('src/page.ts'), '!')
  const failing = build(() => Promise.reject(new Error('page.ts:1: no')))
  await expect(failing).rejects.toThrow('page.ts:1: no')
  await build()
  expect(builds).toBe(2)
})
