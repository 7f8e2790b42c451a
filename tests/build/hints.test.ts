import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addHints } from '../../src/build/hints.ts'

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

const hintsFor = async (apiUrl: string): Promise<readonly string[]> => {
  await addHints(folder, 'taskpane.html', apiUrl)
  return (await readFile(join(folder, 'taskpane.html'), 'utf8')).match(/<link [^>]*>/g) ?? []
}
const SCREEN = '<link rel=prefetch as=script href="/drawScreen.11111111.js">'

it('a page connects early to a service elsewhere', async () => {
  expect(await hintsFor('https://api.example.com/v1')).toEqual([
    '<link rel=preconnect href="https://api.example.com" crossorigin>',
    SCREEN,
  ])
})

it('a page that the service serves is connected already', async () => {
  expect(await hintsFor('')).toEqual([SCREEN])
})
