import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addLoadHints } from '../../src/build/hints.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signet-hints-'))
  await writeFile(
    join(folder, 'taskpane.html'),
    '<title>Signet</title><script type=module src=/taskpane.0a1b2c3d.js></script>',
  )
  await writeFile(join(folder, 'taskpane.0a1b2c3d.js'), 'import("drawScreen.11111111.js")')
})
afterEach(() => rm(folder, { recursive: true }))

it('a page of the pane fetches its screen while it loads the engine', async () => {
  await addLoadHints(folder, 'taskpane.html')
  expect((await readFile(join(folder, 'taskpane.html'), 'utf8')).match(/<link [^>]*>/g)).toEqual([
    '<link rel=prefetch as=script href="/drawScreen.11111111.js">',
  ])
})
