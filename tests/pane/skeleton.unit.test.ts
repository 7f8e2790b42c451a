import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SOURCES = join(import.meta.dirname, '../../src')
const PAGES = ['pane/taskpane.html', 'pane/index.html', 'playground/pane.html']

it('[START-3] every page of a pane has the same skeleton, in its own HTML', async () => {
  const skeletons = await Promise.all(
    PAGES.map(async (page) => {
      const html = await readFile(join(SOURCES, page), 'utf8')
      expect(html).toMatch(/@import '[./]*(?:pane\/)?skeleton\.css'/)
      return (
        /<div id="root">.*<\/div>\n {4}<script/s.exec(html)?.[0] ?? expect.fail(`${page} has no skeleton`)
      )
    }),
  )
  expect(skeletons[0]).toContain('class="skeleton"')
  expect(new Set(skeletons).size).toBe(1)
})
