import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPages } from '../../src/build/bundler.ts'

// Parcel reads the project's configuration for files inside the project only.
const dist = join(import.meta.dirname, '../../dist')
let root: string
let page: string

beforeAll(async () => {
  await mkdir(dist, { recursive: true })
  root = await mkdtemp(join(dist, 'build-test-'))
  page = join(root, 'page.html')
  await writeFile(page, '<!doctype html><html lang="en"><title>Page</title><p>Whole</p></html>')
})

afterAll(() => rm(root, { recursive: true }))

test('a build replaces partial and foreign files of an interrupted build', async () => {
  const folder = join(root, 'built')
  const build = () => buildPages({ pages: [page], environment: {}, folder, cacheFolder: join(root, 'cache') })
  const built = () => readFile(join(folder, 'page.html'), 'utf8')
  await build()
  const whole = await built()
  expect(whole).toContain('Whole')

  await writeFile(join(folder, 'page.html'), '<!doctype html><html la')
  await writeFile(join(folder, 'page.0a1b2c3d.js'), 'of another config')
  await build()
  expect(await built()).toBe(whole)
  expect(await readdir(folder)).toEqual(['page.html'])
})
