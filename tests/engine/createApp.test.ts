import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(ROOT, folder, file))

test('every effect runs: each function that a file of effects/ exports is used by another file that ships', async () => {
  const shipped = [...filesOf('effects'), ...filesOf('src/engine')].map((file) => ({
    file,
    text: readFileSync(file, 'utf8'),
  }))
  const unused: string[] = []
  for (const file of filesOf('effects')) {
    const exports = (await import(file)) as Readonly<Record<string, unknown>>
    for (const [name, value] of Object.entries(exports)) {
      // `mailbox.readUser,` where the application is wired, or a named import.
      const use = new RegExp(`\\.${name},|import \\{[^}]*\\b${name}\\b`)
      const isUsed = shipped.some((other) => other.file !== file && use.test(other.text))
      if (typeof value === 'function' && !isUsed) unused.push(`${name} in ${file}`)
    }
  }
  expect(unused).toEqual([])
})
